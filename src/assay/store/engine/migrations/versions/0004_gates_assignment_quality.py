"""tries at gates, items for practice and controls, work that goes back, flags, messages, adjudication, pilots.

Revision: 0004, after 0003
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _number(name: str, comment: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Integer(), server_default="0", nullable=False, comment=comment)


def _words(name: str, comment: str | None = None, default: str | None = "") -> sa.Column[Any]:
    return sa.Column(name, sa.Text(), server_default=default, nullable=False, comment=comment)


def _yes_or_no(name: str, comment: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Boolean(), server_default=sa.false(), nullable=False, comment=comment)


def _refers(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{to}.id"], name=op.f(f"fk_{table}_{column}"))


def _index(name: str, table: str, columns: list[str], where: str | None = None) -> None:
    limit: dict[str, Any] = {"sqlite_where": sa.text(where), "postgresql_where": sa.text(where)} if where else {}
    op.create_index(name, table, columns, **limit)


def upgrade() -> None:
    op.add_column("study", _number("phase", "the pilot that is under way; 0: none"))
    op.add_column("study", sa.Column("arranged_for", sa.Text(), comment="the version whose plan the items follow"))
    op.add_column("study", _number("open_count", "how many items are given out by now"))
    op.add_column("study", _number("control_count", "how many controls there are"))
    op.add_column(
        "study",
        sa.Column("cells", sa.Integer(), server_default="1", nullable=False, comment="the size of the Latin square"),
    )
    op.execute("update study set open_count = item_count")
    _items()
    _people()
    _assignments()
    _of_the_coordinator()
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("link", "annotator_id", comment="empty: no annotator's link")
        op.alter_column("submission", "source", comment="work on the page, practice, or imported")


def _items() -> None:
    op.drop_index("ix_item_study_id_taken", "item")
    op.drop_index("ix_item_study_id_batch", "item")
    with op.batch_alter_table("item") as item:
        item.add_column(_words("series", "work, controls, or a practice by its file", "work"))
        item.add_column(
            sa.Column(
                "wanted",
                sa.Integer(),
                server_default="1",
                nullable=False,
                comment="how many annotators are to judge it",
            )
        )
        item.add_column(_number("phase", "the pilot it belongs to; 0: the main part"))
        item.add_column(_number("bundle", "the how-manieth group; its name is hidden"))
        item.add_column(_number("pair", "the how-manieth pair of systems"))
        item.add_column(_number("cell", "whom it is for, in a Latin square"))
        item.add_column(_yes_or_no("tagged", "hard content: few for each person"))
        item.drop_constraint(op.f("uq_item_study_id_name"), type_="unique")
        item.create_unique_constraint(op.f("uq_item_study_id_series_name"), ["study_id", "series", "name"])
    free = "taken < wanted AND series = 'work'"
    _index("ix_item_free", "item", ["study_id", "phase", "taken", "lot", "id"], free)
    _index("ix_item_free_of_batch", "item", ["study_id", "phase", "batch", "taken", "lot", "id"], free)
    _index("ix_item_study_id_series", "item", ["study_id", "series", "id"])
    _index("ix_item_study_id_bundle", "item", ["study_id", "bundle", "id"])
    op.create_table(
        "reference",
        sa.Column("item_id", ID, nullable=False),
        _words("answers", "as JSON: values by form field, candidates instead of sides", None),
        _words("reason", "why, for the feedback"),
        _refers("reference", "item_id", "item"),
        sa.PrimaryKeyConstraint("item_id", name=op.f("pk_reference")),
    )


def _people() -> None:
    op.add_column("annotator", _words("state", "active, paused, or released by the study", "active"))
    op.add_column(
        "annotator",
        sa.Column(
            "excluded_at", sa.BigInteger(), comment="since when the report leaves the annotator out; the data stays"
        ),
    )
    op.add_column("annotator", sa.Column("cell", sa.Integer(), comment="the place in a Latin square"))
    op.add_column("link", _yes_or_no("enrols", "whoever opens it may take part"))
    op.add_column("gate_pass", _words("by", "who let the person pass; empty: passed in person"))
    op.add_column("gate_pass", _words("reason"))
    op.create_table(
        "gate_attempt",
        sa.Column("id", ID, nullable=False),
        sa.Column("annotator_id", ID, nullable=False),
        _words("gate", None, None),
        _words("version", None, None),
        sa.Column("number", sa.Integer(), nullable=False, comment="the how-manieth try"),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), comment="empty: under way"),
        sa.Column("passed", sa.Boolean(), comment="empty: under way"),
        _number("seen", "how many answers have had their feedback"),
        _words("result", "as JSON: what was answered, or how it went", "{}"),
        _refers("gate_attempt", "annotator_id", "annotator"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_gate_attempt")),
        sa.UniqueConstraint(
            "annotator_id",
            "gate",
            "version",
            "number",
            name=op.f("uq_gate_attempt_annotator_id_gate_version_number"),
        ),
    )
    op.create_table(
        "message",
        sa.Column("id", ID, nullable=False),
        sa.Column("annotator_id", ID, nullable=False),
        _words("words", None, None),
        sa.Column("sent_at", sa.BigInteger(), nullable=False),
        sa.Column("read_at", sa.BigInteger()),
        _refers("message", "annotator_id", "annotator"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_message")),
    )
    _index("ix_message_annotator_id", "message", ["annotator_id", "read_at"])


def _assignments() -> None:
    op.drop_index("ix_assignment_open", "assignment")
    with op.batch_alter_table("assignment") as assignment:
        assignment.add_column(
            sa.Column(
                "attempt", ID, server_default="0", nullable=False, comment="the try at a gate it belongs to; 0: work"
            )
        )
        assignment.add_column(
            sa.Column("expires_at", sa.BigInteger(), comment="when it goes back if nothing happens; empty: never")
        )
        assignment.drop_constraint(op.f("uq_assignment_annotator_id_position"), type_="unique")
        assignment.create_unique_constraint(
            op.f("uq_assignment_annotator_id_attempt_position"), ["annotator_id", "attempt", "position"]
        )
        assignment.drop_constraint(op.f("ck_assignment_state"), type_="check")
        assignment.create_check_constraint(
            op.f("ck_assignment_state"), "state in ('open', 'submitted', 'declined', 'returned')"
        )
    is_open = "state = 'open'"
    _index("ix_assignment_open", "assignment", ["annotator_id", "attempt", "position"], is_open)
    _index("ix_assignment_expires", "assignment", ["study_id", "expires_at"], is_open)
    op.add_column("submission", _yes_or_no("surplus", "came after its place was given away"))
    op.add_column(
        "submission", sa.Column("events", sa.Text(), comment="as JSON: when the page was looked at, and when not")
    )
    op.add_column("submission", _words("overridden", "as JSON: warnings that were not heeded", "[]"))
    _index("ix_submission_annotator_id", "submission", ["annotator_id", "submitted_at"])


def _of_the_coordinator() -> None:
    op.create_table(
        "flag",
        sa.Column("id", ID, nullable=False),
        sa.Column("study_id", ID, nullable=False),
        sa.Column("annotator_id", ID, nullable=False),
        _words("monitor", None, None),
        _words("reason", None, None),
        _words("evidence", "as JSON: the numbers behind it", None),
        _words("items", "as JSON: the names of the items that show it", None),
        sa.Column("raised_at", sa.BigInteger(), nullable=False),
        _words("state", "open, dismissed, or over: no longer found", "open"),
        _refers("flag", "study_id", "study"),
        _refers("flag", "annotator_id", "annotator"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_flag")),
        sa.UniqueConstraint("study_id", "annotator_id", "monitor", name=op.f("uq_flag_study_id_annotator_id_monitor")),
    )
    op.create_table(
        "action",
        sa.Column("id", ID, nullable=False),
        sa.Column("study_id", ID, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        _words("by", None, None),
        _words("what", None, None),
        sa.Column("annotator_id", ID),
        _words("about", "the gate, monitor, item or batch it is about"),
        _words("reason"),
        _refers("action", "study_id", "study"),
        _refers("action", "annotator_id", "annotator"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_action")),
    )
    _index("ix_action_study_id", "action", ["study_id", "at"])
    op.create_table(
        "adjudication",
        sa.Column("id", ID, nullable=False),
        sa.Column("study_id", ID, nullable=False),
        sa.Column("item_id", ID, nullable=False),
        _words("dimension", None, None),
        _words("side", "a or b: which candidate"),
        _words("entry"),
        _words("value", "as JSON", None),
        _words("reason", None, None),
        _words("by", None, None),
        sa.Column("at", sa.BigInteger(), nullable=False),
        _refers("adjudication", "study_id", "study"),
        _refers("adjudication", "item_id", "item"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_adjudication")),
    )
    _index("ix_adjudication_study_id", "adjudication", ["study_id", "item_id"])
    op.create_table(
        "pilot",
        sa.Column("study_id", ID, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        _words("result", "as JSON: agreement and verdict for each dimension", None),
        _words("verdict", "go, revise, rewrite, or no data", None),
        sa.Column("opened", sa.Boolean(), nullable=False, comment="whether the main part was opened"),
        _words("by", None, None),
        _words("reason"),
        sa.Column("at", sa.BigInteger(), nullable=False),
        _refers("pilot", "study_id", "study"),
        sa.PrimaryKeyConstraint("study_id", "round", name=op.f("pk_pilot")),
    )
