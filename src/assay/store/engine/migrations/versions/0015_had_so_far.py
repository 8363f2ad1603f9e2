"""what somebody has been given of each sort is kept beside them.

Revision: 0015, after 0013
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Empty: counted when it is needed for the first time.
    comment = "as JSON: what they were given, of each sort; empty: to be counted"
    op.add_column("annotator", sa.Column("had", sa.Text(), nullable=True, comment=comment))
