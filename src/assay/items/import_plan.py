"""What an import will do: every file is read to its end and counted before anything is stored."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from assay.beside import Copy, copy
from assay.items import source_of
from assay.items.entry_links import NO_LINKS, LinkFile
from assay.items.import_summary import ImportSummary, SaidOfItems
from assay.items.imported_judgments import ImportedAnswers, ItemName
from assay.items.judgment_counts import JudgmentCounts
from assay.items.judgment_fields import JudgmentsWanted
from assay.items.judgment_sheet import read_judgment_sheet
from assay.items.reader import ImportedRow, read_items
from assay.study.schema import Study

KEPT_BYTES = 100_000_000
"""Item files up to this size are kept in memory between the plan and the writing."""
LONG_BYTES = 4_000_000
"""From this size on a file is summarised beside its reading, where there is a second core: it takes half a second."""

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
    """What an import will do: everything was read once, and nothing is stored yet.

    A long file is summarised by a fork of this process, which reads it, too: meanwhile the items can be stored, and
    `what_it_says` waits for the summary.
    """

    study: Study
    files: ImportFiles
    progress: Progress
    complete: Callable[[ImportSummary], None]
    """Adds to a summary what follows from more than the rows."""
    kept: list[ImportedRow] | None = None
    """The items, where the file is of ordinary size; a large one is read a second time."""
    given: list[tuple[ItemName, ImportedAnswers]] = field(default_factory=list)
    """The judgments that will be taken in: those of sheets, then those of the rows as they come."""
    sheets: dict[str, JudgmentCounts] = field(default_factory=dict)
    rows_read: int = 0
    _copy: Copy[SaidOfItems] | None = None

    def __post_init__(self) -> None:
        """Read the items and the sheets."""
        try:
            summary = self._read_items()
            self._read_sheets()
            if self._copy is None:
                self.what_it_says = self._complete(summary)
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        """Stop the fork: nobody will ask for its summary any more."""
        if self._copy is not None:
            self._copy.end()

    @cached_property
    def what_it_says(self) -> SaidOfItems:
        """The summary of the items; waits for it if need be."""
        return self._summarise() if self._copy is None else self._copy()

    @property
    def is_said(self) -> bool:
        """Whether the summary is there, so that nobody waits for it."""
        return "what_it_says" in vars(self)

    def _read_items(self) -> ImportSummary:
        """Read the items; returns their summary, empty where another process makes it."""
        path = self.files.items
        summary = ImportSummary(self.study, self.files.links)
        if path is None:
            return summary
        is_file = path.is_file()
        if is_file and path.stat().st_size >= LONG_BYTES and source_of(path).by_rows:
            self._copy = copy(self._summarise)
        self.kept = [] if is_file and path.stat().st_size <= KEPT_BYTES else None
        for row in self._read("Reading", None, summary.of_file):
            self.rows_read += 1
            if self._copy is None:
                summary.add(row)
            if self.kept is not None:
                self.kept.append(row)
        return summary

    def _summarise(self) -> SaidOfItems:
        """Read the items once more, for their summary alone."""
        summary = ImportSummary(self.study, self.files.links)
        for row in self._rows_of_file(summary.of_file):
            summary.add(row)
        return self._complete(summary)

    def _complete(self, summary: ImportSummary) -> SaidOfItems:
        if self.files.items is not None:
            self.complete(summary)
        return summary.what_it_says()

    def _read_sheets(self) -> None:
        for sheet in self.files.sheets:
            found = read_judgment_sheet(self.study, sheet, partial=self.files.wanted.partial)
            counts = self.sheets.setdefault(sheet.name, JudgmentCounts(self.study))
            counts.not_judged += found.not_judged
            for _, each in found.given:
                counts.add(each)
            self.given.extend(found.given)

    def rows(self) -> Iterator[ImportedRow]:
        """Every row once more, to be stored; the judgments in it are added to those that will be taken in."""
        for row in self._read("Taking in", self.rows_read, None):
            if row.judgments:
                self.given.extend((row.name, each) for each in row.judgments if each.judge or self.files.wanted.people)
            yield row

    def _read(self, what: str, total: int | None, notes: list[str] | None) -> Iterator[ImportedRow]:
        if self.files.items is None:
            return
        # The second time, what was kept is used; whoever asks once more has the file read again.
        again = None
        if total is not None:
            again, self.kept = self.kept, None
        with self.progress(what, total) as show:
            for number, row in enumerate(_release_rows(again) if again else self._rows_of_file(notes), start=1):
                show(number)
                yield row

    def _rows_of_file(self, notes: list[str] | None) -> Iterable[ImportedRow]:
        files = self.files
        if files.items is None:
            return ()
        return read_items(self.study, files.items, files.join, files.wanted, files.pictures, files.links, notes)

    def lines(self) -> Iterator[str]:
        """The plan in words."""
        if self.files.items is not None:
            yield f"{self.files.items.name}:"
            yield from (f"  {line}" for line in self.what_it_says.lines)
        for name, counts in self.sheets.items():
            yield f"{name}:"
            yield from (f"  {line}" for line in counts.lines())
            if not counts.items:
                yield "  no score is filled in"

    def as_json(self) -> dict[str, Any]:
        """The plan as JSON."""
        sheets = [{"file": name, **counts.as_json()} for name, counts in self.sheets.items()]
        return {**self.what_it_says.json, "sheets": sheets}


def _release_rows(rows: list[ImportedRow]) -> Iterator[ImportedRow]:
    """Each row once, released when it was taken: the fork needs more memory the further it comes."""
    rows.reverse()
    while rows:
        yield rows.pop()
