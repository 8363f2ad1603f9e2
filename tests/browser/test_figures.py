"""Every figure in a real browser: no fault that axe finds, in light and dark, at a desk and on a phone, in any font."""

from dataclasses import replace

import pytest
from playwright.sync_api import Page
from tools.fonts import FAMILIES

from assay.fieldwork import AnnotatorProgress, FunnelStep
from assay.report import text_width
from assay.report.figures import FigureData, all_figures, css, draw
from tests.browser.conftest import DESKTOP, PHONE, NewContext
from tests.browser.test_pages import RULES, violations
from tests.report.test_figures import EVERYTHING, seen
from tests.report.test_figures import long_names as forty_letters

pytestmark = [pytest.mark.browser, pytest.mark.layout]

SMALLEST = 12
SIZES = """() => [...document.querySelectorAll('.figure svg text')].filter(each => each.getClientRects().length)
    .map(each => {
        const scale = each.ownerSVGElement.getBoundingClientRect().width / each.ownerSVGElement.viewBox.baseVal.width;
        return parseFloat(getComputedStyle(each).fontSize) * scale;
    })"""
CUT = """() => [...document.querySelectorAll('.figure svg text')].filter(each => {
        const [text, box] = [each.getBoundingClientRect(), each.ownerSVGElement.getBoundingClientRect()];
        return text.width && (text.left < box.left - 2 || text.right > box.right + 2
            || text.top < box.top - 2 || text.bottom > box.bottom + 2);
    }).map(each => each.closest('figure').id + ': ' + each.textContent)"""


# Names that were cut: none of the names has an ellipsis.
ELLIPSES = """() => [...document.querySelectorAll('.figure svg text')].filter(each => each.textContent.includes('…'))
    .map(each => each.closest('figure').id + ': ' + each.textContent)"""
# Texts that lie on one another.
TOUCHING = """() => [...document.querySelectorAll('.figure svg')].flatMap(drawing => {
        const texts = [...drawing.querySelectorAll('text')].map(each => [each, each.getBoundingClientRect()])
            .filter(([, box]) => box.width);
        return texts.flatMap(([one, a], index) => texts.slice(index + 1)
            .filter(([, b]) => a.left < b.right - 1 && b.left < a.right - 1
                && a.top < b.bottom - 5 && b.top < a.bottom - 5)
            .map(([other]) => `${drawing.closest('figure').id}: ${one.textContent} | ${other.textContent}`));
    })"""
WIDTHS = """texts => {
    document.body.innerHTML = '<div class="figure"><svg viewBox="0 0 900 900"></svg></div>';
    const drawing = document.querySelector('svg');
    return texts.flatMap(text => ['', 'f-strong'].map(name => {
        const line = document.createElementNS('http://www.w3.org/2000/svg', 'text');
        line.setAttribute('class', name);
        line.textContent = text;
        drawing.append(line);
        return line.getComputedTextLength();
    }));
}"""
TEXTS = (
    "Does the final answer match what was asked for?",
    "WOMBAT & MAMMOTH",
    "illicit filling, till; it is little",
    "sample_0005 · 0071f6d36c3b2401170a",
    "−0.25 [−0.55, 0.05] (n = 1234, 97 %)",
    "“Überprüfung” – façade, naïve …",
    "Оценка качества ответа",
    "Αξιολόγηση της απάντησης",
    "تقييم جودة الإجابة",
    "評価の質と正確さ 답변의 품질",
)


def long_names() -> FigureData:
    """The same with names that are long, wide, or of ideographs, and with many people invited."""
    names = {
        "ana": "Wolfeschlegelsteinhausen-Bergerdorff",
        "ben": "マリア・エレナ・ロドリゲス・フェルナンデス",
        "cem": "MMMMMMMMMMMMMMMM 7",
    }
    names |= {
        "A": "WWWWW-large-2026-10",
        "B": "大規模言語モデル改良版第二版",
        "judge": "Automated judge, version 12 of October",
    }
    renamed = [
        replace(
            each,
            annotator=names[each.annotator],
            item=f"conversation-{each.item}-of-1000",
            system=names.get(each.system, ""),
            systems=tuple(names[one] for one in each.systems),
            left=names.get(each.left, ""),
            value=names.get(str(each.value), each.value),
        )
        for each in EVERYTHING.report.judgments
    ]
    renamed += [
        replace(each, annotator=f"automated-judge-of-the-release-number-{n:02}", submission=f"{n}-{each.submission}")
        for n in range(6)
        for each in renamed
        if each.judge
    ]
    titles = (
        "How well it hangs together from beginning to end",
        "効率と正確さの総合的な評価について",
        "MMMMMM WWWWWWW",
    )
    rubric = [
        entry.model_copy(update={"title": titles[number % len(titles)]})
        for number, entry in enumerate(EVERYTHING.report.study.rubric)
    ]
    steps = [
        FunnelStep("Opened the link that was sent to them", 120_000, 10.0),
        FunnelStep("全部の項目を終えました", 99_999, 90_000.0),
    ]
    return seen(
        renamed,
        EVERYTHING.report.study.model_copy(update={"rubric": rubric}),
        progress=[AnnotatorProgress(names["ana"], 30, 30)],
        funnel=steps,
        planned=200_000,
    )


def show(page: Page, looked: FigureData = EVERYTHING) -> None:
    """All figures on one page, with links, one with its table open: all tables are of one make."""
    figures = "".join(
        draw(each, each.numbers(looked), lambda items, about: f"#{items[0]}", 2) for each in all_figures()
    )
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
    assert page.locator(".figure svg:visible").count() == len(all_figures()), "one of the two drawings of each"
    assert min(page.evaluate(SIZES)) >= SMALLEST
    assert violations(page, RULES) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, ["color-contrast"]) == []
    pairs = page.locator("#figure-confusion .figure-pick input")
    pairs.first.focus()
    page.keyboard.press("ArrowRight")
    assert pairs.nth(1).is_checked()
    assert page.locator("#figure-confusion svg:visible").count() == 1, "another pair in place of the first"
    assert page.locator("#figure-confusion .figure-view-2:visible svg").count() == 1


@pytest.mark.parametrize("family", FAMILIES)
def test_every_figure_has_room_for_what_it_says_in_any_font(new_context: NewContext, family: str) -> None:
    page = new_context(family=family, reduced_motion="reduce").new_page()
    for looked in (EVERYTHING, long_names(), forty_letters(3), forty_letters(30)):
        show(page, looked)
        for width, height in (DESKTOP, PHONE):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate(CUT) == []
            assert page.evaluate(ELLIPSES) == []
            assert page.evaluate(TOUCHING) == []


@pytest.mark.parametrize("family", FAMILIES)
def test_no_text_is_wider_than_figures_take_it_to_be(new_context: NewContext, family: str) -> None:
    page = new_context(family=family).new_page()
    page.set_content(f"<style>body {{ font-family: sans-serif }} {css()}</style>")
    expected = [(text, text_width.width(text, bold)) for text in TEXTS for bold in (False, True)]
    drawn = page.evaluate(WIDTHS, TEXTS)
    assert [(text, most, real) for (text, most), real in zip(expected, drawn, strict=True) if real > most] == []


def test_the_checks_of_room_see_what_is_wrong(new_context: NewContext) -> None:
    page = new_context().new_page()
    show(page)
    page.evaluate("document.querySelector('#figure-drift svg text').setAttribute('x', 5)")
    assert len(page.evaluate(CUT)) == 1
    page.add_style_tag(content=".figure svg text { letter-spacing: 9px }")
    assert len(page.evaluate(CUT)) > 5
    assert len(page.evaluate(TOUCHING)) > 5


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
