"""how a judge was run is kept with the import that its judgments came with.

Revision: 0023, after 0022
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    comment = "as JSON: how each judge was run, by its name; those that were run elsewhere are not there"
    op.add_column("import", sa.Column("runs", sa.Text(), nullable=False, server_default="{}", comment=comment))
