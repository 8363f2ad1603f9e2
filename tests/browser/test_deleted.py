"""Whoever has everything deleted leaves nothing on their device either: no answer that waits, no draft."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Live, NewContext, Person, choose, until
from tests.web.annotator import with_items

pytestmark = pytest.mark.browser

ON_THE_DEVICE = """async () => {
  const open = await new Promise((done) => {
    const asked = indexedDB.open("assay");
    asked.onsuccess = () => done(asked.result);
  });
  const all = async (name) => new Promise((done) => {
    const asked = open.transaction(name).objectStore(name).getAll();
    asked.onsuccess = () => done(asked.result.map((each) => each.body));
  });
  const found = [...await all("parcels"), ...await all("copies")];
  open.close();
  return found;
}"""


def on_the_device(page: Page) -> list[str]:
    found: list[str] = page.evaluate(ON_THE_DEVICE)
    return found


def with_work_that_waits(page: Page, note: str) -> None:
    """An item is submitted and the next one begun, and the server takes neither."""
    for kind in ("submit", "draft"):
        page.route(f"**/{kind}/**", lambda route: route.abort())
    for key in (*"33333", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#heading")).to_contain_text("Item 2")
    page.wait_for_selector("#judge.enhanced")
    page.locator("textarea[name=note]").fill(note)
    until(page, lambda: any(note in each for each in on_the_device(page)))


def leave_for_my_data(page: Page) -> None:
    page.on("dialog", lambda dialog: dialog.accept())
    choose(page, "My data")
    expect(page.locator("h1")).to_have_text("Your data in this study")


def with_a_name(name: str) -> Callable[[Path], None]:
    """An edit that gives the study a name of its own: run once more, the test finds its items free."""

    def edit(folder: Path) -> None:
        with_items(3)(folder)
        file = folder / "study.yaml"
        file.write_text(file.read_text("utf-8").replace("study: empathy", f"study: deleted-{name}"), "utf-8")

    return edit


def test_whoever_has_everything_deleted_leaves_no_answer_and_no_draft_on_their_device(
    live: Live, new_context: NewContext, tmp_path: Path
) -> None:
    study = live.add(tmp_path / "study", with_a_name(next(live.names)))
    other = Person(live, context := new_context()).begin()
    other.page.route("**/draft/**", lambda route: route.abort())
    other.page.locator("textarea[name=note]").fill("somebody-else")
    until(other.page, lambda: any("somebody-else" in each for each in on_the_device(other.page)))
    her = Person(study, context).begin()
    with_work_that_waits(her.page, "my-neighbour")
    assert len(on_the_device(her.page)) == 3, "an answer and a draft of hers, and the other's draft"
    leave_for_my_data(her.page)
    her.page.get_by_role("button", name="Stop, and delete").click()
    expect(her.page.locator("#deleted")).to_be_attached()
    until(her.page, lambda: len(on_the_device(her.page)) == 1)
    assert "somebody-else" in on_the_device(her.page)[0], "what another person has begun here stays theirs"
