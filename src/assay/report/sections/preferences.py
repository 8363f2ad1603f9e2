"""Which system is preferred: wins, ties and losses of each pair, a ranking, and whether the side decided."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

from assay.model import Judgment
from assay.report.data import Data
from assay.report.section import Section
from assay.report.system_comparison import (
    DRAWS,
    NumericDimension,
    as_json,
    comparisons_of,
    correct_p_values,
    groups_by_item,
    independent_units,
    is_compared_on,
    numeric_dimensions,
    systems_of,
)
from assay.report.wording import corrected_p_in_words, estimate_in_words, p_in_words, share_in_words, too_few_to_say
from assay.study.analysis import ComparisonSettings

if TYPE_CHECKING:
    from assay.statistics.comparison.preferences import Preference


class Preferences(Section[dict[str, Any]]):
    """Which system is preferred: wins, ties and losses of each pair, a ranking, and whether the side decided."""

    kind: ClassVar[str] = "preferences"
    rank: ClassVar[int] = 24
    title: ClassVar[str] = "Which system is preferred?"
    figures: ClassVar[tuple[str, ...]] = ("win_rates", "scores_and_choice")

    def numbers(self, data: Data) -> dict[str, Any]:
        about = data.with_agreed.by_dimension
        return {
            "families": [found for each in comparisons_of(data) if (found := _family(data, each))],
            "agreed": data.with_agreed.in_words() if about.keys() & set(data.study.comparing) else "",
        }

    def lines(self, numbers: dict[str, Any]) -> list[str]:
        lines = [
            line
            for family in numbers["families"]
            for row in family["dimensions"]
            for line in _lines(row, family["correction"], family["tests"])
        ]
        return [*lines, numbers["agreed"]] if lines and numbers["agreed"] else lines


def _lines(row: dict[str, Any], correction: str, tests: int) -> Iterable[str]:
    """The pair, or the ranking and the pairs in short; and the side, where it seems to have decided."""
    title = row["title"]
    if len(row["pairs"]) == 1:
        yield f"{title}, {_of_pair(row['pairs'][0], correction, tests)}."
    if row["ranking"] is not None:
        yield _ranked(title, row["ranking"])
    if len(row["pairs"]) > 1:
        pairs = "; ".join(map(_in_short, row["pairs"]))
        never = "; never compared with each other: " if row["never_compared"] else ""
        never += "; ".join(map(" and ".join, row["never_compared"]))
        fewest = min(row["pairs"], key=lambda pair: pair["n_units"])
        yield f"{title}, won, tied and lost: {pairs}{never}{too_few_to_say(fewest['n_units'], fewest['unit'])}."
    left = row["position_bias"]["left_wins"]
    if left["p"] is not None and left["p"] <= 0.05:
        yield (
            f"{title}: the left side won {share_in_words(left)} of {left['n']} decided judgments "
            f"({p_in_words(left['p'])} for an even chance){too_few_to_say(left['n'], 'decided judgments')}."
        )


def _of_pair(pair: dict[str, Any], correction: str, tests: int) -> str:
    shares = f"won {share_in_words(pair['wins'])}, tied {share_in_words(pair['ties'])}, "
    shares += f"lost {share_in_words(pair['losses'])}"
    return (
        f"{pair['system']} against {pair['against']}: {shares} of {pair['wins']['n']} judgments of "
        f"{pair['n']} items{_in_groups(pair)}; net win rate {estimate_in_words(pair['net'])}; sign test without ties "
        f"{corrected_p_in_words(pair['sign_test']['p'], pair['p_corrected'], correction, tests)}, with ties split "
        f"{p_in_words(pair['sign_test_ties_split']['p'])}{too_few_to_say(pair['n_units'], pair['unit'])}"
    )


def _in_short(pair: dict[str, Any]) -> str:
    shares = ", ".join(f"{100 * pair[name]['value']:.0f} %" for name in ("wins", "ties", "losses"))
    net = estimate_in_words(pair["net"])
    return f"{pair['system']} against {pair['against']} {shares}, net {net}, n = {pair['n']} items"


def _ranked(title: str, ranking: dict[str, Any]) -> str:
    if ranking["undefined"]:
        return f"{title}: the systems cannot be ranked: {ranking['undefined']}."
    order = "; ".join(
        f"{each['rank']}. {each['system']} {estimate_in_words(each['strength'])}" for each in ranking["standings"]
    )
    few = too_few_to_say(ranking["n_units"], ranking["unit"])
    about = f"{ranking['n_items']} items{_in_groups(ranking)}"
    return f"{title}, ranking by log-strength ({ranking['model']}), {about}: {order}{few}."


def _in_groups(found: dict[str, Any]) -> str:
    return f" in {found['n_units']} groups" if found["unit"] == "groups" else ""


def _family(data: Data, comparison: ComparisonSettings) -> dict[str, Any] | None:
    """Everything that is tested together."""
    # Whether sides or scores go with a choice is about what each person said, before anything was talked over.
    sides = [each for each in numeric_dimensions(replace(data, agreed=())) if each.of_sides]
    rows = []
    for name in data.study.comparing:
        about = [each for each in data.with_agreed.judgments if each.dimension == name and _is_usable(each, data)]
        names = systems_of(comparison, (system for each in about for system in each.systems))
        about = [each for each in about if set(each.systems) <= set(names)]
        if is_compared_on(comparison, name) and about:
            rows.append(_dimension(data, name, about, sides))
    pairs = [pair for row in rows for pair in row["pairs"]]
    for pair, p in zip(
        pairs, correct_p_values([each["sign_test"]["p"] for each in pairs], comparison.correction), strict=True
    ):
        pair["p_corrected"] = p
    if not rows:
        return None
    tests = sum(pair["sign_test"]["p"] is not None for pair in pairs)
    return {"correction": comparison.correction, "tests": tests, "dimensions": rows}


def _is_usable(judgment: Judgment, data: Data) -> bool:
    return len(set(judgment.systems)) == 2 and judgment.value is not None and data.on_this_scale(judgment)


def _dimension(data: Data, name: str, about: Sequence[Judgment], sides: Sequence[NumericDimension]) -> dict[str, Any]:
    from assay.statistics.comparison.preferences import position_bias

    systems = sorted({system for each in about for system in each.systems})
    pairs = list(combinations(systems, 2))
    of_pair = {pair: [each for each in about if set(each.systems) == set(pair)] for pair in pairs}
    given = [each for each in data.that_count if each.dimension == name and _is_usable(each, data)]
    given = [each for each in given if set(each.systems) <= set(systems)]
    placed = [preference(each) for each in given if each.left]
    bias, again = position_bias(placed), position_bias(_all_passes(data, given))
    return {
        "dimension": name,
        "title": data.study.dimension(name).heading,
        "both_bad": sum(each.value == "neither" for each in about),
        "pairs": [_pair(data, *pair, of_pair[pair]) for pair in pairs if of_pair[pair]],
        "never_compared": [list(pair) for pair in pairs if not of_pair[pair]],
        "ranking": _ranking(data, about) if len(systems) > 2 else None,
        "position_bias": {
            "left_wins": as_json(bias.left_wins),
            "ties": bias.ties,
            "reversals": as_json(again.reversals),
            "half_decided": again.half_decided,
            "sides_not_known": len(given) - len(placed),
        },
        "scores": [_scores(each, given, data) for each in sides],
    }


def preference(judgment: Judgment) -> "Preference":
    """A judgment of a pair. Both bad is no preference, as a tie is. Without known sides the first is the left."""
    from assay.statistics.comparison.preferences import Preference

    left = judgment.left or judgment.systems[0]
    right = next(system for system in judgment.systems if system != left)
    outcome = "left" if judgment.value == left else "right" if judgment.value == right else "tie"
    return Preference(judgment.item, left, right, outcome, judgment.annotator)  # type: ignore[arg-type]


def _all_passes(data: Data, about: Sequence[Judgment]) -> list["Preference"]:
    """What was counted, and the same items judged again: where sides were swapped, a preference may have turned."""
    name, known = about[0].dimension, {(each.annotator, each.item) for each in about}
    later: dict[tuple[str, str, int], Judgment] = {}
    for each in data.by_people:
        if each.dimension == name and each.pass_ > 1 and each.left and (each.annotator, each.item) in known:
            key = (each.annotator, each.item, each.pass_)
            if _is_usable(each, data) and (key not in later or later[key].revision < each.revision):
                later[key] = each
    return [preference(each) for each in [*about, *later.values()] if each.left]


def _pair(data: Data, one: str, other: str, about: Sequence[Judgment]) -> dict[str, Any]:
    from assay.statistics.comparison.preferences import win_rates

    judged = [preference(each) for each in about]
    found = win_rates(judged, one, other, groups_by_item(data, about), data.seed, DRAWS)
    n_units, unit = independent_units(data, about)
    shown = ("wins", "ties", "losses", "net", "sign_test", "sign_test_ties_split")
    return {
        "system": one,
        "against": other,
        "n": found.net.n,
        "n_units": n_units,
        "unit": unit,
        "p_corrected": None,
        **{name: as_json(getattr(found, name)) for name in shown},
    }


def _ranking(data: Data, about: Sequence[Judgment]) -> dict[str, Any]:
    """Davidson's model where there are ties, which it explains; else Bradley and Terry's."""
    from assay.statistics.comparison.bradley_terry import rank_systems

    judged = [preference(each) for each in about]
    ties = any(each.outcome == "tie" for each in judged)
    found = rank_systems(judged, ties, groups_by_item(data, about), seed=data.seed, draws=DRAWS)
    n_units, unit = independent_units(data, about)
    return {
        "model": found.model,
        "n_items": found.n_items,
        "n_units": n_units,
        "unit": unit,
        "n_comparisons": found.n_comparisons,
        "n_ties": found.n_ties,
        "tie_parameter": found.nu,
        "method": found.method,
        "undefined": found.undefined,
        "standings": [
            {
                "system": each.system,
                "rank": each.rank,
                "rank_ci": None if each.rank_ci is None else list(each.rank_ci),
                "strength": as_json(each.strength),
                "se": each.se,
                "se_robust": each.se_robust,
                "worth": each.worth,
                "elo": each.elo,
                "elo_ci": None if each.elo_ci is None else list(each.elo_ci),
                "p_best": each.p_best,
            }
            for each in found.standings
        ],
    }


def _scores(side: NumericDimension, about: Sequence[Judgment], data: Data) -> dict[str, Any]:
    """Whether the side to which somebody gave the higher score is the one that they preferred."""
    from assay.statistics.comparison.preferences import scores_and_preference

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
    return {
        "dimension": side.name,
        "title": side.title,
        "n_pairs": sum(left != right and outcome != "tie" for _, left, right, outcome in rows),
        "agreement": as_json(found.agreement),
        "agreement_ties_half": as_json(found.agreement_ties_half),
        "equal_scores": found.equal_scores,
        "tied_preferences": found.tied_preferences,
        "both_tied": found.both_tied,
    }
