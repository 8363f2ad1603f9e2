"""Words in the browser: scripts say what the catalogues say, and a page can be read from right to left."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from assay.words import LANGUAGES, Words, words_of
from tests.browser.conftest import Live, NewContext, Person
from tests.web.annotator import edited

pytestmark = pytest.mark.browser

CATALOGUE: dict[str, Any] = {
    "direction": "ltr",
    "singular": [0, 1],
    "script": {"plain": "Saved", "gap": "{a} of {b}, {a}", "items": {"one": "{n} item", "other": "{n} items"}},
}
T = "async ([key, values]) => (await import('/static/words.js')).t(key, values)"


@pytest.fixture
def page(live: Live, new_context: NewContext) -> Iterator[Page]:
    """A page without any words yet."""
    opened = new_context().new_page()
    opened.goto(f"{live.address}/")
    yield opened
    opened.close()


def carry(page: Page, words: Words) -> None:
    """Let the page carry these words, as an item page does."""
    page.evaluate(
        """words => {
            const element = document.createElement("script");
            Object.assign(element, { type: "application/json", id: "words", textContent: JSON.stringify(words) });
            document.body.append(element);
        }""",
        words.on_the_page(),
    )


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("script.plain", {}),
        ("script.gap", {"a": 1, "b": "<b>"}),
        ("script.items", {"n": 0}),
        ("script.items", {"n": 1}),
        ("script.items", {"n": 2}),
    ],
)
def test_scripts_fill_gaps_and_count_as_the_server_does(page: Page, key: str, values: dict[str, Any]) -> None:
    words = Words("xx", CATALOGUE)
    carry(page, words)
    assert page.evaluate(T, [key, values]) == words(key, **values)


def test_a_word_that_is_missing_stops_nothing(page: Page) -> None:
    assert page.evaluate(T, ["script.nothing", {"n": 1}]) == "script.nothing"


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_item_page_carries_the_words_of_its_language(
    live: Live, new_context: NewContext, tmp_path: Path, language: str
) -> None:
    def in_language(folder: Path) -> None:
        edited(study=f"words-{language}", per_item="1000")(folder)
        file = folder / "study.yaml"
        file.write_text(f"language: {language}\n" + file.read_text("utf-8"), "utf-8")

    person = Person(live.add(tmp_path / "study", in_language), new_context(), f"reader-{language}").begin()
    said = [person.page.evaluate(T, [key, {}]) for key in ("answers.missing", "answers.nothing")]
    words = words_of(language)
    assert said == [words("answers.missing"), words("answers.nothing")]
    assert person.page.evaluate("document.documentElement.lang") == language
    label = person.page.locator("#q-note .optional")
    expect(label).to_have_text(words("script.optional"))
    person.press("1")
    demand = words("script.required", reason="")
    expect(label).to_contain_text(demand)
    person.page.close()


@pytest.mark.layout
def test_a_page_from_right_to_left_has_its_parts_the_other_way_round(person: Person) -> None:
    def left_edges() -> list[float]:
        boxes = [person.page.locator(name).bounding_box() for name in ("#content", "#questions")]
        return [box["x"] for box in boxes if box]

    content, questions = left_edges()
    assert content < questions
    person.page.evaluate("document.documentElement.dir = 'rtl'")
    content, questions = left_edges()
    assert questions < content
    assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
