"""What a pilot has shown: agreement on each dimension that counts, and whether the main part may open."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.frozen_json import to_json
from assay.judgments.topics import Topic
from assay.model import Coefficient
from assay.report.data import Data

GO, REVISE, REWRITE, NO_DATA = "go", "revise", "rewrite", "no data"
WORST_FIRST = (NO_DATA, REWRITE, REVISE, GO)


@dataclass(frozen=True, slots=True)
class PilotDimension:
    """What a pilot has shown on one dimension; of a preference, on one comparison."""

    dimension: str
    coefficient: Coefficient
    verdict: str
    title: str = ""
    """What it is called on a page: of a preference, with the comparison."""
    system: str = ""
    """Of a preference, which system was compared."""
    against: str = ""
    rests_on: str = ""
    """What two people or more judged: so many items, or sides or entries of items."""


@dataclass(frozen=True, slots=True)
class PilotOutcome:
    """What a pilot has shown."""

    items: int
    finished: int
    """How many of them are judged by as many annotators as the study asks for."""
    dimensions: tuple[PilotDimension, ...]

    @property
    def verdict(self) -> str:
        """The worst of all dimensions: every one of them must be `go`. Without data nothing is passed."""
        found = {each.verdict for each in self.dimensions} or {NO_DATA}
        return next(verdict for verdict in WORST_FIRST if verdict in found)

    @property
    def caution(self) -> str:
        """A warning where kappa is a mean over pairs of annotators, some of whom share few items; else empty."""
        found = [each.coefficient for each in self.dimensions if each.coefficient.n_annotators > 2]
        if not found or not found[0].name.startswith("cohen_kappa"):
            return ""
        return (
            f"{found[0].n_annotators} people judged, and kappa is a mean over pairs of them that share enough items. "
            "Krippendorff's alpha uses all judgments together: see the report, or set analysis.agreement."
        )

    @property
    def complete(self) -> bool:
        """Whether everything is judged."""
        return 0 < self.items == self.finished

    @property
    def passed(self) -> bool:
        """Whether the main part may open by itself."""
        return self.complete and self.verdict == GO

    def as_json(self) -> dict[str, Any]:
        """Every number, as the store and the API have it."""
        dimensions = [
            {
                "dimension": each.dimension,
                "system": each.system,
                "against": each.against,
                "verdict": each.verdict,
                "rests_on": each.rests_on,
                **to_json(each.coefficient),
            }
            for each in self.dimensions
        ]
        return {
            "items": self.items,
            "finished": self.finished,
            "verdict": self.verdict,
            "caution": self.caution,
            "dimensions": dimensions,
        }


def pilot_outcome(data: Data) -> PilotOutcome:
    """Look at a pilot: `data` holds the judgments of its items and of no others."""
    asked = data.study.analysis.pilot
    assert asked is not None
    names = asked.dimensions or tuple(dimension.dimension for dimension in data.study.scored_dimensions)
    wanted = data.study.analysis.agreement.coefficient
    dimensions = []
    for topic in (topic for name in names for topic in _topics(data, name)):
        every = data.agreement.get(topic, ())
        found = _coefficient(wanted, every)
        verdict = _verdict(found.value, asked.go, asked.revise)
        about = (topic.title(data.study), *topic[1:], str(data.units(topic, every[0].n_items if every else 0)))
        dimensions.append(PilotDimension(topic.dimension, found, verdict, *about))
    return PilotOutcome(data.items, data.finished, tuple(dimensions))


def _topics(data: Data, name: str) -> list[Topic]:
    """What has to be agreed on: of a preference, every comparison by itself."""
    return [topic for topic in data.topics if topic.dimension == name] or [Topic(name)]


def _coefficient(name: str, found: Sequence[Coefficient]) -> Coefficient:
    """The coefficient that the study names; where it was not computed, one without a value."""
    nothing = Coefficient(name, None, None, "", 0, 0, 0, "it does not apply to this dimension")
    return next((each for each in found if each.name == name), nothing)


def _verdict(value: float | None, go: float, revise: float) -> str:
    if value is None:
        return NO_DATA
    return GO if value >= go else REVISE if value >= revise else REWRITE
