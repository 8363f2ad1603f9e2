"""Layout is tested under fonts that the tests name, or visibly not at all."""

from pathlib import Path

import pytest
from tools.fonts import FAMILIES

from tests.browser import fonts
from tests.browser.conftest import NewContext, pytest_runtest_setup

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><body style="font-family: system-ui, 'Segoe UI', Roboto, 'Noto Sans', sans-serif">
<p>Plain, <b>bold</b>, <i>slanted</i>, <code style="font-family: monospace">code</code>, 漢字, עברית</p></body>"""


@pytest.mark.layout
@pytest.mark.parametrize("family", FAMILIES)
def test_a_browser_draws_with_the_family_that_was_asked_for_and_no_other(new_context: NewContext, family: str) -> None:
    context = new_context(family=family)
    page = context.new_page()
    page.set_content(PAGE)
    session = context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        session.send(f"{domain}.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    node = session.send("DOM.querySelector", {"nodeId": root, "selector": "p"})["nodeId"]
    used = {each["familyName"] for each in session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]}
    assert FAMILIES[family].name in used
    assert family == "narrow" or f"{FAMILIES[family].name} Mono" in used
    assert {name for name in used if not name.startswith(FAMILIES[family].name)} == set()


def test_without_the_fonts_a_layout_test_is_skipped_with_the_reason_and_fails_in_ci(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    monkeypatch.setattr("tools.fonts.FOLDERS", (str(tmp_path),))
    why = fonts.missing.__wrapped__()
    for family in FAMILIES.values():
        assert family.name in why
        assert family.package in why
    monkeypatch.setattr(fonts, "missing", lambda: why)
    monkeypatch.delenv("CI", raising=False)
    pytest_runtest_setup(request.node)
    request.node.add_marker(pytest.mark.layout)
    with pytest.raises(pytest.skip.Exception, match="apt-get install"):
        pytest_runtest_setup(request.node)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="apt-get install"):
        pytest_runtest_setup(request.node)
