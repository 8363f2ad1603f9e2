"""The page of an item that nobody has touched is filled into one that was made before, and is the same to a byte."""

from pathlib import Path
from typing import Any

import pytest

from assay.store import Backend
from assay.study.templates import template_names
from assay.web.item_page import ItemPages
from assay.web.page_with_holes import Hole, PageWithHoles
from assay.web.pages import Pages
from tests import pages
from tests.conftest import make_bench
from tests.web.annotator import Annotator, edited


class Compared(ItemPages):
    """Makes every page twice: as it is sent, and by its template alone."""

    def __init__(self, made: Pages) -> None:
        super().__init__(made.html)
        self.from_template = made.html
        self.filled: list[str] = []

    def page(self, values: dict[str, Any]) -> str | bytes:
        sent = super().page(values)
        if isinstance(sent, bytes):
            self.filled.append("page")
            assert sent.decode() == self.from_template("item.html", **values)
        return sent

    def main(self, values: dict[str, Any]) -> str:
        sent = super().main(values)
        self.filled.append("main")
        assert sent == self.from_template("item_main.html", **values)
        return sent


PLANS = {
    **{name: (name, {}) for name in template_names()},
    "free": ("empathy", {"navigation": "free"}),
    "breaks": ("empathy", {"expect": "[30, 120]\n  breaks: [{after_items: 5, minutes: 1}]"}),
}


@pytest.mark.parametrize("plan", PLANS)
def test_a_page_that_is_filled_in_is_the_page_of_its_template(plan: str, sqlite_store: Backend, tmp_path: Path) -> None:
    template, edits = PLANS[plan]
    bench = make_bench(sqlite_store, tmp_path / "study", template, edited(**edits) if edits else None)
    pages_of_study = bench.app.state.context.pages.of(bench.study)
    pages_of_study.items = compared = Compared(pages_of_study)
    for name in ("ana", "ben"):
        somebody = Annotator(bench, name).begin()
        page = somebody.page()
        address, form = pages.item_form(page)
        assert somebody.send(f"{somebody.home}/ahead", {"csrf": form["csrf"], "after": "0"}).json()["items"]
        half = {key: "1" for key in form if key not in ("csrf", "study", "made", "draft", "revision")}
        somebody.send(address.replace("/submit/", "/draft/"), {**form, **half})
        before = len(compared.filled)
        assert pages.item_form(somebody.page())[1]["draft"] == "1"
        assert len(compared.filled) == before, "what was begun is made anew"
    assert set(compared.filled) == {"page", "main"}


def test_a_value_is_escaped_wherever_it_comes_in() -> None:
    page = PageWithHoles(f"<p title='{Hole('a').__html__()}'>{Hole('b').__html__()}, {Hole('a').__html__()}</p>")
    assert page.text({"a": "\"'<", "b": 1}) == "<p title='&#34;&#39;&lt;'>1, &#34;&#39;&lt;</p>"
    assert page.encode({"a": "é", "b": "&"}) == "<p title='é'>&amp;, é</p>".encode()


@pytest.mark.parametrize(
    "use", ["{% if a %}{% endif %}", "{{ a + 1 }}", "{{ a ~ 'x' }}", "{{ a == 1 }}", "{{ a|join }}"]
)
def test_a_template_cannot_decide_by_what_comes_later(use: str) -> None:
    with pytest.raises(TypeError, match="a is filled in later"):
        Pages().environment.from_string(use).render(a=Hole("a"))
