"""Rows combined before they become items: joined with another file, given their history, or paired."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

from assay.items import Mistakes, Options, read_rows
from assay.items.fields import ABSENT, value_at
from assay.items.rows import Location, Row, RowFields
from assay.mistakes import quote
from assay.model import CANDIDATES
from assay.study.outside import named_file
from assay.study.schema import Study
from assay.suggest import suggest_name

PAIR = "_pair"
"""Added to a row that has a key for two systems: the value of that key."""
SYSTEMS = "_systems"
"""Added to a row that was made from two outputs: the two systems."""
MOST_NAMED = 5
"""So many rows are named where more are meant."""
BOTH = "_rows"
"""Added to a row that was made from two rows: both of them."""


def join_rows(
    study: Study, path: Path, join: Path | None, mistakes: Mistakes, notes: list[str] | None = None
) -> Iterator[tuple[Location, Row]]:
    """The rows of a file, each with the fields of the same row in the joined file.

    Rows of the joined file that belong to no row are reported in `notes`.
    """
    rows = read_rows(path, mistakes, Options(study.items.each, study.items.sheet))
    wanted = study.items.join
    if wanted is None:
        yield from rows
        return
    other = join or named_file(path.parent, wanted.file, "items.join")
    if not other.is_file():
        mistakes.add(f"there is no file {other.name} to join", "items.join in study.yaml names it", column="")
        return
    on = wanted.on or study.items.id[0]
    more = Mistakes(other)
    known: dict[str, Row] = {}
    for location, row in read_rows(other, more, Options()):
        key = value_at(row, on)
        if key is ABSENT:
            more.add(f"there is no field {on!r} here", suggest_name(on, row), location)
        elif str(key) in known:
            more.add(f"{on} {quote(key)} stands twice", "one row for each", location)
        else:
            known[str(key)] = row
    mistakes.listed += more.listed
    mistakes.count += more.count
    unused = dict.fromkeys(known)
    for location, row in rows:
        key = str(value_at(row, on))
        unused.pop(key, None)
        # A row may have all fields without the other file; missing ones are reported later.
        yield location, {**known.get(key, {}), **row}
    if unused and notes is not None:
        some = ", ".join(list(unused)[:MOST_NAMED]) + (", ..." if len(unused) > MOST_NAMED else "")
        belong = "row belongs" if len(unused) == 1 else "rows belong"
        notes.append(f"{other.name}: {len(unused):,} {belong} to no item: {some}")


class RowCombiner:
    """Combines rows of one file as the study says: history, candidates from keys, candidates from rows."""

    def __init__(self, study: Study, fields: RowFields) -> None:
        self.items = study.items
        self.fields = fields
        self.mistakes = fields.mistakes
        self.earlier: dict[str, list[Row]] = {}

    def combine(self, rows: Iterator[tuple[Location, Row]]) -> Iterator[tuple[Location, Row]]:
        """The rows that items are made from."""
        candidates = self.items.candidates
        if candidates is not None and candidates.rows:
            rows = self._pair_rows(rows)
        if self.items.history is None and (candidates is None or not candidates.keys):
            yield from rows
            return
        for location, row in rows:
            for each in self._pair_by_keys(self._add_history(row), location):
                yield location, each

    def _add_history(self, row: Row) -> Row:
        history, group = self.items.history, self.items.group
        if history is None or group is None:
            return row
        # Rows of one group need not stand together in the file.
        earlier = self.earlier.setdefault(str(value_at(row, group)), [])
        before = list(earlier)
        earlier.append({name: row[name] for name in history.keep if name in row})
        return {**row, history.as_: before}

    def _pair_by_keys(self, row: Row, location: Location) -> Iterator[Row]:
        """A row for each key that names two systems."""
        candidates = self.items.candidates
        if candidates is None or not candidates.keys:
            yield row
            return
        found = 0
        for key, value in row.items():
            fields = sorted((part.strip() for part in key.split(candidates.keys)), key=self.items.system_name)
            if len(fields) != 2:
                continue
            if lacking := [name for name in fields if name not in row]:
                self._refuse_loss(key, value, lacking, location)
                continue
            found += 1
            part = candidates.show[0]
            shown = [{part: row[name]} for name in fields]
            systems = tuple(map(self.items.system_name, fields))
            yield {**row, PAIR: value, CANDIDATES: shown, SYSTEMS: systems}
        if not found:
            what = f"no key of the form A{candidates.keys}B names two fields of this row"
            self.mistakes.add(what, f"fields here: {', '.join(list(row)[:12])}", location)

    def _refuse_loss(self, key: str, value: Any, lacking: list[str], location: Location) -> None:
        """Refuse a key that compares two fields where one of them is missing: its judgments would be lost."""
        if value and (len(lacking) == 1 or isinstance(value, (dict, list))):
            missing = f"{' and '.join(lacking)} {'is' if len(lacking) == 1 else 'are'} not here"
            self.mistakes.add(
                f"{key!r} compares two fields, and {missing}", "add what is missing, or remove the key", location
            )

    def _pair_rows(self, rows: Iterator[tuple[Location, Row]]) -> Iterator[tuple[Location, Row]]:
        """A row for each two outputs of different systems that share a field. Needs all rows before the first pair."""
        candidates, system = self.items.candidates, self.items.system
        assert candidates is not None
        assert system is not None
        together: dict[str, list[tuple[Location, str, Row]]] = {}
        for location, row in rows:
            if not self.fields.names_all(row, [candidates.rows, system], location):
                self.fields.rows += 1
                continue
            key = self.fields.text("field that rows share", value_at(row, candidates.rows), location, candidates.rows)
            who = self.items.system_name(self.fields.name("system", value_at(row, system), location, system))
            if key and who:
                together.setdefault(key, []).append((location, who, row))
        for key, same in together.items():
            if len({who for _, who, _ in same}) == 1 and len(same) == 1:
                what = f"{quote(key)} has the output of one system only, {quote(same[0][1])}"
                self.mistakes.add(what, "a comparison needs two: add another, or remove the row", same[0][0])
            for one, other in combinations(sorted(same, key=lambda each: each[1]), 2):
                location = other[0]
                if one[1] == other[1]:
                    self.mistakes.add(f"{quote(one[1])} has two outputs here", "one for each system", location, system)
                    continue
                for name in self.items.shown_fields:
                    if value_at(one[2], name) != value_at(other[2], name):
                        at = f"row {one[0]}" if isinstance(one[0], int) else str(one[0])
                        what = f"the field {name!r} is another one than in {at}, which it is compared with"
                        self.mistakes.add(what, "what is shown above both must be the same", location, name)
                shown = [{name: value_at(each[2], name) for name in candidates.show} for each in (one, other)]
                # What both rows say alike belongs to the item; the rest to one side of it.
                shared = {name: value for name, value in one[2].items() if other[2].get(name) == value}
                hidden = {BOTH: [dict(one[2]), dict(other[2])]}
                yield location, {**shared, **hidden, CANDIDATES: shown, SYSTEMS: (one[1], other[1])}
