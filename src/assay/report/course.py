"""How the work of a study went, besides what was judged: gates, breaks, what was left undone, what was reported."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Going:
    """How far one annotator is."""

    annotator: str
    given: int
    submitted: int
    declined: int = 0
    begun: int = 0
    """Items with answers that were saved and never submitted."""
    left: bool = False
    state: str = "active"
    """active, paused, or released by the study."""


@dataclass(frozen=True)
class Tried:
    """One annotator at one gate, in one version of it."""

    annotator: str
    gate: str
    version: str
    tries: int
    """How often it was tried; 0 where a gate keeps no tries."""
    passed: bool
    by: str = ""
    """Who let the person pass; empty: passed in person, or not at all."""
    failed: bool = False
    """Whether the last try failed, and none came after it."""
    at: int = 0


@dataclass(frozen=True)
class Piloted:
    """What a pilot has shown, and what was decided on it."""

    round: int
    verdict: str
    opened: bool
    by: str
    reason: str = ""


@dataclass(frozen=True)
class Reported:
    """What an annotator found wrong with an item."""

    item: str
    annotator: str
    words: str
    closed: bool = False


@dataclass(frozen=True)
class Course:
    """How the work went, as the store knows it. Nothing here knows a database."""

    state: str = "open"
    """open, paused or closed."""
    places: int = 0
    """How often items are to be judged, all together."""
    people: Sequence[Going] = ()
    gates: Sequence[Tried] = ()
    pilots: Sequence[Piloted] = ()
    rests: Mapping[str, Sequence[tuple[int, int | None]]] = field(default_factory=dict)
    """When each annotator's breaks began and ended."""
    withdrawn: Sequence[str] = ()
    """The items that were taken out of the study."""
    problems: Sequence[Reported] = ()
    progress: Sequence[Any] = ()
    """Rows such as `store.results.Progress`, for figures."""
    funnel: Sequence[Any] = ()
    """Rows such as `store.funnel.Step`, for figures."""
    now: int | None = None
