"""A study in a notebook: judgments, items, annotators, agreed values and report numbers as data frames, and figures.

Where it comes from, a folder or a server, makes no difference to what it gives. Frames are those of pandas, or of
polars where pandas is not there.
"""

import csv
import importlib
import json
import tempfile
import time
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import duckdb

from assay.client import Client
from assay.errors import AssayError
from assay.exchange import AGREED, agreed_rows
from assay.exchange.whole_export import write_export
from assay.kinds import EXPORTS
from assay.live.export_data import export_data
from assay.live.report_data import gather_with_fieldwork
from assay.notebook_figures import NotebookFigure, NotebookFigures
from assay.report.build import Report, build
from assay.report.paper.drawing import as_svg, stand_alone
from assay.report.paper.pieces import figures_of
from assay.statistics import Ratings, ratings_from
from assay.store import open_store
from assay.store.annotator import versions
from assay.store.coordinator import studies
from assay.suggest import suggest_name

FRAMES = ("pandas", "polars")
SCREEN_CM = 19
"""How wide a figure is in a notebook."""
TABLES = ("judgments", "items", "annotators")
ZONED = "TIMESTAMP WITH TIME ZONE"


class _Source(Protocol):
    """Where a study's data come from."""

    def tables(self, folder: Path) -> None:
        """Write the tables, as the export `huggingface` has them, into a folder."""

    def agreed_values(self) -> list[dict[str, Any]]:
        """The values that were agreed on."""

    def report(self) -> dict[str, Any]:
        """Every number of the report."""

    def figures(self) -> dict[str, NotebookFigure]:
        """The figures of the report."""

    def close(self) -> None:
        """Close what is open."""


class NotebookStudy:
    """A study, opened by `assay.open`."""

    def __init__(self, source: _Source) -> None:
        self._source = source

    def close(self) -> None:
        """Close the connection to a server, where there is one."""
        self._source.close()

    @property
    def judgments(self) -> Any:
        """The long table: a row for each judgment, with columns that tell what counts."""
        return self._frames["judgments"]

    @property
    def items(self) -> Any:
        """The items, with what annotators see of them."""
        return self._frames["items"]

    @property
    def annotators(self) -> Any:
        """The annotators, by their pseudonyms."""
        return self._frames["annotators"]

    @cached_property
    def agreed(self) -> Any:
        """The values that people agreed on where they were far apart."""
        rows = self._source.agreed_values()
        return frame_of({name: [row.get(name) for row in rows] for name in AGREED})

    @cached_property
    def report(self) -> dict[str, Any]:
        """Every number of the report, as `report.json` has them."""
        return self._source.report()

    @cached_property
    def numbers(self) -> Any:
        """Every number of the report, a row for each: its section, its place there, and the number or word."""
        rows = [row for section, content in self.report.items() for row in _leaves(content, section, ())]
        names = ("section", "place", "number", "text")
        return frame_of({name: [row[at] for row in rows] for at, name in enumerate(names)})

    @cached_property
    def figures(self) -> dict[str, NotebookFigure]:
        """The figures of the report by their names; the last line of a cell shows one."""
        return NotebookFigures(self._source.figures(), lambda: self.report["figures"])

    def ratings(self, dimension: str) -> Ratings:
        """The judgments of one dimension, ready for `assay.statistics.agree`: what the report counts."""
        if dimension not in self._scales:
            raise AssayError(f"there is no dimension {dimension!r} on a scale", suggest_name(dimension, self._scales))
        scale, level = self._scales[dimension]
        rows = self._columns["judgments"]
        return ratings_from(rows, dimension=dimension, scale=scale, level=level, cluster="group")

    @cached_property
    def _columns(self) -> dict[str, dict[str, list[Any]]]:
        with tempfile.TemporaryDirectory() as folder:
            self._source.tables(Path(folder))
            self._dictionary = _dictionary(Path(folder))
            return {name: _parquet(next(Path(folder).rglob(f"{name}.parquet"))) for name in TABLES}

    @cached_property
    def _frames(self) -> dict[str, Any]:
        return {name: frame_of(columns) for name, columns in self._columns.items()}

    @property
    def _scales(self) -> dict[str, tuple[tuple[Any, ...], Any]]:
        assert self._columns
        return self._dictionary


@dataclass(frozen=True)
class _Folder:
    """A study in a store that is here."""

    database: str
    name: str

    def _with_store(self, work: Any) -> Any:
        store = open_store(self.database)
        try:
            study_id, hash_ = store.read(studies.find, self.name)
            study = store.read(versions.version, study_id, hash_)
            assert study is not None
            return work(store, study_id, study, time.time_ns() // 1_000_000)
        finally:
            store.close()

    def tables(self, folder: Path) -> None:
        kind = EXPORTS["huggingface"]()
        self._with_store(lambda *at: write_export(kind, export_data(*at), folder / "all"))

    def agreed_values(self) -> list[dict[str, Any]]:
        rows = self._with_store(lambda *at: list(agreed_rows(export_data(*at).agreed)))
        return [dict(zip(AGREED, row, strict=True)) for row in rows]

    def report(self) -> dict[str, Any]:
        numbers: dict[str, Any] = json.loads(self._report.json())
        return numbers

    def figures(self) -> dict[str, NotebookFigure]:
        found = figures_of(self._report.html())
        return {
            each.name: NotebookFigure(
                each.name,
                each.question,
                each.caption,
                as_svg(stand_alone(each.drawings["wide"], SCREEN_CM, "system-ui, sans-serif")),
            )
            for each in found
        }

    def close(self) -> None:
        """Nothing stays open."""

    @property
    def _report(self) -> Report:
        made: Report = self._with_store(lambda *at: build(gather_with_fieldwork(*at)))
        return made


@dataclass(frozen=True)
class _Server:
    """A study on a server, by its API."""

    client: Client
    name: str

    def tables(self, folder: Path) -> None:
        # As they are stored, and not anonymised, so that a server gives what a folder gives.
        packed = self.client.export(self.name, "huggingface", folder / "all.zip", anonymous=False)
        with zipfile.ZipFile(packed) as archive:
            archive.extractall(folder / "all")

    def agreed_values(self) -> list[dict[str, Any]]:
        found = self.client.adjudications(self.name)
        return [{**each, "value": each["agreed"]} for each in found if each["agreed"] is not None]

    def report(self) -> dict[str, Any]:
        return self.client.report(self.name)

    def close(self) -> None:
        self.client.close()

    def figures(self) -> dict[str, NotebookFigure]:
        with tempfile.TemporaryDirectory() as folder:
            packed = self.client.paper(self.name, Path(folder) / "paper.zip")
            with zipfile.ZipFile(packed) as archive:
                captions = _captions(archive.read("paper/captions.md").decode())
                found = [name for name in archive.namelist() if name.endswith("-2col.svg")]
                drawn = {Path(name).name.removesuffix("-2col.svg"): archive.read(name).decode() for name in found}
        return {name: NotebookFigure(name, "", captions.get(name, ""), svg) for name, svg in drawn.items()}


def open_notebook(where: str, token: str, study: str, database: str) -> NotebookStudy:
    """A study by its folder, or by its server's address and a token."""
    if where.startswith(("http://", "https://")):
        client = Client(where, token)
        names = [each["study"] for each in client.studies()]
        return NotebookStudy(_Server(client, _one_of(names, study, "the token is good for")))
    folder = Path(where)
    folder = folder.parent if folder.suffix == ".yaml" else folder
    address = database or str(folder / "assay.db")
    if not database and not (folder / "assay.db").is_file():
        raise AssayError(f"there is no study with data in {folder}", "name its folder, or its database")
    store = open_store(address)
    try:
        names = [name for _, name in store.read(studies.all_studies)]
    finally:
        store.close()
    return NotebookStudy(_Folder(address, _one_of(names, study, "the store has")))


def _one_of(names: list[str], wanted: str, where: str) -> str:
    if wanted in names or (not wanted and len(names) == 1):
        return wanted or names[0]
    raise AssayError(f"{where} {', '.join(names) or 'no study'}", "say which: study=...")


def frame_of(columns: Mapping[str, list[Any]]) -> Any:
    """A data frame of pandas, or of polars where pandas is not there."""
    for name in FRAMES:
        try:
            library = importlib.import_module(name)
        except ImportError:
            continue
        return library.DataFrame(dict(columns))
    raise AssayError("there is neither pandas nor polars here", "pip install pandas")


def _parquet(path: Path) -> dict[str, list[Any]]:
    """The columns of a Parquet file."""
    with duckdb.connect() as reader:
        kinds = {row[0]: row[1] for row in reader.execute("describe from read_parquet(?)", [str(path)]).fetchall()}
        # Times come in UTC and without their zone: with it, the reader asks for a library that need not be there.
        asked = [_column(name, kind) for name, kind in kinds.items()]
        rows = reader.execute(f"select {', '.join(asked)} from read_parquet(?)", [str(path)]).fetchall()
    return {name: [row[at] for row in rows] for at, name in enumerate(kinds)}


def _column(name: str, kind: str) -> str:
    quoted = '"' + name.replace('"', '""') + '"'
    return f"timezone('UTC', {quoted})" if kind == ZONED else quoted


def _dictionary(folder: Path) -> dict[str, tuple[tuple[Any, ...], Any]]:
    """The scale and the level of each dimension that has them, from the dictionary of an export."""
    with next(folder.rglob("dictionary.csv")).open(encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["of"] and row["level"] and row["values"]]
    return {row["of"]: (tuple(map(_point, row["values"].split("; "))), row["level"]) for row in rows}


def _point(text: str) -> Any:
    return int(text) if text.lstrip("-").isdecimal() else text


def _leaves(content: Any, section: str, place: tuple[str, ...]) -> Iterator[tuple[str, str, float | None, str | None]]:
    """Every number and word, with where it stands; a row is called by its title or name where it has one."""
    if isinstance(content, dict):
        for name, each in content.items():
            yield from _leaves(each, section, (*place, str(name)))
    elif isinstance(content, list):
        for number, each in enumerate(content):
            yield from _leaves(each, section, (*place, _name_of_row(each) or str(number)))
    elif isinstance(content, bool) or content is None or isinstance(content, str):
        yield section, ".".join(place), None, None if content is None else str(content)
    else:
        yield section, ".".join(place), float(content), None


def _name_of_row(row: Any) -> str:
    """What a row of the report is about."""
    names = ("dimension", "system", "against", "first", "second", "annotator", "name")
    return " ".join(str(row[name]) for name in names if row.get(name)) if isinstance(row, dict) else ""


def _captions(text: str) -> dict[str, str]:
    lines = (line.removeprefix("- figure `").split("`: ", 1) for line in text.splitlines() if "- figure `" in line)
    return dict(lines)
