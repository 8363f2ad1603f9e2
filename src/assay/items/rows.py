"""Fields of rows: which ones are missing, and texts out of them. Mistakes are noted with the row that they are in."""

from typing import Any

from assay.items import LONGEST_ID, Mistakes
from assay.items.fields import ABSENT, value_at
from assay.mistakes import quote
from assay.study.items import Items
from assay.suggest import suggest_name

Row = dict[str, Any]
Location = int | str
"""Where a row is in its file: its number, or words such as `samples 3`."""


class RowFields:
    """The fields of the rows of one file."""

    def __init__(self, mistakes: Mistakes, joined: str = "") -> None:
        self.mistakes = mistakes
        self.joined = joined
        """The name of a joined file, which may hold what a row lacks."""
        self.rows = 0
        self.missing: dict[str, list[Location]] = {}
        self.hints: dict[str, str] = {}

    def names_all(self, row: Row, names: list[str], location: Location) -> bool:
        """Whether a row has all of some fields. Missing ones are noted for `report_missing`."""
        if row.keys() >= set(names):
            return True
        lacking = [name for name in names if value_at(row, name) is ABSENT]
        for name in lacking:
            self.missing.setdefault(name, []).append(location)
            hint = suggest_name(name, [key for key in row if not key.startswith("_")])
            self.hints.setdefault(name, f"{self.joined} does not bring it either; {hint}" if self.joined else hint)
        return not lacking

    def report_missing(self) -> None:
        """A field that no row has is one mistake; else each row that lacks it is one."""
        for name, locations in self.missing.items():
            if len(locations) == self.rows:
                self.mistakes.add(f"there is no field {name!r}", self.hints[name])
            else:
                for location in locations:
                    self.mistakes.add(f"there is no field {name!r} here", self.hints[name], location)

    def text(self, word: str, value: Any, location: Location, column: str) -> str:
        """An id as text: "007", "1e5" and "NA" are what they look like. An unusable one is noted as a mistake."""
        if type(value) is str and 0 < len(value) <= LONGEST_ID and not value.isspace():
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if value is ABSENT:
            self.mistakes.add(f"there is no field {column!r} here", f"it holds the {word}", location)
            return ""
        if not isinstance(value, str):
            self.mistakes.add(f"{quote(value)} cannot be the {word}", "write a text in quotes", location, column)
            return ""
        if not value.strip():
            self.mistakes.add(f"the {word} is empty", "every item needs one", location, column)
        elif len(value) > LONGEST_ID:
            self.mistakes.add(f"the {word} has {len(value):,} characters", f"at most {LONGEST_ID}", location, column)
        return value

    def name(self, word: str, value: Any, location: Location, column: str) -> str:
        """The name of a person, a judge, a system or a group, without the blanks around it, which nobody sees."""
        return self.text(word, value, location, column).strip()


def without_blanks(name: str) -> str:
    """An id as it looks: without the blanks around each of its parts, which nobody sees.

    >>> without_blanks("rp-01 / Linnet")
    'rp-01/Linnet'
    """
    return "/".join(part.strip() for part in name.split("/")) if "/" in name else name.strip()


def by_blanks_alone(name: str, other: str, at: str) -> tuple[str, str]:
    """What is wrong with an id that differs from another one in white space alone, and what to do."""
    what = f"the id {name!r} differs from {other!r} in {at} by blanks alone"
    return what, "take the blanks out, or give each item its own id"


def hint_on_ids(items: Items) -> str:
    """What to do about an id that comes twice: systems may share it."""
    system = "" if items.system in items.id else items.system
    several = f"; if several systems answered it: id: [{', '.join([*items.id, system])}]" if system else ""
    return f"give each item its own id{several}"
