"""Planning from an export of a study: the same bases as from its store, where only the file is at hand."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from assay.errors import AssayError
from assay.ratings.export_dictionary import find_dictionary
from assay.ratings.export_rows import ExportRows, is_export, is_long_export, read_export
from assay.ratings.read import read_table
from assay.report.planning import Basis
from assay.statistics import Ratings, agree
from assay.statistics.comparison.generalisability import variance_study
from assay.statistics.comparison.ordinal_power import step_of
from assay.statistics.comparison.planning import mean_components, pilots
from assay.statistics.comparison.power import PlannedTest
from assay.statistics.factors import Factor

ALPHA = "krippendorff_alpha_interval"


def bases_from_export(path: Path) -> tuple[list[Basis], Mapping[str, PlannedTest]]:
    """A basis for each dimension of an export whose values are numbers, and the test that a study makes by default.

    Raises:
        AssayError: It is no export of this program with a row for each judgment, or nothing in it is a number.
    """
    table = read_table(path)
    if not (is_export(table.names) and is_long_export(table.names)):
        hint = "`assay export --format csv`, jsonl or parquet writes one with a row for each judgment"
        raise AssayError(f"{path.name} is no export with a row for each judgment", hint)
    dictionary = find_dictionary(path)
    rows = read_export(table, dictionary, [])
    rows = rows.only(~rows.by_judges)
    known = dictionary.dimensions if dictionary else {}
    there = {str(each) for each in rows.factor("dimension").names}
    in_order = [*(name for name in known if name in there), *sorted(there - known.keys())]
    named = {name: known.get(name) for name in in_order}
    judged = {
        name: found
        for name, each in named.items()
        if (each is None or not each.compares) and (found := _judgments(rows, name))
    }
    if not judged:
        raise AssayError(f"{path.name} has no judgments that are numbers", "state values: --alpha, --between, --within")
    systems = len({system for found in judged.values() for _, _, system, _, _ in found if system})
    test = PlannedTest(max(2, systems), len(judged))
    tests = {name: replace(test, step=step_of(value for *_, value in found)) for name, found in judged.items()}
    return [_basis(name, found) for name, found in judged.items()], tests


Row = tuple[str, str, str, str, float]
"""What systems share, what was judged, the system, the annotator, the value."""


def _judgments(rows: ExportRows, dimension: str) -> list[Row]:
    """The judgments of a dimension in canonical order, as the study itself has them; none where one is no number."""
    part, _ = rows.answers(dimension)
    names = ("item", "annotator", "system", "entry", "group", "systems", "value")
    given = sorted(zip(*(_texts(part.factor(name)) for name in names), strict=True))
    found = []
    for item, who, system, _, group, systems, value in given:
        if value == "":
            continue
        try:
            number = float(value)
        except ValueError:
            return []
        shared = item if systems.count("|") == 1 or not group else f"group {group}"
        found.append((shared, f"{item}/{system}", system, who, number))
    return found


def _texts(factor: Factor) -> list[str]:
    names = [str(each) for each in factor.names] + [""]
    return [names[code] for code in factor.codes.tolist()]


def _basis(name: str, judged: list[Row]) -> Basis:
    values: dict[Any, list[float]] = defaultdict(list)
    for shared, _, system, who, value in judged:
        values[shared, system, who].append(value)
    compared = [(*key, fmean(given)) for key, given in values.items() if key[1]]
    found = pilots(compared)
    parts = [each.components for each in found if each.components]
    components = parts[0] if len(parts) == 1 else mean_components(found)
    reasons = [each.undefined for each in found if each.undefined]
    why = reasons[0] if reasons else "fewer than two systems were judged"
    scale = tuple(sorted({value for *_, value in judged}))
    ratings = Ratings.from_long([(unit, who, value) for _, unit, _, who, value in judged], scale, "interval")
    (alpha,) = agree(ratings, [ALPHA], draws=0)
    study = variance_study((shared, system, who, value) for shared, _, system, who, value in judged)
    return Basis(
        name,
        alpha.value,
        alpha.undefined or "",
        components,
        "" if components else why,
        ratings,
        ALPHA,
        found,
        (min(scale), max(scale)),
        study,
    )
