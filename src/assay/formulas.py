r"""Formulas in a text, as LaTeX writes them: found between `$...$`, `\(...\)`, `$$...$$` or `\[...\]`, shown as MathML.

What comes out is built from elements and filtered by an allow-list: nothing in a formula becomes markup of its own.
"""

import html
import re
from collections.abc import Iterator
from functools import lru_cache
from xml.etree.ElementTree import tostring

import nh3
from latex2mathml.converter import convert_to_element
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markupsafe import Markup, escape

# A dollar is also a sign of money: one that opens has no space after it, one that closes has none before and no digit
# after it. So "$5 or $10" has no formula. A sign that opens ends the search of the one before it, also in LaTeX.
FORMULA = re.compile(
    r"(?<!\\)(?:\$\$(?P<block>[^$]+)\$\$|\\\[(?P<bracket>(?:(?!\\\[).)+?)\\\]|\\\((?P<paren>(?:(?!\\\().)+?)\\\)"
    r"|\$(?=[^\s$])(?P<inline>(?:[^$\\\n]|\\.)+)(?<!\s)\$(?!\d))",
    re.DOTALL,
)
LONGEST = 2000
"""In characters: what is longer was not written by somebody as a formula."""
PARTS = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3}
"""How many parts an element has. The library leaves out what it does not find, and that would be another formula."""
TAGS = {"math", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "mfrac", "msqrt", "mroot", "mstyle", "mpadded"}
TAGS |= {"msub", "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts", "mprescripts"}
TAGS |= {"mtable", "mtr", "mtd", "mphantom"}
ATTRIBUTES = {"math": {"display"}, "mo": {"stretchy", "fence", "form", "lspace", "rspace", "minsize", "maxsize"}}
ATTRIBUTES |= {"mi": {"mathvariant"}, "mspace": {"width", "height", "depth"}, "mfrac": {"linethickness"}}
ATTRIBUTES |= {"mstyle": {"displaystyle", "scriptlevel"}, "mtable": {"columnalign", "columnspacing", "rowspacing"}}
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
        element = convert_to_element(latex, display="block" if block else "inline")
    except Exception:  # The library answers a formula that is wrong with whatever happens to be raised.
        return None
    for each in element.iter():
        if len(each) != PARTS.get(each.tag, len(each)):
            return None
        # It writes signs as numbers, to be read back once all is text; here they are signs before anything is escaped.
        each.text = html.unescape(each.text or "")
        if each.tag == "mi" and len(each.text) > 1:
            each.set("mathvariant", "normal")  # a name such as sin stands upright (formatted_text.css)
    return Markup(nh3.clean(tostring(element, "unicode"), tags=TAGS, attributes=ATTRIBUTES))
