"""Building a report: the numbers of every section and of every figure."""

from dataclasses import dataclass, field
from typing import Any

from assay.frozen_json import to_json
from assay.kinds import FIGURES
from assay.report.data import Data
from assay.report.figures import FigureData
from assay.report.page import as_text, page
from assay.report.section import all_sections


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

    def html(self) -> str:
        """One page that needs nothing else: no network, no files beside it."""
        return page(self.data, self.parts, self.figures)

    def json(self) -> str:
        """The numbers as text; never with a NaN in it."""
        return as_text(self.numbers()) + "\n"


def _once(numbers: dict[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in numbers.items() if "all" not in numbers or name not in ("rows", "panels")}


def build(data: Data) -> Report:
    """Compute the whole report."""
    return Report(data, {section.kind: section.numbers(data) for section in all_sections()}, figures_of(data))


def figures_of(data: Data) -> dict[str, Any]:
    """The numbers of every figure that a section shows, or why there is nothing to show."""
    figure_data = figure_data_of(data)
    return {name: FIGURES[name]().numbers(figure_data) for section in all_sections() for name in section.figures}


def figure_data_of(data: Data) -> FigureData:
    """What figures are made from."""
    work = data.fieldwork
    if work is None:
        return FigureData(data)
    return FigureData(data, work.annotators, work.funnel, work.places, now=work.now)
