r"""Formulas in a text, as LaTeX writes them: found between `$...$`, `\(...\)`, `$$...$$` or `\[...\]`, shown as MathML.

What comes out is built from elements and filtered by an allow-list: nothing in a formula becomes markup of its own.
"""

import html
import re
from collections.abc import Iterator
from functools import lru_cache
from xml.etree.ElementTree import Element, tostring

import nh3
from latex2mathml.commands import MATRICES
from latex2mathml.converter import convert_to_element
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markupsafe import Markup, escape

# A dollar is also a sign of money: one that opens has no space after it, one that closes has none before and no digit
# after it. So "$5 or $10" has no formula, as in pandoc. Nor has "5$, tax 1$": behind a letter or a digit only what goes
# with it opens one, as in CO$_2$ and 5$\mu$m. A sign that opens ends the search of the one before it, also in LaTeX,
# where the second sign of a line break, as in "\\[4pt]", opens nothing.
FORMULA = re.compile(
    r"(?<!\\)(?:\$\$(?P<block>[^$]+)\$\$|\\\[(?P<bracket>(?:\\\\|(?!\\[\\\[]).)+?)\\\]"
    r"|\\\((?P<paren>(?:\\\\|(?!\\[\\(]).)+?)\\\)"
    r"|(?:(?<![0-9A-Za-z])|(?=\$[\\_^]))\$(?=[^\s$])(?P<inline>(?:[^$\\\n]|\\.)+)(?<!\s)\$(?!\d))",
    re.DOTALL,
)
LONGEST = 2000
"""In characters: what is longer was not written by somebody as a formula."""
# Environments that the library does not know, as ones that it knows: only their numbering and size differ.
SAME = {"aligned": "align*", "gathered": "displaylines", "gather": "displaylines", "gather*": "displaylines"}
SAME |= {"dcases": "cases", "equation": "", "equation*": "", "displaymath": "", "math": ""}
ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{([a-zA-Z]+\*?)\}")
BREAK = re.compile(r"\\\\\*?[ \t]*\[\s*-?[\d.]+\s*[a-z]{2}\s*\]|\\\\\*")
"""A line break with the room below it, which has no counterpart."""
KNOWN = {each.removeprefix("\\") for each in MATRICES}
PARTS = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3}
"""How many parts an element has. The library leaves out what it does not find, and that would be another formula."""
TAGS = {"math", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "mfrac", "msqrt", "mroot", "mstyle", "mpadded"}
TAGS |= {"msub", "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts", "mprescripts"}
TAGS |= {"mtable", "mtr", "mtd", "mphantom"}
ATTRIBUTES = {"math": {"display"}, "mo": {"stretchy", "fence", "form", "lspace", "rspace", "minsize", "maxsize"}}
ATTRIBUTES |= {"mi": {"mathvariant"}, "mspace": {"width", "height", "depth"}, "mfrac": {"linethickness"}}
ATTRIBUTES |= {"mstyle": {"displaystyle", "scriptlevel"}, "mtable": {"columnalign", "columnspacing", "rowspacing"}}
ATTRIBUTES["mtable"] |= {"displaystyle"}
CLASSES = {"mrow": {"boxed"}}
ATTRIBUTES |= {"mtd": {"columnalign"}, "mover": {"accent"}, "munder": {"accentunder"}}
"""Of MathML Core what formulas are made of: no links, no styles, no actions, nothing that carries other markup."""


def as_text_with_formulas(text: str) -> Markup:
    """A plain text with its formulas; all else is escaped.

    >>> as_text_with_formulas("$x < 1$ & more")
    Markup('<math display="inline"><mrow><mi>x</mi><mo>&lt;</mo><mn>1</mn></mrow></math> &amp; more')
    >>> as_text_with_formulas("$5 or $10")
    Markup('$5 or $10')
    """
    return Markup("").join(_pieces(text))


def _pieces(text: str) -> Iterator[Markup]:
    end = 0
    for found in FORMULA.finditer(text):
        yield escape(text[end : found.start()])
        yield mathml(found)
        end = found.end()
    yield escape(text[end:])


def add_formulas(parser: MarkdownIt) -> None:
    """Let a parser of Markdown find formulas, before anything in them is taken for Markdown."""
    parser.inline.ruler.before("escape", "formula", _formula_here)
    parser.add_render_rule("formula", _render)


def _formula_here(state: StateInline, silent: bool) -> bool:
    found = FORMULA.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        state.push("formula", "", 0).content = found[0]
    state.pos = found.end()
    return True


def _render(self: object, tokens: list[Token], at: int, options: object, env: object) -> str:
    found = FORMULA.fullmatch(tokens[at].content)
    assert found is not None
    return mathml(found)


def mathml(found: re.Match[str]) -> Markup:
    """A formula that was found, as MathML; as it is written where that cannot be done."""
    kind = str(found.lastgroup)
    return _mathml(found[kind].strip(), kind in ("block", "bracket")) or Markup("<code>{}</code>").format(found[0])


@lru_cache(maxsize=512)
def _mathml(latex: str, block: bool) -> Markup | None:
    if len(latex) > LONGEST:
        return None
    try:
        element = convert_to_element(_as_known(latex), display="block" if block else "inline")
    except Exception:  # The library answers a formula that is wrong with whatever happens to be raised.
        return None
    for each in element.iter():
        if not _is_read(each):
            return None
        if each.get("notation") == "box":  # browsers do not know this element, but they draw borders
            each.tag, each.attrib = "mrow", {"class": "boxed"}
        # It writes signs as character references. They become characters here, before the text is escaped.
        each.text = html.unescape(each.text or "")
        if each.tag == "mi" and len(each.text) > 1:
            each.set("mathvariant", "normal")  # a name such as sin stands upright (formatted_text.css)
    return Markup(nh3.clean(tostring(element, "unicode"), tags=TAGS, attributes=ATTRIBUTES, allowed_classes=CLASSES))


def _as_known(latex: str) -> str:
    """The formula as the library can read it. Raises ValueError for a kind of table that it would drop."""

    def replace_environment(found: re.Match[str]) -> str:
        name = SAME.get(found[2], found[2])
        if name and name not in KNOWN:
            raise ValueError(name)
        return rf"\{found[1]}{{{name}}}" if name else "{" if found[1] == "begin" else "}"

    return ENVIRONMENT.sub(
        replace_environment, re.sub(r"\\arg(?![A-Za-z])", r"\\operatorname{arg}", BREAK.sub(r"\\\\", latex))
    )


def _is_read(element: Element) -> bool:
    """Whether the library has understood this part of a formula.

    What it does not know it leaves out or takes for an identifier: a command, or an `&` outside a table.
    """
    if len(element) != PARTS.get(element.tag, len(element)) or element.get("linebreak"):
        return False
    if element.tag not in TAGS and element.get("notation") != "box":
        return False
    text = element.text or ""
    return element.tag not in ("mi", "mo") or not (text == "&" or text.startswith("\\"))
