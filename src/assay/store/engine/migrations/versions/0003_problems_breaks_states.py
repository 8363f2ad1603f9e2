"""problems that people report, breaks that they take, and whether a study takes answers.

Revision: 0003, after 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column(
        "study",
        sa.Column("state", sa.Text(), server_default="open", nullable=False, comment="open, paused or closed"),
    )
    op.add_column("study", sa.Column("state_at", sa.BigInteger(), comment="since when; empty: from the beginning"))
    op.add_column(
        "draft", sa.Column("seat", sa.Text(), server_default="", nullable=False, comment="the window that wrote it")
    )
    op.create_table(
        "problem",
        sa.Column("id", sa.Text(), nullable=False, comment="made by the page: sent twice it is one report"),
        sa.Column("study_id", ID, nullable=False),
        sa.Column("assignment_id", ID, nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("reported_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignment.id"], name=op.f("fk_problem_assignment_id")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_problem_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_problem")),
    )
    op.create_index("ix_item_study_id_batch", "item", ["study_id", "batch", "taken", "lot", "id"])
    op.create_index("ix_problem_study_id", "problem", ["study_id", "reported_at"])
    op.create_table(
        "break",
        sa.Column("annotator_id", ID, nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), comment="empty: it goes on"),
        sa.ForeignKeyConstraint(["annotator_id"], ["annotator.id"], name=op.f("fk_break_annotator_id")),
        sa.PrimaryKeyConstraint("annotator_id", "started_at", name=op.f("pk_break")),
    )
