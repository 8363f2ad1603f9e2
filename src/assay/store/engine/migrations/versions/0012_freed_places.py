"""places of people who are left out of the report can be given to others.

Revision: 0012, after 0011
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    comment = "when its place was given to others for good; empty: it was not"
    op.add_column("assignment", sa.Column("freed_at", sa.BigInteger(), nullable=True, comment=comment))
