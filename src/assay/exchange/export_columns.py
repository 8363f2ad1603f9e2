"""The tables that exports are made of: their columns, what each means, and the rows."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from operator import attrgetter, itemgetter
from typing import Any, Literal

from assay.model import CANDIDATES, UNABLE, Agreed, ExportAnnotator, ExportItem, Judgment
from assay.study.care import CheckInAnswer
from assay.study.person import PersonAnswer
from assay.study.schema import Study
from assay.submission_rows import Own

Type = Literal["text", "whole number", "number", "true or false", "time", "JSON"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of an export: for the head of the table, and for the data dictionary."""

    name: str
    meaning: str
    type: Type = "text"
    dimension: str = ""
    """The dimension, or derived value, that it holds: the dictionary says more of it."""


COLUMNS = {
    "item": "the item's id in its file",
    "system": "what the judgment is about: the item's system, or that of one side; empty for a pair as a whole",
    "systems": "every system of the item, with | between them",
    "group": "what the item shares with others, such as its prompt",
    "batch": "the batch that the item belongs to",
    "annotator": "the annotator's pseudonym",
    "dimension": "the quality asked about",
    "side": "left or right, where the candidate stood; empty where there are no sides",
    "left": "the system that stood on the left; empty where there are no sides",
    "entry": "which of a list inside the item; empty where there is none",
    "value": "the judgment; of a preference, the system that was chosen, or tie; empty where it could not be judged",
    "missing": "unable, where the annotator said that this cannot be judged",
    "pass": "1 for the first time, 2 for a duplicate",
    "revision": "1 for the first submission of an item, more for later changes",
    "superseded": "whether the annotator has changed it since: a newer revision is there",
    "submission": "which submission the judgment came in",
    "shown_at": "when the item was first seen, UTC",
    "submitted_at": "when the submission was stored, UTC",
    "active_seconds": "how long the annotator was active on the item; empty where unknown",
    "study_hash": "the version of the study that was shown",
    "consent": "the version of the consent text that was in force",
    "source": "work on the page, a sheet that was given out, practice at a gate, or imported",
    "judge": "whether it is an automated judge",
    "simulated": "whether the annotator is a bot",
    "position": "the number of the item in the order in which the annotator got them, from 1",
    "control": "whether the item has a known answer and was hidden among the others",
    "surplus": "whether it came after its place had gone to another: kept, and counted nowhere",
    "withdrawn": "whether the item was taken out of the study since: kept, and counted nowhere",
    "overridden": "the warnings that were not heeded, and what was changed after more was shown, with | between them",
    "excluded": "whether the annotator was left out of the report when this was written, by the coordinator or a rule",
}
"""The long table: one row for each judgment, and what each column means."""

BREAKS = {
    "annotator": "the annotator's pseudonym",
    "started_at": "when the break began, UTC",
    "ended_at": "when it ended, UTC; empty where it goes on",
    "seconds": "how long it was; empty where it goes on",
    "simulated": "whether the annotator is a bot",
}
"""The breaks: one row for each, and what each column means."""

AGREED = {
    "item": "the item's id in its file",
    "system": "of which of two candidates, by its system; empty where it is about the item, the pair or an entry",
    "dimension": "the quality asked about",
    "entry": "which of a list inside the item; empty where there is none",
    "value": "the value that was agreed on",
    "reason": "why, in the words of those who agreed",
    "agreed_at": "when it was kept, UTC; of several values for one question the last one is here",
}
"""The values that were agreed on where people were far apart: one row for each, and what each column means."""

QUESTIONNAIRE = {
    "annotator": "the annotator's pseudonym",
    "question": "the question about the person",
    "value": "what they answered",
    "answered_at": "when the answer was stored, UTC",
    "simulated": "whether the annotator is a bot",
}
"""What people said about themselves: one row for each answer, and what each column means."""

CHECK_INS = {
    "annotator": "the annotator's pseudonym",
    "asked_at": "when they were asked how they are, UTC",
    "judged": "how many items they had judged by then",
    "answer": "well, so_so or not_well",
    "simulated": "whether the annotator is a bot",
}
"""How people said that they are, where the study lets coordinators see it, and what each column means."""

ITEMS = {
    "item": "the item's id in its file",
    "systems": "every system of the item, with | between them",
    "group": "what the item shares with others, such as its prompt",
    "batch": "the batch that the item belongs to",
    "series": "work; controls, or the file of a practice, where answers are known; withdrawn, where it was taken out",
    "wanted": "how many people are to judge it",
    "again": "the ids under which its file has it again, as a duplicate, with | between them",
    "words": "how many words there are to read",
}
"""The items: one row for each. What an annotator sees follows, a column for each field."""

ANNOTATORS = {
    "annotator": "the annotator's pseudonym",
    "judge": "whether it is an automated judge",
    "simulated": "whether the annotator is a bot",
    "state": "active, paused, or released by the study",
    "left": "whether they chose not to take part",
    "excluded": "whether the coordinator left them out of the report",
    "submissions": "how many submissions they sent, changes included, practice left out",
    "active_seconds": "how long they were active on the items they sent; empty where unknown",
    "first_submitted_at": "when their first submission was stored, UTC",
    "last_submitted_at": "when their last submission was stored, UTC",
}
"""The annotators: one row for each, by pseudonym."""

_WHOLE = {"judged", "pass", "revision", "position", "wanted", "words", "submissions"}
_BOOL = {"judge", "simulated", "control", "surplus", "superseded", "withdrawn", "excluded"}


def typed_columns(columns: Mapping[str, str]) -> list[Column]:
    """Columns with the types that their names stand for."""
    return [Column(name, meaning, _type(name, meaning)) for name, meaning in columns.items()]


def _type(name: str, meaning: str) -> Type:
    if name.endswith("_at"):
        return "time"
    if name.endswith("seconds"):
        return "number"
    if name in _BOOL or meaning.startswith("whether"):
        return "true or false"
    return "whole number" if name in _WHOLE else "text"


OWN_COLUMNS = ("system", "dimension", "side", "entry", "value", "missing")
"""What each judgment has of its own; the other columns are the same for all judgments of a submission."""


def own_values(judgment: Judgment | Own) -> tuple[Any, ...]:
    """What a judgment has of its own, in the order of `OWN_COLUMNS`."""
    value = judgment.value
    missing = str(UNABLE) if value is None else None
    return judgment.system, judgment.dimension, judgment.side, judgment.entry, value, missing


SHARED_COLUMNS = tuple(name for name in COLUMNS if name not in OWN_COLUMNS)
_FIELDS = {"pass": "pass_", "active_seconds": "active_ms"}
"""The fields of a judgment that are called otherwise than their columns."""
_shared_fields = [_FIELDS.get(name, name) for name in SHARED_COLUMNS]
_shared_of_judgment, _shared_by_name = attrgetter(*_shared_fields), itemgetter(*_shared_fields)
_in_order = itemgetter(*((*SHARED_COLUMNS, *OWN_COLUMNS).index(name) for name in COLUMNS))


def columns_in_common(fields: Mapping[str, Any]) -> list[Any]:
    """The other columns in their order, from the fields that all judgments of a submission share."""
    return _as_columns(_shared_by_name(fields))


def _as_columns(fields: Iterable[Any]) -> list[Any]:
    values = list(fields)
    for place, convert in _CONVERTED:
        values[place] = convert(values[place])
    return values


def values_of(judgment: Judgment) -> tuple[Any, ...]:
    """One judgment as a row of the long table."""
    row: tuple[Any, ...] = _in_order((*_as_columns(_shared_of_judgment(judgment)), *own_values(judgment)))
    return row


def as_row(judgment: Judgment) -> dict[str, Any]:
    """One judgment under the names of the long table."""
    return dict(zip(COLUMNS, values_of(judgment), strict=True))


def break_row(annotator: str, started_at: int, ended_at: int | None, simulated: bool) -> dict[str, Any]:
    """One break under the names of its table."""
    ended = None if ended_at is None else as_time(ended_at)
    lasted = None if ended_at is None else (ended_at - started_at) / 1000
    return dict(zip(BREAKS, (annotator, as_time(started_at), ended, lasted, simulated), strict=True))


def agreed_rows(agreed: Iterable[Agreed]) -> Iterator[tuple[Any, ...]]:
    """The values that were agreed on, item by item."""
    for each in sorted(agreed, key=lambda each: each.target):
        yield (each.item, each.system, each.dimension, each.entry, each.value, each.reason, as_time(each.at))


def questionnaire_row(each: PersonAnswer) -> tuple[Any, ...]:
    """One answer about a person as a row of its table."""
    return each.annotator, each.question, each.value, as_time(each.answered_at), each.simulated


def check_in_row(each: CheckInAnswer) -> tuple[Any, ...]:
    """One check-in as a row of its table."""
    return each.annotator, as_time(each.at), each.judged, each.answer, each.simulated


def item_columns(study: Study) -> list[Column]:
    """The columns of the items: what is known of each, then what is shown of it."""
    fields = [
        Column(name, f"what an annotator sees: {meaning}", "text") for name, meaning in _shown_fields(study).items()
    ]
    return [*typed_columns(ITEMS), *fields]


def _shown_fields(study: Study) -> dict[str, str]:
    """The shown fields, by a name that no other column has."""
    said = {CANDIDATES: "both candidates, as JSON, in the order of systems"}
    known = {CANDIDATES: "candidates"}
    fields = {name: known.get(name, name) for name in study.shown_fields}
    return {
        f"shown.{short}" if short in ITEMS else short: said.get(name, f"the field {name}")
        for name, short in fields.items()
    }


def item_rows(study: Study, listed: Iterator[ExportItem]) -> Iterator[tuple[Any, ...]]:
    """The items. Fields that annotators do not see stay out: they may say more than is to be passed on."""
    for each in listed:
        item = each.item
        known = (
            item.id,
            _join_names(item.systems),
            item.group,
            item.batch,
            each.series,
            each.wanted,
            _join_names(each.again),
        )
        yield (*known, item.words, *(as_text(item.shown.get(name)) for name in study.shown_fields))


def annotator_rows(members: Iterator[ExportAnnotator]) -> Iterator[tuple[Any, ...]]:
    """The annotators."""
    for each in members:
        first, last = (None if at is None else as_time(at) for at in (each.first_at, each.last_at))
        told = (each.annotator, each.judge, each.simulated, each.state, each.left, each.excluded, each.submissions)
        yield (*told, seconds(each.active_ms), first, last)


def as_text(value: Any) -> str | None:
    """A value of any shape as one text: what is no text or number is JSON."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def seconds(milliseconds: int | None) -> float | None:
    """Milliseconds as seconds."""
    return None if milliseconds is None else milliseconds / 1000


@lru_cache(4096)
def _join_names(names: tuple[str, ...]) -> str:
    return "|".join(names)


def as_time(milliseconds: int) -> str:
    """A time as ISO 8601 in UTC."""
    minute, rest = divmod(milliseconds, 60_000)
    return f"{_minute(minute)}:{rest // 1000:02}.{rest % 1000:03}Z"


@lru_cache(4096)
def _minute(number: int) -> str:
    return datetime.fromtimestamp(60 * number, UTC).isoformat(timespec="minutes").removesuffix("+00:00")


_WRITTEN: dict[str, Callable[[Any], Any]] = {
    "systems": _join_names,
    "shown_at": as_time,
    "submitted_at": as_time,
    "active_seconds": seconds,
    "overridden": _join_names,
}
"""How what a judgment has is written, in the columns that do not hold it as it is."""
_CONVERTED = [(SHARED_COLUMNS.index(name), convert) for name, convert in _WRITTEN.items()]
