"""What systems would reach if everybody had judged everything: severity of annotators and items told apart."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from assay.judgments.scales import is_clustered
from assay.model import Judgment
from assay.report.charts import number
from assay.report.data import TOO_FEW, Data
from assay.report.sections import Section
from assay.report.system_comparison import is_number, with_numbers
from assay.report.wording import estimate_in_words, too_few_to_say
from assay.statistics.comparison.many_facets import FacetAnnotator, RatingModel, rating_model
from assay.study.rubric import Dimension

FITS = (0.5, 1.5)
"""Between which mean squares judgments are productive for measurement (Linacre 2002)."""


@dataclass(frozen=True, slots=True)
class ModelOfDimension:
    """The model's estimates on one dimension."""

    dimension: str
    title: str
    unit: str
    """What is independent: items, or the groups that they share."""
    model: RatingModel


@dataclass(frozen=True, slots=True)
class FairAveragesNumbers:
    """Every dimension whose values are numbers."""

    dimensions: list[ModelOfDimension]


class FairAveragesSection(Section[FairAveragesNumbers]):
    """What systems would reach if everybody had judged everything: severity of annotators and items told apart."""

    kind: ClassVar[str] = "fair_averages"
    rank: ClassVar[int] = 29
    title: ClassVar[str] = "What if everybody had judged everything?"

    def numbers(self, data: Data) -> FairAveragesNumbers:
        asked = {
            each.dimension: (each, with_numbers(data.on_scale_of(each.dimension)))
            for each in data.study.scored_dimensions
            if _has_numbers(each)
        }
        return FairAveragesNumbers([_model(data, each, given) for each, given in asked.values() if given])

    def lines(self, numbers: FairAveragesNumbers) -> list[str]:
        lines, why_not = [], defaultdict(list)
        for row in numbers.dimensions:
            if row.model.undefined is not None:
                why_not[row.model.undefined].append(row.title)
            else:
                lines.append(_line(row))
        return lines + [f"No model of ratings for {', '.join(names)}: {why}." for why, names in why_not.items()]


def _has_numbers(dimension: Dimension) -> bool:
    values = dimension.input.values()
    return bool(values) and all(map(is_number, values)) and not dimension.input.compares


def _model(data: Data, dimension: Dimension, given: Sequence[Judgment]) -> ModelOfDimension:
    clusters = {each.unit: each.group or each.item for each in given} if is_clustered(data.study, dimension) else None
    rows = [(each.unit, each.annotator, each.system, float(each.value)) for each in given]  # type: ignore[arg-type]
    scale = [float(value) for value in dimension.input.values()]  # type: ignore[arg-type]
    unit = "items" if clusters is None else "groups" if data.study.items.group is not None else "items"
    found = rating_model(rows, scale, clusters)
    # The interval of the mean as judged stands with the systems, drawn as everything there is: one mean has one.
    systems = tuple(replace(each, raw=replace(each.raw, ci=None)) for each in found.systems)
    return ModelOfDimension(dimension.dimension, dimension.heading, unit, replace(found, systems=systems))


def _line(row: ModelOfDimension) -> str:
    """One dimension: what systems reach when annotators' severity is taken out, and who fits the model badly."""
    averages = "; ".join(
        f"{each.system or 'all items'} {estimate_in_words(each.fair)} (as judged {estimate_in_words(each.raw)})"
        + too_few_to_say(each.n_units, row.unit)
        for each in row.model.systems
    )
    severities = [each.severity.value or 0.0 for each in row.model.annotators]
    apart = f"severities from {number(min(severities))} to {number(max(severities))} logits"
    noisy, uniform = misfits(row.model.annotators)
    fits = [
        *([f"less predictable than the model expects: {', '.join(noisy)}"] if noisy else []),
        *([f"more predictable: {', '.join(uniform)}"] if uniform else []),
    ]
    return f"{row.title}, fair averages: {averages}; {apart}{''.join(f'; {each}' for each in fits)}."


def misfits(annotators: Sequence[FacetAnnotator]) -> tuple[list[str], list[str]]:
    """Whose judgments vary more, and whose vary less, than the model expects of them."""
    enough = [each for each in annotators if each.n_judgments >= TOO_FEW]
    noisy = [str(each.annotator) for each in enough if max(each.infit, each.outfit) > FITS[1]]
    uniform = [str(each.annotator) for each in enough if max(each.infit, each.outfit) < FITS[0]]
    return noisy, uniform
