"""problems are found by the assignment that they are about, for the list of an annotator's items.

Revision: 0014, after 0013
"""

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_problem_assignment_id", "problem", ["assignment_id"])
