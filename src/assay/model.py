"""The frozen types that every stage hands to the next. Words as in the glossary: one for each concept."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Literal, NamedTuple

from assay.held_once import held_once

Level = Literal["nominal", "ordinal", "interval", "ratio"]

# What one judgment holds, as JSON can say it: a scale point, a text, a list of tags, or None for "not answered".
Value = int | float | str | bool | list[str] | None

Target = tuple[str, str, str, str]
"""What values can be agreed on: the item, the dimension, of two candidates the system of one, the entry."""


class Comparison(NamedTuple):
    """Two systems against each other, in the direction in which results are said.

    Example:
        >>> Comparison("Linnet", "Heron").title
        'Linnet against Heron'
    """

    system: str
    against: str

    @property
    def title(self) -> str:
        """What a comparison is called in a sentence."""
        return f"{self.system} against {self.against}"


class DrawnItem(NamedTuple):
    """An item of a study that asks people for a part of its items only."""

    probability: float
    """With which it was drawn for people."""
    drawn: bool
    """Whether it was."""


class Unable(str):
    """The answer of somebody who says that they cannot judge: a kind of its own, whatever a text may say."""

    __slots__ = ()


UNABLE = Unable("unable")
"""Kept as a judgment without a value, and counted in no statistic."""

CANDIDATES = "_candidates"
"""What an item that compares two systems shows of each: a list of two, in the order of `Item.systems`."""

SIDES = ("left", "right")
"""Where a candidate stands on the page. Which one stands where is drawn anew for each annotator and item."""

ROLES = ("a", "b")
"""Which candidate it is, wherever it stood: the first or the second of `Item.systems`."""

PRACTICE = "practice"
"""Where a submission came from that was given at a gate. It counts in no result."""

IMPORTED = "imported"
"""Where a submission came from that was given elsewhere and brought from a file."""

WORDS_A_MINUTE = 238
"""How fast people read silently, on average."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One question on the page: a dimension, asked of the item, of one side, or of one entry."""

    dimension: str
    side: str = ""
    entry: str = ""

    @property
    def key(self) -> str:
        """The name of the form field; dimension names hold no dots, so it can be taken apart again."""
        return self.dimension if not self.side and not self.entry else _key(self.dimension, self.side, self.entry)


@lru_cache(maxsize=4096)
def _key(*parts: str) -> str:
    return ".".join(filter(None, parts))


@dataclass(frozen=True)
class Item:
    """One thing shown to be judged. `shown` may reach an annotator; everything else never does."""

    id: str
    shown: dict[str, Any]
    hidden: dict[str, Any] = field(default_factory=dict)
    systems: tuple[str, ...] = ()
    """What produced it: nothing where the study does not say, one system, or the two that are compared."""
    group: str = ""
    batch: str = ""

    @cached_property
    def words(self) -> int:
        """How many words an annotator has to read."""
        return _words(self.shown)


def _words(value: Any) -> int:
    if isinstance(value, str):
        return len(value.split())
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    words = 0
    for part in parts:
        words += len(part.split()) if type(part) is str else _words(part)
    return words


@held_once("system", "dimension", "side", "entry", "value")
@dataclass(frozen=True)
class Judgment:
    """One value for one dimension in a submission: a row of the long table.

    What all judgments of a submission share is stored once: a million copies would be most of the memory.
    """

    submission: str
    item: str
    system: str
    """What the judgment is about: the item's system, or that of one side. Empty for a judgment about a pair."""
    systems: tuple[str, ...]
    """Every system of the item: two where it compares them."""
    group: str
    annotator: str
    dimension: str
    side: str
    entry: str
    value: Value
    """None where the annotator said that this cannot be judged."""
    pass_: int
    revision: int
    shown_at: int
    submitted_at: int
    active_ms: int | None
    study_hash: str
    consent: str
    left: str = ""
    """The system that stood on the left, where there were sides."""
    batch: str = ""
    source: str = "work"
    """How it came: by `work` on the page, on a `sheet`, in `practice` at a gate, or `imported` from a file."""
    judge: bool = False
    """Whether it was given by an automated judge."""
    simulated: bool = False
    position: int = 0
    """The number of the item among those of the annotator, from 1; 0 where that is not known."""
    control: bool = False
    """Whether the item is one with a known answer, hidden among the others."""
    surplus: bool = False
    """Whether it came after its place had gone to another: kept, and counted in no statistic."""
    withdrawn: bool = False
    """Whether the item was taken out of the study since: kept, and counted in no statistic."""
    overridden: tuple[str, ...] = ()
    """The warnings of the study's rules that the annotator did not heed."""
    events: str | None = None
    """When the page was looked at and when not, as JSON; None where that is not known."""
    superseded: bool = False
    """Whether the annotator has changed it since: a newer revision is there."""
    excluded: bool = False
    """Whether the annotator is left out of the report. Only exports ask: a report has the reasons too."""
    import_number: int | None = None
    """The import that it came with; None: none that has a number."""
    together: ClassVar[Any]
    """What its submission says of all its judgments, under the same names."""

    @property
    def is_practice(self) -> bool:
        """Whether it was given at a gate."""
        return self.source == PRACTICE

    @property
    def is_from_file(self) -> bool:
        """Whether it was given elsewhere, so that its page, its sides, its time and its turn are not known."""
        return self.source == IMPORTED

    @property
    def is_of_study(self) -> bool:
        """Whether it is about an item of the study and in time: no practice, no control, not surplus, not withdrawn."""
        of = self.together
        return not (of.control or of.surplus or of.withdrawn or of.source == PRACTICE)

    @property
    def counts(self) -> bool:
        """Whether it is of the study and no newer revision supersedes it. Who gave it is another question."""
        return self.is_of_study and not self.superseded

    @property
    def is_of_pair(self) -> bool:
        """Whether its item compares two systems."""
        return len(self.together.systems) == len(ROLES)

    @property
    def candidate(self) -> str:
        """Of a judgment about one candidate of a pair, the system; empty where it is about both, or about no pair."""
        return self.system if len(self.together.systems) == len(ROLES) else ""

    @property
    def role(self) -> str:
        """Which candidate that is, a or b, whether or not anybody saw it on a side."""
        return ROLES[self.systems.index(self.system)] if self.candidate else ""

    @property
    def choice(self) -> Value:
        """The value; a system is replaced by its role (a, b), so that the answers of two people can be compared."""
        systems: tuple[str, ...] = self.together.systems
        if len(systems) == len(ROLES) and self.value in systems:
            return ROLES[systems.index(str(self.value))]
        return self.value

    @property
    def slot(self) -> Slot:
        """What it answers, with the candidate's role in the place of its side."""
        return Slot(self.dimension, self.role, self.entry)

    @property
    def key(self) -> str:
        """The slot as the name of a form field."""
        if not self.entry and len(self.together.systems) != len(ROLES):  # of most studies every judgment
            return self.dimension
        return self.slot.key

    @property
    def unit(self) -> str:
        """What is judged, whatever the dimension: the item, one candidate of it, or one of its entries."""
        if len(self.together.systems) != len(ROLES) and not self.entry:  # as in `key`
            return self.item
        return "/".join(part for part in (self.item, self.candidate, self.entry) if part)

    @property
    def target(self) -> Target:
        """The item, dimension, candidate and entry that it is a value of: the key of agreed values."""
        return self.item, self.dimension, self.candidate, self.entry


@dataclass(frozen=True, slots=True)
class ExportItem:
    """An item as a coordinator's lists have it."""

    item: Item
    series: str
    """`work`; of an item with known answers, where it comes from: `controls`, or the file of a practice."""
    wanted: int = 1
    """How many people are to judge it."""
    again: tuple[str, ...] = ()
    """The ids under which its file has it again, as a duplicate."""


@dataclass(frozen=True, slots=True)
class ExportAnnotator:
    """Somebody who judges, as a coordinator's lists have them: by pseudonym."""

    annotator: str
    judge: bool = False
    simulated: bool = False
    state: str = "active"
    left: bool = False
    excluded: bool = False
    submissions: int = 0
    """Without practice; a change counts as one more."""
    active_ms: int | None = 0
    """None where something was submitted and no time is known."""
    first_at: int | None = None
    last_at: int | None = None


@dataclass(frozen=True)
class Fact:
    """What monitors need to know of an item."""

    words: int = 0
    """How much there is to read."""
    shown: Mapping[str, Any] = field(default_factory=dict)
    """What an annotator sees; of a comparison, the two candidates in the order of the item's systems."""
    expected: Mapping[str, Value] = field(default_factory=dict)
    """Of a control or an item for practice: the known answers, by `Judgment.key`."""


@dataclass(frozen=True, slots=True)
class Flag:
    """A recorded doubt about an annotator's work. It never deletes anything."""

    monitor: str
    annotator: str
    reason: str
    """In words, with the numbers: what a coordinator reads."""
    items: tuple[str, ...] = ()
    """The items that show it."""
    evidence: dict[str, int | float | str] = field(default_factory=dict)
    """The numbers behind it, by name."""


@dataclass(frozen=True, slots=True)
class Passed:
    """Somebody whom a coordinator let pass a gate."""

    annotator: str
    gate: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Agreed:
    """The value that was agreed on, for one question of one item where people were far apart."""

    item: str
    dimension: str
    system: str
    """Of which candidate, where there are two."""
    entry: str
    value: Value
    reason: str
    by: str
    at: int

    @property
    def target(self) -> Target:
        """The item, dimension, candidate and entry that it is a value of."""
        return self.item, self.dimension, self.system, self.entry


LEAST_P = 2.2250738585072014e-308
"""No finite number of judgments shows a p-value of 0: this stands for what is too small to be written down."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its 95 % interval, or the reason why there is none; never both."""

    name: str
    value: float | None
    ci: tuple[float, float] | None = None
    """The 95 % interval."""
    n: int = 0
    """How many items, or what else the method names, it rests on."""
    method: str = ""
    """How the interval was made, and what a reader must know of it."""
    p: float | None = None
    """The p-value: how probable so large a number is if there is no effect."""
    undefined: str | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.undefined is None):
            raise ValueError(f"{self.name} must have either a value or the reason why it has none")
        if self.p == 0:
            object.__setattr__(self, "p", LEAST_P)
        numbers = [each for each in (self.value, self.p, *(self.ci or ())) if each is not None]
        if not all(map(math.isfinite, numbers)):
            raise ValueError(f"{self.name} holds what is not a number, or infinite")


@dataclass(frozen=True, slots=True)
class Coefficient:
    """The agreement of annotators by one statistic, with its interval, or the reason why there is none."""

    name: str
    value: float | None
    ci: tuple[float, float] | None
    method: str
    n_items: int
    n_ratings: int
    n_annotators: int
    undefined: str | None = None

    @property
    def estimate(self) -> Estimate:
        """The same as an estimate from so many items."""
        return Estimate(self.name, self.value, self.ci, self.n_items, self.method, undefined=self.undefined)
