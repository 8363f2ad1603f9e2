"""Drawings as PDF pages of their own size, the font embedded: what figures are made of, and nothing more."""

import io
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from assay.report.paper.drawing import channels, style_of, tag_of
from assay.report.paper.fonts import PaperFont

POINTS_A_CM = 72 / 2.54
TILES = 10
"""How many tiles of a pattern, along and across, are written as one block."""
HALF = math.sqrt(0.5)
STEP = re.compile(r"([MmLlHhVvZz])([^MmLlHhVvZz]*)")
NUMBER = re.compile(r"-?\d*\.?\d+")
TURNED = re.compile(r"rotate\((-?\d+)")


def as_pdf(roots: Sequence[ElementTree.Element], font: PaperFont, title: str) -> bytes:
    """A page for each drawing, as wide and high as that says."""
    from reportlab.pdfgen.canvas import Canvas

    into = io.BytesIO()
    # Without the time of day in it, the same figure is the same file.
    font.register()
    canvas = Canvas(into, invariant=1, initialFontName=font.name(False))
    canvas.setTitle(title)
    for root in roots:
        _page(canvas, root, font)
    canvas.save()
    return into.getvalue()


def _page(canvas: Any, root: ElementTree.Element, font: PaperFont) -> None:
    _, above, width, _ = map(float, root.get("viewBox", "").split())
    size = [float(root.get(name, "").removesuffix("cm")) * POINTS_A_CM for name in ("width", "height")]
    canvas.setPageSize(size)
    scale = size[0] / width
    canvas.translate(0, size[1])
    canvas.scale(scale, -scale)
    if above:
        canvas.translate(0, -above)
    _Pdf(canvas, font, {str(each.get("id")): each for each in root.iter() if tag_of(each) == "pattern"}).draw(root, {})
    canvas.showPage()


class _Pdf:
    def __init__(self, canvas: Any, font: PaperFont, patterns: Mapping[str, ElementTree.Element]) -> None:
        self.canvas = canvas
        self.font = font
        self.patterns = patterns

    def draw(self, element: ElementTree.Element, above: Mapping[str, str]) -> None:
        tag = tag_of(element)
        if tag in ("defs", "title", "desc", "style"):
            return
        style = style_of(element, above)
        if tag == "text":
            self._text(element, style)
        elif tag in ("line", "rect", "circle", "path"):
            self._shape(tag, element, style)
        for child in element:
            self.draw(child, style)

    def _shape(self, tag: str, element: ElementTree.Element, style: Mapping[str, str]) -> None:
        if style.get("fill", "").startswith("url("):
            self._pattern(element, self.patterns[style["fill"][5:-1]])
            style = {**style, "fill": "none"}
        self.canvas.saveState()
        path = self.canvas.beginPath()
        trace(tag, element, path)
        stroke, fill = style.get("stroke", "none"), style.get("fill", "none" if tag == "line" else "#000000")
        if stroke != "none":
            self.canvas.setStrokeColorRGB(*channels(stroke))
            self.canvas.setLineWidth(float(style.get("stroke-width", "1")))
            self.canvas.setLineJoin(1 if style.get("stroke-linejoin") == "round" else 0)
            self.canvas.setDash([float(each) for each in style.get("stroke-dasharray", "").split()])
        if fill != "none":
            self.canvas.setFillColorRGB(*channels(fill))
        self.canvas.drawPath(path, stroke=int(stroke != "none"), fill=int(fill != "none"))
        self.canvas.restoreState()

    def _pattern(self, element: ElementTree.Element, pattern: ElementTree.Element) -> None:
        """Fill a rectangle with a pattern: blocks of its tiles, clipped to the rectangle."""
        x, y, width, height = (float(element.get(name, "0")) for name in ("x", "y", "width", "height"))
        block = TILES * float(pattern.get("width", "6"))
        self._block(pattern, block)
        left, right, top, bottom = 0.0, width, 0.0, height
        self.canvas.saveState()
        path = self.canvas.beginPath()
        path.rect(x, y, width, height)
        self.canvas.clipPath(path, stroke=0, fill=0)
        self.canvas.translate(x, y)
        if "rotate(45)" in pattern.get("patternTransform", ""):
            self.canvas.rotate(45)
            left, right, top, bottom = 0.0, (width + height) * HALF, -width * HALF, height * HALF
        for column in range(math.floor(left / block), math.ceil(right / block)):
            for row in range(math.floor(top / block), math.ceil(bottom / block)):
                self.canvas.saveState()
                self.canvas.translate(column * block, row * block)
                self.canvas.doForm(str(pattern.get("id")))
                self.canvas.restoreState()
        self.canvas.restoreState()

    def _block(self, pattern: ElementTree.Element, size: float) -> None:
        """Write a block of tiles into the file, once, to be drawn again and again."""
        name = str(pattern.get("id"))
        if self.canvas.hasForm(name):
            return
        tile = size / TILES
        self.canvas.beginForm(name, 0, 0, size, size)
        for place in range(TILES * TILES):
            self.canvas.saveState()
            self.canvas.translate(place % TILES * tile, place // TILES * tile)
            for child in pattern:
                self.draw(child, {})
            self.canvas.restoreState()
        self.canvas.endForm()

    def _text(self, element: ElementTree.Element, style: Mapping[str, str]) -> None:
        """A text; where it has a halo, its outline first, in the colour of the paper."""
        words = "".join(element.itertext())
        name, size = self.font.name(style.get("font-weight") == "600"), float(style.get("font-size", "13"))
        wide = self.canvas.stringWidth(words, name, size)
        shift = {"middle": wide / 2, "end": wide}.get(style.get("text-anchor", ""), 0)
        self.canvas.saveState()
        self.canvas.translate(float(element.get("x", "0")), float(element.get("y", "0")))
        if (turned := TURNED.match(element.get("transform", ""))) is not None:
            self.canvas.rotate(float(turned[1]))
        self.canvas.translate(-shift, 0)
        self.canvas.scale(1, -1)
        for halo in (True, False):
            if halo and "stroke" not in style:
                continue
            text = self.canvas.beginText(0, 0)
            text.setFont(name, size)
            colour = channels(style["stroke"] if halo else style.get("fill", "#000000"))
            text.setFillColorRGB(*colour)
            text.setStrokeColorRGB(*colour)
            text.setTextRenderMode(2 if halo else 0)
            self.canvas.setLineWidth(float(style.get("stroke-width", "1")) if halo else 0)
            self.canvas.setLineJoin(1)
            text.textOut(words)
            self.canvas.drawText(text)
        self.canvas.restoreState()


def trace(tag: str, element: ElementTree.Element, path: Any) -> None:
    """Draw the outline of a shape into `path`."""
    at = {name: float(value) for name, value in element.attrib.items() if NUMBER.fullmatch(value)}
    if tag == "line":
        path.moveTo(at["x1"], at["y1"])
        path.lineTo(at["x2"], at["y2"])
    elif tag == "rect":
        corner = min(at.get("rx", 0), at["width"] / 2, at["height"] / 2)
        path.roundRect(at.get("x", 0), at.get("y", 0), at["width"], at["height"], corner)
    elif tag == "circle":
        path.circle(at["cx"], at["cy"], at["r"])
    else:
        _trace_path(element.get("d", ""), path)


def _trace_path(d: str, path: Any) -> None:
    """Draw an SVG path of moves and straight lines, absolute or relative: figures write no others."""
    x = y = 0.0
    for letter, rest in STEP.findall(d):
        if letter in "Zz":
            path.close()
            continue
        numbers = [float(each) for each in NUMBER.findall(rest)]
        if letter in "HhVv":
            points = [(each, 0.0) if letter in "Hh" else (0.0, each) for each in numbers]
        else:
            points = list(zip(numbers[::2], numbers[1::2], strict=True))
        for place, (dx, dy) in enumerate(points):
            if letter.islower():
                x, y = x + dx, y + dy
            else:
                x, y = (dx if letter != "V" else x), (dy if letter != "H" else y)
            (path.moveTo if letter in "Mm" and place == 0 else path.lineTo)(x, y)
