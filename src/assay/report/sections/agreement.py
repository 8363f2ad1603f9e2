"""How far annotators agree, dimension by dimension, with intervals and the study's own threshold."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from assay.judgments.topics import Topic
from assay.judgments.units import Units
from assay.model import Coefficient
from assay.report.agreement_line import line_in_words
from assay.report.charts import interval, number
from assay.report.data import TOO_FEW, Data
from assay.report.headline import headline_of, why_undecided
from assay.report.sections import ReportPart, Section
from assay.report.wording import many, too_few_to_say
from assay.statistics import title_of

MOST_LINES = 2
"""More comparisons than this are summed up in one sentence."""


@dataclass(frozen=True, slots=True)
class CoefficientNumbers:
    """One coefficient of one dimension."""

    name: str
    title: str
    value: float | None
    ci: tuple[float, float] | None
    method: str
    undefined: str | None


@dataclass(frozen=True, slots=True)
class AgreementOnDimension:
    """Every coefficient of one dimension that applies to its scale; of a preference, on one comparison."""

    dimension: str
    system: str
    """Of a preference, which system was compared; else empty."""
    against: str
    """The system that it was compared with; else empty."""
    title: str
    of: str
    """What is judged: the item, each side or each entry."""
    n_items: int
    """How many items, sides or entries two people or more judged."""
    n_whole_items: int
    """Of how many items they are."""
    n_ratings: int
    n_annotators: int
    too_few: bool
    main: str | None
    """The coefficient that is shown first."""
    how: str
    """How its interval was made."""
    coefficients: list[CoefficientNumbers]

    @property
    def units(self) -> Units:
        """What was judged: items, or their sides or entries."""
        return Units(self.of, self.n_items, self.n_whole_items)


@dataclass(frozen=True, slots=True)
class PooledAgreement:
    """The study's coefficient over all comparisons of a preference, every item taken in both directions."""

    dimension: str
    title: str
    comparisons: int
    n_items: int
    n_annotators: int
    coefficient: CoefficientNumbers


@dataclass(frozen=True, slots=True)
class AgreementNumbers:
    """How far annotators agree on each dimension."""

    coefficient: str
    """The one that the study names."""
    at_least: float | None
    """What the study asks for."""
    clustered_by_group: bool
    dimensions: list[AgreementOnDimension]
    pooled: list[PooledAgreement]
    """Beside these, where a preference has several comparisons."""


class AgreementSection(Section[AgreementNumbers]):
    """How far annotators agree, dimension by dimension, with intervals and the study's own threshold."""

    kind: ClassVar[str] = "agreement"
    rank: ClassVar[int] = 20
    title: ClassVar[str] = "Do the annotators agree?"
    part: ClassVar[ReportPart] = "quality"
    stays: ClassVar[bool] = True
    figures: ClassVar[tuple[str, ...]] = ("agreement", "confusion")

    def numbers(self, data: Data) -> AgreementNumbers:
        wanted = data.study.analysis.agreement
        return AgreementNumbers(
            coefficient=wanted.coefficient,
            at_least=wanted.at_least,
            clustered_by_group=data.study.items.group is not None,
            dimensions=[_dimension(data, topic, found) for topic, found in data.agreement.items()],
            pooled=[_pooled_agreement(data, name, found) for name, found in data.pooled_agreement.items()],
        )

    def lines(self, numbers: AgreementNumbers) -> list[str]:
        pooled = {each.dimension: each for each in numbers.pooled}
        lines: list[str] = []
        for name, rows in groupby(numbers.dimensions, lambda each: each.dimension):
            found = list(rows)
            if len(found) > MOST_LINES:
                lines.append(_line_of_many(pooled[name], found))
                continue
            lines += [_line(each, numbers) for each in found]
            if name in pooled:
                about = f"{pooled[name].title}, all {pooled[name].comparisons} comparisons together"
                lines.append(f"{about}: {pooled[name].coefficient.title} {_both_directions_in_words(pooled[name])}.")
        return lines


def _main(data: Data, found: Sequence[Coefficient]) -> str | None:
    """The coefficient that is shown first."""
    one = headline_of(found, data.study.analysis.agreement.coefficient)
    return one.name if one else None


def _pooled_agreement(data: Data, name: str, found: Sequence[Coefficient]) -> PooledAgreement:
    dimension = data.study.dimension(name)
    one = next(each for each in found if each.name == _main(data, found))
    return PooledAgreement(
        dimension=name,
        title=dimension.heading,
        comparisons=len(data.topics_of(dimension)),
        n_items=one.n_items,
        n_annotators=one.n_annotators,
        coefficient=_numbers(one),
    )


def _numbers(each: Coefficient) -> CoefficientNumbers:
    return CoefficientNumbers(each.name, title_of(each.name), each.value, each.ci, each.method, each.undefined)


def _dimension(data: Data, topic: Topic, found: Sequence[Coefficient]) -> AgreementOnDimension:
    by_name = {each.name: each for each in found}
    main = _main(data, found)
    units = data.units(topic, found[0].n_items if found else 0)
    return AgreementOnDimension(
        dimension=topic.dimension,
        system=topic.system,
        against=topic.against,
        title=topic.title(data.study),
        of=units.of,
        n_items=units.n,
        n_whole_items=units.items or 0,
        n_ratings=found[0].n_ratings if found else 0,
        n_annotators=found[0].n_annotators if found else 0,
        too_few=(units.items or units.n) < TOO_FEW,
        main=main,
        how=by_name[main].method if main else "",
        coefficients=list(map(_numbers, found)),
    )


def _line(dimension: AgreementOnDimension, numbers: AgreementNumbers) -> str:
    found = {each.name: each for each in dimension.coefficients}
    main = found.get(dimension.main or "")
    if main is None:
        return f"{dimension.title}: {title_of(numbers.coefficient)} does not apply to this scale."
    value = f"{number(main.value)} {interval(main.ci)}".strip()
    if main.value is None:
        value = f"undefined ({main.undefined})"
    line = f"{dimension.title}: {main.title} {value}, {many(dimension.n_annotators)}, {dimension.units}"
    near = found.get("within_one_agreement")
    if near and near.value is not None:
        line += f"; {100 * near.value:.0f} % within one point"
    why = why_undecided(dimension.coefficients, numbers.coefficient)
    if main.value is not None and numbers.at_least is None and numbers.coefficient in found and why:
        line += f"; {why}"
    if main.value is not None and numbers.at_least is not None:
        verdict = f"undecided, {why}" if why else line_in_words(main.ci, numbers.at_least)
        line += f"; the study asks for at least {number(numbers.at_least)}: {verdict}"
    return f"{line}{too_few_to_say(dimension.n_whole_items)}."


def _line_of_many(pooled: PooledAgreement, rows: Sequence[AgreementOnDimension]) -> str:
    """One sentence about many comparisons: each with enough items, how many have fewer, and all pooled."""
    parts = []
    for row in (row for row in rows if not row.too_few):
        main = next(each for each in row.coefficients if each.name == row.main)
        value = "undefined" if main.value is None else f"{number(main.value)} {interval(main.ci)}".strip()
        parts.append(f"{row.system} against {row.against} {value}, {many(row.n_items, 'item')}")
    if few := sum(row.too_few for row in rows):
        parts.append(f"{many(few, 'comparison')} of fewer than {TOO_FEW} items: too few to say")
    parts.append(f"all {len(rows)} together {_both_directions_in_words(pooled)}")
    return f"{pooled.title}, {pooled.coefficient.title}: {'; '.join(parts)}{too_few_to_say(pooled.n_items)}."


def _both_directions_in_words(pooled: PooledAgreement) -> str:
    one = pooled.coefficient
    value = number(one.value) if one.value is not None else f"undefined ({one.undefined})"
    return f"{value}, {many(pooled.n_items, 'item')}, each taken in both directions"
