"""Who takes part, by which link, and what they had to pass first."""

import secrets

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, Table, Text, UniqueConstraint, false

from assay.store.tables.base import Id, Time, metadata

annotator = Table(
    "annotator",
    metadata,
    Column("id", Id, primary_key=True),
    Column("study_id", Id, ForeignKey("study.id"), nullable=False),
    Column("name", Text, nullable=False, comment="a pseudonym; who it is stays outside"),
    Column("simulated", Boolean, nullable=False, server_default=false(), comment="a bot, not a person"),
    Column("left_at", Time, comment="when the person chose not to take part"),
    Column("ready_for", Text, comment="the study version of which every gate is known to be passed"),
    Column("created_at", Time, nullable=False),
    Column("judge", Boolean, nullable=False, server_default=false(), comment="an automated judge, not a person"),
    Column("state", Text, nullable=False, server_default="active", comment="active, paused, or released by the study"),
    Column("excluded_at", Time, comment="since when the report leaves the annotator out; the data stays"),
    Column("cell", Integer, comment="the place in a Latin square"),
    Column(
        "from_file",
        Boolean,
        nullable=False,
        server_default=false(),
        comment="known by judgments from a file alone, and never asked to take part",
    ),
    Column("had", Text, comment="as JSON: what they were given, of each sort; empty: to be counted"),
    Column(
        "key",
        Text,
        nullable=False,
        server_default="",
        default=lambda: secrets.token_hex(16),
        comment="drawn: what is known of somebody who was erased, here and in the list outside",
    ),
    UniqueConstraint("study_id", "name"),
)

# What a coordinator calls somebody, or what somebody typed when they enrolled. It stands here and nowhere else.
person = Table(
    "person",
    metadata,
    Column("annotator_id", Id, ForeignKey("annotator.id"), primary_key=True),
    Column("study_id", Id, ForeignKey("study.id"), nullable=False),
    Column("name", Text, nullable=False, comment="never the pseudonym of anybody in the study"),
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
    Column("reads_only", Boolean, nullable=False, server_default=false(), comment="sees the study and changes nothing"),
    Column("name", Text, nullable=False, server_default="", comment="of a coordinator or viewer: who it is for"),
    Column("opened_at", Time, comment="when it was first opened, which is known also after the sessions have ended"),
)

# The token by which a script identifies itself. Only its hash is stored.
token = Table(
    "token",
    metadata,
    Column("id", Id, primary_key=True),
    Column("study_id", Id, ForeignKey("study.id"), nullable=False),
    Column("name", Text, nullable=False, comment="what is recorded as who did something"),
    Column("token_hash", Text, nullable=False, unique=True),
    Column("scopes", Text, nullable=False, comment="as JSON: what it is good for"),
    Column("annotator_id", Id, ForeignKey("annotator.id"), comment="the only annotator it may act for; empty: all"),
    Column("created_at", Time, nullable=False),
    Column("expires_at", Time, nullable=False),
    Column("revoked_at", Time),
    UniqueConstraint("study_id", "name"),
)

# The response to a script's request, so that a retry gets the same one.
repeat = Table(
    "repeat",
    metadata,
    Column("token_id", Id, ForeignKey("token.id"), primary_key=True),
    Column("key", Text, primary_key=True),
    Column("fingerprint", Text, nullable=False, comment="tells a repeat from another request"),
    Column("answer", Text, nullable=False, comment="as JSON: what was answered"),
    Column("at", Time, nullable=False),
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

# Every attempt at a gate that can be failed, or that takes several forms.
gate_attempt = Table(
    "gate_attempt",
    metadata,
    Column("id", Id, primary_key=True),
    Column("annotator_id", Id, ForeignKey("annotator.id"), nullable=False),
    Column("gate", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("number", Integer, nullable=False, comment="the number of the attempt, from 1"),
    Column("started_at", Time, nullable=False),
    Column("ended_at", Time, comment="empty: under way"),
    Column("passed", Boolean, comment="empty: under way"),
    Column("seen", Integer, nullable=False, server_default="0", comment="how many answers have had their feedback"),
    Column("result", Text, nullable=False, server_default="{}", comment="as JSON: what was answered, or how it went"),
    UniqueConstraint("annotator_id", "gate", "version", "number"),
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

# Whom a panel has sent. The panel's ids stand here and nowhere else: everything else knows the pseudonym.
arrival = Table(
    "arrival",
    metadata,
    Column("annotator_id", Id, ForeignKey("annotator.id"), primary_key=True),
    Column("study_id", Id, ForeignKey("study.id"), nullable=False),
    Column("person", Text, nullable=False, comment="the panel's id of the person"),
    Column("session", Text, nullable=False, server_default="", comment="the panel's id of this participation"),
    Column("survey", Text, nullable=False, server_default="", comment="the panel's id of the study"),
    Column("device_hash", Text, nullable=False, comment="of the cookie of the device that they came with first"),
    Column("arrived_at", Time, nullable=False),
    Column("outcome", Text, nullable=False, server_default="", comment="how it ended; empty: it goes on"),
    Column("ended_at", Time),
    UniqueConstraint("study_id", "person"),
)

# What somebody says about themselves: by the drawn key, so that neither a name nor a judgment stands beside it.
person_answer = Table(
    "person_answer",
    metadata,
    Column("key", Text, primary_key=True, comment="of the annotator, drawn"),
    Column("question", Text, primary_key=True),
    Column("study_id", Id, ForeignKey("study.id"), nullable=False),
    Column("value", Text, nullable=False, comment="as JSON"),
    Column("answered_at", Time, nullable=False),
    Index("ix_person_answer_study_id", "study_id", "question"),
)

# That somebody was asked how they are, between two items; what they said where they agreed that it is seen.
check_in = Table(
    "check_in",
    metadata,
    Column("annotator_id", Id, ForeignKey("annotator.id"), primary_key=True),
    Column("judged", Integer, primary_key=True, comment="how many items they had judged by then"),
    Column("at", Time, nullable=False),
    Column("answer", Text, nullable=False, server_default="", comment="well, so_so or not_well; empty: not stored"),
)

# What the file panel.yaml holds. It is a secret of whoever runs the study, and no part of a version.
panel_setup = Table(
    "panel_setup",
    metadata,
    Column("study_id", Id, ForeignKey("study.id"), primary_key=True),
    Column("document", Text, nullable=False, comment="as JSON: the ways back, and the key of signatures"),
)

# Who was erased, by a drawn key alone: a backup that is restored has them erased again.
erasure = Table(
    "erasure",
    metadata,
    Column("key", Text, primary_key=True, comment="of the annotator, drawn"),
    Column("study_id", Id, ForeignKey("study.id"), nullable=False),
    Column("kept", Boolean, nullable=False, comment="whether the judgments stayed, without texts and under no name"),
    Column("at", Time, nullable=False),
)
