"""pairs, pictures and imported judgments.

Revision: 0002, after 0001
"""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "duplicate",
        sa.Column("study_id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False, comment="its id in the file"),
        sa.Column("item_id", ID, nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name=op.f("fk_duplicate_item_id")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_duplicate_study_id")),
        sa.PrimaryKeyConstraint("study_id", "name", name=op.f("pk_duplicate")),
    )
    op.create_table(
        "picture",
        sa.Column("study_id", ID, nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("media_type", sa.Text(), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_picture_study_id")),
        sa.PrimaryKeyConstraint("study_id", "hash", name=op.f("pk_picture")),
    )
    for table, column in NEW:
        op.add_column(table, column)
    _systems_as_list()
    if op.get_bind().dialect.name == "postgresql":
        # SQLite keeps no comments.
        op.alter_column("judgment", "side", comment="a or b: which candidate, wherever it stood")
    op.drop_column("item_hidden", "system")


NEW: list[tuple[str, sa.Column[Any]]] = [
    (
        "item",
        sa.Column(
            "batch",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="the how-manieth batch; its name is hidden",
        ),
    ),
    (
        "item_hidden",
        sa.Column(
            "systems",
            sa.Text(),
            server_default="[]",
            nullable=False,
            comment="as JSON: none, one, or the two compared",
        ),
    ),
    ("item_hidden", sa.Column("batch", sa.Text(), server_default="", nullable=False)),
    (
        "annotator",
        sa.Column(
            "judge",
            sa.Boolean(),
            server_default=sa.false(),
            nullable=False,
            comment="an automated judge, not a person",
        ),
    ),
    (
        "assignment",
        sa.Column(
            "swapped",
            sa.Boolean(),
            nullable=True,
            comment="whether the second candidate stands on the left; empty: no sides",
        ),
    ),
    (
        "submission",
        sa.Column("swapped", sa.Boolean(), nullable=True, comment="as of the assignment, when it was judged"),
    ),
    (
        "submission",
        sa.Column(
            "source",
            sa.Text(),
            server_default="work",
            nullable=False,
            comment="work on the page, or imported",
        ),
    ),
]


def _systems_as_list() -> None:
    """One system was a text; now there can be two."""
    connection = op.get_bind()
    hidden = sa.table("item_hidden", sa.column("system", sa.Text), sa.column("systems", sa.Text))
    for (system,) in connection.execute(sa.select(hidden.c.system).distinct()).all():
        systems = json.dumps([system] if system else [], ensure_ascii=False)
        connection.execute(sa.update(hidden).where(hidden.c.system == system).values(systems=systems))
