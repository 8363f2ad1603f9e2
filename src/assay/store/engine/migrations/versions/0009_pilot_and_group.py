"""columns are called pilot and group_number, as everywhere else; comments say number instead of an invented word.

Revision: 0009, after 0008
"""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

COMMENTS = {
    ("item", "batch"): "the number of its batch, from 0; the batch's name is hidden",
    ("item", "group_number"): "the number of its group; the group's name is hidden",
    ("item", "pair"): "the number of its pair of systems",
    ("assignment", "position"): "the number of the item among the annotator's, from 1",
    ("assignment", "attempt"): "the attempt at a gate it belongs to; 0: work",
    ("gate_attempt", "number"): "the number of the attempt, from 1",
}


def upgrade() -> None:
    op.drop_index("ix_item_study_id_bundle", "item")
    for table, old, new in (
        ("study", "phase", "pilot"),
        ("item", "phase", "pilot"),
        ("item", "bundle", "group_number"),
    ):
        op.execute(f"alter table {table} rename column {old} to {new}")
    op.create_index("ix_item_study_id_group_number", "item", ["study_id", "group_number", "id"])
    if op.get_bind().dialect.name == "postgresql":  # SQLite keeps no comments
        for (table, column), comment in COMMENTS.items():
            op.alter_column(table, column, comment=comment)
