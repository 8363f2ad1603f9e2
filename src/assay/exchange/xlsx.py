"""Everything in one workbook."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, ClassVar

from assay.errors import AssayError
from assay.exchange import LONG, LONG_LINES, Column, Export, ExportData, ExportResult
from assay.exchange.export_columns import (
    AGREED,
    ANNOTATORS,
    agreed_rows,
    annotator_rows,
    as_time,
    item_columns,
    item_rows,
    typed_columns,
    values_of,
)
from assay.exchange.workbook import (
    MEASURED,
    MOST_ROWS,
    ROW_END,
    ROW_START,
    Sheet,
    cell_xml,
    headings,
    letters_of,
    write_workbook,
)
from assay.study.schema import Study

STUDY = [Column("key", "what is said of the study"), Column("content", "what it is")]


class XlsxExport(Export):
    """One workbook: judgments (the long table), items, annotators, study; and agreed, where values are agreed on.

    Every text is a text cell: nothing is run as a formula, and ids such as 007 stay as they are. A workbook ends at
    1,048,576 rows, and a cell at 32,767 characters: a longer text is cut, and says so.
    """

    kind: ClassVar[str] = "xlsx"
    suffix: ClassVar[str] = ".xlsx"
    name: ClassVar[str] = "judgments"

    def write(self, data: ExportData, path: Path) -> ExportResult:
        if (total := data.total()) is not None and total >= MOST_ROWS:
            what = f"there are {total:,} judgments, and a sheet of a workbook ends at {MOST_ROWS:,} rows"
            raise AssayError(what, "write another format: csv, jsonl and parquet have no such end")
        lines = LONG_LINES.maker(lambda place: partial(cell_xml, letters_of(place)), ROW_START, "", ROW_END)
        with closing(data.in_parts(lambda some: list(lines(some)))) as made:
            return ExportResult(write_workbook(path, _sheets(data, made))[0])

    def columns(self, data: ExportData) -> Iterator[tuple[str, Column]]:
        yield from (("judgments", column) for column in LONG)
        yield from (("items", column) for column in item_columns(data.study))
        yield from (("annotators", column) for column in typed_columns(ANNOTATORS))
        if data.has_agreed:
            yield from (("agreed", column) for column in typed_columns(AGREED))
        yield from (("study", column) for column in STUDY)

    def table(self, columns: Any, rows: Any, path: Path) -> int:
        return write_workbook(path, [Sheet("breaks", _heads(columns), rows)])[0]


def _sheets(data: ExportData, made: Iterable[list[str]]) -> list[Sheet]:
    """All sheets. `made` has the rows of the judgments as XML."""
    return [
        _judgments(data, made),
        Sheet("items", _heads(item_columns(data.study)), item_rows(data.study, data.items())),
        Sheet("annotators", _heads(typed_columns(ANNOTATORS)), annotator_rows(data.annotators())),
        *([Sheet("agreed", _heads(typed_columns(AGREED)), agreed_rows(data.agreed))] if data.has_agreed else []),
        Sheet("study", _heads(STUDY), _about(data)),
    ]


def _judgments(data: ExportData, made: Iterable[list[str]]) -> Sheet:
    """The long table: its rows as they are written, and the first of them as values, which say how wide columns are."""
    first = islice(map(values_of, data.judgments()), MEASURED)
    return Sheet("judgments", _heads(LONG), (), chain.from_iterable(made), list(first))


def _heads(columns: list[Column]) -> Any:
    return headings(column.name for column in columns)


def _about(data: ExportData) -> Iterator[tuple[str, Any]]:
    """What a reader needs to know of the study."""
    yield from about(data.study).items()
    yield "exported_at", as_time(data.made_at)
    for hash_ in data.studies:
        yield "version judged under", hash_


def about(study: Study) -> dict[str, Any]:
    """The study in a few lines: its name, its version, and what was asked."""
    asked = {f"dimension {each.dimension}": each.ask or each.heading for each in study.rubric}
    computed = {f"computed {each.derived}": each.heading for each in study.derive}
    said = {"study": study.study, "title": study.title, "language": study.language, "seed": study.seed}
    return {**said, "version in force": study.hash, **asked, **computed}
