"""the number of batches in the study's row, and items by whose turn they are, so that giving one out reads only a few.

Revision: 0008, after 0007
"""

import json

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

QUEUE = ["study_id", "phase", "queue", "cell", "tagged"]
FREE = sa.text("taken < wanted AND series = 'work'")


def upgrade() -> None:
    op.add_column(
        "study",
        sa.Column(
            "batch_count", sa.Integer(), server_default="1", nullable=False, comment="how many batches there are"
        ),
    )
    op.add_column(
        "item",
        sa.Column(
            "queue",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="its batch where they come in order; otherwise 0",
        ),
    )
    op.execute(
        "update study set batch_count = (select coalesce(max(batch), 0) + 1 from item"
        " where item.study_id = study.id and item.series = 'work')"
    )
    _fill_queues()
    op.drop_index("ix_item_free", "item")
    op.drop_index("ix_item_free_of_batch", "item")
    for name, order in (("ix_item_free", ["taken", "lot", "id"]), ("ix_item_free_in_order", ["id"])):
        op.create_index(name, "item", [*QUEUE, *order], sqlite_where=FREE, postgresql_where=FREE)


def _fill_queues() -> None:
    """Where the version in force has batches in order, each item waits with its batch, also one that was taken out."""
    in_force = (
        "select study.id, document from study join study_version"
        " on study_version.study_id = study.id and study_version.hash = study.version"
    )
    for study_id, document in op.get_bind().execute(sa.text(in_force)).all():
        if json.loads(document).get("assignment", {}).get("batches") == "in_order":
            fill = sa.text("update item set queue = batch where study_id = :study and series in ('work', 'withdrawn')")
            op.get_bind().execute(fill, {"study": study_id})
