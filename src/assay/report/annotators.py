"""What can be said of each annotator: whether they repeat themselves, and how they differ from the others."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import TYPE_CHECKING, Any

from assay.judgments.scales import scale_of
from assay.model import Coefficient, Judgment
from assay.quality import MonitorData
from assay.quality.calibration_bias import distance_from_known
from assay.quality.drift import slope
from assay.quality.duplicates import pairs_of_passes
from assay.quality.halo import beside_others
from assay.quality.halo import measure as halo_of
from assay.quality.low_agreement import kappas_with_others
from assay.quality.scale_compression import by_unit, others_of
from assay.report.charts import interval, number
from assay.report.data import TOO_FEW, Data
from assay.report.system_comparison import DRAWS, as_json
from assay.statistics import headline
from assay.statistics.correlation import fisher_interval, spearman
from assay.statistics.estimate import IntervalEstimate, half_width, mean_of
from assay.statistics.f_distribution import f_probability
from assay.statistics.spread_ratio import spread_ratio
from assay.statistics.table import Scale
from assay.study.rubric import Dimension

if TYPE_CHECKING:
    from assay.statistics.comparison.second_judgments import SecondJudgments

RATE = 0.05
"""Which share of the annotators who are said to differ may differ by chance."""
TESTED = ("severity", "spread", "drift")
"""What is tested for each annotator and dimension; each of the three is a family by itself."""
NO_ORDER = "values of a nominal scale stand in no order"
ALONE = "nobody else judged the same items"
ONCE = "no item came twice"
NO_REFERENCE = "no item with a known value was judged"
FEW = "too few items to compute it"

Found = dict[str, Any]


@dataclass(frozen=True)
class People:
    """The work of those who count, for what is computed of each of them."""

    data: Data

    @cached_property
    def work(self) -> MonitorData:
        """First and second passes on the scale that is in force, and what was given in practice."""
        given = [*self.data.that_count, *self.data.second_passes]
        known, practice = (self.data.work.items, self.data.work.practice) if self.data.work else ({}, ())
        return MonitorData(
            study=self.data.study,
            judgments=[each for each in given if self.data.on_this_scale(each)],
            items=known,
            practice=[each for each in practice if each.annotator not in self.data.excluded],
        )

    @cached_property
    def twice(self) -> dict[str, dict[str, list[tuple[Judgment, Judgment]]]]:
        """What was judged twice, by dimension and annotator."""
        found: dict[str, dict[str, list[tuple[Judgment, Judgment]]]] = defaultdict(lambda: defaultdict(list))
        for first, second in pairs_of_passes(self.work):
            found[first.dimension][first.annotator].append((first, second))
        return found

    @cached_property
    def names(self) -> list[str]:
        """Everybody who judged something."""
        return sorted({each.annotator for each in self.work.first_passes})


def about_annotators(data: Data) -> Found:
    """Everything, ready for JSON."""
    people = People(data)
    dimensions = [_dimension(people, dimension) for dimension in data.study.scored]
    tests = _correct(dimensions)
    return {
        "false_discoveries": RATE,
        "tests": tests,
        "dimensions": dimensions,
        "halo": _halo(people),
        "differ": [
            {"annotator": each["annotator"], "dimension": row["dimension"], "title": row["title"], **each[name]}
            for name in TESTED
            for row in dimensions
            for each in row["annotators"]
            if (p := each[name].get("p_adjusted")) is not None and p <= RATE
        ],
    }


def _dimension(people: People, dimension: Dimension) -> Found:
    name, data = dimension.dimension, people.data
    level = dimension.input.level
    assert level is not None
    coefficient = headline(level)
    twice = people.twice.get(name, {})
    parts = [
        _self_consistency(people, dimension, twice),
        _beside_the_others(people, dimension),
        _known(people, dimension),
        _with_the_rest(people, dimension, coefficient),
    ]
    who = [each for each in people.names if any(each in part for part in parts)]
    nothing, n_items = _nothing(level), _items_of_each(people, name)
    return {
        "dimension": name,
        "title": dimension.heading,
        "level": level,
        "compares": dimension.input.compares,
        "coefficient": coefficient,
        "with_themselves": _consistency(data, dimension, [pair for each in twice.values() for pair in each]),
        "with_each_other": _with_each_other(data, name),
        "annotators": [
            {"annotator": each, "n": n_items[each], **nothing}
            | {key: value for part in parts for key, value in part.get(each, {}).items()}
            for each in who
        ],
    }


def _nothing(level: str) -> Found:
    """What each measure says where it could not be computed."""
    ordered = level != "nominal"
    why = {
        **dict.fromkeys(("exact", "kappa_with_self", "same_winner"), ONCE),
        **dict.fromkeys(("within_one", "change"), ONCE if ordered else NO_ORDER),
        **dict.fromkeys(("severity", "spread", "drift", "correlation"), ALONE if ordered else NO_ORDER),
        **dict.fromkeys(("bias", "absolute_error"), NO_REFERENCE if ordered else NO_ORDER),
        "kappa_with_others": f"{ALONE}, or {FEW}",
        "without": "there are no others",
    }
    return {name: undefined(name, reason) for name, reason in why.items()}


def undefined(name: str, why: str, n: int = 0) -> Found:
    """A measure that has no value, and the reason."""
    return {
        "name": name,
        "value": None,
        "ci": None,
        "n": n,
        "method": "",
        "p": None,
        "undefined": why,
        "too_few": n < TOO_FEW,
    }


def estimated(name: str, found: IntervalEstimate | None, method: str, why: str, n: int = 0) -> Found:
    """An estimate, ready for JSON, or the reason why there is none."""
    if found is None:
        return undefined(name, why, n)
    # Sides and entries of one item are counted, but it is items that must be enough.
    ci, few = [found.low, found.high], (n or found.n) < TOO_FEW
    said = {"name": name, "value": found.value, "ci": ci, "n": found.n, "method": method, "p": found.p}
    return {**said, "undefined": None, "too_few": few}


def _items_of_each(people: People, name: str) -> Counter[str]:
    """How many items each annotator judged."""
    judged = {(each.annotator, each.item) for each in people.work.by_dimension.get(name, ())}
    return Counter(annotator for annotator, _ in judged)


# The same again


def _self_consistency(
    people: People, dimension: Dimension, twice: Mapping[str, Sequence[tuple[Judgment, Judgment]]]
) -> dict[str, Found]:
    return {who: _consistency(people.data, dimension, pairs) for who, pairs in twice.items()}


def _consistency(data: Data, dimension: Dimension, pairs: Sequence[tuple[Judgment, Judgment]]) -> Found:
    """First and second judgments of the same; of preferences also whether the same won after sides were swapped."""
    from assay.statistics.comparison.second_judgments import second_judgments as compare
    from assay.statistics.comparison.shares import share_of

    scale = Scale(scale_of(dimension), dimension.input.level or "nominal")
    rows = [
        (one.item, data.value_on_scale(one, dimension), data.value_on_scale(other, dimension)) for one, other in pairs
    ]
    found: SecondJudgments = compare(rows, scale, data.seed, DRAWS)
    swapped = [
        (one.item, one.value == other.value)
        for one, other in pairs
        if dimension.input.compares and one.left and other.left and one.left != other.left
    ]
    again = share_of("same_winner", swapped, "second judgments with swapped sides")
    n_items = len({one.item for one, _ in pairs})
    named = {
        "exact": found.exact,
        "within_one": found.within_one,
        "kappa_with_self": found.kappa,
        "change": found.change,
        "same_winner": again,
    }
    return {name: {**as_json(each), "name": name, "too_few": n_items < TOO_FEW} for name, each in named.items()}


def _with_each_other(data: Data, name: str) -> Found:
    """The same measures between people: what they reach with themselves is the most that could be expected."""
    found = {each.name: each for each in data.agreement[name]}
    wanted = {
        "exact": "percent_agreement",
        "within_one": "within_one_agreement",
        "kappa": "cohen_kappa_quadratic" if "cohen_kappa_quadratic" in found else "cohen_kappa",
    }
    return {key: _coefficient(key, found.get(coefficient)) for key, coefficient in wanted.items()}


def _coefficient(name: str, found: Coefficient | None) -> Found:
    if found is None:
        return undefined(name, "it does not apply to this scale")
    if found.value is None:
        return undefined(name, found.undefined or "", found.n_items)
    return {
        **undefined(name, "", found.n_items),
        "value": found.value,
        "ci": None if found.ci is None else list(found.ci),
        "method": found.method,
        "undefined": None,
    }


# Beside the others


def _beside_the_others(people: People, dimension: Dimension) -> dict[str, Found]:
    """Above or below the others, wider or narrower, rising or falling, and whether they go together."""
    name, work = dimension.dimension, people.work
    if name not in work.scores:
        return {}
    values = by_unit(work.scores[name])
    found = {}
    for who, scores in work.scores[name].items():
        beside = [(each, others) for each, others in zip(scores, others_of(who, scores, values), strict=True) if others]
        shared = [each for each, _ in beside]
        apart = work.residuals[name].get(who, [])
        ratio = spread_ratio([each.value for each in shared], [others for _, others in beside])
        n, over_items = len(apart), "Student's interval over items"
        why = ALONE if not shared else FEW
        ranked = spearman([each.value for each in shared], [each.others or 0.0 for each in shared])
        found[who] = {
            "severity": estimated("severity", mean_of([each.value for each in apart]), over_items, why, n),
            "spread": estimated("spread", _tested(ratio), "jackknife over what was judged, on log scale", why, n),
            "drift": estimated("drift", slope(apart), over_items, why, n),
            "correlation": estimated("correlation", _ranked(ranked, n), "Fisher's interval", _flat(why, shared), n),
        }
    return found


def _flat(why: str, shared: Sequence[object]) -> str:
    return why if len(shared) < 3 else "the values of one side do not vary"


def _ranked(r: float | None, n: int) -> IntervalEstimate | None:
    return None if r is None or n < 3 else IntervalEstimate(r, *fisher_interval(r, n), n)


def _tested(ratio: IntervalEstimate | None) -> IntervalEstimate | None:
    """A ratio with the probability of one so far from 1, by Student's t of its logarithm, from its own interval."""
    if ratio is None:
        return None
    if ratio.value == 0 or ratio.high - ratio.low < 1e-12:
        return IntervalEstimate(ratio.value, ratio.low, ratio.high, ratio.n, float(abs(ratio.value - 1) < 1e-12))
    error = (math.log(ratio.high) - math.log(ratio.low)) / 2 / half_width(ratio.n - 1)
    p = 1 - f_probability((math.log(ratio.value) / error) ** 2, 1, ratio.n - 1)
    return IntervalEstimate(ratio.value, ratio.low, ratio.high, ratio.n, p)


def _with_the_rest(people: People, dimension: Dimension, coefficient: str) -> dict[str, Found]:
    """Kappa against all others together, and what the coefficient would be without this one."""
    from assay.statistics.comparison.without_each import without_each

    name, data = dimension.dimension, people.data
    found: dict[str, Found] = defaultdict(dict)
    for who, kappa in kappas_with_others(people.work, dimension, 3).items():
        found[who]["kappa_with_others"] = estimated("kappa_with_others", kappa, "jackknife over what was judged", "")
    whole = next((each.value for each in data.agreement[name] if each.name == coefficient), None)
    for annotator, without in without_each(data.ratings[name], coefficient).items():
        row = _coefficient("without", without)
        change = None if without.value is None or whole is None else without.value - whole
        found[str(annotator)]["without"] = {**row, "with_everybody": whole, "change": change}
    return found


# Against known values


def _known(people: People, dimension: Dimension) -> dict[str, Found]:
    """By how much values in practice lay above those agreed beforehand, and how far from them."""
    if dimension.input.level == "nominal":
        return {}
    found = {}
    for who, by_item in distance_from_known(people.work, dimension).items():
        signed = [fmean(each) for each in by_item.values()]
        sizes = [fmean(map(abs, each)) for each in by_item.values()]
        over = "Student's interval over items for practice"
        found[who] = {
            "bias": estimated("bias", mean_of(signed), over, FEW, len(signed)),
            "absolute_error": estimated("absolute_error", mean_of(sizes), over, FEW, len(sizes)),
        }
    return found


def _halo(people: People) -> list[Found]:
    """Of each annotator, how far the dimensions go together beyond what is in the items."""
    rows = beside_others(people.work)
    found = []
    for who in people.names:
        halo = halo_of(rows[who], 5) if who in rows else None
        if halo is None:
            why = "fewer than two dimensions with an order, or fewer than 5 items that others judged too"
            found.append({"annotator": who, **undefined("halo", why), "consensus": None, "explained": None})
            continue
        estimate = IntervalEstimate(halo.residual, halo.low, halo.high, halo.n)
        measure = estimated("halo", estimate, "Fisher's interval", "")
        found.append({"annotator": who, **measure, "consensus": halo.consensus, "explained": halo.shared})
    return found


# Many at once


def _correct(dimensions: Sequence[Found]) -> dict[str, int]:
    """P-values adjusted over all annotators and dimensions, one family for each measure; how many tests each has."""
    from assay.statistics.benjamini_hochberg import benjamini_hochberg

    tests = {}
    for name in TESTED:
        cells = [each[name] for row in dimensions for each in row["annotators"]]
        tested = [cell for cell in cells if cell["p"] is not None and not cell["too_few"]]
        for cell in cells:
            cell["p_adjusted"] = None
        for cell, p in zip(tested, benjamini_hochberg([cell["p"] for cell in tested]), strict=True):
            cell["p_adjusted"] = p
        tests[name] = len(tested)
    return tests


def in_words(found: Found) -> str:
    """A difference that was found, as it stands in a sentence: its size, with the interval of its size."""
    value, (low, high) = found["value"], found["ci"]
    if found["name"] == "spread":
        return f"{number(value)} {interval((low, high))} times as widely spread as the others"
    size = f"{number(abs(value))} points {interval((low, high) if value > 0 else (-high, -low))}"
    if found["name"] == "severity":
        return f"{size} {'above' if value > 0 else 'below'} the others"
    return f"{size} {'up' if value > 0 else 'down'} in 100 items, against the others"
