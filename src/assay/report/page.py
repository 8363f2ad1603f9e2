"""A report as a self-contained page, and as JSON text."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

from assay.beside import Start, here
from assay.in_words import keep_numbers_on_line
from assay.kinds import FIGURES
from assay.render import Renderer
from assay.report import charts, text_width
from assay.report.data import Data
from assay.report.figures import Nothing, css, draw
from assay.report.sections import PARTS, Section, all_sections
from assay.report.take_along import hash_of_script, script, with_files
from assay.report.tiles_of_report import verdict_of
from assay.statistics import title_of

BLOCKS = re.compile(r'(</?(?:details|figure)\b[^>]*>|<p class="muted">.*?</p>)', re.S)
LEADS = {
    "moving": ("overview",),
    "good": ("agreement",),
    "who": ("flags", "excluded"),
    "says": ("systems", "preferences"),
}
"""Where each tile leads: to the first of these sections that the report has."""
FOLDER = Path(__file__).parent
LINE = 260
"""A value of at most this many letters stands on one line of the JSON file."""


Parts = Mapping[str, Any]
"""Numbers by the kind of their section, or of their figure."""


@dataclass(frozen=True, slots=True)
class ShownSection:
    """A section as the page shows it."""

    section: Section[Any]
    lines: list[str]
    figures: list[Markup]
    body: Markup
    tables: Markup
    """What the section folds: it stands in the appendix."""


@cache
def _renderer() -> Renderer:
    """The renderer, cached for the whole process: a new one would load each template again."""
    return Renderer(FOLDER, charts=charts, text=text_width, title_of=title_of)


def page(data: Data, sections: Parts, figures: Parts, start: Start[Any] = here) -> str:
    """The whole page. Sections without anything to show are left out."""
    folder, renderer = FOLDER, _renderer()
    shown = []
    for section in all_sections():
        numbers = sections[section.kind]
        drawn = [_figure(figures, name) for name in section.figures]
        body, tables = fold_apart(renderer.kind(section, numbers=numbers, charts=charts, title_of=title_of).strip())
        lines, drawn = section.lines(numbers), [each for each in drawn if each]
        found = ShownSection(section, lines, drawn, Markup(body), Markup(tables))
        if found.lines or found.figures or body or tables:
            shown.append(found)
    style = Markup(
        f"{(folder / 'report.css').read_text('utf-8')}\n{css()}\n{(folder / 'print.css').read_text('utf-8')}"
    )
    # What has nothing but tables stands in the appendix alone.
    said = [each for each in shown if each.lines or each.figures or each.body]
    parts = [(name, title, [each for each in said if each.section.part == name]) for name, title in PARTS.items()]
    there = {each.section.kind for each in said}
    targets = {tile: f"s-{next((kind for kind in kinds if kind in there), 'summary')}" for tile, kinds in LEADS.items()}
    made = renderer.html(
        "report.html",
        made_at=data.made_at,
        study=data.study,
        parts=parts,
        shown=shown,
        style=style,
        script=Markup(script()),
        script_hash=hash_of_script(),
        verdict=verdict_of(data, sections).html(targets=targets),
    )
    return keep_numbers_on_line(with_files(made, start))


def fold_apart(html: str) -> tuple[str, str]:
    """What a section shows at once, and what it folds: its tables, with the notes below them, for the appendix.

    A figure keeps its own table.

    >>> fold_apart("<p>a</p><details>b<details>c</details></details><figure><details>d</details></figure>")
    ('<p>a</p><figure><details>d</details></figure>', '<details>b<details>c</details></details>')
    """
    shown, folded, open_ = list[str](), list[str](), list[str]()
    for piece in BLOCKS.split(html):
        opens, closes = re.match(r"<(details|figure)\b", piece), re.match(r"</(?:details|figure)>", piece)
        if opens:
            open_.append(opens[1])
        is_note = not open_ and bool(folded) and piece.startswith('<p class="muted"')
        (folded if is_note or (open_ and open_[0] == "details") else shown).append(piece)
        if closes:
            open_.pop()
    return "".join(shown).strip(), "".join(folded).strip()


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
"""Encodes values of other types, and raises for NaN."""
_WRITERS: dict[type, Callable[[Any], str]] = {
    str: json.encoder.encode_basestring,
    int: repr,
    float: lambda value: repr(value) if value - value == 0 else _ENCODER.encode(value),
    bool: {True: "true", False: "false"}.__getitem__,
    type(None): {None: "null"}.__getitem__,
}
"""Fast writers for the frequent types of values, of which there are hundreds of thousands."""
_NAMES = frozenset({str})


def _figure(figures: Parts, name: str) -> Markup:
    numbers = figures.get(name)
    return Markup("") if numbers is None or isinstance(numbers, Nothing) else draw(FIGURES[name](), numbers)


def as_text(value: Any, indent: str = "") -> str:
    """JSON that people can read: what is short stands on one line.

    >>> print(as_text({"ci": [0.1, 0.2], "long": ["a", "b" * 300]}).replace("b" * 300, "b"))
    {
     "ci": [0.1, 0.2],
     "long": [
      "a",
      "b"
     ]
    }
    """
    if not isinstance(value, dict | list | tuple):
        return _WRITERS.get(type(value), _ENCODER.encode)(value)
    further, names = indent + " ", value if isinstance(value, dict) else None
    every = value if names is None else names.values()
    rows = [write(each) if (write := _WRITERS.get(type(each))) else as_text(each, further) for each in every]
    if names is not None:
        rows = [_before(name) + row for name, row in zip(names, rows, strict=True)]
    first, last = "[]" if names is None else "{}"
    # A row that takes several lines is longer than one, so that all of them are on one line where that suffices.
    if not rows or sum(map(len, rows)) + 2 * len(rows) <= LINE:
        is_plain = names is None or _NAMES.issuperset(map(type, names))
        return f"{first}{', '.join(rows)}{last}" if is_plain else _ENCODER.encode(value)
    return f"{first}\n{further}" + f",\n{further}".join(rows) + f"\n{indent}{last}"


@lru_cache(4096, typed=True)
def _before(key: Any) -> str:
    """The key of an object with its colon, as JSON."""
    return f"{_ENCODER.encode(str(key))}: "
