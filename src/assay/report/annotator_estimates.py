"""The frozen types of what is computed of each annotator."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from assay.model import Coefficient, Estimate, Level
from assay.report.data import TOO_FEW
from assay.statistics.comparison.any_time import NOTHING_VARIES
from assay.statistics.estimate import IntervalEstimate


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatorEstimate(Estimate):
    """An estimate of one annotator, or of all of them."""

    too_few: bool
    """Whether it rests on too few items."""


E = TypeVar("E", bound=AnnotatorEstimate)


@dataclass(frozen=True, slots=True, kw_only=True)
class TestedEstimate(AnnotatorEstimate):
    """An estimate that is tested for every annotator and dimension."""

    p_adjusted: float | None = None
    """The p-value, adjusted for all of these tests together; None where it is not tested."""
    n_groups: int | None = None
    """How many groups its items belong to, which count as one each; None where no two items share one."""

    @property
    def is_without_interval(self) -> bool:
        """Whether there is a difference but no interval, since nothing varies: so nothing tells how sure it is."""
        return self.ci is None and self.value is not None and abs(self.value - (self.name == "spread")) > 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementWithout(AnnotatorEstimate):
    """The agreement of all annotators but one."""

    with_everybody: float | None
    change: float | None
    """Without this annotator − with everybody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatorHalo(AnnotatorEstimate):
    """Halo: how far one annotator's dimensions correlate beyond what the others' values explain."""

    annotator: str
    consensus: float | None
    """How far the dimensions correlate in the others' means."""
    explained: float | None
    """Which share of the annotator's values the others explain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceFromOthers(TestedEstimate):
    """A difference of one annotator from the others that is beyond chance."""

    annotator: str
    dimension: str
    title: str


@dataclass(frozen=True, slots=True)
class SelfConsistency:
    """Whether an annotator said the same again when items came back."""

    exact: AnnotatorEstimate
    within_one: AnnotatorEstimate
    kappa_with_self: AnnotatorEstimate
    change: AnnotatorEstimate
    """Second − first."""
    same_winner: AnnotatorEstimate
    """Of preferences: whether the same system won after sides were swapped."""


@dataclass(frozen=True, slots=True)
class ConsistencyOfPairs:
    """How often two annotators say the same. How often one repeats their own answer is about the most to expect."""

    exact: AnnotatorEstimate
    within_one: AnnotatorEstimate
    kappa: AnnotatorEstimate


@dataclass(frozen=True, slots=True)
class BesideOthers:
    """How one annotator differs from the others on the same items."""

    severity: TestedEstimate
    """The mean of (own value − mean of the others)."""
    spread: TestedEstimate
    """The standard deviation over that of the others."""
    drift: TestedEstimate
    """How the difference changes in 100 items."""
    correlation: AnnotatorEstimate


@dataclass(frozen=True, slots=True)
class AgainstKnown:
    """How far values in practice lay from those agreed beforehand."""

    bias: AnnotatorEstimate
    absolute_error: AnnotatorEstimate


@dataclass(frozen=True, slots=True)
class AnnotatorOnDimension:
    """Everything about one annotator on one dimension: self-consistency, beside others, against known values."""

    annotator: str
    n: int
    """How many items this annotator judged on it."""
    exact: AnnotatorEstimate
    kappa_with_self: AnnotatorEstimate
    same_winner: AnnotatorEstimate
    within_one: AnnotatorEstimate
    change: AnnotatorEstimate
    severity: TestedEstimate
    spread: TestedEstimate
    drift: TestedEstimate
    correlation: AnnotatorEstimate
    bias: AnnotatorEstimate
    absolute_error: AnnotatorEstimate
    kappa_with_others: AnnotatorEstimate
    without: AgreementWithout | AnnotatorEstimate


@dataclass(frozen=True, slots=True)
class AnnotatorsOnDimension:
    """All annotators on one dimension."""

    dimension: str
    title: str
    level: Level
    compares: bool
    coefficient: str
    """The coefficient of agreement that is computed without each annotator."""
    with_themselves: SelfConsistency
    with_each_other: ConsistencyOfPairs
    annotators: list[AnnotatorOnDimension]
    of: str = "item"
    """What n counts: items, or each side or entry of one."""


@dataclass(frozen=True, slots=True)
class AnnotatorsNumbers:
    """What can be said of each annotator."""

    false_discoveries: float | None
    """The rate of false discoveries among those who are said to differ."""
    tests: Mapping[str, int]
    """How many tests each family has."""
    dimensions: list[AnnotatorsOnDimension]
    halo: list[AnnotatorHalo]
    differ: list[DifferenceFromOthers]
    halo_of: str = "item"
    """What n of halo counts."""
    elsewhere: bool = False
    """Whether everything was given elsewhere, and came from files: then nothing is known of turns and sides."""


def no_estimate(name: str, why: str, n: int = 0) -> AnnotatorEstimate:
    """An estimate that has no value, and the reason."""
    return AnnotatorEstimate(name, None, n=n, undefined=why, too_few=n < TOO_FEW)


def estimate(name: str, found: IntervalEstimate | None, method: str, why: str, n: int = 0) -> AnnotatorEstimate:
    """An estimate with the way its interval was made, or the reason why there is none."""
    return _make_estimate(AnnotatorEstimate, name, found, method, why, n)


def estimate_to_test(name: str, found: IntervalEstimate | None, method: str, why: str, n: int = 0) -> TestedEstimate:
    """An estimate that is tested for every annotator; items that share a group count as one."""
    made = _make_estimate(TestedEstimate, name, found, method, why, n)
    if found is None or found.n_groups is None:
        return made
    return replace(made, n_groups=found.n_groups, too_few=found.n_groups < TOO_FEW)


def _make_estimate(kind: type[E], name: str, found: IntervalEstimate | None, method: str, why: str, n: int) -> E:
    if found is None:
        return kind(name, None, n=n, undefined=why, too_few=n < TOO_FEW)
    # Sides and entries of one item are counted, but it is items that must be enough.
    few = (n or found.n) < TOO_FEW
    if not found.has_interval:
        return kind(name, found.value, None, found.n, f"no interval: {NOTHING_VARIES}", found.p, too_few=few)
    return kind(name, found.value, (found.low, found.high), found.n, method, found.p, too_few=few)


def estimate_of_agreement(name: str, found: Coefficient | None) -> AnnotatorEstimate:
    """A coefficient of agreement as an estimate."""
    if found is None:
        return no_estimate(name, "it does not apply to this scale")
    if found.value is None:
        return no_estimate(name, found.undefined or "", found.n_items)
    return AnnotatorEstimate(name, found.value, found.ci, found.n_items, found.method, too_few=found.n_items < TOO_FEW)
