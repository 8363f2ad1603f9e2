"""with which probability an item was drawn for people is kept with it.

Revision: 0021, after 0020
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    comment = "the probability with which it was drawn for people; empty: nothing was drawn"
    op.add_column("item_hidden", sa.Column("drawn", sa.Float(), comment=comment))
