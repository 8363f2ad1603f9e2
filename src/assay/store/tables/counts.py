"""Tables of counts, so that agreement need not be computed from all judgments each time."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Table, Text

from assay.store.tables.base import Id, Time, metadata

# Submissions that the counts do not hold yet. A row is added with each submission and goes when it is counted.
uncounted = Table(
    "uncounted",
    metadata,
    Column("submission_id", Text, ForeignKey("submission.id"), primary_key=True),
    Column("study_id", Id, ForeignKey("study.id"), nullable=False),
    Column("item_id", Id, ForeignKey("item.id"), nullable=False),
    Index("ix_uncounted_study_id", "study_id", "item_id"),
)

# What an item adds to the counts at present, so that it can be taken back when something is added to it.
tally = Table(
    "tally",
    metadata,
    Column("item_id", Id, ForeignKey("item.id"), primary_key=True),
    Column("patterns", Text, nullable=False, comment="as JSON: patterns by dimension"),
)

# How many items, sides or entries got the same values, whoever gave which.
pattern = Table(
    "pattern",
    metadata,
    Column("study_id", Id, ForeignKey("study.id"), primary_key=True),
    Column("dimension", Text, primary_key=True),
    Column("pattern", Text, primary_key=True, comment="places on the scale in rising order, with commas between"),
    Column("units", BigInteger, nullable=False),
)

# What the counts of a study stand for.
counted = Table(
    "counted",
    metadata,
    Column("study_id", Id, ForeignKey("study.id"), primary_key=True),
    Column("version", Text, nullable=False, comment="the study version whose scales the places are on"),
    Column("left_out", Text, nullable=False, comment="as JSON: the annotators who are not counted"),
)

# What took long to compute, with the time for which it stands.
computed = Table(
    "computed",
    metadata,
    Column("study_id", Id, ForeignKey("study.id"), primary_key=True),
    Column("what", Text, primary_key=True),
    Column("state", Text, nullable=False, comment="tells whether anything has happened since"),
    Column("content", Text, nullable=False, comment="as JSON"),
    Column("at", Time, nullable=False),
)
