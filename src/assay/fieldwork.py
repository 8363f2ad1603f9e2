"""How the work of a study goes, besides what was judged: annotators, gates, pilots, breaks, problems.

The store hands these types to the report, the coordinator's pages and the API.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class AnnotatorProgress:
    """How far one annotator is."""

    annotator: str
    given: int
    """How many items the annotator was given, or judged elsewhere."""
    submitted: int
    declined: int = 0
    begun: int = 0
    """Items with answers that were saved and never submitted."""
    left: bool = False
    state: str = "active"
    """active, paused, or released by the study."""
    gates: int = 0
    """How many gates the annotator has passed as they are now."""
    active_ms: int | None = 0
    """None where something was submitted and no time is known."""
    last_at: int | None = None
    """When something was submitted last."""
    simulated: bool = False
    excluded: bool = False
    """Whether the coordinator left this annotator out of the report."""
    by_rule: str = ""
    """Why a rule of the study leaves them out, as it was applied last; empty: none does."""
    from_files: int = 0
    """How many of the submitted items were judged elsewhere, and came from files."""
    elsewhere: bool = False
    """Whether this annotator is known from files alone: no page, no gates and no times."""


@dataclass(frozen=True, slots=True)
class ItemGiven:
    """How often one item was given to somebody."""

    item: str
    systems: tuple[str, ...]
    group: str
    given: int
    declined: int


@dataclass(frozen=True, slots=True)
class PeopleAtStep:
    """Who took one step on the way, and who took the one before and not this one."""

    step: str
    came: tuple[str, ...]
    on_the_way: tuple[str, ...]
    """Who may still take it."""
    stopped: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FunnelStep:
    """One step on the way from the invitation to the last item."""

    name: str
    people: int
    minutes: float | None = None
    """The median since the step before, of those who took both."""
    on_the_way: int = 0
    """How many took the step before and not this one, and are still at work."""


@dataclass(frozen=True, slots=True)
class GateAttempts:
    """One annotator at one gate, in one version of it."""

    annotator: str
    gate: str
    version: str
    attempts: int
    """How many there were; 0 where a gate keeps none."""
    passed: bool
    by: str = ""
    """Who let the person pass; empty: passed in person, or not at all."""
    failed: bool = False
    """Whether the last attempt failed, and none came after it."""
    at: int = 0


@dataclass(frozen=True, slots=True)
class PilotDecision:
    """What was found and decided about one pilot."""

    round: int
    verdict: str
    opened: bool
    """Whether the main part was opened then."""
    by: str
    reason: str = ""
    at: int = 0
    result: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProblemReport:
    """What somebody found wrong with an item."""

    item: str
    annotator: str
    words: str
    reported_at: int = 0
    id: str = ""
    closed_at: int | None = None
    """When a coordinator was done with it."""

    @property
    def closed(self) -> bool:
        """Whether a coordinator is done with it."""
        return self.closed_at is not None


@dataclass(frozen=True, slots=True)
class StopReached:
    """That the study's stopping rule was reached: once, at one time."""

    rule: str
    at: int
    found: str
    """What was found then, of every pair of systems."""
    judged: int
    """How many of the planned judgments of items were there by then."""
    planned: int
    """How many there were to be."""

    @property
    def judgments_not_needed(self) -> int:
        """How many of those that were planned were not needed."""
        return max(0, self.planned - self.judged)


@dataclass(frozen=True)
class Fieldwork:
    """How the work of a whole study went."""

    state: str = "open"
    """open, paused or closed."""
    places: int = 0
    """How often items are to be judged, all together."""
    annotators: Sequence[AnnotatorProgress] = ()
    gates: Sequence[GateAttempts] = ()
    pilots: Sequence[PilotDecision] = ()
    breaks: Mapping[str, Sequence[tuple[int, int | None]]] = field(default_factory=dict)
    """When each annotator's breaks began and ended."""
    withdrawn: Sequence[str] = ()
    """The items that were taken out of the study."""
    problems: Sequence[ProblemReport] = ()
    funnel: Sequence[FunnelStep] = ()
    imports: Mapping[int, Sequence[str]] = field(default_factory=dict)
    """The files of each import, by its number."""
    given: Sequence[ItemGiven] = ()
    """How often each item was given to somebody, and declined."""
    stopped: StopReached | None = None
    """That the stopping rule in force was reached; None where there is none, or it was not."""
    now: int | None = None
    """When it was looked at."""
    published: Mapping[str, int] = field(default_factory=dict)
    """When each version of the study came into force, by its hash."""


@dataclass(frozen=True, slots=True)
class ExclusionByRule:
    """That a rule of the study leaves somebody out."""

    reason: str
    reassign: bool = False
    """Whether their places go to others."""
