"""What decides a preference besides the systems: the side of the page, and whether scores point the same way."""

from collections.abc import Sequence
from dataclasses import dataclass

from assay.model import Estimate, Judgment
from assay.report.data import Data
from assay.report.system_comparison import NumericDimension, groups_by_item, with_test
from assay.statistics.comparison.preferences import Preference, position_bias, scores_and_preference
from assay.statistics.draws import DRAWS


@dataclass(frozen=True, slots=True)
class SideEffect:
    """Whether the side of the page decided."""

    left_wins: Estimate
    ties: int
    reversals: Estimate
    """How often the other system was preferred when sides were swapped."""
    half_decided: int
    sides_not_known: int
    has_sides: bool
    """Whether anybody is known to have seen a side."""


@dataclass(frozen=True, slots=True)
class ScoresBesidePreference:
    """Whether the candidate to which somebody gave the higher score is the one that they preferred."""

    dimension: str
    title: str
    n_pairs: int
    agreement: Estimate
    agreement_ties_half: Estimate
    equal_scores: int
    tied_preferences: int
    both_tied: int


def is_usable(judgment: Judgment, data: Data) -> bool:
    """Whether a judgment says which of two systems is better, on the scale that is in force."""
    return len(set(judgment.systems)) == 2 and judgment.value is not None and data.on_this_scale(judgment)


def preference(judgment: Judgment) -> "Preference":
    """A judgment of a pair. Both bad is no preference, as a tie is. Without known sides the first is the left."""
    left = judgment.left or judgment.systems[0]
    right = next(system for system in judgment.systems if system != left)
    outcome = "left" if judgment.value == left else "right" if judgment.value == right else "tie"
    return Preference(judgment.item, left, right, outcome, judgment.annotator)  # type: ignore[arg-type]


def side_effect(data: Data, given: Sequence[Judgment]) -> SideEffect:
    """Whether the left side won more often than chance, and whether preferences were reversed with sides swapped."""
    with_sides = [preference(each) for each in given if each.left]
    bias, again = position_bias(with_sides), position_bias(_all_passes(data, given))
    unknown = len(given) - len(with_sides)
    return SideEffect(
        left_wins=with_test(bias.left_wins, bias.left_wins.n, "decided judgments"),
        ties=bias.ties,
        reversals=again.reversals,
        half_decided=again.half_decided,
        sides_not_known=unknown,
        has_sides=bool(with_sides),
    )


def _all_passes(data: Data, about: Sequence[Judgment]) -> list["Preference"]:
    """First and repeated judgments of the same items: with sides swapped, a preference may be reversed."""
    name, known = about[0].dimension, {(each.annotator, each.item) for each in about}
    later: dict[tuple[str, str, int], Judgment] = {}
    for each in data.by_people:
        if each.dimension == name and each.pass_ > 1 and each.left and (each.annotator, each.item) in known:
            key = (each.annotator, each.item, each.pass_)
            if is_usable(each, data) and (key not in later or later[key].revision < each.revision):
                later[key] = each
    return [preference(each) for each in [*about, *later.values()] if each.left]


def scores_beside(side: NumericDimension, about: Sequence[Judgment], data: Data) -> ScoresBesidePreference:
    """How often the candidate with the higher score is the one that was preferred."""
    given: dict[tuple[str, str, str], float] = {}
    for each in side.judgments:
        given[each.annotator, each.item, each.system] = float(each.value)  # type: ignore[arg-type]
    rows = []
    for each in about:
        one = preference(each)
        left, right = (given.get((each.annotator, each.item, str(system))) for system in (one.left, one.right))
        if left is not None and right is not None:
            rows.append((each.item, left, right, one.outcome))
    found = scores_and_preference(rows, data.seed, DRAWS, groups_by_item(data, about))
    return ScoresBesidePreference(
        dimension=side.name,
        title=side.title,
        n_pairs=sum(left != right and outcome != "tie" for _, left, right, outcome in rows),
        agreement=found.agreement,
        agreement_ties_half=found.agreement_ties_half,
        equal_scores=found.equal_scores,
        tied_preferences=found.tied_preferences,
        both_tied=found.both_tied,
    )
