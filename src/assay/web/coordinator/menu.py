"""The coordinator's menu: which pages stand in it, for which studies, in which order, and which entry is marked."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from assay.study import Study

BELONGS_TO = {
    "item": "items",
    "annotator": "people",
    "talk-over": "adjudicate",
    "act": "",
    "texts": "manage",
    "review-texts": "manage",
    "invite": "manage",
    "invited": "manage",
    "new-version": "manage",
    "state": "manage",
}
"""The menu entry that is marked on pages which are not in the menu themselves."""


@dataclass(frozen=True)
class MenuEntry:
    """How a page stands in the coordinator's menu."""

    label: str
    place: int
    """Lower places come first."""
    is_for: Callable[[Study], bool] = lambda _: True
    """Whether a study has something to show there."""

    @property
    def order(self) -> tuple[int, str]:
        """What entries are sorted by."""
        return self.place, self.label


Menu = tuple[tuple[str, MenuEntry], ...]
"""The path of each page that stands in the menu, and its entry."""


def menu_of(pages: Iterable[tuple[str, MenuEntry | None]]) -> Menu:
    """The entries of all pages that have one, in their order."""
    return tuple(sorted(((path, each) for path, each in pages if each), key=lambda page: page[1].order))


def menu_in_words(menu: Menu, study: Study, name: str, home: str, here: str) -> list[tuple[str, str, str]]:
    """The address and the label of each page, and whether one is on it (`page`) or on one that belongs to it."""
    page = here.removeprefix(home).strip("/")
    above = f"{home}/{BELONGS_TO[page]}".rstrip("/") if page in BELONGS_TO else ""
    found = []
    for path, each in menu:
        if each.is_for(study):
            address = path.format(study=name)
            found.append((address, each.label, "page" if address == here else "true" if address == above else ""))
    return found
