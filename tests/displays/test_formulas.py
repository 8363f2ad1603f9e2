r"""Formulas in texts: as MathML where they can be read, as they are written where not, and never as markup."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.displays.blocks import HOSTILE, Seen, assert_harmless, block, html_of
from tests.examples import examples

PLAIN = block("text", {"field": "response", "formulas": True})
MARKDOWN = block("text", {"field": "response", "formulas": True, "markdown": True})
both = pytest.mark.parametrize("display", [PLAIN, MARKDOWN], ids=["plain", "markdown"])
pieces = st.lists(
    st.sampled_from(
        ["$", "$$", "\\(", "\\)", "\\[", "\\]", "\\frac", "{", "}", "^", "_", "\\text{", "x", " ", "<b>", "\n"]
    )
)


def shown(display: Any, text: str) -> tuple[str, Seen]:
    html = html_of(display, {"response": text})
    assert_harmless(html)
    return html, Seen(html)


@both
@pytest.mark.parametrize(
    ("text", "way"),
    [(r"$a_1^2$", "inline"), (r"\(a_1^2\)", "inline"), (r"$$a_1^2$$", "block"), (r"\[a_1^2\]", "block")],
)
def test_a_formula_becomes_mathml_in_its_line_or_on_its_own(display: Any, text: str, way: str) -> None:
    html, page = shown(display, f"Then {text} follows.")
    wanted = f'<math display="{way}"><mrow><msubsup><mi>a</mi><mn>1</mn><mn>2</mn></msubsup></mrow></math>'
    assert wanted in html
    assert page.of("prose")[0].split() == ["Then", "a12", "follows."]


def test_a_name_stands_upright_and_a_letter_is_slanted() -> None:
    html, _ = shown(PLAIN, r"$\sin x$")
    assert '<mi mathvariant="normal">sin</mi>' in html
    assert "<mi>x</mi>" in html


@both
def test_money_and_code_are_no_formulas(display: Any) -> None:
    for text in (
        *("It costs $5 or $10.", "from $5-$10", "US$ 3 and 4$", r"\$x\$ is quoted"),
        *("cost 5$, tax 1$.", "cost 5$, tax 1$", "for 5$/day or 30$/week", "in US$, in CA$."),
    ):
        html, page = shown(display, text)
        assert "<math" not in html, text
        assert page.of("prose")[0].strip() == (text.replace("\\", "") if display is MARKDOWN else text)
    assert "<math" not in shown(MARKDOWN, "`$x$` as code")[0]
    code = shown(MARKDOWN, "5$ or 6$. `$x$`")[0]
    assert "5$ or 6$. <code" in code
    assert ">$x$</code>" in code


@both
def test_a_formula_may_stand_within_a_word(display: Any) -> None:
    for text in ("CO$_2$ here", r"3$\sigma$ here", r"10$^\circ$C", "设$x$为", "the $n$th", "($x$)", r"$\arg\max_x f$"):
        assert shown(display, text)[0].count("<math") == 1, text


@both
def test_what_cannot_be_read_is_shown_as_it_is_written(display: Any) -> None:
    for text in (r"$\frac{a$", r"\(\left( x\)", r"$x^{$", "$" + "x" * 2001 + "$"):
        html, page = shown(display, text)
        assert "<math" not in html
        assert [each.strip() for each in page.of("prose")] == [text]


UNREADABLE = (
    *(r"$\foo{x}$", r"$\SI{5}{m}$", r"\(x & y\)", r"$$a \\ b$$", r"$$a=b\cr c$$", r"$\cancel{x}+1$"),
    *(r"$$\begin{tikzpicture}a\end{tikzpicture}$$", r"$$\begin{multline}a\\b\end{multline}$$"),
)


@both
@pytest.mark.parametrize("text", UNREADABLE)
def test_a_formula_of_which_a_part_is_not_known_is_not_shown_as_another_one(display: Any, text: str) -> None:
    html, page = shown(display, f"So {text} holds")
    assert "<math" not in html
    assert " ".join(page.of("prose")[0].split()) == f"So {text} holds"


def in_lines(html: str) -> list[str]:
    """What stands in each row of a table of a formula."""
    return [re.sub("<[^>]*>", "", row) for row in re.findall("<mtr>(.*?)</mtr>", html)]


@both
@pytest.mark.parametrize("name", ["aligned", "align*", "split"])
def test_equations_below_each_other_keep_their_lines_and_stand_at_their_signs(display: Any, name: str) -> None:
    for opening, closing in (("$$", "$$"), (r"\[", r"\]")):
        text = rf"{opening}\begin{{{name}}}a&=\frac{{b}}{{2}}\\[4pt] &=d\end{{{name}}}{closing}"
        html, _ = shown(display, text)
        assert in_lines(html) == ["a=b2", "=d"]
        assert html.count('<mtd columnalign="right">') == html.count('<mtd columnalign="left">') == 2
        assert '<mtable displaystyle="true"' in html


@both
def test_formulas_gathered_below_each_other_keep_their_lines(display: Any) -> None:
    for name in ("gathered", "gather*"):
        assert in_lines(shown(display, rf"$$\begin{{{name}}}a=b\\c=d\end{{{name}}}$$")[0]) == ["a=b", "c=d"]


@both
def test_a_result_in_a_box_keeps_its_box(display: Any) -> None:
    html, _ = shown(display, r"$\boxed{42}$")
    assert '<mrow class="boxed"><mrow><mn>42</mn></mrow></mrow>' in html


names = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=8)


@given(
    st.lists(names | st.sampled_from(["sin", "alpha", "frac", "begin", "left", "\\", " ", "&", "{", "}"]), min_size=1)
)
@settings(max_examples=examples(100), deadline=None)
def test_no_command_is_shown_as_the_name_of_something(commands: list[str]) -> None:
    html = html_of(PLAIN, {"response": "$x" + "".join(rf"\{name} y" for name in commands) + "$"})
    assert not re.search(r"<m[io][^>]*>\\[a-z\\]", html)


@both
def test_nothing_in_a_formula_becomes_markup_or_a_link(display: Any) -> None:
    html, page = shown(
        display, rf"$\text{{{HOSTILE}}}$ and $\href{{javascript:alert(1)}}{{x}} \style{{color:red}}{{y}}$"
    )
    names = {name for _, attributes in page.tags for name in attributes}
    assert names <= {"class", "dir", "display"}
    assert "<script" not in html


@given(pieces.map("".join) | st.text())
@settings(max_examples=examples(100), deadline=None)
def test_whatever_is_written_harms_nothing(text: str) -> None:
    for display in (PLAIN, MARKDOWN):
        shown(display, text)


def test_a_text_full_of_signs_that_open_takes_no_longer_than_its_length() -> None:
    assert shown(PLAIN, "\\(" * 50_000)[1].of("prose") == ["\\(" * 50_000]


def test_formulas_and_chips_together_are_refused() -> None:
    with pytest.raises(ValidationError, match="formulas and chips cannot be used together"):
        block("text", {"field": "response", "formulas": True, "chips": True})
