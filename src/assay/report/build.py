"""Building a report: the numbers of every section and of every figure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.beside import Start, here
from assay.freed_memory import give_back_freed_memory
from assay.frozen_json import to_json
from assay.kinds import FIGURES
from assay.report.data import Data
from assay.report.figures import FigureData
from assay.report.page import as_text, page
from assay.report.sections import Section, all_sections
from assay.report.tiles_of_report import comparisons_of
from assay.report.variance import variances_of


@dataclass(frozen=True)
class Report:
    """A finished report."""

    data: Data
    parts: dict[str, Any] = field(default_factory=dict)
    """The numbers of every section, by its kind."""
    figures: dict[str, Any] = field(default_factory=dict)
    """The numbers of every figure, by its kind."""

    def numbers(self) -> dict[str, Any]:
        """All numbers, as JSON has them."""
        study = self.data.study
        about = {"study": study.study, "title": study.title, "made_at": self.data.made_at, "study_hash": study.hash}
        # The rows that are drawn are among all rows, which the JSON has once.
        figures = {name: _once(to_json(numbers)) for name, numbers in self.figures.items()}
        return {**about, "seed": self.data.seed, **to_json(self.parts), "figures": figures}

    def summary(self) -> list[str]:
        """The findings in sentences."""
        return [line for section in all_sections() for line in section.lines(self.parts[section.kind])]

    def html(self, start: Start[Any] = here) -> str:
        """One page that needs nothing else: no network, no files beside it."""
        return page(self.data, self.parts, self.figures, start)

    def json(self) -> str:
        """The numbers as text; never with a NaN in it."""
        return as_text(self.numbers()) + "\n"


def _once(numbers: dict[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in numbers.items() if "all" not in numbers or name not in ("rows", "panels")}


def build(data: Data, start: Start[Any] = here) -> Report:
    """Compute the whole report; with `beside`, its independent parts are computed in two processes."""
    _compute_agreement(data, start)
    every = all_sections()
    # Of annotators there are tens of thousands of numbers, which take long to be sent to another process.
    later = start(lambda: (*_numbers(data, [each for each in every if not each.stays]), comparisons_of(data)))
    parts, figures = _numbers(data, [each for each in every if each.stays])
    others, more, comparisons = later()
    comparisons_of(data, lambda: comparisons)
    return Report(
        data,
        {each.kind: (parts if each.stays else others)[each.kind] for each in every},
        {name: (figures if each.stays else more)[name] for each in every for name in each.figures},
    )


def _compute_agreement(data: Data, start: Start[Any]) -> None:
    """The coefficients of all topics, half of them in each process: sections of both need all of them.

    Of an odd number the child process has the smaller half; it also computes the components of variance.
    """
    topics = list(data.ratings)
    give_back_freed_memory()
    later = start(lambda: (data.agreement_of(topics[1::2]), variances_of(data)))
    found = data.agreement_of(topics[::2])
    give_back_freed_memory()
    more, variances = later()
    data.once("agreement", lambda: {topic: (found if topic in found else more)[topic] for topic in topics})
    variances_of(data, lambda: variances)


def _numbers(data: Data, sections: Sequence[Section[Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The numbers of some sections, and those of their figures."""
    about = figure_data_of(data)
    parts, figures = dict[str, Any](), dict[str, Any]()
    for each in sections:
        parts[each.kind] = each.numbers(data)
        give_back_freed_memory()
        figures |= {name: FIGURES[name]().numbers(about) for name in each.figures}
        give_back_freed_memory()
    return parts, figures


def figure_data_of(data: Data) -> FigureData:
    """What figures are made from."""
    work = data.fieldwork
    if work is None:
        return FigureData(data)
    return FigureData(data, work.annotators, work.funnel, work.places, now=work.now)
