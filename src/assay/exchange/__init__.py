"""Exports: judgments as data, in formats that open without this program. Written complete or not at all.

A format is one file here. Some are tables of their own; others write what the programs of five studies wrote, and say
which studies they suit.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol, TypeVar

from assay.errors import AssayError
from assay.exchange.anonymity_report import AnonymityReport
from assay.exchange.export_columns import (
    AGREED,
    BREAKS,
    CHECK_INS,
    COLUMNS,
    QUESTIONNAIRE,
    Column,
    agreed_rows,
    as_row,
    as_time,
    break_row,
    check_in_row,
    questionnaire_row,
)
from assay.exchange.long_lines import LONG, LONG_LINES
from assay.kinds import EXPORTS
from assay.model import Agreed, Comparison, ExportAnnotator, ExportItem, Judgment
from assay.study.rubric import Dimension
from assay.study.schema import Study
from assay.submission_rows import SubmissionRows, one_by_one

By = Literal["time", "item", "annotator"]
T = TypeVar("T")
AT_ONCE = 200
"""So many submissions are a part where nothing else says so."""


class Submissions(Protocol):
    """Streams the submissions: as they came, item by item, or annotator by annotator."""

    def __call__(self, by: By = "time") -> Iterator[SubmissionRows]:
        """Start a stream from the first submission."""


class Parts(Protocol):
    """Maps a function over chunks of the submissions, as they came, perhaps in two processes."""

    def __call__(self, work: Callable[[Iterable[SubmissionRows]], T]) -> Iterator[T]:
        """Start from the first submission; the results come in the order of the chunks."""


@dataclass(frozen=True)
class ExportData:
    """What there is to export. Everything large is a function that starts a stream."""

    study: Study
    submissions: Submissions
    items: Callable[[], Iterator[ExportItem]]
    annotators: Callable[[], Iterator[ExportAnnotator]]
    made_at: int
    studies: Mapping[str, Study] = field(default_factory=dict)
    """The versions of the study under which judgments were given, by hash."""
    comparisons: Sequence[Comparison] = ()
    """Which systems the study compares with each other, each in its direction."""
    total: Callable[[], int | None] = lambda: None
    """How many judgments will come, where that is known."""
    agreed: Sequence[Agreed] = ()
    """The values that were agreed on where people were far apart."""
    named_by: Literal["item", "group"] = "item"
    """By which id a format that is joined with other data calls an item."""
    changed: AnonymityReport | None = None
    """What was changed so that it can be published; None: it is as it was stored."""
    parts: Parts | None = None
    """The submissions in parts, where they are stored so that this is quicker."""

    @cached_property
    def dimensions(self) -> dict[str, Dimension]:
        """Every dimension that judgments may have: those in force, then those of earlier versions."""
        found: dict[str, Dimension] = {}
        for version in (self.study, *self.studies.values()):
            for each in version.rubric:
                found.setdefault(each.dimension, each)
        return found

    @property
    def has_agreed(self) -> bool:
        """Whether the study has agreed values, or allows them: formats of several tables then write them as one."""
        return bool(self.agreed) or self.study.analysis.adjudicate_above is not None

    @cached_property
    def derived_values(self) -> dict[str, str]:
        """Every value that is computed, by name, with its heading."""
        found: dict[str, str] = {}
        for version in (self.study, *self.studies.values()):
            for each in version.derive:
                found.setdefault(each.derived, each.heading)
        return found

    @cached_property
    def items_by_id(self) -> dict[str, ExportItem]:
        """All items by id, for formats that write an item beside each of its judgments."""
        return {each.item.id: each for each in self.items()}

    def item(self, name: str) -> ExportItem:
        """One item."""
        if name not in self.items_by_id:
            raise AssayError(f"the item {name!r} came in while the export ran", "run it again")
        return self.items_by_id[name]

    def judgments(self, by: By = "time") -> Iterator[Judgment]:
        """The judgments one by one, those of a submission together."""
        return one_by_one(self.submissions(by))

    def in_parts(self, work: Callable[[Iterable[SubmissionRows]], T]) -> Generator[T]:
        """The results of `work` on chunks of the submissions: texts, numbers, and lists or tuples of them."""
        if self.parts is not None:
            yield from self.parts(work)
            return
        every = self.submissions()
        while some := list(islice(every, AT_ONCE)):
            yield work(some)

    def of_people(self, by: By) -> Iterator[Judgment]:
        """What people said of the study's items, as it counts: the newest revision, no practice, control or surplus."""
        return (each for each in self.judgments(by) if each.counts and not each.judge)


@dataclass(frozen=True)
class ExportResult:
    """What an export wrote."""

    count: int
    what: str = "judgments"
    notes: Sequence[str] = ()
    """What the person should know: what was left out, and why."""


class Export:
    """A format. A subclass that names its `kind` is registered by existing."""

    kind: ClassVar[str]
    suffix: ClassVar[str] = ""
    """How its file ends; empty where it writes a folder."""
    name: ClassVar[str] = ""
    """What its file or folder is called where nobody says; left out: by its kind."""
    publishes: ClassVar[bool] = False
    """Whether it is made for publishing, so that it is anonymised unless somebody asks for it as it is."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "kind" in cls.__dict__:
            EXPORTS.register(cls.kind, cls)

    def refuses(self, study: Study) -> str:
        """Why a study cannot be written like this, by its shape; nothing where it can."""
        return ""

    def write(self, data: ExportData, path: Path) -> ExportResult:
        """Write everything to a file, or into a folder that is there and empty. What comes as a stream stays one."""
        raise NotImplementedError

    def columns(self, data: ExportData) -> Iterable[tuple[str, Column]]:
        """Every column that it writes, each with the file or sheet it stands in, for the data dictionary."""
        raise NotImplementedError

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[Any]], path: Path) -> int:
        """Write any table and return how many rows it had; only some formats can."""
        tables = ", ".join(name for name, kind in EXPORTS.items() if kind.table is not Export.table)
        raise AssayError(f"{self.kind} is a format for judgments alone", f"for other tables: {tables}")


__all__ = [
    "AGREED",
    "BREAKS",
    "CHECK_INS",
    "COLUMNS",
    "LONG",
    "LONG_LINES",
    "QUESTIONNAIRE",
    "Column",
    "Export",
    "ExportData",
    "ExportResult",
    "agreed_rows",
    "as_row",
    "as_time",
    "break_row",
    "check_in_row",
    "questionnaire_row",
]
