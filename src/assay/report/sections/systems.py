"""Which system scores higher: the mean of each, and how far each pair lies apart on what both were judged on."""

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from assay.model import Judgment
from assay.report import TOO_FEW, Data, Section
from assay.report.comparing import (
    DRAWS,
    Scored,
    as_json,
    asked,
    clusters,
    compared,
    corrected,
    scored,
    systems_of,
    tested,
    too_few,
    units,
    value_of,
)
from assay.study.analysis import Comparison

if TYPE_CHECKING:
    from assay.statistics.comparing.systems import Comparison as Apart

Key = tuple[str, str]
"""What two systems are compared on: a group or an item, and its name."""


class Systems(Section):
    """Which system scores higher: the mean of each, and how far each pair lies apart on what both were judged on."""

    kind: ClassVar[str] = "systems"
    rank: ClassVar[int] = 22
    title: ClassVar[str] = "Which system scores higher?"

    def numbers(self, data: Data) -> dict[str, Any]:
        dimensions = scored(data)
        return {"families": [found for each in asked(data) if (found := _family(data, each, dimensions))]}

    def lines(self, numbers: dict[str, Any]) -> list[str]:
        lines = []
        for family in numbers["families"]:
            for row in family["dimensions"]:
                means = "; ".join(f"{each['system']} {value_of(each)}, n = {each['n']}" for each in row["systems"])
                few = too_few(min(each["n_units"] for each in row["systems"]), row["systems"][0]["unit"])
                lines.append(f"{row['title']}, mean of item means: {means}{few}.")
                lines += [_line(row, pair, family) for pair in row["pairs"]]
            lines += [f"{name} is not compared: {why}." for name, why in family["not_compared"].items()]
        return lines


def _line(row: dict[str, Any], pair: dict[str, Any], family: dict[str, Any]) -> str:
    line = f"{row['title']}, {pair['first']} less {pair['second']}: {value_of(pair['difference'])}"
    line += f", {pair['n']} " + (
        f"shared {pair['unit']}" if pair["paired"] else f"{pair['unit']}, which they do not share"
    )
    if pair["p"] is not None:
        correction = tested(pair["p"], pair["p_corrected"], family["correction"], family["tests"])
        line += f"; {pair['test'].replace('_', ' ')} {correction}"
        effect = next(each for each in pair["effects"] if each["name"] == pair["effect"])
        line += f"; {effect['name'].replace('_', '-')} {value_of(effect)}"
    if pair["n_units"] < TOO_FEW:
        return line + too_few(pair["n_units"], pair["drawn"]) + "."
    return line + ("; a difference is shown." if _is_shown(pair) else "; no difference is shown.")


def _is_shown(pair: dict[str, Any]) -> bool:
    return pair["p_corrected"] is not None and pair["p_corrected"] <= 0.05


def _family(data: Data, comparison: Comparison, dimensions: Sequence[Scored]) -> dict[str, Any] | None:
    """Everything that is tested together."""
    rows = []
    for dimension in dimensions:
        names = systems_of(comparison, (each.system for each in dimension.judgments))
        if compared(comparison, dimension.name) and len(names) > 1:
            rows.append(_dimension(data, dimension, names))
    pairs = [pair for row in rows for pair in row["pairs"]]
    for pair, p in zip(pairs, corrected([pair["p"] for pair in pairs], comparison.correction), strict=True):
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


def _not_compared(data: Data, comparison: Comparison, found: set[str]) -> dict[str, str]:
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
    there = {each for judgment in data.counted for each in (judgment.system, *judgment.systems)}
    return why | {name: "nothing of such a system was judged" for name in comparison.systems if name not in there}


def _dimension(data: Data, dimension: Scored, names: Sequence[str]) -> dict[str, Any]:
    about = [each for each in dimension.judgments if each.system in names]
    return {
        "dimension": dimension.name,
        "title": dimension.title,
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
    from assay.statistics.comparing.resample import Resamples, clusters_of, quotient
    from assay.statistics.comparing.systems import item_means

    means = item_means((each.item, system, each.value) for each in about)[system]  # type: ignore[misc]
    source = Resamples(
        np.array(list(means.values())).reshape(-1, 1), clusters_of(means, clusters(data, about)), data.seed, DRAWS
    )
    values, ends = source.rows[:, 0], 0.0 if is_share else None
    found = source.measure("mean", lambda w: quotient(w @ values, w.sum(axis=1)), "there are no items", ends)
    n_units, unit = units(data, about)
    return {"system": system, "n_units": n_units, "unit": unit, **as_json(found)}


def _pairs(data: Data, about: Sequence[Judgment], names: Sequence[str]) -> list[dict[str, Any]]:
    """Each pair of systems on what both were judged on: an item with two sides, else the group that items share."""
    from assay.statistics.comparing.systems import compare_all, item_means

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
