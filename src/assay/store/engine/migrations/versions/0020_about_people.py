"""what people say about themselves is kept apart from judgments and names.

Revision: 0020, after 0019
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "person_answer",
        sa.Column("key", sa.Text(), nullable=False, comment="of the annotator, drawn"),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("study_id", ID, nullable=False),
        sa.Column("value", sa.Text(), nullable=False, comment="as JSON"),
        sa.Column("answered_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_person_answer_study_id")),
        sa.PrimaryKeyConstraint("key", "question", name=op.f("pk_person_answer")),
    )
    op.create_index("ix_person_answer_study_id", "person_answer", ["study_id", "question"])
