"""people can be erased: everybody has a drawn key, and whoever was erased is known by it alone.

Revision: 0018, after 0017
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
DRAWN = {
    "sqlite": "lower(hex(randomblob(16)))",
    "postgresql": "replace(gen_random_uuid()::text, '-', '')",
}


def upgrade() -> None:
    comment = "drawn: what is known of somebody who was erased, here and in the list outside"
    op.add_column("annotator", sa.Column("key", sa.Text(), server_default="", nullable=False, comment=comment))
    op.execute(f"update annotator set key = {DRAWN[op.get_bind().dialect.name]}")
    op.create_table(
        "erasure",
        sa.Column("key", sa.Text(), nullable=False, comment="of the annotator, drawn"),
        sa.Column("study_id", ID, nullable=False),
        sa.Column(
            "kept",
            sa.Boolean(),
            nullable=False,
            comment="whether the judgments stayed, without texts and under no name",
        ),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_erasure_study_id")),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_erasure")),
    )
