"""The tables. Judgments are only ever added; uniqueness is a constraint, not a hope.

Times are milliseconds since 1970 in UTC. JSON is kept as text, the same on both databases.
"""

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
    UniqueConstraint("study_id", "name"),
    Index("ix_item_study_id_taken", "study_id", "taken", "lot", "id"),
    Index("ix_item_study_id_batch", "study_id", "batch", "taken", "lot", "id"),
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
    UniqueConstraint("study_id", "name"),
)

# A personal link. Only the hash of its token is kept.
link = Table(
    "link",
    metadata,
    Column("token_hash", Text, primary_key=True),
    Column("study_id", Id, ForeignKey("study.id"), nullable=False),
    Column("annotator_id", Id, ForeignKey("annotator.id"), comment="empty: the coordinator's link"),
    Column("created_at", Time, nullable=False),
    Column("expires_at", Time, nullable=False),
    Column("revoked_at", Time),
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
    UniqueConstraint("annotator_id", "item_id", "pass"),
    UniqueConstraint("annotator_id", "position"),
    Index(
        "ix_assignment_open",
        "annotator_id",
        "position",
        sqlite_where=text("state = 'open'"),
        postgresql_where=text("state = 'open'"),
    ),
    CheckConstraint("state in ('open', 'submitted', 'declined')", name="state"),
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
    Column("source", Text, nullable=False, server_default="work", comment="work on the page, or imported"),
    UniqueConstraint("annotator_id", "item_id", "pass", "revision"),
    Index("ix_submission_study_id", "study_id", "submitted_at"),
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
