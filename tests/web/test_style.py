"""What every style sheet keeps to: one scale of sizes, one palette with a value for light and for dark."""

import re
from pathlib import Path

import pytest

import assay

SOURCE = Path(assay.__file__).parent
MAIN = SOURCE / "web/static/assay.css"
SHEETS = sorted(
    [*(SOURCE / "web/static").glob("*.css"), *(SOURCE / "displays").glob("*.css"), *(SOURCE / "inputs").glob("*.css")]
)
SIZE = re.compile(r"font(?:-size)?:\s*([^;}]*\d(?:rem|px)[^;}]*)")
PAIRS = [
    *((text, ground, 4.5) for text in ("text", "muted", "ok", "warn", "err", "accent") for ground in ("bg", "surface")),
    *((text, "raised", 4.5) for text in ("text", "muted")),
    ("text", "accent-soft", 4.5),
    ("muted", "accent-soft", 4.5),
    ("on-accent", "accent", 4.5),
    ("line", "surface", 3),
    ("line", "bg", 3),
]


def palettes() -> dict[str, dict[str, str]]:
    """The colours by name, of the light theme, the dark one, and the dark one that the preview asks for."""
    blocks = re.findall(r"([^{}]*)\{([^{}]*)\}", MAIN.read_text("utf-8"))
    found = [
        (selector.strip().splitlines()[-1].strip(), dict(re.findall(r"--([\w-]+): (#\w+)", body)))
        for selector, body in blocks
        if "--accent:" in body
    ]
    names = {":root": "light", ':root:not([data-theme="light"])': "dark", ':root[data-theme="dark"]': "asked dark"}
    return {names[selector]: colours for selector, colours in found}


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_contrast_of_black_on_white_is_21() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_and_borders_can_be_told_from_their_ground(theme: str) -> None:
    colours = palettes()[theme]
    low = {
        (one, on): contrast(colours[one], colours[on])
        for one, on, least in PAIRS
        if contrast(colours[one], colours[on]) < least
    }
    assert low == {}


@pytest.mark.parametrize(("theme", "least"), [("light", 1.3), ("dark", 1.75)])
def test_a_hairline_is_seen_and_in_the_dark_it_takes_more(theme: str, least: float) -> None:
    colours = palettes()[theme]
    assert contrast(colours["hair"], colours["surface"]) >= least


def test_the_dark_theme_is_the_same_however_it_comes() -> None:
    themes = palettes()
    assert themes["dark"] == themes["asked dark"]
    assert set(themes["dark"]) == set(themes["light"])


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_every_size_of_letters_is_one_of_the_scale(sheet: Path) -> None:
    text = sheet.read_text("utf-8")
    if sheet == MAIN:
        text = text.partition("*, *::before")[2]
    # A size may lie a fixed step beside one that is chosen by the room there is.
    odd = [found for found in SIZE.findall(text) if "var(--" not in found]
    assert odd == [] or (
        sheet.name == "image.css" and odd == ["700 12px/1 system-ui, sans-serif"]
    )  # drawn in a picture


def bare_classes(sheet: Path) -> set[str]:
    """The classes that a sheet styles wherever they stand."""
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text("utf-8"), flags=re.S)
    selectors = (one.strip() for group in re.findall(r"([^{}]+)\{", text) for one in re.split(r",(?![^(]*\))", group))
    return {found[1] for one in selectors if (found := re.fullmatch(r"\.([\w-]+)(?:[:[][^ >+~]*)?", one))}


def test_the_sheet_of_all_pages_does_not_style_what_a_display_or_an_input_calls_the_same() -> None:
    # `says` is named there on purpose: figures in a talk are those of its font.
    kinds = set().union(*(bare_classes(sheet) for sheet in SHEETS if sheet.parent.name in ("displays", "inputs")))
    assert {"turn", "step"} <= kinds, "the classes of kinds are found"
    assert bare_classes(MAIN) & kinds == {"says"}


def test_what_a_display_or_an_input_styles_everywhere_is_not_what_a_page_calls_its_own_parts() -> None:
    pages = (file.read_text("utf-8") for file in (SOURCE / "web/templates").glob("*.html"))
    named = (re.sub(r"{%.*?%}|{{.*?}}", " ", each) for page in pages for each in re.findall(r'class="([^"]*)"', page))
    used = {name for each in named for name in each.split()}
    kinds = set().union(*(bare_classes(sheet) for sheet in SHEETS if sheet.parent.name in ("displays", "inputs")))
    # Help to decide is the same thing in both; the others say how they look where they stand.
    assert used & kinds == {"boundaries", "answer", "place", "said"}
