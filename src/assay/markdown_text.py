"""Markdown as safe HTML, of guides and of items. A guide can be divided into parts, and its headings linked to."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from assay import formulas as formulas_in_text
from assay.formulas import add_formulas
from assay.model import WORDS_A_MINUTE

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
TAGS = {"p", *HEADINGS, "ul", "ol", "li", "strong", "em", "code", "pre", "blockquote", "hr", "br"}
TAGS |= {"table", "thead", "tbody", "tr", "th", "td"} | formulas_in_text.TAGS
ATTRIBUTES = {tag: {"id"} for tag in HEADINGS} | formulas_in_text.ATTRIBUTES
PARTS_AT = "h2"
LONGEST_WHOLE = 3 * WORDS_A_MINUTE
"""A guide that takes longer is divided."""
LONGEST_PART = 2 * WORDS_A_MINUTE
"""Its parts are joined as long as together they take no longer than this; a short one also up to the length above."""
SHORTEST_PART = WORDS_A_MINUTE * 3 / 4


@lru_cache(maxsize=512)
def markdown(text: str, below: int = 0, formulas: bool = False) -> Markup:
    """Markdown as safe HTML: raw HTML is off, links are inert, and the output is filtered again.

    `below` is the level of the heading above it: its own headings begin one level lower. With `formulas`, what stands
    between the delimiters of LaTeX is shown as a formula.
    """
    parser = _parser()
    if formulas:
        add_formulas(parser)
    tokens = parser.parse(text)
    _lower(tokens, below)
    return _safe(parser, tokens)


@dataclass(frozen=True, slots=True)
class GuideHeading:
    """A heading of a guide, with the id that a link to it needs."""

    title: str
    level: int
    place: str


@lru_cache(maxsize=64)
def with_headings(text: str, name: str, below: int = 0) -> tuple[Markup, tuple[GuideHeading, ...]]:
    """Markdown as HTML whose headings have ids, which begin with this name; and the headings."""
    parser = _parser()
    tokens = parser.parse(text)
    found = []
    for number, (at, token) in enumerate(_headings(tokens)):
        token.attrSet("id", f"{name}-{number}")
        found.append(GuideHeading(_plain(tokens[at + 1]), int(token.tag[1]), f"{name}-{number}"))
    _lower(tokens, below)
    return _safe(parser, tokens), tuple(found)


def parts_of(text: str) -> list[str]:
    """A long guide in parts that are read in about two minutes each, divided at its headings of the second level."""
    if words_in(text) <= LONGEST_WHOLE:
        return [text]
    lines = text.splitlines(keepends=True)
    starts = [token.map[0] for _, token in _headings(_parser().parse(text)) if token.tag == PARTS_AT and token.map]
    pieces = ["".join(lines[start:end]) for start, end in zip([0, *starts], [*starts, len(lines)], strict=True)]
    parts: list[str] = []
    for piece in pieces:
        short = bool(parts) and min(words_in(piece), words_in(parts[-1])) < SHORTEST_PART
        most = LONGEST_WHOLE if short else LONGEST_PART
        if parts and words_in(parts[-1] + piece) <= most:
            parts[-1] += piece
        else:
            parts.append(piece)
    if len(parts) > 1 and words_in(parts[-1]) < SHORTEST_PART:
        parts[-2:] = ["".join(parts[-2:])]  # a rest of a few lines is no step of its own
    return parts


def words_in(text: str) -> int:
    """About how many words are read in a text."""
    return len(text.split())


def minutes_to_read(text: str) -> int:
    """About how many minutes a text takes, one at least."""
    return max(1, round(words_in(text) / WORDS_A_MINUTE))


def titles_of(parts: Sequence[str]) -> list[str]:
    """A title for each part of a guide: its second-level headings; of more than two, the first and the last.

    The first part has the title of the guide too: without it, nobody would find what the guide begins with.
    """
    return [_title_of(part, divided=len(parts) > 1) for part in parts]


def _title_of(text: str, divided: bool) -> str:
    tokens = _parser().parse(text)
    found = [(token.tag, _plain(tokens[at + 1])) for at, token in _headings(tokens)]
    if not found:
        return ""
    titles = [title for tag, title in found if tag == PARTS_AT]
    below = ", ".join(titles) if len(titles) <= 2 else f"{titles[0]} … {titles[-1]}"
    if found[0][0] == PARTS_AT:
        return below
    return f"{found[0][1]}: {below}" if divided and below else found[0][1]


def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _safe(parser: MarkdownIt, tokens: list[Token]) -> Markup:
    rendered = parser.renderer.render(tokens, parser.options, {})
    return Markup(nh3.clean(rendered, tags=TAGS, attributes=ATTRIBUTES, allowed_classes=formulas_in_text.CLASSES))


def _headings(tokens: list[Token]) -> Iterator[tuple[int, Token]]:
    return ((at, token) for at, token in enumerate(tokens) if token.type == "heading_open")


def _lower(tokens: list[Token], below: int) -> None:
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + below)}"


def _plain(token: Token) -> str:
    """The text of a heading, without its markup."""
    return "".join(each.content for each in token.children or () if each.type in ("text", "code_inline"))
