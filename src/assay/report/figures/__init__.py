"""The figures of the coordinator's page and of the report. Figures are kinds: one file each, its SVG beside it.

A figure asks a question and answers it with numbers; its template draws these and nothing else, and the table below it
holds the same numbers. It is drawn twice, for a desk and for a phone, and the page shows the one that fits.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic, Literal, TypeVar, get_type_hints

from markupsafe import Markup

from assay.fieldwork import AnnotatorProgress, FunnelStep, PeopleAtStep
from assay.frozen_json import from_json
from assay.in_words import count, keep_numbers_on_line
from assay.judgments.topics import Topic
from assay.kinds import FIGURES
from assay.model import Coefficient
from assay.quality import MonitorData
from assay.render import Renderer, template_of
from assay.report import charts, text_width
from assay.report.adjudication import QuestionSpread, spreads
from assay.report.annotator_work import AnnotatorWork
from assay.report.cells import cell
from assay.report.data import TOO_FEW, Data

HERE = Path(__file__).parent
FORMS = {"svg": "SVG", "png": "PNG", "pdf": "PDF", "csv": "CSV", "tex": "LaTeX"}
"""The files that a figure can be taken along as, and what they are called."""
PARTS = {
    "moving": "Is work moving?",
    "good": "Is it good?",
    "who": "Who needs a word?",
    "says": "What does it say?",
}
"""The parts of the coordinator's page, in their order."""
Part = Literal["moving", "good", "who", "says"]
MOST_PEOPLE = 20
"""The most annotators that are drawn, the most notable first; all of them are in the table."""
MOST_DRAWN = 40
"""The most rows that are drawn where they are not people."""
MOST_ROWS = 500
"""The most rows of a table."""
MOST_NAMES = 10
"""The most items that the numbers name for one mark."""
MOST_LED = 1000
"""The most items that a mark leads to."""
LONG_TABLE = 100
FEWER_NAMES = 3
"""The most items that are named in a row of a long table."""

Link = Callable[[Sequence[str], str], str]
"""Makes the address of some items from their names, and from what they have in common."""


@dataclass(frozen=True)
class Ways:
    """Where marks lead: to items, to people, to the page of one person, or to all answers on one dimension.

    Without an address for people, or for answers, such marks lead nowhere.
    """

    items: Link
    people: Link | None = None
    person: Callable[[str], str] | None = None
    answers: Callable[[str], str] | None = None
    files: Callable[[str], str] | None = None
    """The address of the figure as a file of one form: svg, png, pdf, csv or tex."""
    leads: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By what they have in common: all items, or people, that a mark leads to."""

    def __call__(self, items: Sequence[str], about: str) -> str:
        """The address of some items."""
        return self.items(items, about)

    def all(self, items: Sequence[str], about: str) -> Sequence[str]:
        """Every item that a mark leads to, where that is known; else those that its numbers name."""
        return self.leads.get(about) or items


Table = tuple[Sequence[str], Sequence[Sequence[Any]]]
"""Columns and rows. A cell is a text, a number, or a list of the names of items."""


@dataclass(frozen=True)
class FigureData:
    """What figures are made from. Nothing here knows a database."""

    report: Data
    progress: Sequence[AnnotatorProgress] = ()
    """How far each annotator is."""
    funnel: Sequence[FunnelStep] = ()
    """How many people took each step."""
    planned: int | None = None
    """How often items are to be judged, all together."""
    until: int | None = None
    """By when, where somebody has said so."""
    now: int | None = None
    """When it is looked at; left out: when something was submitted last."""
    computed: Mapping[Topic, Sequence[Coefficient]] | None = None
    """The agreement of the same data, where it was computed already."""
    people: Sequence[PeopleAtStep] = ()
    """Who took each step, and who did not."""
    most: int = MOST_NAMES
    """How many items the numbers name for each mark, at most."""

    def first(self, items: Iterable[str]) -> list[str]:
        """The first of some items, each once: as many as the numbers name."""
        return first_items(items, self.most)

    @cached_property
    def work(self) -> MonitorData:
        """The work of those who count, on the scale that is in force, with their breaks."""
        work, whole = AnnotatorWork(self.report).work, self.report.work
        return work if whole is None or work is whole else replace(work, breaks=whole.breaks)

    @property
    def agreement(self) -> Mapping[Topic, Sequence[Coefficient]]:
        """Every coefficient of every topic."""
        return self.report.agreement if self.computed is None else self.computed

    @cached_property
    def spreads(self) -> list[QuestionSpread]:
        """How far apart people are on every question of every item."""
        return spreads(self.report)


@dataclass(frozen=True, slots=True)
class Nothing:
    """Why a figure has nothing to show, in words."""

    nothing: str


N = TypeVar("N")
"""The frozen type of a figure's numbers."""


class Figure(Generic[N]):
    """One figure. A subclass that names its `kind` is registered by existing."""

    kind: ClassVar[str]
    rank: ClassVar[int]
    part: ClassVar[Part]
    question: ClassVar[str]
    """What it is about; its title where it has no finding."""
    waits: ClassVar[bool] = False
    """Whether it says how systems compare, with intervals that are right for one look, after the study is closed."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        FIGURES.register(cls.kind, cls)

    def numbers(self, data: FigureData) -> N | Nothing:
        """Everything that it shows, with n and intervals: its fields are the keys of the JSON."""
        raise NotImplementedError

    def numbers_from_json(self, content: Any) -> N | Nothing | None:
        """Its numbers as they were written to JSON; None where another version of the program wrote other ones."""
        kind = Nothing if "nothing" in content else get_type_hints(self.numbers)["return"]
        found: N | Nothing | None = from_json(kind, content)
        return found

    def in_state(self, numbers: N, state: str) -> N:
        """Cached numbers, as they are in a study of this state: once it is closed, no more work is expected."""
        return numbers

    def finding(self, numbers: N) -> str:
        """What it shows, in a sentence with its number: its title. Empty: its question is."""
        return ""

    def caption(self, numbers: N) -> str:
        """What is drawn, in a sentence with n."""
        raise NotImplementedError

    def views(self, numbers: N) -> list[tuple[str, Any]]:
        """The views to choose from, by name; the first is shown first."""
        return [("", numbers)]

    def table(self, numbers: N) -> Table:
        """The same numbers as a table."""
        raise NotImplementedError

    def leads(self, data: FigureData, numbers: N) -> Mapping[str, Sequence[str]]:
        """Items that marks lead to and that the numbers do not name, by the words of the mark."""
        return {}


def all_figures(part: Part | None = None) -> list[Figure[Any]]:
    """Every figure, or those of one part, in the order of the page."""
    found = sorted(FIGURES.values(), key=lambda each: (list(PARTS).index(each.part), each.rank))
    return [each() for each in found if part in (None, each.part)]


def draw(
    figure: Figure[N],
    numbers: N | Nothing,
    link: Ways | Link | None = None,
    heading: int = 3,
    frame: charts.Frame = charts.WIDE,
) -> Markup:
    """A figure as HTML: heading, caption, the drawing in a frame and for a phone, and the table.

    With `link`, marks lead to items.
    """
    kind: Any = type(figure)
    columns, rows = ((), ()) if isinstance(numbers, Nothing) else figure.table(numbers)
    return Markup(
        _renderer().html(
            str(HERE / "figure.html"),
            figure=figure,
            views=[] if isinstance(numbers, Nothing) else figure.views(numbers),
            nothing=numbers.nothing if isinstance(numbers, Nothing) else None,
            caption="" if isinstance(numbers, Nothing) else keep_numbers_on_line(figure.caption(numbers)),
            columns=columns,
            rows=rows[:MOST_ROWS],
            names=FEWER_NAMES if len(rows) > LONG_TABLE else MOST_NAMES,
            more=max(0, len(rows) - MOST_ROWS),
            template=template_of(kind),
            link=Ways(link) if link and not isinstance(link, Ways) else link,
            forms=FORMS,
            finding="" if isinstance(numbers, Nothing) else keep_numbers_on_line(figure.finding(numbers)),
            heading=heading,
            frames=(("wide", frame), ("narrow", charts.NARROW)),
        )
    )


@cache
def _renderer() -> Renderer:
    return Renderer(HERE, charts=charts, text=text_width, cell=cell, TOO_FEW=TOO_FEW)


def css() -> str:
    """The style sheet that figures need, for a page to put in or to serve."""
    return (HERE / "figures.css").read_text("utf-8")


def first_items(items: Iterable[str], most: int = MOST_NAMES) -> list[str]:
    """The first of some items, each once."""
    return list(dict.fromkeys(items))[:most]


def all_leads(figure: Figure[N], numbers: N | Nothing, data: FigureData) -> dict[str, list[str]]:
    """The items that each mark of a figure leads to, by its words: at most `MOST_LED` of each."""
    if isinstance(numbers, Nothing):
        return {}
    found: dict[str, list[str]] = {}

    def keep_items(items: Sequence[str], about: str) -> str:
        if about:
            found[about] = list(items)
        return ""

    draw(figure, numbers, keep_items)
    return found | {
        about: first_items(items, MOST_LED) for about, items in figure.leads(data, numbers).items() if items
    }


def not_drawn(more: int, others: str = "") -> str:
    """The sentence that a caption adds where `more` marks are not drawn; `others` is what can be said of them."""
    return f" Drawn are those that stand out most; {count(more)} more are in the table{others}." if more else ""
