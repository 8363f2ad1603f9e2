"""What can be said of each annotator: whether they repeat themselves, and how they differ from the others."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean

from assay.frozen_json import fields_of
from assay.judgments.scales import count_once, mirror_preference, scale_of
from assay.model import Estimate, Judgment, Level
from assay.quality.calibration_bias import distance_from_known
from assay.quality.drift import slopes
from assay.quality.halo import halos
from assay.quality.low_agreement import kappas_with_others
from assay.quality.scale_compression import ratio_to_others
from assay.quality.score_columns import score_columns
from assay.quality.score_tables import ResidualTable
from assay.report.annotator_estimates import (
    AgainstKnown,
    AgreementWithout,
    AnnotatorEstimate,
    AnnotatorHalo,
    AnnotatorOnDimension,
    AnnotatorsNumbers,
    AnnotatorsOnDimension,
    BesideOthers,
    ConsistencyOfPairs,
    DifferenceFromOthers,
    SelfConsistency,
    TestedEstimate,
    estimate,
    estimate_of_agreement,
    estimate_to_test,
    no_estimate,
)
from assay.report.annotator_work import AnnotatorWork
from assay.report.data import TOO_FEW, Data
from assay.statistics import headline
from assay.statistics.benjamini_hochberg import benjamini_hochberg
from assay.statistics.comparison.second_judgments import second_judgments
from assay.statistics.comparison.shares import share_of
from assay.statistics.comparison.without_each import without_each
from assay.statistics.correlation import fisher_interval
from assay.statistics.draws import DRAWS
from assay.statistics.estimate import IntervalEstimate, half_width, mean_of
from assay.statistics.f_distribution import f_probability
from assay.statistics.scale import Scale
from assay.study.rubric import Dimension

RATE = 0.05
"""The rate of false discoveries among the annotators who are said to differ."""
TESTED = ("severity", "spread", "drift")
"""What is tested for each annotator and dimension; all of it together is one family."""
NO_ORDER = "values of a nominal scale stand in no order"
ALONE = "nobody else judged the same items"
ONCE = "no item came twice"
NO_REFERENCE = "no item with a known value was judged"
NO_TURN = "the judgments came from files, and in which order they were given is not known"
FEW = "too few items to compute it"
FEW_GROUPS = "too few groups of items to compute it"
OVER_ITEMS = "Student's interval over items"
OVER_PARTS = "jackknife over what was judged"
OVER_GROUPS = "jackknife over groups of items"


def about_annotators(data: Data) -> AnnotatorsNumbers:
    """Everything that is computed of each annotator."""
    work = AnnotatorWork(data)
    dimensions, tests = _adjust_p_values([_dimension(work, dimension) for dimension in data.study.scored_dimensions])
    differ, elsewhere = list(_differences(dimensions)), data.sources.is_elsewhere
    halo_of = "side" if any(each.of == "side" for each in dimensions) else "item"
    return AnnotatorsNumbers(RATE, tests, dimensions, list(_halo(work)), differ, halo_of, elsewhere)


def _dimension(work: AnnotatorWork, dimension: Dimension) -> AnnotatorsOnDimension:
    name, data = dimension.dimension, work.data
    level = dimension.input.level
    assert level is not None
    twice = work.twice.get(name, {})
    return AnnotatorsOnDimension(
        dimension=name,
        title=dimension.heading,
        level=level,
        compares=dimension.input.compares,
        coefficient=headline(level),
        with_themselves=_self_consistency(data, dimension, [pair for each in twice.values() for pair in each]),
        with_each_other=_consistency_of_pairs(data, name),
        annotators=_annotators(work, dimension, level),
        of=dimension.scope.of,
    )


def _annotators(work: AnnotatorWork, dimension: Dimension, level: Level) -> list[AnnotatorOnDimension]:
    """Everybody of whom something is known on a dimension."""
    name = dimension.dimension
    twice = {who: _self_consistency(work.data, dimension, pairs) for who, pairs in work.twice.get(name, {}).items()}
    beside = _beside_others(work, dimension)
    known = _against_known(work, dimension)
    kappas = {
        who: estimate("kappa_with_others", kappa, "jackknife over what was judged", "")
        for who, kappa in kappas_with_others(work.work, dimension, 3).items()
    }
    without = _agreement_without(work.data, name, headline(level))
    n_items = Counter(
        annotator for annotator, _ in {(each.annotator, each.item) for each in work.work.by_dimension.get(name, ())}
    )
    everybody = [each for each in work.names if any(each in part for part in (twice, beside, known, kappas, without))]
    nobody = _not_known(level)
    return [
        replace(
            nobody,
            annotator=who,
            n=n_items[who],
            kappa_with_others=kappas.get(who, nobody.kappa_with_others),
            without=without.get(who, nobody.without),
            **(fields_of(twice[who]) if who in twice else {}),
            **(fields_of(beside[who]) if who in beside else {}),
            **(fields_of(known[who]) if who in known else {}),
        )
        for who in everybody
    ]


def _not_known(level: Level) -> AnnotatorOnDimension:
    """The estimates of an annotator of whom nothing could be computed, each with the reason."""
    ordered = level != "nominal"
    alone, unchecked = (ALONE, NO_REFERENCE) if ordered else (NO_ORDER, NO_ORDER)
    return AnnotatorOnDimension(
        annotator="",
        n=0,
        exact=no_estimate("exact", ONCE),
        within_one=no_estimate("within_one", ONCE if ordered else NO_ORDER),
        kappa_with_self=no_estimate("kappa_with_self", ONCE),
        change=no_estimate("change", ONCE if ordered else NO_ORDER),
        same_winner=no_estimate("same_winner", ONCE),
        severity=estimate_to_test("severity", None, "", alone),
        spread=estimate_to_test("spread", None, "", alone),
        drift=estimate_to_test("drift", None, "", alone),
        correlation=no_estimate("correlation", alone),
        bias=no_estimate("bias", unchecked),
        absolute_error=no_estimate("absolute_error", unchecked),
        kappa_with_others=no_estimate("kappa_with_others", f"{ALONE}, or {FEW}"),
        without=no_estimate("without", "there are no others"),
    )


# The same again


def _self_consistency(data: Data, dimension: Dimension, pairs: Sequence[tuple[Judgment, Judgment]]) -> SelfConsistency:
    """First and second judgments of the same; of preferences also whether the same won after sides were swapped."""
    scale = Scale(scale_of(dimension), dimension.input.level or "nominal")
    rows = [
        (one.item, data.value_on_scale(one, dimension), data.value_on_scale(other, dimension)) for one, other in pairs
    ]
    found = second_judgments(rows, scale, data.seed, DRAWS)
    kappa = found.kappa
    if dimension.dimension in data.pooled_agreement:
        turned = [(item, mirror_preference(one), mirror_preference(other)) for item, one, other in rows]
        kappa = second_judgments([*rows, *turned], scale, data.seed, DRAWS).kappa
    swapped = [
        (one.item, one.value == other.value)
        for one, other in pairs
        if dimension.input.compares and one.left and other.left and one.left != other.left
    ]
    few = len({one.item for one, _ in pairs}) < TOO_FEW

    def rename(name: str, each: Estimate) -> AnnotatorEstimate:
        return AnnotatorEstimate(**{**fields_of(each), "name": name}, too_few=few)

    return SelfConsistency(
        exact=rename("exact", found.exact),
        within_one=rename("within_one", found.within_one),
        kappa_with_self=rename("kappa_with_self", kappa),
        change=rename("change", found.change),
        same_winner=rename("same_winner", share_of("same_winner", swapped, "second judgments with swapped sides")),
    )


def _consistency_of_pairs(data: Data, name: str) -> ConsistencyOfPairs:
    found = {each.name: each for each in data.agreement_on(name)}
    kappa = "cohen_kappa_quadratic" if "cohen_kappa_quadratic" in found else "cohen_kappa"
    return ConsistencyOfPairs(
        exact=estimate_of_agreement("exact", found.get("percent_agreement")),
        within_one=estimate_of_agreement("within_one", found.get("within_one_agreement")),
        kappa=estimate_of_agreement("kappa", found.get(kappa)),
    )


# Beside the others


def _beside_others(work: AnnotatorWork, dimension: Dimension) -> dict[str, BesideOthers]:
    """How each annotator differs from the others: in mean, in spread, over time, and how their values correlate."""
    name, residuals = dimension.dimension, work.work.residuals
    if name not in residuals:
        return {}
    severities, columns = work.work.severities[name], score_columns(work.work, name)
    ranks = (columns.groups.ranks(each) for each in (columns.own, columns.others))
    correlations = dict(zip(columns.annotators, columns.groups.correlations(*ranks).tolist(), strict=True))
    found = {}
    for who, n_shared in zip(columns.annotators, columns.groups.sizes.tolist(), strict=True):
        n = residuals[name].n_items(who)
        severity, slope = severities.get(who), slopes(work.work, name).get(who)
        why = ALONE if not n_shared else FEW_GROUPS if work.work.group_of_item else FEW
        ratio = _ratio_with_p(ratio_to_others(work.work, name, who))
        r = correlations[who]
        correlation = None if r != r or n < 3 else IntervalEstimate(r, *fisher_interval(r, n), n)
        flat = why if n_shared < 3 else "one's own values, or the others', do not vary"
        found[who] = BesideOthers(
            severity=estimate_to_test("severity", severity, _method(severity, OVER_ITEMS), why, n),
            spread=estimate_to_test("spread", ratio, f"{_method(ratio, OVER_PARTS)}, on log scale", why, n),
            drift=_drift(residuals[name], who, slope, why),
            correlation=estimate("correlation", correlation, "Fisher's interval", flat, n),
        )
    return found


def _drift(apart: ResidualTable, who: str, found: IntervalEstimate | None, why: str) -> TestedEstimate:
    """How the difference from the others changes over time, of the items whose order is known."""
    n_turns = apart.n_turns(who)
    why = why if n_turns or not apart.n_items(who) else NO_TURN
    return estimate_to_test("drift", found, _method(found, OVER_ITEMS), why, n_turns)


def _method(found: IntervalEstimate | None, otherwise: str) -> str:
    return otherwise if found is None or found.n_groups is None else OVER_GROUPS


def _ratio_with_p(ratio: IntervalEstimate | None) -> IntervalEstimate | None:
    """A ratio with its p-value against 1: Student's t of its logarithm, from its own interval."""
    if ratio is None or ratio.value == 0:
        return ratio
    if ratio.high - ratio.low < 1e-12:
        same = abs(ratio.value - 1) < 1e-12
        return replace(ratio, low=ratio.value, high=ratio.value, p=1.0 if same else None)
    degrees = ratio.independent - 1
    error = (math.log(ratio.high) - math.log(ratio.low)) / 2 / half_width(degrees)
    return replace(ratio, p=1 - f_probability((math.log(ratio.value) / error) ** 2, 1, degrees))


def _agreement_without(data: Data, name: str, coefficient: str) -> dict[str, AgreementWithout]:
    """What the coefficient would be without each annotator."""
    whole = next((each.value for each in data.agreement_on(name) if each.name == coefficient), None)
    found = {}
    for annotator, without in without_each(data.pooled_ratings(data.study.dimension(name)), coefficient).items():
        change = None if without.value is None or whole is None else without.value - whole
        row = fields_of(
            estimate_of_agreement("without", count_once(without) if name in data.pooled_agreement else without)
        )
        found[str(annotator)] = AgreementWithout(**row, with_everybody=whole, change=change)
    return found


def _against_known(work: AnnotatorWork, dimension: Dimension) -> dict[str, AgainstKnown]:
    """By how much values in practice lay above those agreed beforehand, and how far from them."""
    if dimension.input.level == "nominal":
        return {}
    found = {}
    for who, by_item in distance_from_known(work.work, dimension).items():
        signed = [fmean(each) for each in by_item.values()]
        sizes = [fmean(map(abs, each)) for each in by_item.values()]
        over = "Student's interval over items for practice"
        found[who] = AgainstKnown(
            bias=estimate("bias", mean_of(signed), over, FEW, len(signed)),
            absolute_error=estimate("absolute_error", mean_of(sizes), over, FEW, len(sizes)),
        )
    return found


def _halo(work: AnnotatorWork) -> Iterator[AnnotatorHalo]:
    """Of each annotator, how far the dimensions correlate beyond what the others' values explain."""
    measured = halos(work.work)
    for who in work.names:
        halo = measured[who].of(5) if who in measured else None
        if halo is None:
            why = "fewer than two dimensions with an order, or fewer than 5 items that others judged too"
            yield AnnotatorHalo(**fields_of(no_estimate("halo", why)), annotator=who, consensus=None, explained=None)
        else:
            found = IntervalEstimate(halo.residual, halo.low, halo.high, halo.n)
            row = fields_of(estimate("halo", found, "Fisher's interval", ""))
            yield AnnotatorHalo(**row, annotator=who, consensus=halo.consensus, explained=halo.shared)


# Many tests at once


def _adjust_p_values(dimensions: Sequence[AnnotatorsOnDimension]) -> tuple[list[AnnotatorsOnDimension], dict[str, int]]:
    """All p-values, adjusted for each other over kinds, annotators and dimensions; and how many there are of each kind.

    They are one family: the report names whoever differs in any of them.
    """
    everybody = [each for row in dimensions for each in row.annotators]
    cells: dict[str, list[TestedEstimate]] = {name: [getattr(each, name) for each in everybody] for name in TESTED}
    tests = {name: sum(map(_is_tested, of_kind)) for name, of_kind in cells.items()}
    p_values = [cell.p for of_kind in cells.values() for cell in of_kind if _is_tested(cell) and cell.p is not None]
    left = iter(benjamini_hochberg(p_values))
    families = {
        name: [replace(cell, p_adjusted=next(left)) if _is_tested(cell) else cell for cell in of_kind]
        for name, of_kind in cells.items()
    }
    changes = (dict(zip(families, of_one, strict=True)) for of_one in zip(*families.values(), strict=True))
    adjusted = iter([replace(each, **change) for each, change in zip(everybody, changes, strict=True)])
    return [replace(row, annotators=[next(adjusted) for _ in row.annotators]) for row in dimensions], tests


def _is_tested(cell: TestedEstimate) -> bool:
    """Whether its p-value counts: it is from enough items and has an interval."""
    return cell.p is not None and not cell.too_few and not cell.is_without_interval


def _differences(dimensions: Sequence[AnnotatorsOnDimension]) -> Iterator[DifferenceFromOthers]:
    """The differences that are beyond chance."""
    for name in TESTED:
        for row in dimensions:
            for each in row.annotators:
                cell: TestedEstimate = getattr(each, name)
                if cell.p_adjusted is not None and cell.p_adjusted <= RATE:
                    yield DifferenceFromOthers(
                        **fields_of(cell), annotator=each.annotator, dimension=row.dimension, title=row.title
                    )
