"""Counting on the judging page: by key, by pointer, by finger, without scripts, and after a reload."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Live, NewContext, Person, until

pytestmark = pytest.mark.browser

FAILURES, SCORE = "#q-instruction_failures", "#q-instruction_constraint_adherence"
FORM = "name => new FormData(document.getElementById('judge')).getAll(name)"


def counted(page: Page, name: str = "instruction_failures") -> list[str]:
    return list(page.evaluate(FORM, name))


def test_digits_count_the_score_follows_and_enter_goes_on(at: Any) -> None:
    person = at("in-car")
    page: Page = person.page
    expect(page.locator("fieldset.active")).to_have_id(SCORE[1:])
    person.press("c")
    expect(page.locator("fieldset.active")).to_have_id(FAILURES[1:])
    person.press("3")
    assert counted(page) == ["omission"]
    expect(page.locator(f"{SCORE} input:checked")).to_have_value("1")
    person.press("3", "4")
    assert counted(page) == ["omission", "omission", "constraint_violation"]
    expect(page.locator(f"{SCORE} input:checked")).to_have_value("0")
    expect(page.locator(f"{SCORE} .limit")).to_have_text("2 or more failures make instructions 0.")
    person.press("Enter")
    expect(page.locator("fieldset.active")).to_have_id("q-context_ambiguity_handling")
    person.press("c")
    expect(page.locator("fieldset.active")).to_have_id("q-context_failures")
    person.press("c", "c", "c")
    expect(page.locator("fieldset.active")).to_have_id(FAILURES[1:])
    assert person.trouble == []


def test_enter_where_nothing_was_found_goes_to_the_score_below_and_not_to_what_is_missing_above(at: Any) -> None:
    person = at("in-car")
    page: Page = person.page
    person.press("c", "c", "c", "c")
    expect(page.locator("fieldset.active")).to_have_id("q-safety_concerns")
    expect(page.locator(".send .hint:visible")).to_have_text("Enter next question")
    person.press("Enter")
    expect(page.locator("fieldset.active")).to_have_id("q-safety_compliance")
    expect(page.locator(".send .hint:visible")).to_have_text("0-2 answer")
    expect(page.locator("#alert")).to_be_hidden()


def test_one_less_takes_the_score_back_and_with_delete_nothing_was_found(at: Any) -> None:
    person = at("in-car")
    page: Page = person.page
    person.press("c", "3", "3")
    page.locator(f"{FAILURES} .counted", has_text="Omission").get_by_role("button", name="One less: Omission").click()
    assert counted(page) == ["omission"]
    expect(page.locator(f"{SCORE} input:checked")).to_have_value("1")
    person.press("Delete")
    assert counted(page) == []
    assert page.locator(f"{SCORE} input:checked").count() == 0, "what only followed goes when that goes"


def test_a_click_on_what_was_found_opens_the_question_and_counts_nothing(at: Any) -> None:
    person = at("in-car")
    page: Page = person.page
    person.press("c", "3", "Escape")
    page.locator(f"{FAILURES} .count-more:visible").click()
    expect(page.locator("fieldset.active")).to_have_id(FAILURES[1:])
    assert counted(page) == ["omission"]
    page.locator(f"{FAILURES} .count-more").first.click()
    assert counted(page) == ["unjustified_refusal", "omission"]


def test_where_it_was_found_can_be_said_and_comes_back_with_the_draft(at: Any) -> None:
    person = at("in-car")
    page: Page = person.page
    person.press("c", "3", "3", "w")
    page.keyboard.type("x03")
    person.press("Enter")
    expect(page.locator(FAILURES)).to_be_focused()
    assert counted(page) == ["omission", "omission @3"]
    expect(page.locator("#status")).to_have_text("Saved")
    person.open()
    assert sorted(counted(page)) == ["omission", "omission @3"]
    expect(page.locator(f"{FAILURES} .often").nth(2)).to_have_text("2")
    person.press("c")
    assert [field.input_value() for field in page.locator(f"{FAILURES} .where input").all()] == ["", "3"]


def test_a_turn_that_the_conversation_does_not_have_is_refused_on_the_page(at: Any) -> None:
    person = at("in-car")
    page: Page = person.page
    turns = page.locator(".chat .turn").count()
    person.press("c", "3", "w")
    page.keyboard.type(str(turns + 1))
    field = page.locator(f"{FAILURES} .where input")
    expect(field).to_have_attribute("aria-invalid", "true")
    person.press("Escape", "Enter", "Enter")  # back to the counting, on to the next question, and submit
    expect(page.get_by_role("alert")).to_contain_text(f'"{turns + 1}" is no number from 1 to {turns}.')
    expect(page.locator(FAILURES)).to_have_class(re.compile("foremost"))
    field.fill(str(turns))
    person.press("Enter")
    expect(field).not_to_have_attribute("aria-invalid", "true")
    expect(page.locator(FAILURES)).not_to_have_class(re.compile("invalid"))


def test_what_is_no_turn_is_said_beside_its_field_as_soon_as_it_is_left(at: Any) -> None:
    person = at("in-car")
    page: Page = person.page
    turns = page.locator(".chat .turn").count()
    person.press("c", "3", "3", "w")
    page.keyboard.type("46")
    fields = page.locator(f"{FAILURES} .where input")
    said = page.locator(f"{FAILURES} .counted", has_text="Omission").locator(".no-place")
    expect(said).to_be_hidden()
    person.press("Enter")
    expect(said).to_have_text(f'"46" is no number from 1 to {turns}.')
    expect(fields.nth(1)).to_be_focused()
    page.keyboard.type("2, 6")
    person.press("Tab")
    expect(fields.nth(1)).to_have_value("2, 6")
    expect(said).to_have_text('"2, 6" is more than one number. Each field is for one; count once more for another.')
    fields.nth(1).fill("2")
    person.press("Enter")
    expect(said).to_be_hidden()
    expect(page.locator(FAILURES)).to_be_focused()
    assert counted(page) == ["omission", "omission @2"]


def test_where_what_is_left_is_the_open_question_enter_says_what_is_wrong_with_it(at: Any) -> None:
    person = at("in-car")
    page: Page = person.page
    person.press("c", "3", "3", "w")
    page.keyboard.type("46")
    person.press("Escape", "Enter")
    for _ in range(page.locator("fieldset.question:not([data-optional])").count() - 1):
        person.press("0")
    expect(page.locator("fieldset.active")).to_have_id(FAILURES[1:])
    expect(page.locator(f"{FAILURES} .no-place:visible")).to_have_count(1)
    expect(page.locator("#alert")).to_be_hidden()
    person.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text('"46" is no number')
    fields = page.locator(f"{FAILURES} .where input")
    expect(fields.nth(1)).to_be_focused()
    wrong = fields.evaluate_all("all => all.map(each => each.ariaInvalid)")
    assert wrong == [None, "true"], "an empty field is not wrong"
    assert page.locator(f"{FAILURES} input[aria-invalid]").count() == 1
    page.keyboard.type("3")
    person.press("Control+Enter")
    person.at_item(2)


def test_w_leads_to_the_field_of_what_was_counted_last(at: Any) -> None:
    person = at("in-car")
    page: Page = person.page
    person.press("c", "3", "2", "w")
    page.keyboard.type("4")
    person.press("Enter")
    assert counted(page) == ["irrelevant_response @4", "omission"]
    person.press("w")
    page.keyboard.type("3")
    person.press("Enter", "3")
    keys = page.locator(f"{FAILURES} .where kbd")
    expect(keys.filter(visible=True)).to_have_count(1)
    assert counted(page) == ["irrelevant_response @4", "omission @3", "omission"]
    expect(page.locator(f"{FAILURES} .counted", has_text="Omission").locator(".where kbd").last).to_be_visible()


@pytest.mark.parametrize("sign", ["#", "3", "§"])
def test_shift_and_a_digit_by_its_place_take_one_back(at: Any, sign: str) -> None:
    person = at("in-car")
    page: Page = person.page
    person.press("c", "3", "3", "4")
    press = """sign => document.activeElement.dispatchEvent(new KeyboardEvent("keydown",
      { key: sign, code: "Digit3", shiftKey: true, bubbles: true, cancelable: true }))"""
    page.evaluate(press, sign)
    assert counted(page) == ["omission", "constraint_violation"]
    expect(page.locator(f"{SCORE} input:checked")).to_have_value("0")
    person.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("with Shift one less")


def test_the_letter_stands_at_the_line_that_it_opens(at: Any) -> None:
    person = at("in-car")
    page: Page = person.page
    badge = page.locator("legend kbd:visible", has_text="C")

    def line() -> str | None:
        return badge.locator("xpath=ancestor::fieldset").get_attribute("id")

    tops = "all => all.map(each => each.getBoundingClientRect().height)"
    legends = page.locator("fieldset.counts:not(.active) legend")
    for digit in ("2", "2", "2"):
        expect(badge).to_have_count(1)
        meant = line()
        assert len(set(legends.evaluate_all(tops))) == 1, "no line is higher for it"
        person.press("c")
        assert page.locator("fieldset.active").get_attribute("id") == meant
        person.press("Enter", digit)
    assert meant == "q-plan_findings"


def test_one_key_is_named_for_going_on_and_another_for_submitting(at: Any) -> None:
    person = at("in-car")
    page: Page = person.page
    submit, height = page.locator("#submit"), "document.querySelector('.send').offsetHeight"
    before = page.evaluate(height)
    assert submit.inner_text() == "Submit Enter"
    person.press("c", "3", "w")
    assert submit.inner_text() == "Submit Ctrl Enter"
    assert page.evaluate(height) == before
    person.press("Escape")
    assert page.evaluate(height) == before
    expect(page.locator(".send .hint:visible")).to_have_text("Enter next question")
    assert submit.inner_text() == "Submit Ctrl Enter"
    person.press("Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text("answers are missing")


def test_what_this_device_has_kept_is_put_in_again(at: Any) -> None:
    person = at("in-car")
    page: Page = person.page
    page.route("**/draft/**", lambda route: route.abort())
    person.press("c", "3", "3", "3", "3", "3", "w")
    page.keyboard.type("7")
    person.press("Escape")
    page.wait_for_timeout(300)
    person.open()
    until(page, lambda: len(counted(page)) == 5)
    assert sorted(counted(page)) == ["omission"] * 4 + ["omission @7"]
    person.trouble.clear()  # the browser complains of what does not get through


def test_what_was_counted_is_stored_with_the_score_that_follows(at: Any) -> None:
    person = at("in-car")
    page: Page = person.page
    person.press("c", "3", "w")
    page.keyboard.type("2")
    person.press("Enter", "Enter", "2", "2", "2")
    goals = page.locator("fieldset.yes_no").count()
    person.press(*["0"] * goals, "Enter")
    person.at_item(2)
    [stored] = person.arrived()
    assert stored["instruction_failures"] == ["omission @2"]
    assert stored["instruction_constraint_adherence"] == 1


def test_on_a_phone_a_finger_counts(at: Any) -> None:
    person = at("in-car", PHONE, has_touch=True, is_mobile=True)
    page: Page = person.page
    if page.locator(".sheet.open").count() == 0:
        page.locator(".handle [data-toggle]").tap()
    page.get_by_role("button", name="Previous question").tap()
    more = page.locator(f"{FAILURES} .counted", has_text="Omission").get_by_role("button", name="One more: Omission")
    assert (more.bounding_box() or {"height": 0})["height"] >= 44
    more.tap()
    page.wait_for_timeout(400)
    more.tap()
    assert counted(page) == ["omission", "omission"]


def test_without_scripts_boxes_are_ticked(lives: dict[str, Live], new_context: NewContext) -> None:
    person = Person(lives["in-car"], new_context(java_script_enabled=False), scripts=False).begin()
    page = person.page
    boxes = page.locator(f"{FAILURES} .counted", has_text="Omission").locator("input")
    expect(boxes).to_have_count(3)
    boxes.nth(0).check()
    boxes.nth(1).check()
    page.locator("#q-context_ambiguity_handling label").last.click()
    page.locator("#submit").click()
    expect(page.locator("#alert")).to_contain_text("Plan coherence")
    assert "Instructions" not in page.locator("#alert").inner_text(), "the count gives the score"
    expect(boxes).to_have_count(3)
    assert boxes.evaluate_all("all => all.map(each => each.checked)") == [True, True, False]


def test_a_finding_that_rules_the_others_out_stands_alone_and_counts_once(at: Any) -> None:
    person = at("in-car")
    page: Page = person.page
    findings = page.locator("#q-plan_findings")
    reason = findings.get_by_text("Fewer than 3 places stands alone, counted once.")
    person.press("c", "c", "c")
    expect(page.locator("fieldset.active")).to_have_id("q-plan_findings")
    person.press("1")
    expect(reason).to_be_hidden()
    expect(page.locator("#q-plan_coherence input:checked")).to_have_value("2")
    person.press("2")
    expect(reason).to_be_visible()
    findings.get_by_role("button", name="One less: Missing stop").click()
    expect(reason).to_be_hidden()
    person.press("1")
    expect(reason).to_be_visible()
    findings.get_by_role("button", name="One less: Fewer than 3 places").click()
    expect(reason).to_be_hidden()
    assert counted(page, "plan_findings") == ["few_places"]
    expect(page.locator("#q-plan_coherence input:checked")).to_have_value("2")
    assert person.trouble == []
