"""How systems score: mean and median of each, and how far each pair lies apart on what both were judged on."""

from collections import defaultdict
from collections.abc import Sequence
from statistics import stdev
from typing import TYPE_CHECKING, Any, ClassVar

from assay.model import Judgment
from assay.report.data import TOO_FEW, Data
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
    shares_of_words,
    systems_of,
)
from assay.report.wording import CORRECTIONS, corrected_p_in_words, estimate_in_words, share_in_words, too_few_to_say
from assay.study.analysis import ComparisonSettings

if TYPE_CHECKING:
    from assay.statistics.comparison.systems import SystemComparison as Apart

Key = tuple[str, str]
"""What two systems are compared on: a group or an item, and its name."""


class Systems(Section[dict[str, Any]]):
    """How systems score: mean and median of each, and how far each pair lies apart on what both were judged on."""

    kind: ClassVar[str] = "systems"
    rank: ClassVar[int] = 22
    title: ClassVar[str] = "How do the systems score?"

    def numbers(self, data: Data) -> dict[str, Any]:
        dimensions = numeric_dimensions(data)
        return {
            "values": [_values(data, each) for each in [*dimensions, *shares_of_words(data)] if each.judgments],
            "families": [found for each in comparisons_of(data) if (found := _family(data, each, dimensions))],
            "compares": bool(data.pairs) or any(len(each.systems) == 2 for each in data.that_count),
            "agreed": data.with_agreed.in_words(),
        }

    def lines(self, numbers: dict[str, Any]) -> list[str]:
        lines = []
        compared = set()
        for family in numbers["families"]:
            lines += [_line(row, family) for row in family["dimensions"]]
            lines += [f"{name} is not compared: {why}." for name, why in family["not_compared"].items()]
            compared |= {row["dimension"] for row in family["dimensions"]}
        # What is computed is a result by itself, also of a single system; and so is what is asked of a pair as a whole.
        alone: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in numbers["values"]:
            of_pair = numbers["compares"] and [each["system"] for each in row["systems"]] == [""]
            if (row["computed"] or of_pair) and row["dimension"] not in compared:
                alone[row["dimension"]].append(row)
        lines += [_line_alone(rows) for rows in alone.values()]
        return [*lines, numbers["agreed"]] if lines and numbers["agreed"] else lines


def _line(row: dict[str, Any], family: dict[str, Any]) -> str:
    """One dimension: the means, and the pair of systems, or those pairs that are shown to lie apart."""
    said = share_in_words if row["yes"] is not None else estimate_in_words
    means = "; ".join(f"{each['system']} {said(each)}, n = {each['n']}" for each in row["systems"])
    what = "mean of item means" if row["yes"] is None else f"share of “{row['yes']}”, mean over items"
    line = f"{row['title']}, {what}: {means}"
    if len(row["pairs"]) == 1:
        return f"{line}; {_of_pair(row['pairs'][0], family)}."
    enough = [pair for pair in row["pairs"] if pair["n_units"] >= TOO_FEW]
    few = f"; pairs with fewer than {TOO_FEW} {row['pairs'][0]['drawn']}: too few to say"
    if not enough:
        return f"{line}{few}."
    apart = [
        f"{pair['first']} less {pair['second']} {estimate_in_words(pair['difference'])}"
        for pair in enough
        if _is_shown(pair)
    ]
    how = CORRECTIONS[family["correction"]]
    corrected_by = f" ({how}, {family['tests']} tests)" if how and family["tests"] > 1 else ""
    shown = f"shown to differ{corrected_by}: {', '.join(apart)}" if apart else f"no difference is shown{corrected_by}"
    return f"{line}; {shown}{few if len(enough) < len(row['pairs']) else ''}."


def _of_pair(pair: dict[str, Any], family: dict[str, Any]) -> str:
    line = f"{pair['first']} less {pair['second']}: {estimate_in_words(pair['difference'])}"
    line += f", {pair['n']} " + (
        f"shared {pair['unit']}" if pair["paired"] else f"{pair['unit']}, which they do not share"
    )
    if pair["p"] is not None:
        correction = corrected_p_in_words(pair["p"], pair["p_corrected"], family["correction"], family["tests"])
        line += f", {pair['test'].replace('_', ' ')} {correction}"
    if pair["n_units"] < TOO_FEW:
        return line + too_few_to_say(pair["n_units"], pair["drawn"])
    return line + ("; a difference is shown" if _is_shown(pair) else "; no difference is shown")


def _line_alone(rows: Sequence[dict[str, Any]]) -> str:
    """A computed number, or the words that something was computed as, which systems are not compared on."""
    first = rows[0]
    said: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        for each in row["systems"]:
            share = row["value"] is not None
            said[each["system"]].append(
                f"{row['value']} {share_in_words(each['mean'])}" if share else estimate_in_words(each["mean"])
            )
    by_system = "; ".join(
        f"{each['system'] or 'all items'} {', '.join(said[each['system']])}, n = {each['mean']['n']}"
        for each in first["systems"]
    )
    few = too_few_to_say(min(each["n_units"] for each in first["systems"]), first["systems"][0]["unit"])
    return f"{first['title']}, mean of item {'means' if first['value'] is None else 'shares'}: {by_system}{few}."


def _is_shown(pair: dict[str, Any]) -> bool:
    return pair["p_corrected"] is not None and pair["p_corrected"] <= 0.05


def _values(data: Data, about: NumericDimension) -> dict[str, Any]:
    """Mean and median of each system's items, whether they are compared or not."""
    systems = sorted({each.system for each in about.judgments})
    return {
        "dimension": about.name,
        "title": about.title,
        "computed": about.computed,
        "value": about.value,
        "systems": [
            _aggregates(data, [each for each in about.judgments if each.system == name], about.ends == (0, 1))
            for name in systems
        ],
    }


def _aggregates(data: Data, about: Sequence[Judgment], is_share: bool) -> dict[str, Any]:
    from assay.statistics.comparison.item_medians import median_of
    from assay.statistics.comparison.resample import clusters_of
    from assay.statistics.comparison.systems import item_means

    system = about[0].system
    mean = _mean(data, system, about, is_share)
    means = item_means((each.item, system, each.value) for each in about)[system]  # type: ignore[misc]
    shared = clusters_of(means, groups_by_item(data, about))
    median = median_of(list(means.values()), shared, data.seed, DRAWS)
    sd = stdev(means.values()) if len(means) > 1 else None
    n_units, unit = mean.pop("n_units"), mean.pop("unit")
    mean.pop("system")
    return {"system": system, "n_units": n_units, "unit": unit, "mean": mean, "sd": sd, "median": as_json(median)}


def _family(
    data: Data, comparison: ComparisonSettings, dimensions: Sequence[NumericDimension]
) -> dict[str, Any] | None:
    """Everything that is tested together."""
    rows = []
    for dimension in dimensions:
        names = systems_of(comparison, (each.system for each in dimension.judgments))
        if is_compared_on(comparison, dimension.name) and len(names) > 1:
            rows.append(_dimension(data, dimension, names))
    pairs = [pair for row in rows for pair in row["pairs"]]
    for pair, p in zip(pairs, correct_p_values([pair["p"] for pair in pairs], comparison.correction), strict=True):
        pair["p_corrected"] = p
    not_compared = _not_compared(data, comparison, {row["dimension"] for row in rows})
    if not rows and not not_compared:
        return None
    return {
        "correction": comparison.correction,
        "tests": sum(pair["p"] is not None for pair in pairs),
        "dimensions": rows,
        "not_compared": not_compared,
    }


def _not_compared(data: Data, comparison: ComparisonSettings, found: set[str]) -> dict[str, str]:
    """What the study asks to compare and what cannot be, each with the reason. Preferences have their own section."""
    known = {each.dimension: each for each in data.study.rubric}
    computed = {each.derived for each in data.study.derive}
    why = {}
    for name in comparison.on:
        if name in found or name in data.study.comparing:
            continue
        if name not in known and name not in computed:
            why[name] = "the study has no such dimension"
        else:
            why[name] = "fewer than two systems have numbers on it"
    there = {each for judgment in data.that_count for each in (judgment.system, *judgment.systems)}
    return why | {name: "nothing of such a system was judged" for name in comparison.systems if name not in there}


def _dimension(data: Data, dimension: NumericDimension, names: Sequence[str]) -> dict[str, Any]:
    about = [each for each in dimension.judgments if each.system in names]
    return {
        "dimension": dimension.name,
        "title": dimension.title,
        "yes": dimension.yes,
        "ends": None if dimension.ends is None else list(dimension.ends),
        "systems": [
            _mean(data, name, [each for each in about if each.system == name], dimension.ends == (0, 1))
            for name in names
        ],
        "pairs": _pairs(data, about, names),
    }


def _mean(data: Data, system: str, about: Sequence[Judgment], is_share: bool) -> dict[str, Any]:
    """The mean of a system's item means: items count alike, however many people judged each."""
    from assay.statistics.arrays import np
    from assay.statistics.comparison.resample import Resamples, clusters_of, quotient
    from assay.statistics.comparison.systems import item_means

    means = item_means((each.item, system, each.value) for each in about)[system]  # type: ignore[misc]
    source = Resamples(
        np.array(list(means.values())).reshape(-1, 1), clusters_of(means, groups_by_item(data, about)), data.seed, DRAWS
    )
    values, ends = source.rows[:, 0], 0.0 if is_share else None
    found = source.measure("mean", lambda w: quotient(w @ values, w.sum(axis=1)), "there are no items", ends)
    n_units, unit = independent_units(data, about)
    return {"system": system, "n_units": n_units, "unit": unit, **as_json(found)}


def _pairs(data: Data, about: Sequence[Judgment], names: Sequence[str]) -> list[dict[str, Any]]:
    """Each pair of systems on what both were judged on: an item with two sides, else the group that items share."""
    from assay.statistics.comparison.systems import compare_all, item_means

    of_item: dict[tuple[str, Key], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    shared: dict[Key, str] = {}
    for each in about:
        two_sides = len(each.systems) == 2
        key = ("item", each.item) if two_sides or not each.group else ("group", each.group)
        of_item[each.system, key][each.item].append(float(each.value))  # type: ignore[arg-type]
        shared[key] = each.group or each.item
    # The mean over a group's items of one system, each of which is the mean over people.
    rows = [
        (key, system, sum(values) / len(values))
        for (system, key), items in of_item.items()
        for values in items.values()
    ]
    means = item_means(rows)
    by_group = any(kind == "group" for kind, _ in shared)
    drawn = None if by_group or data.study.items.group is None else shared
    found = compare_all({name: means[name] for name in names if name in means}, drawn, seed=data.seed, draws=DRAWS)
    unit, of = ("groups" if by_group else "items"), ("groups" if by_group or drawn else "items")
    pairs = []
    for apart in found:
        first, second = means[apart.first], means[apart.second]
        judged = first.keys() & second.keys() if apart.paired else first.keys() | second.keys()
        n_units = len({drawn[key] for key in judged}) if drawn else len(judged)
        pairs.append(_pair(apart, unit, of, n_units))
    return pairs


def _pair(found: "Apart", unit: str, drawn: str, n_units: int) -> dict[str, Any]:
    return {
        "first": found.first,
        "second": found.second,
        "paired": found.paired,
        "unit": unit,
        "n": found.n_items,
        "drawn": drawn,
        "n_units": n_units,
        "means": list(found.means),
        "difference": as_json(found.difference),
        "test": "sign_flip" if found.paired else "mann_whitney",
        "p": found.p,
        "p_corrected": None,
        "effect": "rank_biserial" if found.paired else "cliffs_delta",
        "tests": [as_json(each) for each in found.tests],
        "effects": [as_json(each) for each in found.effects],
    }
