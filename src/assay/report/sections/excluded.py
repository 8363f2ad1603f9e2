"""Who is left out and why, what came too late, and what the result is with everybody."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from assay.report.data import Data
from assay.report.sections import ReportPart, Section
from assay.report.sections.preferences import PreferencesSection
from assay.report.sections.systems import SystemsSection


@dataclass(frozen=True, slots=True)
class ExclusionRule:
    """A rule of the study by which annotators are left out."""

    annotators: str
    at_least: float | None
    reason: str
    reassign: bool
    """Whether their places go to others."""


@dataclass(frozen=True, slots=True)
class ExcludedAnnotator:
    """Somebody who is left out."""

    annotator: str
    reason: str


@dataclass(frozen=True, slots=True)
class ComparisonWithAndWithout:
    """A result about systems, without those who are left out and with everybody."""

    what: str
    of: str
    without: float | None
    with_everybody: float | None


@dataclass(frozen=True, slots=True)
class ExcludedNumbers:
    """What is left out, and what results are with it."""

    rules: list[ExclusionRule]
    annotators: list[ExcludedAnnotator]
    surplus_submissions: int
    coefficient: str
    titles: Mapping[str, str]
    with_everybody: Mapping[str, float | None]
    """The agreement on each dimension, of a preference on each comparison; empty where nobody is left out."""
    without: Mapping[str, float | None]
    comparisons: list[ComparisonWithAndWithout]
    elsewhere: bool
    """Whether everything was given elsewhere, and came from files."""


class ExcludedSection(Section[ExcludedNumbers]):
    """Who is left out and why, what came too late, and what the result is with everybody."""

    kind: ClassVar[str] = "excluded"
    rank: ClassVar[int] = 45
    title: ClassVar[str] = "What is left out?"
    part: ClassVar[ReportPart] = "quality"

    def numbers(self, data: Data) -> ExcludedNumbers:
        coefficient = data.study.analysis.agreement.coefficient
        whole = _agreement(data.whole, coefficient) if data.excluded else {}
        without = _agreement(data, coefficient) if data.excluded else {}
        return ExcludedNumbers(
            rules=exclusion_rules(data),
            annotators=[ExcludedAnnotator(name, reason) for name, reason in sorted(data.excluded.items())],
            surplus_submissions=data.surplus,
            coefficient=coefficient,
            titles={each.key: each.title(data.study) for each in data.whole.topics},
            with_everybody=whole,
            without={name: without.get(name) for name in whole},
            comparisons=_comparisons(data) if data.excluded else [],
            elsewhere=data.sources.is_elsewhere,
        )

    def lines(self, numbers: ExcludedNumbers) -> list[str]:
        lines = [f"Left out: {each.annotator}, {each.reason}." for each in numbers.annotators]
        if numbers.surplus_submissions:
            lines.append(
                f"{numbers.surplus_submissions} submissions came after their place had gone to another: "
                "they are kept in the data and counted nowhere."
            )
        late = "" if numbers.elsewhere else ", and nothing came too late"
        return lines or [f"Nobody is left out{late}."]


def exclusion_rules(data: Data) -> list[ExclusionRule]:
    """The rules of the study by which annotators are left out."""
    rules = data.study.analysis.exclude
    return [ExclusionRule(each.annotators, each.at_least, each.reason, each.reassign) for each in rules]


def _agreement(data: Data, coefficient: str) -> dict[str, float | None]:
    """The study's coefficient of each topic; where it does not fit, the first that does."""
    return {
        topic.key: next((each.value for each in found if each.name == coefficient), found[0].value if found else None)
        for topic, found in data.agreement.items()
    }


def _comparisons(data: Data) -> list[ComparisonWithAndWithout]:
    """Each result about systems without excluded annotators, beside the one with everybody."""
    without = _results(data)
    return [
        ComparisonWithAndWithout(what, of, without.get((what, of)), value)
        for (what, of), value in _results(data.whole).items()
    ]


def _results(data: Data) -> dict[tuple[str, str], float | None]:
    """The mean of each system on each dimension, and the net win rate of each pair, by what they are called."""
    found: dict[tuple[str, str], float | None] = {}
    for scores in SystemsSection().numbers(data).values:
        name = scores.title if scores.value is None else f"{scores.title}: {scores.value} (share)"
        for each in scores.systems:
            found[f"{name}, mean", each.system or "all items"] = each.mean.value
    for family in PreferencesSection().numbers(data).families:
        for question in family.dimensions:
            for pair in question.pairs:
                found[f"{question.title}, net win rate", f"{pair.system} against {pair.against}"] = pair.net.value
    return found
