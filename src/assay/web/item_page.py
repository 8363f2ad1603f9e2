"""The page of an item. Until something is answered it is the same for all items of a study, apart from a few values."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from assay.web.page_with_holes import Hole, PageWithHoles

MOST_KEPT = 200
"""The size of the cache of pages with holes: one for each study version and set of questions."""


class ItemPages:
    """Renders pages of items in one language: usual ones from cached pages with holes, others from their templates."""

    def __init__(self, html: Callable[..., str]) -> None:
        self._html = html
        self._kept: dict[tuple[Any, ...], PageWithHoles] = {}

    def page(self, values: dict[str, Any]) -> str | bytes:
        """The whole page of an item, by what `item_values` and `pace.values` say of it."""
        usual = self._usual("item.html", values)
        return self._html("item.html", **values) if usual is None else usual.encode(_values_of_holes(values))

    def main(self, values: dict[str, Any]) -> str:
        """The main part of an item's page alone, for a page that replaces its item."""
        usual = self._usual("item_main.html", values)
        return self._html("item_main.html", **values) if usual is None else usual.text(_values_of_holes(values))

    def _usual(self, template: str, values: dict[str, Any]) -> PageWithHoles | None:
        """The cached page with holes, for an item without drafts or submissions; None for any other item."""
        at = values["assignment"]
        key = values["questions"].key
        if at.draft_version or at.revision or at.attempt or at.state != "open" or values["out_of_turn"] or key is None:
            return None
        kept = (template, values["home"], "pace_counts" in values, *key)
        if kept not in self._kept:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[kept] = PageWithHoles(self._html(template, **_with_holes(values)))
        return self._kept[kept]


def _values_of_holes(values: dict[str, Any]) -> dict[str, Any]:
    """The values that fill the holes."""
    at, session, questions = values["assignment"], values["session"], values["questions"]
    return {
        **values,
        "public_id": at.public_id,
        "position": at.position,
        "batch": at.batch,
        "batches": at.batches,
        "seat": at.seat,
        "heading": values["among"].heading,
        "csrf": session.csrf,
        "who": session.annotator.name,
        "called": session.annotator.called,
        "form": questions.form,
        "dialogs": questions.dialogs,
    }


OFTEN = ("total", "judged", "before", "after", "made", "shown_at", "content", "pace_counts", "pace_hint")
"""Values that differ from item to item."""


def _with_holes(values: dict[str, Any]) -> dict[str, Any]:
    """The values with holes in place of those that differ by item or person."""
    at = values["assignment"]
    holes: dict[str, Any] = {name: Hole(name) for name in OFTEN if name in values}
    holes["seen"] = None if values["seen"] is None else Hole("seen")
    of_item = {name: Hole(name) for name in ("public_id", "position", "batch", "batches", "seat")}
    usual = {name: getattr(at, name) for name in ("draft_version", "state", "attempt", "revision")}
    holes["assignment"] = SimpleNamespace(**of_item, **usual)
    holes["among"] = SimpleNamespace(heading=Hole("heading"), gate=values["among"].gate)
    who = SimpleNamespace(name=Hole("who"), called=Hole("called"))
    holes["session"] = SimpleNamespace(csrf=Hole("csrf"), annotator=who)
    if values["study"].entries:
        # With entries, each item has questions of its own.
        holes["questions"] = SimpleNamespace(form=Hole("form"), dialogs=Hole("dialogs"))
    return {**values, **holes}
