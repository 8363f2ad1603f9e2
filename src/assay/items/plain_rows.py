"""A fast path for rows of texts of which a study asks for nothing but some columns: most rows of a long file.

It gives what `reader.py` gives. A row that is in any way special is left to that, which notes what is wrong; so is the
first row with some columns, in which the fields that a study asks for are looked up.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from assay.displays import Display
from assay.frozen_maker import maker_of
from assay.items import LONGEST_ID
from assay.items.blinding import MADE
from assay.items.fields import ABSENT
from assay.items.rows import Location, Row, without_blanks
from assay.model import Item
from assay.study.schema import Study

make_item = maker_of(Item)


class PlainRows:
    """Reads the rows of one file that have the columns of a row that was read before, and hold nothing special."""

    def __init__(self, study: Study, displays: Mapping[str, Iterable[Display]]) -> None:
        items = study.items
        self.seen: dict[str, tuple[str, Location, int]] = {}
        """The items that were read, by how their ids look; those of other rows, too."""
        self.systems: dict[str, tuple[str, ...]] = {}
        """The system of a row, by what its field says: each was looked at once."""
        shows_texts = all(_shows_any_text(each) for several in displays.values() for each in several)
        self.is_possible = shows_texts and _asks_for_columns_alone(study)
        self._ids, self._shown = items.id, tuple(displays)
        asked = (items.system, items.group, items.batch)
        self._system, self._group, self._batch = map(_field, asked)
        self._named = (*items.id, *(name for name in asked if name is not None and not name.endswith("?")))
        """The fields that are never empty."""
        self._columns: tuple[str, ...] = ()
        self._hidden: tuple[str, ...] = ()

    def learn(self, row: Row) -> None:
        """From now on read the rows with the columns of this one, if all are there that the study may ask for."""
        columns = tuple(row)
        if MADE.isdisjoint(columns) and {*self._named, *self._shown} <= {*columns}:
            self._columns = columns
            if self._system not in columns:
                self.systems[""] = ()
            self._hidden = tuple(name for name in columns if name not in self._shown)

    def read(self, row: Row, location: Location) -> Item | None:
        """The item of a row. None: the row is for `reader.py`, as one that repeats an id is."""
        if tuple(row) != self._columns or not are_storable_texts(row):
            return None
        systems = self.systems.get(row.get(self._system, ""))
        group, batch = row.get(self._group, ""), row.get(self._batch, "")
        if systems is None or (group and not _is_name(group)) or (batch and not _is_name(batch)):
            return None
        for each in self._named:
            if not _is_name(row[each]):
                return None
        name = "/".join([row[each] for each in self._ids])
        looks = without_blanks(name)
        if looks in self.seen or len(name) > LONGEST_ID:
            return None
        self.seen[looks] = (name, location, 0)
        shown = {each: row[each] for each in self._shown}
        hidden = {each: row[each] for each in self._hidden}
        return make_item(name, shown, hidden, systems, group.strip(), batch.strip())


def are_storable_texts(row: Row) -> bool:
    """Whether a row holds texts alone that can all be stored. False where it is not known."""
    try:
        text = "".join(row.values())
        if not text.isascii():
            text.encode()
    except (TypeError, UnicodeEncodeError):
        return False
    return "\x00" not in text


def _is_name(text: str) -> bool:
    return 0 < len(text) <= LONGEST_ID and not text.isspace()


def _field(named: str | None) -> Any:
    """The name of a field without its `?`; where none is named, a key that no row has."""
    return ABSENT if named is None else named.removesuffix("?")


def _shows_any_text(display: Display) -> bool:
    """Whether a display shows every text as it is: it does not look at what it is given."""
    kind = type(display)
    return kind.keep is Display.keep and kind.mistake_in is Display.mistake_in and not display.pictures()


def _asks_for_columns_alone(study: Study) -> bool:
    items = study.items
    combined = items.candidates or items.history or items.entries
    return not (combined or items.clean or items.duplicate_of)
