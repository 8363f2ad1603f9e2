"""The page of a plan opens from disk, and shows all of its tables on a phone."""

from pathlib import Path

import pytest

from tests.browser.conftest import DESKTOP, PHONE, NewContext
from tests.browser.test_coordinator_reach import SCROLLED_ASIDE
from tests.browser.test_figures import CUT, TOUCHING
from tests.servers import command as run

pytestmark = [pytest.mark.browser, pytest.mark.layout]


def test_on_a_phone_no_table_of_a_plan_has_to_be_scrolled_aside(new_context: NewContext, tmp_path: Path) -> None:
    file = tmp_path / "plan.html"
    run("plan", "--alpha", "0.6", "--between", "1.0", "--within", "0.8", "--equivalence", "--html", str(file))
    assert file.exists()
    page = new_context(offline=True).new_page()
    page.goto(file.as_uri())
    for width, height in (DESKTOP, PHONE):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(SCROLLED_ASIDE) == []
        assert page.evaluate(CUT) + page.evaluate(TOUCHING) == []
