"""A figure taller than a page, divided into parts that fit on one.

It is cut where nothing is drawn: best above a title, which begins a panel, else between two rows. Lines of an axis go
through all rows: they end at the cut, and the numbers of the axis stand below each part.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from xml.etree import ElementTree

from assay.report import text_width
from assay.report.paper.drawing import WIDTHS, tag_of
from assay.report.paper.pdf import trace

MOST_CM = 19.5
"""The greatest height of a part in cm, which leaves room for a caption on the page."""
LEAST_FILLED = 0.3
"""The least share of a page that a part fills."""
WIDE_ENOUGH = 0.7
"""A gap between rows is about as wide as the widest: within a row they are narrower."""
BELOW_AXIS, AXIS = 22.0, 26.0
"""How far below an axis its numbers stand, and how much room they take."""
ABOVE, BELOW = 0.8, 0.25
"""How far a letter reaches above and below its line, as shares of its size."""
LETTERS, RULE = 13.0, 40.0
"""The size of letters, and from where on a line upright is one that goes through rows."""


@dataclass(frozen=True, slots=True)
class DrawnMark:
    """One element that is drawn, and from where to where it goes."""

    element: ElementTree.Element
    low: float
    high: float
    is_rule: bool
    is_title: bool


class _Outline:
    """A path that only records the heights of what is drawn."""

    def __init__(self) -> None:
        self.heights: list[float] = []

    def moveTo(self, _: float, y: float) -> None:
        self.heights.append(y)

    lineTo = moveTo

    def close(self) -> None:
        """Does nothing; a path of the PDF library has it."""

    def roundRect(self, _: float, y: float, __: float, height: float, ___: float) -> None:
        self.heights += [y, y + height]

    def circle(self, _: float, y: float, radius: float) -> None:
        self.heights += [y - radius, y + radius]


def parts_of(svg: str, layout: str) -> list[str]:
    """A drawing of the page as parts, none taller than a page; what fits on one stays as it is."""
    root = ElementTree.fromstring(svg)
    _, _, width, height = map(float, root.get("viewBox", "").split())
    most = MOST_CM * width / WIDTHS[layout]
    if height <= most:
        return [svg]
    marks = list(_marks(root))
    cuts = [0.0]
    while height - cuts[-1] > most:
        cut = _cut(marks, cuts[-1], most, height)
        if cut is None:
            break
        cuts.append(cut)
    ends = [*cuts[1:], height]
    return [ElementTree.tostring(_part(root, marks, *each), "unicode") for each in zip(cuts, ends, strict=True)]


def _marks(element: ElementTree.Element, is_title: bool = False) -> Iterator[DrawnMark]:
    tag = tag_of(element)
    if tag in ("defs", "title", "desc", "style"):
        return
    is_title = is_title or "f-strong" in element.get("class", "").split()
    if tag == "text":
        yield DrawnMark(element, *_heights_of_text(element), False, is_title)
    elif tag in ("line", "rect", "circle", "path"):
        outline = _Outline()
        trace(tag, element, outline)
        if outline.heights:
            low, high = min(outline.heights), max(outline.heights)
            is_rule = tag == "line" and element.get("x1") == element.get("x2") and high - low > RULE
            yield DrawnMark(element, low, high, is_rule, False)
    for child in element:
        yield from _marks(child, is_title)


def _heights_of_text(element: ElementTree.Element) -> tuple[float, float]:
    y = float(element.get("y", "0"))
    if element.get("transform", "").startswith("rotate(-90"):
        words = text_width.width("".join(element.itertext()))
        above = {"middle": words / 2, "end": 0.0}.get(element.get("text-anchor", ""), words)
        return y - above, y - above + words
    return y - ABOVE * LETTERS, y + BELOW * LETTERS


def _cut(marks: Sequence[DrawnMark], start: float, most: float, height: float) -> float | None:
    """Where the next part begins; None where nothing can be cut."""
    solid = sorted((each for each in marks if not each.is_rule), key=lambda each: each.low)
    rules = [each for each in marks if each.is_rule]
    pages = -(-(height - start) // most)
    ideal = start + (height - start) / pages
    gaps, end, above_is_title = list[tuple[float, float, bool]](), 0.0, False
    for each in solid:
        if each.low > end:
            is_cut = any(rule.low < each.low and end < rule.high for rule in rules)
            middle = (end + each.low) / 2
            if start + LEAST_FILLED * most <= middle <= start + most - (AXIS if is_cut else 0) and end:
                gaps.append((end, each.low, each.is_title and not above_is_title and not is_cut))
            above_is_title = each.is_title
        elif each.high > end:
            above_is_title = above_is_title and each.is_title
        end = max(end, each.high)
    widest = max((low - high for high, low, _ in gaps), default=0.0)
    panels = [gap for gap in gaps if gap[2]]
    rows = [gap for gap in gaps if gap[1] - gap[0] >= WIDE_ENOUGH * widest]
    best = min(panels or rows, key=lambda gap: abs(gap[0] - ideal), default=None)
    return None if best is None else (best[0] + best[1]) / 2


def _part(root: ElementTree.Element, marks: Sequence[DrawnMark], start: float, end: float) -> ElementTree.Element:
    """The part of a drawing between two heights; where an axis is cut, its numbers are repeated below."""
    kept = {
        id(each.element) for each in marks if start <= (each.low + each.high) / 2 < end or _passes(each, start, end)
    }
    drawn = {id(each.element) for each in marks}
    made = _only(root, kept, drawn, start, end)
    further = [each for each in marks if each.is_rule and each.low < end < each.high]
    below = max((each.high for each in further), default=0.0)
    numbers = [each for each in marks if tag_of(each.element) == "text" and below < each.high <= below + BELOW_AXIS]
    for each in numbers if further else ():
        again = deepcopy(each.element)
        again.set("y", f"{float(again.get('y', '0')) - below + end:.1f}")
        made.append(again)
    _, _, width, _ = root.get("viewBox", "").split()
    made.set("viewBox", f"0 {start:g} {width} {end - start + (AXIS if further else 0):g}")
    return made


def _passes(mark: DrawnMark, start: float, end: float) -> bool:
    return mark.is_rule and mark.low < end and start < mark.high


def _only(
    element: ElementTree.Element, kept: set[int], drawn: set[int], start: float, end: float
) -> ElementTree.Element:
    """A copy of an element with only the marks to keep; vertical lines are cut at the ends of the part."""
    made = ElementTree.Element(element.tag, element.attrib)
    made.text, made.tail = element.text, element.tail
    if id(element) in kept and element.tag == "line" and element.get("x1") == element.get("x2"):
        for name in ("y1", "y2"):
            made.set(name, f"{min(end, max(start, float(element.get(name, '0')))):g}")
    for child in element:
        if id(child) not in drawn or id(child) in kept:
            made.append(_only(child, kept, drawn, start, end))
    return made
