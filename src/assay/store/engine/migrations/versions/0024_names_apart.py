"""what somebody is called lies apart from what they judged; whoever is there keeps their name as the pseudonym.

Revision: 0024, after 0023
"""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "person",
        sa.Column("annotator_id", ID, nullable=False),
        sa.Column("study_id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False, comment="never the pseudonym of anybody in the study"),
        sa.ForeignKeyConstraint(["annotator_id"], ["annotator.id"], name=op.f("fk_person_annotator_id")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_person_study_id")),
        sa.PrimaryKeyConstraint("annotator_id", name=op.f("pk_person")),
        sa.UniqueConstraint("study_id", "name", name=op.f("uq_person_study_id_name")),
    )
