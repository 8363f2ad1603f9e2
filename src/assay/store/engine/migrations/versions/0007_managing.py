"""links for viewers and named coordinators, problems that are dealt with, studies and items that are taken out.

Revision: 0007, after 0006
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "link",
        sa.Column(
            "reads_only",
            sa.Boolean(),
            server_default=sa.false(),
            nullable=False,
            comment="sees the study and changes nothing",
        ),
    )
    op.add_column(
        "link",
        sa.Column(
            "name", sa.Text(), server_default="", nullable=False, comment="of a coordinator or viewer: who it is for"
        ),
    )
    op.add_column("problem", sa.Column("closed_at", sa.BigInteger(), comment="when a coordinator was done with it"))
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("study", "state", comment="open, paused, closed or removed")
        op.alter_column("item", "series", comment="work, controls, withdrawn, or a practice by its file")
