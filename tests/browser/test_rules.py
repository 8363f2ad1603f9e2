"""Rules on the judging page: about ticks and texts, and about which questions are asked."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, Live, NewContext, Person, until
from tests.browser.test_five import CLIPPED
from tests.browser.test_pages import AXE, RULES
from tests.ruled import ASKED, RIGHT, ruled
from tests.selection import first_of

pytestmark = pytest.mark.browser


@pytest.fixture
def judging(live: Live, new_context: NewContext, tmp_path: Path) -> Iterator[Callable[..., Person]]:
    """Somebody at the first item of a small study with these parts."""
    people: list[Person] = []

    def make(
        name: str, size: tuple[int, int] = DESKTOP, *, edit: Any = None, scripts: bool = True, **parts: Any
    ) -> Person:
        study = live.add(tmp_path / name, edit or ruled(name=name, **parts))
        context = new_context(size, java_script_enabled=scripts, bypass_csp=True)
        people.append(Person(study, context, next(live.names), scripts=scripts).begin())
        return people[-1]

    yield make
    for person in people:
        assert person.trouble == []


def test_ticks_against_a_rule_are_said_to_be_wrong_and_not_sent(judging: Any) -> None:
    person = judging("ticks-against")
    page = person.page
    page.locator("#q-kinds label", has_text="A date").click()
    page.locator("#q-right label", has_text="Yes").click()
    limit = page.locator("#q-kinds .limit")
    expect(limit).to_have_text("What is true has no fault.")
    assert person.answers()["kinds"] == "date", "ticks are somebody's own work"
    page.locator("#submit").click()
    expect(page.locator("#alert li")).to_have_text("What is wrong: What is true has no fault.")
    assert not person.posts("submit")
    page.locator("#q-right label", has_text="No").click()
    expect(limit).to_have_text("")
    expect(page.locator("#alert")).to_have_text("All is in order now.")
    page.locator("#submit").click()
    person.at_item(2)
    assert person.arrived()[0]["kinds"] == ["date"]


def test_a_text_that_follows_is_filled_in_and_goes_with_its_reason(judging: Any) -> None:
    person = judging("text-follows")
    page = person.page
    page.locator("#q-right label", has_text="Yes").click()
    expect(page.locator("#q-note textarea")).to_have_value("ok")
    page.locator("#q-right label", has_text="No").click()
    expect(page.locator("#q-note textarea")).to_have_value("")
    page.locator("#q-note textarea").fill("hm")
    page.locator("#q-right label", has_text="Yes").click()
    expect(page.locator("#q-note textarea")).to_have_value("hm")
    expect(page.locator("#q-note .limit")).to_have_text("Nothing to say.")


def test_ticks_that_follow_are_ticked(judging: Any) -> None:
    person = judging("ticks-follow")
    page = person.page
    page.locator("#q-right label", has_text="No").click()
    page.locator("#q-note textarea").fill("both")
    expect(page.locator("#q-kinds input:checked")).to_have_count(2)
    page.locator("#submit").click()
    person.at_item(2)
    assert person.arrived() == [{"right": 0, "kinds": ["name", "date"], "note": "both"}]


def test_a_rule_that_only_warns_of_ticks_or_a_missing_note_is_said_once(judging: Any) -> None:
    rules = [
        {"allowed": "count(kinds) == 0", "when": "right == 1", "mode": "warn", "message": "Is it true, then?"},
        {"required": "note", "when": "right == 1", "mode": "warn", "message": "Better say why."},
    ]
    person = judging("warned", rules=rules)
    page = person.page
    page.locator("#q-right label", has_text="Yes").click()
    page.locator("#q-kinds label", has_text="A date").click()
    page.locator("#submit").click()
    expect(page.locator("#alert li").nth(0)).to_have_text("What is wrong: Is it true, then?")
    expect(page.locator("#alert li").nth(1)).to_have_text("Note: Better say why.")
    page.locator("#submit").click()
    person.at_item(2)
    assert person.arrived() == [{"right": 1, "kinds": ["date"]}]


# Questions that are asked after some answers only


def shown(page: Page) -> list[str]:
    """The titles of the questions on the page."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("fieldset.question")].filter((each) => each.checkVisibility())
            .map((each) => each.querySelector(".title").textContent)"""
    )
    return found


ALL = ["Right", "What is wrong", "How bad", "Sure", "Note"]
FEW = ["Right", "Sure", "Note"]


def test_a_question_comes_with_the_answer_that_asks_for_it_and_goes_with_it(judging: Any) -> None:
    person = judging("comes-and-goes", rubric=ASKED, rules=())
    page = person.page
    assert shown(page) == FEW
    person.press("0")
    expect(page.locator("fieldset.active")).to_have_id("q-kinds")
    assert shown(page) == ["Right", "What is wrong", "Sure", "Note"]
    person.press("2", "Enter")
    expect(page.locator("fieldset.active")).to_have_id("q-grave")
    assert shown(page) == ALL
    person.press("3", "1")
    page.locator("#q-right label", has_text="Yes").click()
    assert shown(page) == FEW
    assert person.answers() == {"right": "1", "sure": "yes"}, "what is not asked is not sent"
    page.locator("#q-right label", has_text="No").click()
    assert shown(page) == ALL
    assert person.answers() == {"right": "0", "kinds": "date", "grave": "3", "sure": "yes"}, "nothing is lost"
    person.press("Enter")
    person.at_item(2)
    assert shown(page) == FEW
    person.press("1", "2", "Enter")
    person.at_item(3)
    assert person.arrived() == [
        {"right": 0, "kinds": ["date"], "grave": 3, "sure": "yes"},
        {"right": 1, "sure": "no"},
    ]


def test_keys_pass_over_what_is_not_asked(judging: Any) -> None:
    person = judging("passed-over", rubric=ASKED, rules=())
    page = person.page
    person.press("1")
    expect(page.locator("fieldset.active")).to_have_id("q-sure")
    person.press("Backspace")
    expect(page.locator("fieldset.active")).to_have_id("q-right")
    person.press("t")
    expect(page.locator("fieldset.active")).to_have_id("q-right")
    person.press("0", "t")
    expect(page.locator("fieldset.active")).to_have_id("q-kinds")


def test_a_complaint_goes_with_the_question_it_was_about(judging: Any) -> None:
    person = judging("complaint", rubric=ASKED, rules=())
    page = person.page
    person.press("0")
    page.locator("#submit").click()
    expect(page.locator("#alert li")).to_have_text(["What is wrong", "Sure"])
    page.locator("#q-right label", has_text="Yes").click()
    expect(page.locator("#alert li")).to_have_text(["Sure"])
    assert not person.posts("submit")


def test_a_question_that_was_asked_is_there_again_after_a_reload(judging: Any) -> None:
    person = judging("reload", rubric=ASKED, rules=())
    page = person.page
    person.press("0", "1", "Enter", "2")
    until(page, lambda: page.locator("#status").get_attribute("data-state") == "saved" or person.posts("draft"))
    page.wait_for_load_state("networkidle")
    page.reload()
    person.ready()
    assert shown(page) == ALL
    assert person.answers() == {"right": "0", "kinds": "name", "grave": "2"}


def test_without_a_connection_what_is_asked_is_known_all_the_same(judging: Any) -> None:
    person = judging("offline", rubric=ASKED, rules=())
    page = person.page
    until(page, lambda: page.evaluate("window.assay.readyItems.items.length") > 1)
    person.context.set_offline(True)
    person.press("1", "1", "Enter")
    person.at_item(2)
    assert shown(page) == FEW
    person.press("0", "2", "Enter", "1", "1", "Enter")
    person.at_item(3)
    person.context.set_offline(False)
    assert person.arrived() == [
        {"right": 1, "sure": "yes"},
        {"right": 0, "kinds": ["date"], "grave": 1, "sure": "yes"},
    ]
    person.trouble = [words for words in person.trouble if "ERR_INTERNET_DISCONNECTED" not in words]


def test_on_a_phone_only_what_is_asked_is_counted_and_reached(judging: Any) -> None:
    person = judging("phone", PHONE, rubric=ASKED, rules=())
    page = person.page
    at = page.locator(".handle .at")
    expect(at).to_have_text("1/2")
    page.locator("#q-right label", has_text="No").click()
    expect(at).to_have_text("2/3")
    expect(page.locator(".handle .asked")).to_have_text("What is wrong")
    page.locator("#q-kinds label", has_text="A date").click()
    page.locator(".handle [data-to='1']").click()
    expect(at).to_have_text("3/4")
    page.locator(".handle [data-to='-1']").click()
    page.locator(".handle [data-to='-1']").click()
    page.locator("#q-right label", has_text="Yes").click()
    expect(at).to_have_text("2/2")
    expect(page.locator(".handle .asked")).to_have_text("Sure")


def test_a_block_comes_when_what_it_waits_for_is_not_asked_for_good(judging: Any, tmp_path: Path) -> None:
    def edit(folder: Path) -> None:
        ruled("reveals", ASKED[:4], ())(folder)
        text = (folder / "study.yaml").read_text("utf-8")
        block = "    - text: {field: id, label: Source}\n      after: [grave]\n"
        assert "label: Statement}\n" in text
        (folder / "study.yaml").write_text(text.replace("label: Statement}\n", f"label: Statement}}\n{block}"), "utf-8")

    person = judging("reveals", edit=edit)
    page = person.page
    waiting = page.locator(".waiting")
    expect(waiting).to_have_count(1)
    person.press("0")
    page.locator("#q-sure label", has_text="Not sure").click()
    until(page, lambda: len(person.posts("draft")) >= 2)
    expect(waiting).to_have_count(1)
    page.locator("#q-right label", has_text="Yes").click()
    expect(waiting).to_have_count(0)
    expect(page.locator(".revealed")).to_contain_text("Source")
    person.press("Enter")
    person.at_item(2)


def test_without_scripts_every_question_is_there_and_says_when_it_is_asked(judging: Any) -> None:
    person = judging("no-scripts", rubric=ASKED, rules=(), scripts=False)
    page = person.page
    expect(page.locator("fieldset.question")).to_have_count(5)
    expect(page.locator(".without-js")).to_have_text(["Only if: Right = No", "Only if: What is wrong ≥ 1"])
    page.locator("#q-right label", has_text="Yes").click()
    page.locator("#q-kinds label", has_text="A date").click()
    page.locator("#q-sure label", has_text="Not sure").click()
    page.locator("#submit").click()
    expect(page.locator("#heading")).to_contain_text("Item 2 of")
    assert person.stored() == [{"right": 1, "sure": "no"}]


def test_a_page_in_german_says_it_in_german(judging: Any) -> None:
    rubric = [RIGHT, {"dimension": "why", "text": {}, "ask_when": "right == 0 or right == 1"}]
    person = judging("deutsch", rubric=rubric, rules=(), language="de", scripts=False)
    expect(person.page.locator(".without-js")).to_have_text("Nur wenn: Right = Nein oder Right = Ja")


@pytest.mark.layout
@pytest.mark.parametrize("size", first_of([PHONE], [DESKTOP], "at a desk too"))
def test_a_page_with_such_questions_is_accessible_and_clips_no_answer(judging: Any, size: tuple[int, int]) -> None:
    person = judging(f"axe-{size[0]}", size, rubric=ASKED, rules=())
    page = person.page
    page.evaluate(AXE)
    for answer in ("Yes", "No"):
        page.locator("#q-right label", has_text=answer).click()
        found = page.evaluate("rules => axe.run(document, {runOnly: rules})", RULES)
        assert [each["id"] for each in found["violations"]] == []
        assert page.evaluate(CLIPPED, 44 if size == PHONE else 24) == []
        page.evaluate("document.querySelector('#q-right').dispatchEvent(new MouseEvent('click', {detail: 1}))")
