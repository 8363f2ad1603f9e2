"""what somebody has been given of each sort is kept beside them.

Revision: 0016, after 0015
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Empty: counted when it is needed for the first time.
    comment = "as JSON: what they were given, of each sort; empty: to be counted"
    op.add_column("annotator", sa.Column("had", sa.Text(), nullable=True, comment=comment))
