"""counts of patterns, kept current as judgments arrive, and results that took long to compute.

Revision: 0005, after 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _refers(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{to}.id"], name=op.f(f"fk_{table}_{column}"))


def _keyed_by(table: str, *columns: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*columns, name=op.f(f"pk_{table}"))


def upgrade() -> None:
    op.create_table(
        "uncounted",
        sa.Column("submission_id", sa.Text(), nullable=False),
        sa.Column("study_id", ID, nullable=False),
        sa.Column("item_id", ID, nullable=False),
        _refers("uncounted", "submission_id", "submission"),
        _refers("uncounted", "study_id", "study"),
        _refers("uncounted", "item_id", "item"),
        _keyed_by("uncounted", "submission_id"),
    )
    op.create_index("ix_uncounted_study_id", "uncounted", ["study_id", "item_id"])
    op.create_table(
        "tally",
        sa.Column("item_id", ID, nullable=False),
        sa.Column("patterns", sa.Text(), nullable=False, comment="as JSON: patterns by dimension"),
        _refers("tally", "item_id", "item"),
        _keyed_by("tally", "item_id"),
    )
    op.create_table(
        "pattern",
        sa.Column("study_id", ID, nullable=False),
        sa.Column("dimension", sa.Text(), nullable=False),
        sa.Column(
            "pattern",
            sa.Text(),
            nullable=False,
            comment="places on the scale in rising order, with commas between",
        ),
        sa.Column("units", sa.BigInteger(), nullable=False),
        _refers("pattern", "study_id", "study"),
        _keyed_by("pattern", "study_id", "dimension", "pattern"),
    )
    op.create_table(
        "counted",
        sa.Column("study_id", ID, nullable=False),
        sa.Column("version", sa.Text(), nullable=False, comment="the study version whose scales the places are on"),
        sa.Column("left_out", sa.Text(), nullable=False, comment="as JSON: the annotators who are not counted"),
        _refers("counted", "study_id", "study"),
        _keyed_by("counted", "study_id"),
    )
    op.create_table(
        "computed",
        sa.Column("study_id", ID, nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False, comment="tells whether anything has happened since"),
        sa.Column("content", sa.Text(), nullable=False, comment="as JSON"),
        sa.Column("at", sa.BigInteger(), nullable=False),
        _refers("computed", "study_id", "study"),
        _keyed_by("computed", "study_id", "what"),
    )
    op.create_index("ix_submission_item_id", "submission", ["item_id", "pass", "surplus", "annotator_id"])
    op.drop_index("ix_submission_annotator_id", "submission")
    counted = ["annotator_id", "submitted_at", "source", "revision", "active_ms"]
    op.create_index("ix_submission_annotator_id", "submission", counted)
    op.create_index("ix_assignment_given", "assignment", ["annotator_id", "attempt", "state"])
    # What was judged before is counted at the next opportunity, like anything new.
    op.execute("insert into uncounted select id, study_id, item_id from submission")
