"""The fields that `items.judgments` names, in one file: which are there, how spelled, and where scores are missing.

A file that lacks what the study names is refused, and so is a row with some of its scores: what is not read is lost for
good. What may be missing all the same is the coordinator's to say (`partial`).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from assay.items.fields import ABSENT, value_at
from assay.items.rows import Location, Row, RowFields
from assay.model import Slot
from assay.study.judgment_fields import JudgmentFields
from assay.study.schema import Study
from assay.suggest import suggest_name

BETWEEN_WORDS = re.compile(r"[\s_-]+")
FILL_IN = "fill it in; or --partial takes in what is there, and keeps in the record what is missing"


@dataclass(frozen=True, slots=True)
class JudgmentsWanted:
    """Which of the judgments in a file are to be taken in, and whether they may have gaps."""

    people: bool = False
    """Also those of people; those of automated judges always come with their items."""
    partial: bool = False
    """Rows may lack some of their scores, and the file some of the fields that the study names."""


ONLY_JUDGES = JudgmentsWanted()
"""What comes with items by itself: what automated judges said, whole."""


def is_blank(value: Any) -> bool:
    """Whether a cell or a field says nothing."""
    return value is ABSENT or value is None or (isinstance(value, str) and not value.strip())


def other_spelling(row: Any, path: str, others: Iterable[str] = ()) -> str:
    """How a row spells a field that it lacks under its own name: in another case, with other signs between words.

    >>> other_spelling({"Annotator ID": "x", "s": {"Warmth": 1}}, "annotator_id")
    'Annotator ID'
    >>> other_spelling({"Annotator ID": "x", "s": {"Warmth": 1}}, "s.warmth")
    's.Warmth'
    """
    return next((found for found in _alike(row, path) if found != path and found not in others), "")


def _alike(row: Any, path: str) -> Iterator[str]:
    if not isinstance(row, Mapping):
        return
    for key in row:
        if _bare(key) == _bare(path):
            yield key
    for end, sign in enumerate(path):
        if sign == ".":
            heads = [key for key in row if _bare(key) == _bare(path[:end])]
            for head in heads:
                yield from (f"{head}.{rest}" for rest in _alike(row[head], path[end + 1 :]))


@lru_cache(10_000)
def _bare(name: str) -> str:
    return BETWEEN_WORDS.sub("", name).casefold()


class NamedFields:
    """The fields that one entry of `items.judgments` names, over the rows of one file."""

    def __init__(self, study: Study, settings: JudgmentFields, fields: RowFields, wanted: JudgmentsWanted) -> None:
        self.settings = settings
        self.fields = fields
        self.who = settings.annotator or settings.judge
        self.paths = study.fields_read(settings)
        of_row = {each.dimension for each in study.rubric if each.scope.of != "entries"}
        self.fields_of_row = {slot: path for slot, path in self.paths.items() if slot.dimension in of_row}
        # Whether a question with a condition is asked follows from the others: the store is told, and decides.
        self.optional = {each.dimension for each in study.rubric if not each.is_always_asked} | set(settings.optional)
        self.wanted = wanted.people or bool(settings.judge)
        self.partial = wanted.partial
        items = study.items
        self.others = {name.rstrip("?") for name in (*items.id, items.system, items.group, items.batch) if name}
        self.others |= set(items.shown_fields)
        self.judged = 0
        """The rows in which somebody is named."""
        self.names_somebody = False
        """Whether the field that names somebody is in any row."""
        self.there: set[Slot] = set()
        self.asked: set[Slot] = set()
        """What some row has to answer: a dimension of entries has no answer where there is no entry."""
        self.gaps: dict[Slot, dict[Location, None]] = {}
        self.nobody: list[Location] = []
        self.alike: dict[str, str] = {}
        self.known: dict[str, None] = {}
        self.within: dict[str, dict[str, None]] = {}
        """What stands where a nested field is looked for, such as the other scores."""
        self.outer = {path.rpartition(".")[0] for path in self.paths.values()} - {""}
        self.looked_at: set[tuple[str, ...]] = set()
        """The names of the fields of rows: most rows have the same ones, and one look at them is enough."""
        self.silent: set[tuple[str, ...]] = set()
        """Those of rows that hold nothing of this entry."""
        self._fields: dict[Slot, Slot] = {}

    def field_of(self, slot: Slot) -> str:
        """The field with the value of a question."""
        return self.paths[self._one_field(slot)]

    def _one_field(self, slot: Slot) -> Slot:
        """The question that stands for all that are read from its field: entries share one, and so may candidates."""
        if slot not in self._fields:
            of_side = Slot(slot.dimension, slot.side)
            self._fields[slot] = of_side if of_side in self.paths else Slot(slot.dimension)
        return self._fields[slot]

    def is_silent(self, row: Row) -> bool:
        """Whether rows with these columns are known to hold nothing of this entry, as in most files of items."""
        return bool(self.silent) and tuple(row) in self.silent

    def is_named(self, row: Row) -> bool:
        """Whether a row names somebody who judges in it."""
        return not is_blank(value_at(row, self.who))

    def note_fields(self, row: Row, values: Mapping[Slot, Any]) -> None:
        """Note which of the named fields a row has, and which it seems to have under another spelling."""
        self.names_somebody |= bool(self.who) and value_at(row, self.who) is not ABSENT
        self.asked |= {self._one_field(slot) for slot in values}
        self.there |= {self._one_field(slot) for slot, value in values.items() if value is not ABSENT}
        names = tuple(row)
        if names in self.looked_at:
            return
        if not self.outer and "." not in self.who:
            self.looked_at.add(names)
            if self.fields_of_row == self.paths and not {self.who, *self.paths.values()}.intersection(names):
                self.silent.add(names)
        self.known |= dict.fromkeys(name for name in names if not name.startswith("_"))
        for name in self.outer:
            if isinstance(inner := value_at(row, name), Mapping):
                self.within.setdefault(name, {}).update(dict.fromkeys(inner))
        lacking = [path for slot, path in self.fields_of_row.items() if slot not in self.there]
        lacking += [self.who] if self.who and not self.names_somebody else []
        for path in lacking:
            if path not in self.alike and (found := other_spelling(row, path, self.others)):
                self.alike[path] = found

    def note_answers(self, values: Mapping[Slot, Any], location: Location) -> bool:
        """Note what is missing in a row that somebody judges in; returns whether anything is filled in."""
        self.judged += 1
        filled = any(not is_blank(value) for value in values.values())
        if filled:
            for slot, value in values.items():
                if is_blank(value) and slot.dimension not in self.optional:
                    self.gaps.setdefault(self._one_field(slot), {})[location] = None
        return filled

    def note_nobody(self, values: Mapping[Slot, Any], location: Location, whose: set[str]) -> None:
        """Note a row that does not name who judged: its scores are nobody's, but for those in the fields `whose`."""
        scores = [slot for slot, value in values.items() if not is_blank(value) and slot.dimension not in self.optional]
        if any(self.field_of(slot) not in whose for slot in scores):
            self.nobody.append(location)

    def report(self) -> None:
        """Note what is wrong with the file as a whole, and every row with a gap."""
        if not self.wanted:
            return
        self._report_spelling()
        self._report_nobody()
        for slot, path in self.paths.items():
            name = slot.dimension
            expected = name not in self.optional or name in self.settings.values
            expected &= name not in self.settings.optional
            if (
                self.judged
                and slot in self.asked - self.there
                and path not in self.alike
                and expected
                and not self.partial
            ):
                what = f"there is no field {path!r}, which items.judgments reads as {name}"
                self.fields.mistakes.add(what, f"{self._instead(path)}; --partial takes in what is there")
            if slot in self.there and not self.partial:
                for location in self.gaps.get(slot, []):
                    what = f"there is no answer on {name}, and there are others in this row"
                    self.fields.mistakes.add(what, FILL_IN, location, path)

    def report_if_unused(self) -> None:
        """Note that nobody is named, where judgments by people were asked for and there are rows at all."""
        if not self.known:
            return
        paths = [self.who] if self.who else list(self.paths.values())
        if not (self.names_somebody if self.who else self.there):
            for path in paths:
                if path not in self.alike:
                    self.fields.mistakes.add(f"there is no field {path!r}: nobody's judgments", self._instead(path))

    def _report_spelling(self) -> None:
        in_use = self.judged or self.nobody or not self.who or self.who in self.alike
        for path, found in self.alike.items() if in_use else ():
            about = next((slot for slot, each in self.paths.items() if each == path), None)
            if about not in self.there and (about or not self.names_somebody):
                hint = "spell it alike, in the file or in items.judgments in study.yaml"
                self.fields.mistakes.add(f"there is no field {path!r}, but {found!r}", hint)

    def _report_nobody(self) -> None:
        if self.nobody and not self.names_somebody and self.who not in self.alike:
            what = f"there are scores, and no field {self.who!r} that says whose"
            self.fields.mistakes.add(what, self._instead(self.who))
        elif self.nobody and self.names_somebody:
            for location in self.nobody:
                what, hint = "there are scores, and nobody is named", "write who judged, or empty the scores"
                self.fields.mistakes.add(what, hint, location, self.who)

    def _instead(self, path: str) -> str:
        outer, _, name = path.rpartition(".")
        if outer in self.within:
            return f"in {outer}: {suggest_name(name, self.within[outer])}"
        return suggest_name(path, self.known)
