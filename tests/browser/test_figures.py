"""Every figure in a real browser: no fault that axe finds, in light and dark, at a desk and on a phone."""

import pytest
from playwright.sync_api import Page

from assay.report.figures import all_figures, css, draw
from tests.browser.conftest import DESKTOP, PHONE, NewContext
from tests.browser.test_pages import RULES, violations
from tests.report.test_figures import EVERYTHING

pytestmark = pytest.mark.browser

SMALLEST = 12
TEXTS = """() => [...document.querySelectorAll('.figure svg text')].filter(each => each.getClientRects().length)
    .map(each => {
        const scale = each.ownerSVGElement.getBoundingClientRect().width / each.ownerSVGElement.viewBox.baseVal.width;
        return parseFloat(getComputedStyle(each).fontSize) * scale;
    })"""
CUT = """() => [...document.querySelectorAll('.figure svg text')].filter(each => {
        const [text, box] = [each.getBoundingClientRect(), each.ownerSVGElement.getBoundingClientRect()];
        return text.width && (text.left < box.left - 2 || text.right > box.right + 2
            || text.top < box.top - 2 || text.bottom > box.bottom + 2);
    }).map(each => each.closest('figure').id + ': ' + each.textContent)"""


def show(page: Page) -> None:
    """All figures on one page, with links, one with its table open: all tables are of one make."""
    figures = "".join(draw(each, each.numbers(EVERYTHING), lambda item: f"#{item}", 2) for each in all_figures())
    page.set_content(
        '<!doctype html><html lang="en"><head><title>Figures</title>'
        '<meta name="viewport" content="width=device-width"><style>:root { color-scheme: light dark } '
        f"body {{ margin: 16px; font: 16px/1.5 sans-serif }} {css()}</style>"
        f"</head><body><main><h1>Figures</h1>{figures}</main></body></html>"
    )
    page.locator("#figure-leniency summary").click()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_every_figure_can_be_used_by_everybody(new_context: NewContext, size: tuple[int, int]) -> None:
    page = new_context(size, reduced_motion="reduce").new_page()
    show(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert page.locator(".figure svg:visible").count() == len(all_figures()), "one of the two drawings of each"
    assert min(page.evaluate(TEXTS)) >= SMALLEST
    assert page.evaluate(CUT) == []
    assert violations(page, RULES) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, ["color-contrast"]) == []


def test_the_table_of_a_figure_is_one_key_away_and_leads_to_items(new_context: NewContext) -> None:
    page = new_context().new_page()
    show(page)
    figure = page.locator("#figure-leniency")
    summary = figure.locator("summary")
    summary.focus()
    page.keyboard.press("Enter")
    assert figure.locator("table").is_hidden()
    page.keyboard.press("Enter")
    assert figure.locator("table").is_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.url.endswith("#i" + page.url.rpartition("#i")[2])
    assert "#i" in page.url
