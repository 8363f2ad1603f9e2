"""a submitted item can be opened again for one annotator, and enrolment can be stopped.

Revision: 0022, after 0021
"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    comment = "since when a coordinator lets it be changed once more; empty: as the study says"
    op.add_column("assignment", sa.Column("reopened_at", sa.BigInteger(), nullable=True, comment=comment))
    comment = "since when nobody new can enrol; empty: enrolment goes on"
    op.add_column("study", sa.Column("enrolment_stopped_at", sa.BigInteger(), nullable=True, comment=comment))
