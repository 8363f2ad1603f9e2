"""Tables of what coordinators see and do: the record, flags, problems and the like."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, Table, Text, UniqueConstraint

from assay.store.tables.base import Id, Time, metadata

# A doubt that a monitor has raised: one row for each monitor and annotator, brought up to date.
flag = Table(
    "flag",
    metadata,
    Column("id", Id, primary_key=True),
    Column("study_id", Id, ForeignKey("study.id"), nullable=False),
    Column("annotator_id", Id, ForeignKey("annotator.id"), nullable=False),
    Column("monitor", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("evidence", Text, nullable=False, comment="as JSON: the numbers behind it"),
    Column("items", Text, nullable=False, comment="as JSON: the names of the items that show it"),
    Column("raised_at", Time, nullable=False),
    Column("state", Text, nullable=False, server_default="open", comment="open, dismissed, or over: no longer found"),
    UniqueConstraint("study_id", "annotator_id", "monitor"),
)

# What coordinators did, who did it, when and why. Rows are only ever added.
action = Table(
    "action",
    metadata,
    Column("id", Id, primary_key=True),
    Column("study_id", Id, ForeignKey("study.id"), nullable=False),
    Column("at", Time, nullable=False),
    Column("by", Text, nullable=False),
    Column("what", Text, nullable=False),
    Column("annotator_id", Id, ForeignKey("annotator.id")),
    Column("about", Text, nullable=False, server_default="", comment="the gate, monitor, item or batch it is about"),
    Column("reason", Text, nullable=False, server_default=""),
    Index("ix_action_study_id", "study_id", "at"),
)

# What came in at one time, from which files. What an import that is taken back brought is deleted; its row stays.
import_ = Table(
    "import",
    metadata,
    Column("study_id", Id, ForeignKey("study.id"), primary_key=True),
    Column("number", Integer, primary_key=True, comment="from 1 in each study"),
    Column("at", Time, nullable=False),
    Column("by", Text, nullable=False),
    Column("files", Text, nullable=False, comment="as JSON: the names of the files; none: from a script"),
    Column("items", Integer, nullable=False, comment="how many new items came in"),
    Column("duplicates", Integer, nullable=False, comment="how many rows that are an item again"),
    Column("judged", Integer, nullable=False, comment="how many judged items came in"),
    Column("annotators", Text, nullable=False, comment="as JSON: who judged them, people and judges"),
    Column("undone_at", Time, comment="when it was taken back; empty: it was not"),
    Column("undone_by", Text, nullable=False, server_default=""),
    Column("undone_reason", Text, nullable=False, server_default=""),
    Column(
        "runs",
        Text,
        nullable=False,
        server_default="{}",
        comment="as JSON: how each judge was run, by its name; those that were run elsewhere are not there",
    ),
)

# The value that was agreed on where annotators were far apart. The newest counts; the judgments stay as they are.
adjudication = Table(
    "adjudication",
    metadata,
    Column("id", Id, primary_key=True),
    Column("study_id", Id, ForeignKey("study.id"), nullable=False),
    Column("item_id", Id, ForeignKey("item.id"), nullable=False),
    Column("dimension", Text, nullable=False),
    Column("side", Text, nullable=False, server_default="", comment="a or b: which candidate"),
    Column("entry", Text, nullable=False, server_default=""),
    Column("value", Text, nullable=False, comment="as JSON"),
    Column("reason", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("at", Time, nullable=False),
    Index("ix_adjudication_study_id", "study_id", "item_id"),
)

# What each pilot has shown, and what was decided.
pilot = Table(
    "pilot",
    metadata,
    Column("study_id", Id, ForeignKey("study.id"), primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("result", Text, nullable=False, comment="as JSON: agreement and verdict for each dimension"),
    Column("verdict", Text, nullable=False, comment="go, revise, rewrite, or no data"),
    Column("opened", Boolean, nullable=False, comment="whether the main part was opened"),
    Column("by", Text, nullable=False),
    Column("reason", Text, nullable=False, server_default=""),
    Column("at", Time, nullable=False),
)

# Which free texts somebody has read, and lets through into anonymised exports. The texts stay where they are.
text_review = Table(
    "text_review",
    metadata,
    Column("study_id", Id, ForeignKey("study.id"), primary_key=True),
    Column("key", Text, primary_key=True, comment="of the text: its submission and its form field"),
    Column("passed", Boolean, nullable=False, comment="whether anonymised exports have it"),
    Column("by", Text, nullable=False),
    Column("at", Time, nullable=False),
)
