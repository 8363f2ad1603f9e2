r"""Formulas in texts: as MathML where they can be read, as they are written where not, and never as markup."""

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
    for text in ("It costs $5 or $10.", "from $5-$10", "US$ 3 and 4$", r"\$x\$ is quoted"):
        assert "<math" not in shown(display, text)[0], text
    assert "<math" not in shown(MARKDOWN, "`$x$` as code")[0]


@both
def test_what_cannot_be_read_is_shown_as_it_is_written(display: Any) -> None:
    for text in (r"$\frac{a$", r"\(\left( x\)", r"$x^{$", "$" + "x" * 2001 + "$"):
        html, page = shown(display, text)
        assert "<math" not in html
        assert [each.strip() for each in page.of("prose")] == [text]


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
