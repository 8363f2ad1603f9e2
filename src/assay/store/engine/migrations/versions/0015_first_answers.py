"""what was answered when something was shown after it is kept, to be compared with what is submitted.

Revision: 0015, after 0014
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    comment = "as JSON: what was answered when what comes after it was shown; empty: it was not"
    op.add_column("draft", sa.Column("first", sa.Text(), nullable=True, comment=comment))
