"""Whether automated judges say what people say: each of them beside what people reach among themselves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from assay.in_words import count
from assay.judgments.what_counts import which_run_counts
from assay.model import Estimate
from assay.report.data import TOO_FEW, Data
from assay.report.judge_agreement import JudgeBesidePeople, JudgeOnDimension, judge_on
from assay.report.judge_replacement_tests import AltTestNumbers, SecondRun
from assay.report.judge_verdict import JudgeVerdict, verdict_of
from assay.report.judged_dimension import JudgedDimension, derivations_with_judges, dimensions_with_judges
from assay.report.judges_together import ALL, JudgesTogether, families_of, judges_together
from assay.report.sections import ReportPart, Section
from assay.report.shown_differences import SHOWN_BELOW, is_shown
from assay.report.system_comparison import correct_p_values
from assay.report.wording import estimate_in_words, range_in_words, too_few_to_say, tuning_items_in_words
from assay.statistics.comparison.system_level import why_not_comparable

NAMES = {"quadratic_kappa": "weighted kappa (quadratic)", "cohen_kappa": "Cohen's kappa", "spearman": "Spearman's rho"}
MOST_SAID = 3
GAP_SHOWN = {True: SHOWN_BELOW, False: 0.02}
"""Up to which p-value a judge is said to be below people, and above them. What is left of the skewness of few items
puts a judge above people nearly twice as often as below, most of all where values gather at an end of the scale, so
that this takes more: a judge like people is to be found above them in 2.5 % of studies (docs/design/coverage.md)."""


@dataclass(frozen=True, slots=True)
class JudgesOnDimension:
    """All judges on one dimension, or on one computed value."""

    dimension: str
    title: str
    judges: list[JudgeOnDimension]
    together: list[JudgesTogether]
    """Several of them as one: the families that the study declares, and all judges."""


@dataclass(frozen=True, slots=True)
class JudgesNumbers:
    """All judges on every dimension."""

    warnings: list[str]
    dimensions: list[JudgesOnDimension]
    agreed: str
    """What the report says of values that were agreed on; empty where there are none."""
    verdicts: list[JudgeVerdict]
    """What each judge may be used for."""
    tuning: int
    """How many items are left out because judges were tuned on them."""


class JudgesSection(Section[JudgesNumbers]):
    """Whether automated judges say what people say: each of them beside what people reach among themselves."""

    kind: ClassVar[str] = "judges"
    rank: ClassVar[int] = 26
    title: ClassVar[str] = "Do automated judges say what people say?"
    part: ClassVar[ReportPart] = "findings"
    figures: ClassVar[tuple[str, ...]] = ("judge",)

    def numbers(self, data: Data) -> JudgesNumbers:
        if not data.by_judges:
            return JudgesNumbers([], [], "", [], 0)

        judged = dict.fromkeys((each.annotator, each.item) for each in data.by_judges)
        names = sorted({judge for judge, _ in judged})
        about = [*dimensions_with_judges(data), *derivations_with_judges(data)]
        dimensions = _with_corrected_gaps([_judges_on(each, names) for each in about])
        return JudgesNumbers(
            warnings=_in_one(why_not_comparable(judged), names),
            dimensions=dimensions,
            agreed=data.with_agreed.in_words(),
            verdicts=[_verdict(judge, about, dimensions) for judge in names],
            tuning=len(data.tuning),
        )

    def lines(self, numbers: JudgesNumbers) -> list[str]:
        lines = [f"Warning: {each}." for each in numbers.warnings]
        lines += [*_lines_of_families(numbers.dimensions), *_lines_of_judges(numbers.dimensions)]
        lines += [each.says for each in numbers.verdicts if each.use != "unknown"]
        if lines and numbers.tuning:
            lines.append(f"All that is said of judges is said without {tuning_items_in_words(numbers.tuning)}.")
        return [*lines, numbers.agreed] if lines and numbers.agreed else lines


def _verdict(judge: str, about: Sequence[JudgedDimension], found: Sequence[JudgesOnDimension]) -> JudgeVerdict:
    """What one judge may be used for, from all that was found of it."""
    rows = [
        (dimension, on) for dimension, row in zip(about, found, strict=True) for on in row.judges if on.judge == judge
    ]
    return verdict_of(judge, rows)


def _in_one(warnings: Sequence[str], judges: Sequence[str]) -> list[str]:
    """One warning in place of many that say the same."""
    pairs = len(judges) * (len(judges) - 1) // 2
    if pairs > 1 and len(warnings) == pairs and all("no item in common" in each for each in warnings):
        return [f"no two of the judges {', '.join(judges)} judged an item in common: what differs may be their items"]
    return list(warnings)


def _lines_of_families(dimensions: Sequence[JudgesOnDimension]) -> Iterator[str]:
    """Several judges as one: the answer of a study whose items were shared out among them."""
    for name in dict.fromkeys(each.judge for row in dimensions for each in row.together):
        found = [(row.title, each) for row in dimensions for each in row.together if each.judge == name]
        judges = sorted({judge for _, each in found for judge in each.judges})
        called = "All judges together" if name == ALL else name
        yield from _lines(f"{called} ({', '.join(judges)})", name, found)


def _lines_of_judges(dimensions: Sequence[JudgesOnDimension]) -> Iterator[str]:
    """Each judge by itself."""
    for judge in dict.fromkeys(each.judge for row in dimensions for each in row.judges):
        rows = [(row.title, each) for row in dimensions for each in row.judges if each.judge == judge]
        batches = sorted({batch for _, found in rows for batch in found.batches})
        yield from _lines(f"{judge} ({', '.join(batches)})" if batches else judge, judge, rows)
        yield from _line_of_runs(judge, rows)


def _judges_on(dimension: JudgedDimension, judges: Sequence[str]) -> JudgesOnDimension:
    """Each judge of one dimension, and those that are reported together."""
    own = dimension.judges
    families = families_of(dimension.data.study, judges)
    of_dimension = {name: [judge for judge in together if judge in own] for name, together in families.items()}
    return JudgesOnDimension(
        dimension=dimension.name,
        title=dimension.title,
        judges=[judge_on(dimension, judge) for judge in own],
        together=[judges_together(dimension, name, some) for name, some in of_dimension.items() if len(some) > 1],
    )


def _with_corrected_gaps(rows: Sequence[JudgesOnDimension]) -> list[JudgesOnDimension]:
    """The p-values of each judge's gaps, corrected over the dimensions on which there are items enough for a test."""
    # A family may be called like one of its judges: each is corrected among its own kind.
    judges, together = (
        _corrected_p_values([row.judges for row in rows]),
        _corrected_p_values([row.together for row in rows]),
    )
    return [
        replace(
            row,
            judges=[replace(each, gap_p_corrected=judges.get((at, each.judge))) for each in row.judges],
            together=[replace(each, gap_p_corrected=together.get((at, each.judge))) for each in row.together],
        )
        for at, row in enumerate(rows)
    ]


def _corrected_p_values(rows: Sequence[Sequence[JudgeOnDimension]]) -> dict[tuple[int, str], float | None]:
    """Corrected p-values, by the index of a dimension and a judge's name."""
    found: dict[tuple[int, str], float | None] = {}
    for judge in {each.judge for row in rows for each in row}:
        p = {
            at: gap.p
            for at, row in enumerate(rows)
            for each in row
            if each.judge == judge and each.n_units >= TOO_FEW and (gap := _gap(each)) is not None
        }
        found |= {(at, judge): each for at, each in zip(p, correct_p_values([*p.values()], "holm"), strict=True)}
    return found


Rows = Sequence[tuple[str, JudgeOnDimension]]
"""The title of a dimension, and one judge on it."""


def _line_of_runs(judge: str, rows: Rows) -> list[str]:
    """Which run of a judge counts, where there are several."""
    most = max((found.runs.most for _, found in rows), default=0)
    if most < 2:
        return []
    later = "the later ones say" if most > 2 else "the second says"
    repeats = any(isinstance(found.second_run, SecondRun) for _, found in rows)
    swaps = any(isinstance(found.swapped_run, SecondRun) for _, found in rows)
    says = ["whether it repeats itself"] * repeats + ["whether it says the same with sides swapped"] * swaps
    return [f"{which_run_counts(judge, most)}, {later} {' and '.join(says)}."]


def _lines(start: str, judge: str, rows: Rows) -> Iterator[str]:
    """The least and the most agreement of one judge, where it differs from people, and whether it may replace them."""
    both = [(title, found) for title, found in rows if found.n]
    if not both:
        yield f"{start}: no item was judged both by it and by people."
        return
    ranked = sorted(both, key=lambda row: (row[1].first().value is None, row[1].first().value or 0.0))
    defined = [row for row in ranked if row[1].first().value is not None] or ranked[:1]
    if all(found.too_few for _, found in both) and len(defined) > 1:
        yield _line_of_few(start, [found for _, found in defined], [found for _, found in both])
        return
    ends = defined[:1] if len(defined) == 1 else [defined[0], defined[-1]]
    line = f"{start}: agreement with people {' to '.join(_agreement_in_words(*row) for row in ends)}"
    line += _differences("less agreement than people have", both, "gap", below=True)
    line += _differences("more agreement than people have", both, "gap", below=False)
    line += _differences("higher values than people's", both, "bias", below=False)
    line += _differences("lower values than people's", both, "bias", below=True)
    few = min((found for _, found in both), key=lambda found: found.n_units)
    yield f"{line}; {_counts([found for _, found in both])}{too_few_to_say(few.n_units, few.unit)}."
    yield from _by_batch(judge, [found for _, found in both])
    yield from _replacement(start, both)


def _by_batch(judge: str, rows: Sequence[JudgeOnDimension]) -> Iterator[str]:
    """The range of agreement on each batch, of a judge that judged several."""
    for batch in sorted({each.batch for found in rows for each in found.by_batch}):
        of_batch = [each for found in rows for each in found.by_batch if each.batch == batch]
        defined = [each for each in of_batch if each.first().value is not None]
        if defined:
            yield _line_of_few(f"{judge}, batch {batch or '(none)'}", defined, of_batch)


def _line_of_few(start: str, defined: Sequence[JudgeBesidePeople], both: Sequence[JudgeBesidePeople]) -> str:
    """With too few items on every dimension, only the range is reported."""
    own = [value for each in defined if (value := each.first().value) is not None]
    people = [value for each in defined if (value := each.first_of_people().value) is not None]
    line = f"{start}: agreement with people {range_in_words(own)} over {len(defined)} dimensions"
    line += f", people among themselves {range_in_words(people)}" if people else ""
    few = max(both, key=lambda each: each.n_units)
    return f"{line}; {_counts(both)}{too_few_to_say(few.n_units, few.unit)}."


def _agreement_in_words(title: str, found: JudgeOnDimension) -> str:
    return (
        f"{estimate_in_words(found.first())} ({title}, {NAMES[found.headline]}; people among themselves "
        f"{estimate_in_words(found.first_of_people())})"
    )


def _differences(words: str, rows: Rows, what: str, *, below: bool) -> str:
    """The dimensions on which an interval excludes zero; those with too few items are left out.

    Gaps between judge and people count where their p-value does after correction for the other dimensions.
    """
    found = []
    for title, each in rows:
        one = _gap(each) if what == "gap" else _bias(each)
        if what == "gap" and not (each.gap_p_corrected is not None and each.gap_p_corrected <= GAP_SHOWN[below]):
            continue
        if one is None or one.value is None or each.n_units < TOO_FEW:
            continue
        # Without any spread there is no interval; p is then that of all items having the same sign.
        if one.ci or is_shown(one.p):
            low, high = one.ci or (one.value, one.value)
            if (high < 0) if below else (low > 0):
                found.append((abs(one.value), f"{title} by {estimate_in_words(one)}"))
    ranked = [words for _, words in sorted(found, reverse=True)]
    more = f" and {len(ranked) - MOST_SAID} more" if len(ranked) > MOST_SAID else ""
    return f"; {words} on {', '.join(ranked[:MOST_SAID])}{more}" if ranked else ""


def _gap(found: JudgeOnDimension) -> Estimate | None:
    """Agreement of the judge with people − agreement of people among themselves."""
    statistic = found.statistic(found.headline)
    return None if statistic is None else statistic.gap


def _bias(found: JudgeOnDimension) -> Estimate | None:
    """Mean of the judge − mean of people."""
    statistic = found.statistic("bias")
    return None if statistic is None else statistic.with_mean


def _counts(rows: Sequence[JudgeBesidePeople]) -> str:
    numbers = {each.n_items for each in rows}
    items = f"{_range(numbers)} item{'s' * (numbers != {1})}"
    groups = f" in {_range({each.n_units for each in rows})} groups" if rows[0].unit == "groups" else ""
    return f"n = {items}{groups}, {count(max(each.n_people for each in rows))} people"


def _range(counts: set[int]) -> str:
    least, most = min(counts), max(counts)
    return count(least) if least == most else f"{count(least)} to {count(most)}"


def _replacement(start: str, rows: Rows) -> Iterator[str]:
    """What the alternative annotator test says, where there are people and items enough for it."""
    verdicts = []
    for title, found in rows:
        if isinstance(found.alt_test, AltTestNumbers):
            margins = [each.epsilon for each in found.alt_test.by_margin if each.passes]
            verdicts.append(f"{title} yes (from epsilon {min(margins):g} on)" if margins else f"{title} no")
    if verdicts:
        yield f"{start}: could it take the place of people, by the alternative annotator test? {'; '.join(verdicts)}."
