"""what people say about themselves and how they are; what is warned of, and whether it was shown all the same.

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
    op.create_table(
        "check_in",
        sa.Column("annotator_id", ID, nullable=False),
        sa.Column("judged", sa.Integer(), nullable=False, comment="how many items they had judged by then"),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column(
            "answer",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="well, so_so or not_well; empty: not stored",
        ),
        sa.ForeignKeyConstraint(["annotator_id"], ["annotator.id"], name=op.f("fk_check_in_annotator_id")),
        sa.PrimaryKeyConstraint("annotator_id", "judged", name=op.f("pk_check_in")),
    )
    comment = "as JSON: the tags that are warned of"
    op.add_column("item", sa.Column("warnings", sa.Text(), server_default="[]", nullable=False, comment=comment))
    comment = "when it was shown after a warning; empty: it was not, or there is none"
    op.add_column("assignment", sa.Column("opened_at", sa.BigInteger(), comment=comment))
    comment = "warning: left out before it was shown"
    declined = sa.Column("declined_because", sa.Text(), server_default="", nullable=False, comment=comment)
    op.add_column("assignment", declined)
