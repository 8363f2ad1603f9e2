"""How tests look at a display: from its settings and an item's values to what a browser makes of it."""

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from assay.displays import Display
from assay.kinds import DISPLAYS
from assay.render import Renderer

HOSTILE = """<script>alert(1)</script><img src=x onerror=alert(1)><b a="'>&amp;"""
PICTURE = {"picture": "ab" * 32, "width": 960, "height": 600}
NO_TEXT = {"br", "img", "rect", "circle", "polygon"}

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()


def anything(*names: str) -> st.SearchStrategy[Any]:
    """Whatever a file may hold, often under these names."""
    keys = st.sampled_from([*names, "other"]) | st.text(max_size=3)
    return st.recursive(
        scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=5), max_leaves=12
    )


def block(kind: str, written: Any) -> Display:
    """A display from its settings, read as from a study file."""
    found: Display = DISPLAYS[kind].model_validate_json(json.dumps(written))
    return found


def kept(display: Display, item: dict[str, Any]) -> dict[str, Any]:
    """What of an item is stored as shown."""
    return {name: display.keep(name, item[name]) for name in display.fields() if name in item}


def html_of(display: Display, shown: dict[str, Any], prefix: str = "") -> str:
    return str(Renderer(Path()).kind(display, **display.view(shown, prefix), picture_root="/picture/"))


def names_of(tag: str, attributes: dict[str, str]) -> list[str]:
    return [f"<{tag}>", *attributes.get("class", "").split()]


class Seen(HTMLParser):
    """A piece of page: its tags, its text, and its text with every chip as it was written."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: dict[str, list[str]] = {}
        self.text = self.raw = ""
        self.open: list[tuple[str, dict[str, str]]] = []
        self.feed(str(html))
        self.close()
        assert self.open == [], "every tag is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.tags.append((tag, found))
        if tag not in NO_TEXT:
            self.open.append((tag, found))
        for name in names_of(tag, found):
            self.texts.setdefault(name, []).append("")
        if found.get("class") == "chip":
            self.raw += found["title"]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in NO_TEXT:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        opened, _ = self.open.pop()
        assert opened == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if not any(found.get("class") == "chip" for _, found in self.open):
            self.raw += data
        for tag, found in self.open:
            for name in names_of(tag, found):
                self.texts[name][-1] += data

    def of(self, name: str) -> list[str]:
        """The texts of all elements of this class, or of this <tag>."""
        return self.texts.get(name, [])

    def attributes(self, name: str) -> list[str]:
        return [found[name] for _, found in self.tags if name in found]


def assert_harmless(html: str, *allowed: str) -> None:
    """Nothing that runs came in with a text."""
    for tag, attributes in Seen(html).tags:
        assert tag not in {"script", "img", "iframe", "b", "style"} - set(allowed)
        assert not [name for name in attributes if name.startswith("on") or name in ("style", "href")]
