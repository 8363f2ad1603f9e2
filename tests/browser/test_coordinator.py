import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Live, NewContext, Person

pytestmark = pytest.mark.browser


def test_the_coordinators_page_shows_each_annotator_and_stays_current(
    live: Live, person: Person, new_context: NewContext
) -> None:
    page = new_context().new_page()
    page.clock.install()  # so that nobody has to wait for the page to look again
    page.goto(live.coordinator_link())
    page.get_by_role("button", name="Open").click()
    expect(page.locator("html:not(.no-js)")).to_be_attached()
    columns = page.get_by_role("columnheader").all_text_contents()
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=person.name, exact=True))

    def cell(column: str) -> Locator:
        return row.locator("th, td").nth(columns.index(column))

    expect(cell("Gates")).to_have_text("passed")
    expect(cell("Submitted")).to_have_text("0")
    expect(cell("Last seen (UTC)")).to_have_text("–")

    person.press("3", "4", "2", "3", "4", "Enter")
    person.at_item(2)
    page.clock.run_for(5_000)
    expect(cell("Submitted")).to_have_text("1")
    expect(cell("Last seen (UTC)")).not_to_have_text("–")
    expect(page.locator("#status")).to_have_text("")


def test_the_coordinators_page_says_when_it_is_not_current(live: Live, new_context: NewContext) -> None:
    context = new_context()
    page = context.new_page()
    page.clock.install()
    page.goto(live.coordinator_link())
    page.get_by_role("button", name="Open").click()
    expect(page.locator("html:not(.no-js)")).to_be_attached()
    context.set_offline(True)
    page.clock.run_for(5_000)
    expect(page.locator("#status")).to_contain_text("Not current")
    context.set_offline(False)
    page.clock.run_for(5_000)
    expect(page.locator("#status")).to_have_text("")
