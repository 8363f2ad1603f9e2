"""The frozen types that every stage hands to the next. Words as in the glossary: one for each concept."""

from dataclasses import dataclass, field
from typing import Any, Literal

Level = Literal["nominal", "ordinal", "interval", "ratio"]

# What one judgment holds, as JSON can say it: a scale point, a text, a list of tags, or None for "not answered".
Value = int | float | str | bool | list[str] | None


@dataclass(frozen=True, slots=True)
class Slot:
    """One question on the page: a dimension, asked of the item, of one side, or of one entry."""

    dimension: str
    side: str = ""
    entry: str = ""

    @property
    def key(self) -> str:
        """The name of the form field; dimension names hold no dots, so it can be taken apart again."""
        return ".".join(part for part in (self.dimension, self.side, self.entry) if part)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing shown to be judged. `shown` may reach an annotator; everything else never does."""

    id: str
    shown: dict[str, Any]
    hidden: dict[str, Any] = field(default_factory=dict)
    system: str = ""
    group: str = ""

    @property
    def words(self) -> int:
        """How many words an annotator has to read."""
        return sum(len(text.split()) for text in self.shown.values() if isinstance(text, str))


@dataclass(frozen=True, slots=True)
class Judgment:
    """One value for one dimension in a submission: a row of the long table."""

    submission: str
    item: str
    system: str
    group: str
    annotator: str
    dimension: str
    side: str
    entry: str
    value: Value
    pass_: int
    revision: int
    shown_at: int
    submitted_at: int
    active_ms: int | None
    study_hash: str
    consent: str
    simulated: bool = False


@dataclass(frozen=True, slots=True)
class Flag:
    """A recorded doubt about an annotator's work. It never deletes anything."""

    monitor: str
    annotator: str
    reason: str
    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One number of a report with its interval, or the reason why there is none."""

    name: str
    value: float | None
    ci: tuple[float, float] | None
    method: str
    n_items: int
    n_ratings: int
    n_annotators: int
    undefined: str | None = None
