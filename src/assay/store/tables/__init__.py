"""The tables. Judgments are only ever added; uniqueness is a constraint, not a hope.

Times are milliseconds since 1970 in UTC. JSON is kept as text, the same on both databases.
"""

from assay.store.tables.base import EVERYBODY, FREE, IS_OPEN, WITHDRAWN, WORK, Id, Time, metadata
from assay.store.tables.counts import computed, counted, pattern, tally, uncounted
from assay.store.tables.items import (
    IS_IN_THE_STUDY,
    NONE_ARRIVES,
    QUEUE,
    duplicate,
    is_in_study,
    item,
    item_hidden,
    picture,
    reference,
    study,
    study_version,
)
from assay.store.tables.oversight import action, adjudication, flag, import_, pilot, text_review
from assay.store.tables.people import (
    annotator,
    arrival,
    break_,
    check_in,
    erasure,
    gate_attempt,
    gate_pass,
    link,
    message,
    panel_setup,
    person,
    person_answer,
    repeat,
    session,
    token,
)
from assay.store.tables.work import assignment, draft, judgment, problem, submission

__all__ = ["EVERYBODY", "FREE", "IS_IN_THE_STUDY", "IS_OPEN", "NONE_ARRIVES", "QUEUE", "WITHDRAWN", "WORK"]
__all__ += ["Id", "Time", "action"]
__all__ += ["adjudication", "annotator", "arrival", "assignment", "break_", "check_in", "computed", "counted"]
__all__ += ["draft", "duplicate", "erasure", "flag", "gate_attempt", "gate_pass", "import_", "is_in_study", "item"]
__all__ += ["item_hidden", "judgment", "link", "message", "metadata", "panel_setup", "pattern", "person"]
__all__ += ["person_answer", "picture", "pilot", "problem", "reference", "repeat", "session", "study"]
__all__ += ["study_version", "submission", "tally", "text_review", "token", "uncounted"]
