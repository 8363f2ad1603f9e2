"""people whom a panel sends: its ids stand apart from everything else, and so do the codes for the way back.

Revision: 0017, after 0016
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "arrival",
        sa.Column("annotator_id", ID, nullable=False, autoincrement=False),
        sa.Column("study_id", ID, nullable=False),
        sa.Column("person", sa.Text(), nullable=False, comment="the panel's id of the person"),
        sa.Column(
            "session", sa.Text(), server_default="", nullable=False, comment="the panel's id of this participation"
        ),
        sa.Column("survey", sa.Text(), server_default="", nullable=False, comment="the panel's id of the study"),
        sa.Column(
            "device_hash", sa.Text(), nullable=False, comment="of the cookie of the device that they came with first"
        ),
        sa.Column("arrived_at", sa.BigInteger(), nullable=False),
        sa.Column("outcome", sa.Text(), server_default="", nullable=False, comment="how it ended; empty: it goes on"),
        sa.Column("ended_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["annotator_id"], ["annotator.id"], name=op.f("fk_arrival_annotator_id")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_arrival_study_id")),
        sa.PrimaryKeyConstraint("annotator_id", name=op.f("pk_arrival")),
        sa.UniqueConstraint("study_id", "person", name=op.f("uq_arrival_study_id_person")),
    )
    op.create_table(
        "panel_setup",
        sa.Column("study_id", ID, nullable=False, autoincrement=False),
        sa.Column("document", sa.Text(), nullable=False, comment="as JSON: the ways back, and the key of signatures"),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_panel_setup_study_id")),
        sa.PrimaryKeyConstraint("study_id", name=op.f("pk_panel_setup")),
    )
