"""The figures and tables of a report's page, as what they hold: drawings, captions, columns and rows."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

FIGURE = re.compile(r'<figure class="figure" id="figure-([\w-]+)"[^>]*>(.*?)</figure>', re.S)
DRAWING = re.compile(r'<div class="figure-(wide|narrow)">\s*(<svg.*?</svg>)', re.S)
SECTION = re.compile(r'<h3 id="t-([\w-]+)">(.*?)</h3>')
TABLE = re.compile(r"<table.*?</table>", re.S)
CAPTION, HEAD = re.compile(r"<caption\b[^>]*>(.*?)</caption>", re.S), re.compile(r"<thead\b[^>]*>(.*?)</thead>", re.S)
ROW, CELL = re.compile(r"<tr\b[^>]*>(.*?)</tr>", re.S), re.compile(r"<t[hd]\b([^>]*)>(.*?)</t[hd]>", re.S)
"""The program's own templates write the page: they close what they open, and escape what they show."""
PIECE = re.compile(r"<(/?)(span\b)?([^>]*)>|([^<]+)")
"""A tag inside a cell, or text."""
CLASS = re.compile(r"""\bclass=(?:"([^"]*)"|([^\s>]+))""")
COLUMNS = re.compile(r"""\bcolspan="?(\d+)""")
FOR_CSV = re.compile(r'\bdata-csv="([^"]*)"')
SUMMARY = re.compile(r"<summary>(.*?)</summary>", re.S)


@dataclass(slots=True)
class Cell:
    """One cell: its text, and the interval or remark that stands smaller behind it."""

    text: str = ""
    behind: str = ""
    is_number: bool = False
    columns: int = 1
    for_csv: str = ""
    """What a CSV file has in place of both, where a page has a sign or a unit more; empty: the same."""

    @property
    def in_csv(self) -> "Cell":
        """The cell as a CSV file has it."""
        text, _, behind = self.for_csv.partition(" ")
        return replace(self, text=text, behind=behind) if self.for_csv else self

    @property
    def whole(self) -> str:
        """All of it in one text."""
        return f"{self.text} {self.behind}".strip() if self.behind else self.text


@dataclass(slots=True)
class PaperTable:
    """A table: its name for files, what it shows, its head and its rows."""

    name: str = ""
    caption: str = ""
    head: list[Cell] = field(default_factory=list)
    rows: list[list[Cell]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PaperFigure:
    """A figure: its question, what it shows, the drawing for each width, and its table."""

    name: str
    question: str
    caption: str
    drawings: dict[str, str]
    """The SVG as the page has it: `wide` for two columns, `narrow` for one."""
    table: PaperTable | None

    @property
    def whole_caption(self) -> str:
        """What stands below it in a paper: what it shows as a sentence, and how it is drawn.

        >>> PaperFigure("time", "Nobody is fast", "Dots are items.", {}, None).whole_caption
        'Nobody is fast. Dots are items.'
        """
        end = "" if self.question.endswith((".", "?", "!")) else "."
        return f"{self.question}{end} {self.caption}"


def figures_of(page: str) -> list[PaperFigure]:
    """Every figure of the page."""
    found = []
    for name, inside in FIGURE.findall(page):
        question, caption = (_text_of(inside, tag) for tag in ("h3", "figcaption"))
        tables = [read_table(each) for each in TABLE.findall(inside)]
        for table in tables:
            table.name, table.caption = name, caption
        found.append(PaperFigure(name, question, caption, dict(DRAWING.findall(inside)), tables[0] if tables else None))
    return found


def tables_of(page: str) -> list[PaperTable]:
    """Every table of the appendix, named by its section and numbered there."""
    appendix = page[page.index('id="appendix"') :]
    places = [*SECTION.finditer(appendix)]
    found = []
    for place, head in enumerate(places):
        end = places[place + 1].start() if place + 1 < len(places) else len(appendix)
        inside = appendix[head.end() : end]
        for number, table in enumerate(_tables_with_titles(inside), 1):
            table.name = f"{head[1]}-{number}"
            found.append(table)
    return found


def _tables_with_titles(inside: str) -> Iterator[PaperTable]:
    """The tables of a section; one without a caption is called by what it is folded under."""
    for match in TABLE.finditer(inside):
        table = read_table(match[0])
        folded = SUMMARY.findall(inside[: match.start()])
        table.caption = table.caption or (_plain(folded[-1]) if folded else "")
        yield table


def read_table(source: str) -> PaperTable:
    """A table from its HTML.

    >>> made = read_table("<table><caption>Means</caption><thead><tr><th>System</th><th class=n>Mean</th></tr></thead>"
    ... "<tbody><tr><th>new</th><td class=n>3.5 <span class=ci>[3, 4]</span></td></tr></tbody></table>")
    >>> made.caption, [cell.text for cell in made.head], made.rows[0][1].text, made.rows[0][1].behind
    ('Means', ['System', 'Mean'], '3.5', '[3, 4]')
    """
    caption, head = CAPTION.search(source), HEAD.search(source)
    return PaperTable(
        caption=_plain(caption[1]) if caption else "",
        head=[_cell(*each) for row in ROW.findall(head[1])[-1:] for each in CELL.findall(row)] if head else [],
        rows=[[_cell(*each) for each in CELL.findall(row)] for row in ROW.findall(source, head.end() if head else 0)],
    )


def _cell(attributes: str, inside: str) -> Cell:
    is_number, columns = _what_attributes_say(attributes)
    if "<" not in inside:
        return Cell(_squeeze(html.unescape(inside)), "", is_number, columns)
    text, behind = _text_and_behind(inside)
    plain = FOR_CSV.search(inside)
    for_csv = html.unescape(plain[1]).strip() if plain else ""
    return Cell(_squeeze(html.unescape(text)), _squeeze(html.unescape(behind)), is_number, columns, for_csv)


@lru_cache(1024)
def _what_attributes_say(attributes: str) -> tuple[bool, int]:
    """Whether a cell holds a number, and how many columns it takes."""
    columns = COLUMNS.search(attributes)
    return _is_one_of(attributes, "n", "figure-number"), int(columns[1]) if columns else 1


def _text_and_behind(inside: str) -> tuple[str, str]:
    """What stands in a cell, and what stands smaller behind it: in a span of a class for that."""
    texts, spans = ["", ""], list[bool]()
    for closes, is_span, attributes, text in PIECE.findall(inside):
        if text:
            texts[any(spans)] += text
        elif is_span and not closes:
            spans.append(_is_behind(attributes))
        elif is_span and spans:
            spans.pop()
    return texts[0], texts[1]


@lru_cache(1024)
def _is_behind(attributes: str) -> bool:
    return _is_one_of(attributes, "ci", "few")


def _is_one_of(attributes: str, *names: str) -> bool:
    found = CLASS.search(attributes)
    return found is not None and not set(names).isdisjoint((found[1] or found[2] or "").split())


def _text_of(source: str, tag: str) -> str:
    found = re.search(rf"<{tag}\b[^>]*>(.*?)</{tag}>", source, re.S)
    return _plain(found[1]) if found else ""


def _plain(source: str) -> str:
    return _squeeze(html.unescape(re.sub(r"<[^>]+>", "", source)))


def _squeeze(text: str) -> str:
    return " ".join(text.split())
