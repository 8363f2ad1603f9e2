"""tokens for scripts, and what was answered to requests that may come twice.

Revision: 0006, after 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "token",
        sa.Column("id", ID, nullable=False),
        sa.Column("study_id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False, comment="what is recorded as who did something"),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False, comment="as JSON: what it is good for"),
        sa.Column("annotator_id", ID, comment="the only annotator it may act for; empty: all"),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("revoked_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["annotator_id"], ["annotator.id"], name=op.f("fk_token_annotator_id")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_token_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_token")),
        sa.UniqueConstraint("study_id", "name", name=op.f("uq_token_study_id_name")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_token_token_hash")),
    )
    op.create_table(
        "repeat",
        sa.Column("token_id", ID, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False, comment="tells a repeat from another request"),
        sa.Column("answer", sa.Text(), nullable=False, comment="as JSON: what was answered"),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["token_id"], ["token.id"], name=op.f("fk_repeat_token_id")),
        sa.PrimaryKeyConstraint("token_id", "key", name=op.f("pk_repeat")),
    )
