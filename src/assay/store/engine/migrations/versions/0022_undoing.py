"""an item can be opened again for one annotator, enrolment can be stopped, and free texts are reviewed.

Revision: 0022, after 0021
"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    comment = "since when a coordinator lets it be changed once more; empty: as the study says"
    op.add_column("assignment", sa.Column("reopened_at", sa.BigInteger(), nullable=True, comment=comment))
    comment = "since when nobody new can enrol; empty: enrolment goes on"
    op.add_column("study", sa.Column("enrolment_stopped_at", sa.BigInteger(), nullable=True, comment=comment))
    op.create_table(
        "text_review",
        sa.Column("study_id", ID, nullable=False),
        sa.Column("key", sa.Text(), nullable=False, comment="of the text: its submission and its form field"),
        sa.Column("passed", sa.Boolean(), nullable=False, comment="whether anonymised exports have it"),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_text_review_study_id")),
        sa.PrimaryKeyConstraint("study_id", "key", name=op.f("pk_text_review")),
    )
