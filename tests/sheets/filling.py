"""Sheets as people fill them in: written out, changed cell by cell, saved again, and read back."""

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.acts.sheets import give_sheets, take_sheets
from assay.errors import ItemMistakes
from assay.exchange.workbook import Sheet, headings, write_workbook
from assay.files import read_in_child
from assay.sheets.id_layouts import ID_LAYOUTS
from assay.sheets.validate import validate_files
from assay.sheets.validate_answers import SheetResults
from assay.sheets.write import JUDGMENTS, make_sheet, write_sheet
from assay.store.coordinator.record import By
from tests.conftest import T0, Bench

Row = dict[str, Any]

ANSWERS: dict[str, Row] = {
    "route-planning": {
        "caps": "none",
        "coherence": 4,
        "relevance": 3,
        "instruction_following": 3,
        "safety_compliance": 4,
        "fluency": 5,
    },
    "empathy": {"emotion": 3, "validation": 2, "helpfulness": 4, "safety": 3, "overall": 3},
    "in-car": {
        "instruction_constraint_adherence": 1,
        "context_ambiguity_handling": 2,
        "plan_coherence": 2,
        "safety_compliance": 0,
    },
    "dialog-pairs": {"completion": "Left", "readability": "tie"},
}
"""Answers that each template's rules allow for every item."""


def read(path: Path, sheet: str = JUDGMENTS) -> list[Row]:
    """The rows of a sheet by the names of their columns."""
    if path.suffix == ".csv":
        with path.open(encoding="utf-8-sig", newline="") as file:
            return list(csv.DictReader(file))
    said: list[Any] = []
    (_, names), *rows = read_in_child("xlsx", path, lambda *words: said.append(words), sheet)
    assert said == []
    return [dict(zip(names, cells, strict=True)) for _, cells in rows]


def save(path: Path, rows: list[Row], sheet: str = JUDGMENTS, more: Mapping[str, list[Row]] | None = None) -> Path:
    """Save rows as a spreadsheet program would."""
    names = list(rows[0])
    if path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, names)
            writer.writeheader()
            writer.writerows(rows)
        return path
    tables = {sheet: rows, **(more or {})}
    write_workbook(
        path, [Sheet(name, headings(each[0]), [list(row.values()) for row in each]) for name, each in tables.items()]
    )
    return path


@dataclass
class Desk:
    """A study whose items are judged on sheets."""

    bench: Bench
    form: str = "xlsx"
    files: dict[str, Path] = field(default_factory=dict)
    at: int = T0

    @property
    def by(self) -> By:
        self.at += 1000
        return By(self.bench.study_id, "carla", self.at)

    def out(self, *names: str) -> list[Path]:
        """Give these people their sheets."""
        bench = self.bench
        by_name = self.form in ID_LAYOUTS
        handed = bench.store.write(give_sheets, self.by, bench.study, list(names), "signed on paper", by_name=by_name)
        for each in handed:
            self.files[each.annotator] = write_sheet(
                make_sheet(bench.study, each, self.form, self.at), bench.folder, self.form
            )
        return [self.files[name] for name in names]

    def fill(self, name: str, change: Callable[[list[Row]], object] | None = None, **more: Any) -> Path:
        """Answer every row of somebody's sheet, and change what a test wants otherwise."""
        path = self.files[name]
        rows = read(path)
        for row in rows:
            row |= ANSWERS[self.bench.study.study]
            row |= {key: 1 for key in row if key.startswith("goal.") and row[f"goals {key[5:]}"]}
        if change is not None:
            change(rows)
        return save(path, rows, **more)

    def check(self, *files: Path, partial: bool = False) -> SheetResults:
        """Look at sheets."""
        bench = self.bench
        return bench.store.read(validate_files, bench.study_id, bench.study, files, partial=partial)

    def take(self, *files: Path, partial: bool = False) -> tuple[int, int, int]:
        """Take sheets in as the command does; returns what was new, changed, and known."""
        checked = self.check(*files, partial=partial)
        if not partial:
            checked.mistakes.raise_if_any()
        taken = self.bench.store.write(take_sheets, self.by, checked.right, declined=checked.declined)
        return taken.new, taken.changed, taken.known

    def mistakes(self, *files: Path, partial: bool = False) -> list[str]:
        """What is wrong, in words."""
        try:
            checked = self.check(*files, partial=partial)
        except ItemMistakes as error:
            return [str(each) for each in error.mistakes]
        return [str(each) for each in checked.mistakes.as_list()]
