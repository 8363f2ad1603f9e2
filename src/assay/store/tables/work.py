"""Tables of assignments, drafts, submissions and judgments. Judgments are only ever added."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from assay.store.tables.base import IS_OPEN, WORK, Id, Time, metadata, where

# One annotator's duty to judge one item once. The id of the submission is given out here, so a repeat is the same one.
assignment = Table(
    "assignment",
    metadata,
    Column("id", Id, primary_key=True),
    Column("study_id", Id, ForeignKey("study.id"), nullable=False),
    Column("annotator_id", Id, ForeignKey("annotator.id"), nullable=False),
    Column("item_id", Id, ForeignKey("item.id"), nullable=False),
    Column("pass", Integer, nullable=False, server_default="1"),
    Column("position", Integer, nullable=False, comment="the number of the item among the annotator's, from 1"),
    Column("public_id", Text, nullable=False, unique=True, comment="what the browser calls it"),
    Column("submission_id", Text, nullable=False, unique=True),
    Column("state", Text, nullable=False, server_default="open"),
    Column("created_at", Time, nullable=False),
    Column("swapped", Boolean, comment="whether the second candidate stands on the left; empty: no sides"),
    Column("attempt", Id, nullable=False, server_default="0", comment="the attempt at a gate it belongs to; 0: work"),
    Column("expires_at", Time, comment="when it goes back if nothing happens; empty: never"),
    Column("freed_at", Time, comment="when its place was given to others for good; empty: it was not"),
    Column("opened_at", Time, comment="when it was shown after a warning; empty: it was not, or there is none"),
    Column(
        "declined_because", Text, nullable=False, server_default="", comment="warning: left out before it was shown"
    ),
    Column(
        "reopened_at", Time, comment="since when a coordinator lets it be changed once more; empty: as the study says"
    ),
    UniqueConstraint("annotator_id", "item_id", "pass"),
    UniqueConstraint("annotator_id", "attempt", "position"),
    Index("ix_assignment_given", "annotator_id", "attempt", "state"),
    Index("ix_assignment_open", "annotator_id", "attempt", "position", **where(IS_OPEN)),
    Index("ix_assignment_expires", "study_id", "expires_at", **where(IS_OPEN)),
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
    Column("first", Text, comment="as JSON: what was answered when what comes after it was shown; empty: it was not"),
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
    Column("import_number", Integer, comment="the import it came with; empty: none that has a number"),
    UniqueConstraint("annotator_id", "item_id", "pass", "revision"),
    Index("ix_submission_study_id", "study_id", "submitted_at"),
    # Both hold what is counted by them, so that how far everybody is costs no look at the rows themselves.
    Index("ix_submission_annotator_id", "annotator_id", "submitted_at", "source", "revision", "active_ms"),
    Index("ix_submission_item_id", "item_id", "pass", "surplus", "annotator_id"),
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
    Column("closed_at", Time, comment="when a coordinator was done with it"),
    Index("ix_problem_study_id", "study_id", "reported_at"),
    Index("ix_problem_assignment_id", "assignment_id"),
)
