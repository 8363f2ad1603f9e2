"""A figure by itself: every style in its elements, in centimetres, in colours that differ in grey too.

The page's style sheet is the only place that says how marks look. Here it is read and written into the elements, so
that a program without style sheets (a PDF, a drawing program) shows the same.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from xml.etree import ElementTree

from assay.report import figures

WIDTHS = {"narrow": 8.5, "wide": 17.5}
"""In centimetres: one column of a paper, and two."""
COLOURS = {
    "text": "#000000",
    "muted": "#404040",
    "line": "#6b6b6b",
    "hair": "#d4d4d4",
    "surface": "#ffffff",
    "accent": "#0b4a8f",
    "soft": "#dce8f5",
    "a": "#0b4a8f",
    "b": "#c26a00",
}
"""Dark blue and orange: apart for every kind of colour blindness, and as grey; each is at least 3 : 1 against white."""
NAMESPACE = "http://www.w3.org/2000/svg"
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
NUMBERS_FOR_SCREENS = re.compile(r"@(media|container)[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
STYLES = (
    "fill",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "stroke-linejoin",
    "paint-order",
    "font-weight",
    "font-size",
    "opacity",
)
INHERITED = ("font-family",)

Rule = tuple[tuple[frozenset[str], ...], str, dict[str, str]]
"""The classes that an element and those around it must have, from outside in; its tag, or empty; and what it gets."""


def stand_alone(svg: str, width_cm: float, family: str, font_face: str = "") -> ElementTree.Element:
    """A drawing of the page as a document of its own, so many centimetres wide."""
    # Lines do not break in a drawing, and some fonts have another width for a space that keeps words together.
    svg = svg.replace("\u00a0", " ")
    root = ElementTree.fromstring(svg.replace("<svg ", f'<svg xmlns="{NAMESPACE}" ', 1))
    _, _, width, height = map(float, root.get("viewBox", "").split())
    for name in ("role", "aria-labelledby"):
        root.attrib.pop(name, None)
    root.set("width", f"{width_cm}cm")
    root.set("height", f"{width_cm * height / width:.3f}cm")
    root.set("font-family", family)
    _put_styles(root, ())
    if font_face:
        style = ElementTree.Element(f"{{{NAMESPACE}}}style")
        style.text = font_face
        root.insert(0, style)
    return root


def as_svg(root: ElementTree.Element) -> str:
    """The document as text."""
    ElementTree.register_namespace("", NAMESPACE)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def tag_of(element: ElementTree.Element) -> str:
    """An element's name, without its namespace."""
    return element.tag.rpartition("}")[2]


def texts_of(root: ElementTree.Element) -> Iterator[str]:
    """Every text that is drawn."""
    return ("".join(each.itertext()) for each in root.iter(f"{{{NAMESPACE}}}text"))


def _put_styles(element: ElementTree.Element, around: tuple[frozenset[str], ...]) -> None:
    classes = frozenset(element.attrib.pop("class", "").split())
    path = (*around, classes)
    for name, value in _styles_of(path, tag_of(element)).items():
        # A pattern that the template names is meant: a class would hide it.
        if not (name == "fill" and element.get("fill", "").startswith("url(")):
            element.set(name, value)
    for child in list(element):
        # A title inside a text is a hint for those who point: a paper has no pointer.
        if tag_of(child) == "title" and tag_of(element) == "text":
            element.text = (element.text or "") + (child.tail or "")
            element.remove(child)
        else:
            _put_styles(child, path)


@cache
def _styles_of(path: tuple[frozenset[str], ...], tag: str) -> dict[str, str]:
    """The declarations of the style sheet for an element; a rule with more classes wins, then the later one."""
    fitting = [
        (sum(map(len, wanted)), place, styles)
        for place, (wanted, of, styles) in enumerate(rules())
        if of in ("", tag) and _fits(wanted, path)
    ]
    found: dict[str, str] = {}
    for _, _, styles in sorted(fitting, key=lambda each: each[:2]):
        found |= styles
    return found


def _fits(wanted: tuple[frozenset[str], ...], path: tuple[frozenset[str], ...]) -> bool:
    *outside, own = wanted
    return own <= path[-1] and all(any(each <= step for step in path[:-1]) for each in outside)


@cache
def rules() -> tuple[Rule, ...]:
    """The rules of the style sheet that say how marks look, in the colours of paper."""
    found = []
    sheet = NUMBERS_FOR_SCREENS.sub("", figures.css())
    for selectors, body in RULE.findall(sheet):
        styles = dict(_declarations(body))
        for selector in selectors.split(","):
            rule = _selector(selector.strip())
            if rule is not None and styles:
                found.append((*rule, styles))
    return tuple(found)


def _selector(selector: str) -> tuple[tuple[frozenset[str], ...], str] | None:
    """The classes and the tag that a selector asks for; None where it is not about a drawing."""
    steps = [each for each in selector.split() if each not in (".figure", "svg", ":root")]
    if not steps or not re.fullmatch(r"[\w.\s-]+", " ".join(steps)) or "a" in steps:
        return None
    tag = steps[-1].split(".")[0]
    wanted = tuple(frozenset(step.split(".")[1:]) for step in steps)
    drawn = tag == "text" or (not tag and all(name.startswith(("f-", "corner")) for each in wanted for name in each))
    return (wanted, tag) if drawn else None


def _declarations(body: str) -> Iterator[tuple[str, str]]:
    for declaration in body.split(";"):
        name, _, value = declaration.partition(":")
        if name.strip() in STYLES:
            yield name.strip(), _value(value.strip())


def _value(value: str) -> str:
    """A value with the colours of paper in place of the page's own."""
    mixed = re.fullmatch(r"color-mix\(in srgb, var\(--f-(\w+)\) (\d+)%, var\(--f-(\w+)\)\)", value)
    if mixed:
        return mix(COLOURS[mixed[1]], COLOURS[mixed[3]], int(mixed[2]) / 100)
    return re.sub(r"var\(--f-(\w+)\)", lambda each: COLOURS[each[1]], value).removesuffix("px")


def mix(one: str, other: str, share: float) -> str:
    """A colour between two.

    >>> mix("#000000", "#ffffff", 0.5)
    '#808080'
    """
    parts = zip(channels(one), channels(other), strict=True)
    return "#" + "".join(f"{round(255 * (share * a + (1 - share) * b)):02x}" for a, b in parts)


def channels(colour: str) -> tuple[float, float, float]:
    """Red, green and blue of a colour, each from 0 to 1."""
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return red, green, blue


def style_of(element: ElementTree.Element, above: Mapping[str, str]) -> dict[str, str]:
    """The style of an element: its own attributes over those it inherits."""
    own = {name: element.attrib[name] for name in (*STYLES, *INHERITED, "text-anchor") if name in element.attrib}
    return {**above, **own}
