"""What a pilot has shown: agreement on each dimension that counts, and whether the main part may open."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.frozen_json import to_json
from assay.judgments.topics import Topic
from assay.model import Coefficient
from assay.report.data import Data
from assay.report.headline import headline_of, why_another
from assay.statistics import title_of
from assay.study.analysis import PilotSettings

GO, REVISE, REWRITE, UNDECIDED, NO_DATA = "go", "revise", "rewrite", "undecided", "no data"
WORST_FIRST = (NO_DATA, REWRITE, REVISE, UNDECIDED, GO)


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
    why_another: str | None = None
    """Why the study's coefficient is undefined, where another decides in its place."""


@dataclass(frozen=True, slots=True)
class PilotOutcome:
    """What a pilot has shown."""

    items: int
    finished: int
    """How many of them are judged by as many annotators as the study asks for."""
    dimensions: tuple[PilotDimension, ...]
    decide_by: str = "value"
    """What is compared with the study's thresholds: the value, or its whole interval."""

    @property
    def what_decides(self) -> str:
        """A sentence: whether the value or the whole interval decides."""
        if self.decide_by == "interval":
            return "The whole interval decides: one that contains a threshold is undecided."
        return "The value decides, wherever its interval lies; analysis.pilot.decide_by: interval asks for more."

    @property
    def verdict(self) -> str:
        """The worst of all dimensions: every one of them must be `go`. Without data nothing is passed."""
        found = {each.verdict for each in self.dimensions} or {NO_DATA}
        return next(verdict for verdict in WORST_FIRST if verdict in found)

    @property
    def caution(self) -> str:
        """A warning where another coefficient decides, or kappa is a mean over pairs of annotators; else empty."""
        another = next((each for each in self.dimensions if each.why_another), None)
        if another is not None:
            shown = title_of(another.coefficient.name)
            return f"{shown} decides, because the study's coefficient is undefined: {another.why_another}."
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
            "decide_by": self.decide_by,
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
        that_decide = _that_decide(every, wanted)
        found = headline_of(that_decide, wanted) or _nothing(wanted)
        verdict = _verdict(found, asked)
        about = (topic.title(data.study), *topic[1:], str(data.units(topic, every[0].n_items if every else 0)))
        dimensions.append(PilotDimension(topic.dimension, found, verdict, *about, why_another(that_decide, wanted)))
    return PilotOutcome(data.items, data.finished, tuple(dimensions), asked.decide_by)


def _topics(data: Data, name: str) -> list[Topic]:
    """What has to be agreed on: of a preference, every comparison by itself."""
    return [topic for topic in data.topics if topic.dimension == name] or [Topic(name)]


def _that_decide(found: Sequence[Coefficient], wanted: str) -> list[Coefficient]:
    """The study's coefficient and Krippendorff's alpha: one that is not corrected for chance must not open a study."""
    return [each for each in found if each.name == wanted or each.name.startswith("krippendorff_alpha")]


def _nothing(name: str) -> Coefficient:
    """The study's coefficient without a value, where none was computed."""
    return Coefficient(name, None, None, "", 0, 0, 0, "it does not apply to this dimension")


def _verdict(found: Coefficient, asked: PilotSettings) -> str:
    """The verdict by the value, or by the interval: both ends must say the same, else it is undecided."""
    if found.value is None:
        return NO_DATA
    if asked.decide_by == "value":
        return _by_value(found.value, asked)
    ends = {_by_value(end, asked) for end in found.ci or ()}
    return ends.pop() if len(ends) == 1 else UNDECIDED


def _by_value(value: float, asked: PilotSettings) -> str:
    return GO if value >= asked.go else REVISE if value >= asked.revise else REWRITE
