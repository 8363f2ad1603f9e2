"""items of an import that is under way are in the store, and not in the study yet.

Revision: 0025, after 0024
"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    comment = "the first item of an import that is under way: from it on, items are not in the study yet"
    none = str(2**62)
    op.add_column(
        "study", sa.Column("arriving_from", sa.BigInteger(), nullable=False, server_default=none, comment=comment)
    )
