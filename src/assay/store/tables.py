"""The tables. Judgments are only ever added; uniqueness is a constraint, not a hope.

Times are milliseconds since 1970 in UTC. JSON is kept as text, the same on both databases.
"""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# 64 bits on PostgreSQL; on SQLite only INTEGER makes a primary key that counts by itself.
Id = BigInteger().with_variant(Integer, "sqlite")
Time = BigInteger

WORK = "work"
"""The series of items that are to be judged. The others have known answers."""

IS_OPEN = "state = 'open'"
FREE = "taken < wanted AND series = 'work'"


def _where(condition: str) -> dict[str, Any]:
    """Limits an index to some rows, in the words of each database."""
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


study = Table(
    "study",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("version", Text, nullable=False, comment="the hash of the version in force"),
    Column("item_count", Integer, nullable=False, server_default="0", comment="how many items there are"),
    Column("annotator_count", Integer, nullable=False, server_default="0", comment="how many take part"),
    Column("created_at", Time, nullable=False),
    Column("state", Text, nullable=False, server_default="open", comment="open, paused or closed"),
    Column("state_at", Time, comment="since when; empty: from the beginning"),
    Column("phase", Integer, nullable=False, server_default="0", comment="the pilot that is under way; 0: none"),
    Column("arranged_for", Text, comment="the version whose plan the items follow"),
    Column("open_count", Integer, nullable=False, server_default="0", comment="how many items are given out by now"),
    Column("control_count", Integer, nullable=False, server_default="0", comment="how many controls there are"),
    Column("cells", Integer, nullable=False, server_default="1", comment="the size of the Latin square"),
)

# Every version that was ever in force, whole: a judgment's hash leads to what the annotator saw.
study_version = Table(
    "study_version",
    metadata,
    Column("study_id", Id, ForeignKey("study.id"), primary_key=True),
    Column("hash", Text, primary_key=True),
    Column("document", Text, nullable=False),
    Column("published_at", Time, nullable=False),
)

# What an annotator may see of an item. Annotator routes read this table and never the next one.
item = Table(
    "item",
    metadata,
    Column("id", Id, primary_key=True),
    Column("study_id", Id, ForeignKey("study.id"), nullable=False),
    Column("name", Text, nullable=False, comment="the item's id in its file"),
    Column("shown", Text, nullable=False),
    Column("words", Integer, nullable=False),
    Column("lot", BigInteger, nullable=False, comment="its place among the others, drawn from the seed"),
    Column("taken", Integer, nullable=False, server_default="0", comment="how many annotators have it"),
    Column("batch", Integer, nullable=False, server_default="0", comment="the how-manieth batch; its name is hidden"),
    Column("series", Text, nullable=False, server_default=WORK, comment="work, controls, or a practice by its file"),
    Column("wanted", Integer, nullable=False, server_default="1", comment="how many annotators are to judge it"),
    Column("phase", Integer, nullable=False, server_default="0", comment="the pilot it belongs to; 0: the main part"),
    Column("bundle", Integer, nullable=False, server_default="0", comment="the how-manieth group; its name is hidden"),
    Column("pair", Integer, nullable=False, server_default="0", comment="the how-manieth pair of systems"),
    Column("cell", Integer, nullable=False, server_default="0", comment="whom it is for, in a Latin square"),
    Column("tagged", Boolean, nullable=False, server_default=false(), comment="hard content: few for each person"),
    UniqueConstraint("study_id", "series", "name"),
    # Only what still needs somebody is looked through when an item is given out.
    Index("ix_item_free", "study_id", "phase", "taken", "lot", "id", **_where(FREE)),
    Index("ix_item_free_of_batch", "study_id", "phase", "batch", "taken", "lot", "id", **_where(FREE)),
    Index("ix_item_study_id_series", "study_id", "series", "id"),
    Index("ix_item_study_id_bundle", "study_id", "bundle", "id"),
)

# What the agreed answers are: to items for practice, and to controls. Read only after somebody has answered.
reference = Table(
    "reference",
    metadata,
    Column("item_id", Id, ForeignKey("item.id"), primary_key=True),
    Column("answers", Text, nullable=False, comment="as JSON: values by form field, candidates instead of sides"),
    Column("reason", Text, nullable=False, server_default="", comment="why, for the feedback"),
)

item_hidden = Table(
    "item_hidden",
    metadata,
    Column("item_id", Id, ForeignKey("item.id"), primary_key=True),
    Column("group", Text, nullable=False),
    Column("hidden", Text, nullable=False),
    Column("systems", Text, nullable=False, server_default="[]", comment="as JSON: none, one, or the two compared"),
    Column("batch", Text, nullable=False, server_default=""),
)

# A row of an item file that is the same item again: an annotator's second pass.
duplicate = Table(
    "duplicate",
    metadata,
    Column("study_id", Id, ForeignKey("study.id"), primary_key=True),
    Column("name", Text, primary_key=True, comment="its id in the file"),
    Column("item_id", Id, ForeignKey("item.id"), nullable=False),
)

# Pictures by what they show: no file name, nothing that the picture file said about itself.
picture = Table(
    "picture",
    metadata,
    Column("study_id", Id, ForeignKey("study.id"), primary_key=True),
    Column("hash", Text, primary_key=True),
    Column("media_type", Text, nullable=False),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    Column("content", LargeBinary, nullable=False),
)

annotator = Table(
    "annotator",
    metadata,
    Column("id", Id, primary_key=True),
    Column("study_id", Id, ForeignKey("study.id"), nullable=False),
    Column("name", Text, nullable=False, comment="a pseudonym; who it is stays outside"),
    Column("simulated", Boolean, nullable=False, server_default=false(), comment="a bot, not a person"),
    Column("judge", Boolean, nullable=False, server_default=false(), comment="an automated judge, not a person"),
    Column("left_at", Time, comment="when the person chose not to take part"),
    Column("ready_for", Text, comment="the study version of which every gate is known to be passed"),
    Column("created_at", Time, nullable=False),
    Column("state", Text, nullable=False, server_default="active", comment="active, paused, or released by the study"),
    Column("excluded_at", Time, comment="since when the report leaves the annotator out; the data stays"),
    Column("cell", Integer, comment="the place in a Latin square"),
    UniqueConstraint("study_id", "name"),
)

# A personal link. Only the hash of its token is kept.
link = Table(
    "link",
    metadata,
    Column("token_hash", Text, primary_key=True),
    Column("study_id", Id, ForeignKey("study.id"), nullable=False),
    Column("annotator_id", Id, ForeignKey("annotator.id"), comment="empty: no annotator's link"),
    Column("created_at", Time, nullable=False),
    Column("expires_at", Time, nullable=False),
    Column("revoked_at", Time),
    Column("enrols", Boolean, nullable=False, server_default=false(), comment="whoever opens it may take part"),
)

session = Table(
    "session",
    metadata,
    Column("token_hash", Text, primary_key=True),
    Column("link_hash", Text, ForeignKey("link.token_hash"), nullable=False),
    Column("csrf", Text, nullable=False),
    Column("created_at", Time, nullable=False),
    Column("expires_at", Time, nullable=False),
)

gate_pass = Table(
    "gate_pass",
    metadata,
    Column("annotator_id", Id, ForeignKey("annotator.id"), primary_key=True),
    Column("gate", Text, primary_key=True),
    Column("version", Text, primary_key=True),
    Column("passed_at", Time, nullable=False),
    Column("by", Text, nullable=False, server_default="", comment="who let the person pass; empty: passed in person"),
    Column("reason", Text, nullable=False, server_default=""),
)

# Every try at a gate that can be failed.
gate_attempt = Table(
    "gate_attempt",
    metadata,
    Column("id", Id, primary_key=True),
    Column("annotator_id", Id, ForeignKey("annotator.id"), nullable=False),
    Column("gate", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("number", Integer, nullable=False, comment="the how-manieth try"),
    Column("started_at", Time, nullable=False),
    Column("ended_at", Time, comment="empty: under way"),
    Column("passed", Boolean, comment="empty: under way"),
    Column("seen", Integer, nullable=False, server_default="0", comment="how many answers have had their feedback"),
    Column("result", Text, nullable=False, server_default="{}", comment="as JSON: what was answered, or how it went"),
    UniqueConstraint("annotator_id", "gate", "version", "number"),
)

# One annotator's duty to judge one item once. The id of the submission is given out here, so a repeat is the same one.
assignment = Table(
    "assignment",
    metadata,
    Column("id", Id, primary_key=True),
    Column("study_id", Id, ForeignKey("study.id"), nullable=False),
    Column("annotator_id", Id, ForeignKey("annotator.id"), nullable=False),
    Column("item_id", Id, ForeignKey("item.id"), nullable=False),
    Column("pass", Integer, nullable=False, server_default="1"),
    Column("position", Integer, nullable=False, comment="the annotator's how-manieth item"),
    Column("public_id", Text, nullable=False, unique=True, comment="what the browser calls it"),
    Column("submission_id", Text, nullable=False, unique=True),
    Column("state", Text, nullable=False, server_default="open"),
    Column("created_at", Time, nullable=False),
    Column("swapped", Boolean, comment="whether the second candidate stands on the left; empty: no sides"),
    Column("attempt", Id, nullable=False, server_default="0", comment="the try at a gate it belongs to; 0: work"),
    Column("expires_at", Time, comment="when it goes back if nothing happens; empty: never"),
    UniqueConstraint("annotator_id", "item_id", "pass"),
    UniqueConstraint("annotator_id", "attempt", "position"),
    Index("ix_assignment_open", "annotator_id", "attempt", "position", **_where(IS_OPEN)),
    Index("ix_assignment_expires", "study_id", "expires_at", **_where(IS_OPEN)),
    CheckConstraint("state in ('open', 'submitted', 'declined', 'returned')", name="state"),
)

# What the form of an item holds: half-finished answers, or, where one may go back, those that were submitted.
draft = Table(
    "draft",
    metadata,
    Column("assignment_id", Id, ForeignKey("assignment.id"), primary_key=True),
    Column("answers", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("saved_at", Time, nullable=False),
    Column("seat", Text, nullable=False, server_default="", comment="the window that wrote it"),
)

submission = Table(
    "submission",
    metadata,
    Column("id", Text, primary_key=True),
    Column("study_id", Id, ForeignKey("study.id"), nullable=False),
    Column("assignment_id", Id, ForeignKey("assignment.id"), nullable=False),
    Column("annotator_id", Id, ForeignKey("annotator.id"), nullable=False),
    Column("item_id", Id, ForeignKey("item.id"), nullable=False),
    Column("pass", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("study_hash", Text, nullable=False),
    Column("consent", Text, nullable=False),
    Column("fingerprint", Text, nullable=False, comment="tells a repeat from another answer under the same id"),
    Column("shown_at", Time, nullable=False),
    Column("submitted_at", Time, nullable=False),
    Column("active_ms", BigInteger),
    Column("swapped", Boolean, comment="as of the assignment, when it was judged"),
    Column("source", Text, nullable=False, server_default=WORK, comment="work on the page, practice, or imported"),
    Column("surplus", Boolean, nullable=False, server_default=false(), comment="came after its place was given away"),
    Column("events", Text, comment="as JSON: when the page was looked at, and when not"),
    Column("overridden", Text, nullable=False, server_default="[]", comment="as JSON: warnings that were not heeded"),
    UniqueConstraint("annotator_id", "item_id", "pass", "revision"),
    Index("ix_submission_study_id", "study_id", "submitted_at"),
    Index("ix_submission_annotator_id", "annotator_id", "submitted_at"),
)

judgment = Table(
    "judgment",
    metadata,
    Column("submission_id", Text, ForeignKey("submission.id"), primary_key=True),
    Column("dimension", Text, primary_key=True),
    Column("side", Text, primary_key=True, server_default="", comment="a or b: which candidate, wherever it stood"),
    Column("entry", Text, primary_key=True, server_default=""),
    Column("value", Text, nullable=False, comment="as JSON"),
)

# What somebody found wrong with an item.
problem = Table(
    "problem",
    metadata,
    Column("id", Text, primary_key=True, comment="made by the page: sent twice it is one report"),
    Column("study_id", Id, ForeignKey("study.id"), nullable=False),
    Column("assignment_id", Id, ForeignKey("assignment.id"), nullable=False),
    Column("words", Text, nullable=False),
    Column("reported_at", Time, nullable=False),
    Index("ix_problem_study_id", "study_id", "reported_at"),
)

break_ = Table(
    "break",
    metadata,
    Column("annotator_id", Id, ForeignKey("annotator.id"), primary_key=True),
    Column("started_at", Time, primary_key=True),
    Column("ended_at", Time, comment="empty: it goes on"),
)

# What the coordinator has to say to one person. It stands in their way once.
message = Table(
    "message",
    metadata,
    Column("id", Id, primary_key=True),
    Column("annotator_id", Id, ForeignKey("annotator.id"), nullable=False),
    Column("words", Text, nullable=False),
    Column("sent_at", Time, nullable=False),
    Column("read_at", Time),
    Index("ix_message_annotator_id", "annotator_id", "read_at"),
)

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
