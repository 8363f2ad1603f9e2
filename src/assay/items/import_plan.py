"""What an import will do: every file is read to its end and counted before anything is stored."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.items.entry_links import NO_LINKS, LinkFile
from assay.items.import_summary import ImportSummary
from assay.items.imported_judgments import ImportedAnswers, ItemName
from assay.items.judgment_counts import JudgmentCounts
from assay.items.judgment_fields import JudgmentsWanted
from assay.items.judgment_sheet import read_judgment_sheet
from assay.items.reader import ImportedRow, read_items
from assay.study.schema import Study

KEPT_BYTES = 100_000_000
"""Item files up to this size are kept in memory between the plan and the writing."""

Progress = Callable[[str, int | None], AbstractContextManager[Callable[[int], None]]]
"""Shows how far something is, of so many."""


@dataclass
class ImportFiles:
    """The files of an import, and how they are read."""

    items: Path | None
    join: Path | None
    sheets: Sequence[Path]
    pictures: Path | None
    wanted: JudgmentsWanted
    links: Mapping[str, LinkFile] = field(default_factory=lambda: NO_LINKS)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of everything that is read, for the list of imports."""
        return tuple(each.name for each in (self.items, self.join, *self.sheets) if each is not None)


@dataclass
class ImportPlan:
    """What an import will do: everything was read once, and nothing is stored yet."""

    study: Study
    files: ImportFiles
    progress: Progress
    summary: ImportSummary = field(init=False)
    kept: list[ImportedRow] | None = None
    """The items, where the file is of ordinary size; a large one is read a second time."""
    given: list[tuple[ItemName, ImportedAnswers]] = field(default_factory=list)
    """The judgments that will be taken in: those of sheets, then those of the rows as they come."""
    sheets: dict[str, JudgmentCounts] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read the items and the sheets."""
        self.summary = ImportSummary(self.study, self.files.links)
        path = self.files.items
        if path is not None:
            self.kept = [] if path.is_file() and path.stat().st_size <= KEPT_BYTES else None
            for row in self._read("Reading", None):
                self.summary.add(row)
                if self.kept is not None:
                    self.kept.append(row)
        for sheet in self.files.sheets:
            found = read_judgment_sheet(self.study, sheet, partial=self.files.wanted.partial)
            counts = self.sheets.setdefault(sheet.name, JudgmentCounts(self.study))
            counts.not_judged += found.not_judged
            for _, each in found.given:
                counts.add(each)
            self.given.extend(found.given)

    def rows(self) -> Iterator[ImportedRow]:
        """Every row once more, to be stored; the judgments in it are added to those that will be taken in."""
        for row in self._read("Taking in", self.summary.rows):
            self.given.extend((row.name, each) for each in row.judgments if each.judge or self.files.wanted.people)
            yield row

    def _read(self, what: str, total: int | None) -> Iterator[ImportedRow]:
        files = self.files
        if files.items is None:
            return
        # The second time, what was kept is used.
        again = self.kept if total is not None else None
        notes = self.summary.of_file if total is None else None
        rows: Iterable[ImportedRow] = again or read_items(
            self.study, files.items, files.join, files.wanted, files.pictures, files.links, notes
        )
        with self.progress(what, total) as show:
            for number, row in enumerate(rows, start=1):
                show(number)
                yield row

    def lines(self) -> Iterator[str]:
        """The plan in words."""
        if self.files.items is not None:
            yield f"{self.files.items.name}:"
            yield from (f"  {line}" for line in self.summary.lines())
        for name, counts in self.sheets.items():
            yield f"{name}:"
            yield from (f"  {line}" for line in counts.lines())
            if not counts.items:
                yield "  no score is filled in"

    def as_json(self) -> dict[str, Any]:
        """The plan as JSON."""
        sheets = [{"file": name, **counts.as_json()} for name, counts in self.sheets.items()]
        return {**self.summary.as_json(), "sheets": sheets}
