"""Which entries of an item lie within others, as a file beside the study says; a person has confirmed each row of it.

A goal such as "Navigate to the inn at the mill" lies within "Find an inn": whoever has the first has the second too.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.errors import AssayError
from assay.items import Mistakes, Options, read_rows
from assay.items.rows import Location
from assay.mistakes import quote
from assay.study.items import EntryLinks
from assay.study.schema import Study

COLUMNS = ("item", "specific", "general", "confirmed")
ANSWERS = {"yes": True, "no": False, "": None}


@dataclass(frozen=True, slots=True)
class Link:
    """One row of the file: of this item, whoever has the specific entry has the general one too."""

    item: str
    specific: str
    general: str
    confirmed: bool | None = None
    """Whether somebody said so; None: nobody has looked at it yet."""
    row: Location = 0

    @property
    def pair(self) -> tuple[str, str]:
        """What it says, whatever the answer is."""
        return self.specific, self.general


@dataclass
class LinkFile:
    """The links of one list of entries."""

    path: Path
    settings: EntryLinks
    links: list[Link] = field(default_factory=list)
    mistakes: Mistakes = field(init=False)

    def __post_init__(self) -> None:
        """Begin without mistakes."""
        self.mistakes = Mistakes(self.path)

    def read(self) -> "LinkFile":
        """Read the rows of the file, and note what is wrong in them."""
        for row, cells in read_rows(self.path, self.mistakes, Options()):
            texts = {name: str(cells.get(name, "") or "").strip() for name in COLUMNS}
            missing = [name for name in COLUMNS if name not in cells]
            answer = texts["confirmed"].casefold()
            if missing:
                self.mistakes.add(f"there is no column {missing[0]!r}", f"columns: {', '.join(COLUMNS)}", row)
                return self
            if answer not in ANSWERS:
                what = f"{quote(texts['confirmed'])} is neither yes nor no"
                self.mistakes.add(what, "write yes or no, or leave it empty", row, "confirmed")
            else:
                self.links.append(Link(texts["item"], texts["specific"], texts["general"], ANSWERS[answer], row))
        return self

    def of(self, item: str) -> list[Link]:
        """The rows about one item."""
        return [link for link in self.links if link.item == item]

    def add_to(self, item: str, entries: Iterable[dict[str, Any]], texts: Sequence[str]) -> None:
        """Write into the entries of an item what lies within each. `texts` are those of all, dropped ones too."""
        confirmed = [link for link in self.of(item) if link.confirmed]
        for link in confirmed:
            for text in link.pair:
                if text not in texts:
                    what = f"item {item} has nothing that is called {quote(text)}"
                    self.mistakes.add(what, "write it as the item has it, or remove the row", link.row)
        if (circle := next(_circles(confirmed), None)) is not None:
            what = f"{quote(circle.specific)} lies within itself"
            self.mistakes.add(what, "write no in one of the rows that lead round", circle.row)
        for entry in entries:
            found = [link.general for link in confirmed if link.specific == entry["text"]]
            if found:
                entry[self.settings.as_] = list(dict.fromkeys([*names_of(entry.get(self.settings.as_)), *found]))


def _circles(links: Sequence[Link]) -> Iterator[Link]:
    """The links that are part of a cycle."""
    for begin in links:
        reached, ahead = set[str](), [begin.general]
        while ahead:
            at = ahead.pop()
            if at == begin.specific:
                yield begin
                break
            if at not in reached:
                reached.add(at)
                ahead += [link.general for link in links if link.specific == at]


def names_of(linked: Any) -> list[str]:
    """The texts of the entries that a field names: one, or several."""
    return [each for each in (linked if isinstance(linked, list) else [linked]) if isinstance(each, str) and each]


def link_paths(study: Study, folder: Path) -> dict[str, Path]:
    """The file of each list of entries that has one."""
    return {name: folder / each.links.file for name, each in study.items.entries.items() if each.links is not None}


def read_links(study: Study, folder: Path) -> dict[str, LinkFile]:
    """The links that the study names, by list of entries."""
    found: dict[str, LinkFile] = {}
    for name, path in link_paths(study, folder).items():
        settings = study.items.entries[name].links
        assert settings is not None
        if not path.is_file():
            hint = f"`assay links` writes it; or remove items.entries.{name}.links from study.yaml"
            raise AssayError(f"there is no file {settings.file}", hint)
        found[name] = LinkFile(path, settings).read()
    return found


NO_LINKS: Mapping[str, LinkFile] = {}
