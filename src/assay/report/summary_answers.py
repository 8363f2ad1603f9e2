"""What a study answers first: the differences between systems, or what a single one reaches, in few rows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.model import Estimate
from assay.report.charts import interval, number, share, shares
from assay.report.data import TOO_FEW, Data
from assay.report.families import ComparisonFamily, families_of
from assay.report.margins import SHOWN, MarginTest
from assay.report.shown_differences import decision
from assay.report.system_comparison import numeric_dimensions, shares_of_words
from assay.report.system_scores import dimension_scores
from assay.report.wording import difference_in_words

MOST_ANSWERS = 10
"""More rows than these do not fit on the first page: then those of the first question are shown."""
POINTS, SHARE, NET = "points", "share", "net win rate"
UNDEFINED = "undefined"
Which = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class HeadlineAnswer:
    """One row of the first page: a difference, a net win rate, or a mean."""

    dimension: str
    title: str
    unit: str
    """What it is measured in: points of the scale, a share, or a net win rate (wins − losses, over all)."""
    first: str
    """The system that the number is of; empty where no system is named."""
    second: str
    """The system that is subtracted; empty where the number is a mean."""
    value: float | None
    ci: tuple[float, float] | None
    n: int
    n_units: int
    """How many independent items or groups are behind it."""
    of: str
    """What these are: items, or groups that items share."""
    shown: bool | None
    """Whether a difference is shown after correction; None where no test is made, or its interval says otherwise."""
    undecided: str = ""
    """Why nothing can be said, though there is enough behind it."""
    ends: tuple[float, float] | None = None
    """The lowest and the highest point of the scale, of a mean."""
    within: str = ""
    """What is ruled out by the study's margin, in words; empty: nothing, or none is declared."""
    with_everybody: Estimate | None = None
    """This number with excluded annotators; None where nobody is excluded."""

    @property
    def in_words(self) -> str:
        """The value with its interval, in its unit."""
        return value_in_words(self, self.value, self.ci)

    @property
    def undefined(self) -> str | None:
        """Why there is no value, as a cell of a table asks for it; None where there is one."""
        return (self.undecided or UNDEFINED) if self.value is None else None

    @property
    def few(self) -> bool:
        """Whether too little is behind it to say anything."""
        return self.n_units < TOO_FEW


def value_in_words(answer: HeadlineAnswer, value: float | None, ci: tuple[float, float] | None) -> str:
    """A value with its interval, in the unit of a row."""
    if value is None:
        return UNDEFINED
    if answer.second:
        return difference_in_words(Estimate("difference", value, ci), answer.unit != POINTS)
    if answer.unit == SHARE:
        return f"{share(value)} {shares(ci).removesuffix(' %')}".strip()
    return f"{number(value)} {interval(ci)}".strip()


@dataclass(frozen=True, slots=True)
class Answers:
    """The rows of the first page."""

    compared: bool
    """Whether systems are compared; otherwise rows are means."""
    rows: list[HeadlineAnswer]
    more: int
    """How many further rows the findings have."""


def answers_of(data: Data) -> Answers:
    """The first answers of a study, with and without those who are left out."""
    found = _answers(data)
    if data.excluded:
        everybody = {_which(each): each for each in _answers(data.whole)}
        found = [replace(each, with_everybody=_as_estimate(everybody.get(_which(each)))) for each in found]
    rows = found if len(found) <= MOST_ANSWERS else _of_first_question(data, found)
    return Answers(any(each.second for each in found), rows[:MOST_ANSWERS], len(found) - len(rows[:MOST_ANSWERS]))


def _which(answer: HeadlineAnswer) -> Which:
    return answer.dimension, answer.first, answer.second


def _as_estimate(answer: HeadlineAnswer | None) -> Estimate:
    if answer is None or answer.value is None:
        return Estimate("with everybody", None, undefined="with everybody it is undefined")
    return Estimate("with everybody", answer.value, answer.ci, answer.n)


def _answers(data: Data) -> list[HeadlineAnswer]:
    compared = [answer for family in families_of(data) for answer in _of_family(family)]
    return list(_once(compared)) if compared else _means(data)


def _once(answers: Iterable[HeadlineAnswer]) -> Iterable[HeadlineAnswer]:
    """The rows without repetition: one difference may be part of several comparisons of the study."""
    seen: dict[Which, HeadlineAnswer] = {}
    for each in answers:
        seen.setdefault(_which(each), each)
    return seen.values()


def _of_family(family: ComparisonFamily) -> Iterable[HeadlineAnswer]:
    """The rows of one comparison, preferences first: they say it in one number."""
    if family.preferences is not None:
        for question in family.preferences.dimensions:
            for pair in question.pairs:
                yield HeadlineAnswer(
                    dimension=question.dimension,
                    title=question.title,
                    unit=NET,
                    first=pair.system,
                    second=pair.against,
                    value=pair.claim.value,
                    ci=pair.claim.ci,
                    n=pair.n,
                    n_units=pair.n_units,
                    of=pair.unit,
                    shown=decision(pair.p_corrected, pair.undecided),
                    undecided=pair.undecided,
                    within=_within(pair.margin, pair.system, pair.against, family),
                )
    if family.systems is not None:
        for row in family.systems.dimensions:
            for both in row.pairs:
                yield HeadlineAnswer(
                    dimension=row.dimension,
                    title=row.title,
                    unit=POINTS if row.yes is None else SHARE,
                    first=both.first,
                    second=both.second,
                    value=both.claim.value,
                    ci=both.claim.ci,
                    n=both.n,
                    n_units=both.n_units,
                    of=both.drawn,
                    shown=decision(both.p_corrected, both.undecided),
                    undecided=both.undecided,
                    within=_within(both.margin, both.first, both.second, family),
                )


def _within(margin: MarginTest | None, first: str, second: str, family: ComparisonFamily) -> str:
    if margin is None or margin.decision != SHOWN:
        return ""
    tested = family.systems or family.preferences
    return "" if tested is None else margin.in_words(first, second, tested.correction, tested.margin_tests)


def _means(data: Data) -> list[HeadlineAnswer]:
    """The mean of each system, or of all items; derived scores first, since they sum up the others."""
    asked = [each for each in [*numeric_dimensions(data), *shares_of_words(data)] if each.judgments]
    ends = {each.name: each.ends for each in asked}
    rows = [dimension_scores(data, each) for each in asked]
    return [
        HeadlineAnswer(
            dimension=row.dimension,
            title=row.title if row.value is None else f"{row.title}: {row.value}",
            unit=POINTS if row.value is None and ends[row.dimension] != (0, 1) else SHARE,
            first=each.system,
            second="",
            value=each.mean.value,
            ci=each.mean.ci,
            n=each.mean.n,
            n_units=each.n_units,
            of=each.unit,
            shown=None,
            ends=ends[row.dimension],
        )
        for row in sorted(rows, key=lambda each: not each.computed)
        for each in row.systems
    ]


def _of_first_question(data: Data, found: Sequence[HeadlineAnswer]) -> list[HeadlineAnswer]:
    """The rows of one question: what the study compares on, else a preference, a derived score, or `overall`."""
    declared = [name for each in data.study.analysis.compare for name in each.on]
    known: Mapping[str, None] = dict.fromkeys(each.dimension for each in found)
    computed = [each.derived for each in data.study.derive]
    preferred = [*declared, *data.study.preference_dimensions, *computed, "overall", *known]
    first = next(name for name in preferred if name in known)
    return [each for each in found if each.dimension == first]
