"""Studies and what is judged in them."""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    and_,
    false,
    literal_column,
    select,
)

from assay.store.tables.base import FREE, WORK, Id, Time, metadata, where

NONE_ARRIVES = 2**62
"""Above every id: no import is under way."""

study = Table(
    "study",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("version", Text, nullable=False, comment="the hash of the version in force"),
    Column("item_count", Integer, nullable=False, server_default="0", comment="how many items there are"),
    Column("annotator_count", Integer, nullable=False, server_default="0", comment="how many take part"),
    Column("created_at", Time, nullable=False),
    Column("state", Text, nullable=False, server_default="open", comment="open, paused, closed or removed"),
    Column("state_at", Time, comment="since when; empty: from the beginning"),
    Column("pilot", Integer, nullable=False, server_default="0", comment="the pilot that is under way; 0: none"),
    Column("arranged_for", Text, comment="the version whose plan the items follow"),
    Column("open_count", Integer, nullable=False, server_default="0", comment="how many items are given out by now"),
    Column("control_count", Integer, nullable=False, server_default="0", comment="how many controls there are"),
    Column("cells", Integer, nullable=False, server_default="1", comment="the size of the Latin square"),
    Column("batch_count", Integer, nullable=False, server_default="1", comment="how many batches there are"),
    Column(
        "filled_places",
        Integer,
        nullable=False,
        server_default="0",
        comment="how many places those have filled who do not take part: in files, or before they left",
    ),
    Column(
        "filled_items", Integer, nullable=False, server_default="0", comment="in how many items that leaves no place"
    ),
    Column("word_count", BigInteger, nullable=False, server_default="0", comment="of all its items together"),
    Column("hard_count", Integer, nullable=False, server_default="0", comment="how many items have hard content"),
    Column(
        "taken_places",
        Integer,
        nullable=False,
        server_default="0",
        comment="how many judgments are there or given out, of the items given out by now",
    ),
    Column("taken_items", Integer, nullable=False, server_default="0", comment="how many of them need nobody else"),
    Column("enrolment_stopped_at", Time, comment="since when nobody new can enrol; empty: enrolment goes on"),
    Column(
        "arriving_from",
        BigInteger,
        nullable=False,
        server_default=str(NONE_ARRIVES),
        comment="the first item of an import that is under way: from it on, items are not in the study yet",
    ),
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

QUEUE = ("study_id", "pilot", "queue", "cell", "tagged")
"""What says whose turn an item is: items that agree in it wait for the same people."""

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
    Column(
        "batch",
        Integer,
        nullable=False,
        server_default="0",
        comment="the number of its batch, from 0; the batch's name is hidden",
    ),
    Column(
        "series",
        Text,
        nullable=False,
        server_default=WORK,
        comment="work, controls, withdrawn, or a practice by its file",
    ),
    Column("wanted", Integer, nullable=False, server_default="1", comment="how many annotators are to judge it"),
    Column("pilot", Integer, nullable=False, server_default="0", comment="the pilot it belongs to; 0: the main part"),
    Column(
        "group_number",
        Integer,
        nullable=False,
        server_default="0",
        comment="the number of its group; the group's name is hidden",
    ),
    Column("pair", Integer, nullable=False, server_default="0", comment="the number of its pair of systems"),
    Column("cell", Integer, nullable=False, server_default="0", comment="whom it is for, in a Latin square"),
    Column("tagged", Boolean, nullable=False, server_default=false(), comment="hard content: few for each person"),
    Column(
        "queue", Integer, nullable=False, server_default="0", comment="its batch where they come in order; otherwise 0"
    ),
    Column("import_number", Integer, comment="the import it came with; empty: none that has a number"),
    Column("warnings", Text, nullable=False, server_default="[]", comment="as JSON: the tags that are warned of"),
    UniqueConstraint("study_id", "series", "name"),
    # A partial index of the items that still need annotators. Columns that decide who can get an item come before the
    # order, so that the first rows found are the ones to offer.
    Index("ix_item_free", *QUEUE, "taken", "lot", "id", **where(FREE)),
    Index("ix_item_free_in_order", *QUEUE, "id", **where(FREE)),
    Index("ix_item_study_id_series", "study_id", "series", "id"),
    Index("ix_item_study_id_group_number", "study_id", "group_number", "id"),
)


def is_in_study(study_id: Any) -> ColumnElement[bool]:
    """The items of a study, and none of an import that is under way: they come into the study all at once."""
    first = select(study.c.arriving_from).where(study.c.id == study_id).correlate(None).scalar_subquery()
    return and_(item.c.study_id == study_id, first > _ID)


# An expression: by the id alone no database is to look for items.
_ID = item.c.id + literal_column("0")
IS_IN_THE_STUDY = and_(item.c.study_id == study.c.id, study.c.arriving_from > _ID)
"""The condition of `is_in_study` for the study that a statement joins."""

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
    Column("drawn", Float, comment="the probability with which it was drawn for people; empty: nothing was drawn"),
)

# A row of an item file that is the same item again: an annotator's second pass.
duplicate = Table(
    "duplicate",
    metadata,
    Column("study_id", Id, ForeignKey("study.id"), primary_key=True),
    Column("name", Text, primary_key=True, comment="its id in the file"),
    Column("item_id", Id, ForeignKey("item.id"), nullable=False),
    Column("import_number", Integer, comment="the import it came with; empty: none that has a number"),
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
