"""A table of judgments -> the ratings of each dimension, with people and automated judges apart."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.errors import AssayError, Mistake
from assay.ratings import Table, TableMistakes, Taken
from assay.ratings.columns import Layout, Wanted, layout_of
from assay.ratings.scale import Mixed, Read, hint_for, scale_of
from assay.statistics import BadRows, Ratings, Scale
from assay.statistics.arrays import Bools, Ints, np
from assay.statistics.factors import Factor
from assay.suggest import suggest_name

MOST_LISTED = 20
FAR_TOO_MANY = 100_000


@dataclass
class Dimension:
    """One quality that was judged."""

    name: str
    ratings: Ratings
    """Of people only."""
    everybody: Ratings | None = None
    """Of people and automated judges, where there are some."""
    systems: dict[str, Ratings] = field(default_factory=dict)
    named: bool = True
    """Whether it is known who gave which value: of counts it is not."""
    ordered: bool = True
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Long:
    """Judgments in rows: numbers of items, annotators and values, each row with its place in the file."""

    item: Factor
    annotator: Factor
    places: Ints
    rows: Ints
    cluster: Factor | None = None
    system: Factor | None = None
    columns: tuple[str, ...] = ()
    """In a wide table, the column of each annotator."""

    def only(self, mask: Bools) -> "Long":
        """Some of the rows, without the names that do not occur in them."""
        if mask.all():
            return self
        item, annotator = _compact(self.item, mask), _compact(self.annotator, mask)
        cluster, system = (each and Factor(each.codes[mask], each.names) for each in (self.cluster, self.system))
        return Long(item, annotator, self.places[mask], self.rows[mask], cluster, system, self.columns)


class Picked(Sequence[Hashable]):
    """Some of many names, looked up one at a time."""

    def __init__(self, names: Sequence[Hashable], picked: Ints) -> None:
        self._names, self._picked = names, picked

    def __len__(self) -> int:
        return len(self._picked)

    def __getitem__(self, number: Any) -> Any:
        return self._names[int(self._picked[number])]


def _compact(factor: Factor, mask: Bools) -> Factor:
    codes = factor.codes[mask]
    present = np.flatnonzero(np.bincount(codes, minlength=len(factor.names)))
    if len(present) == len(factor.names):
        return Factor(codes, factor.names)
    number = np.zeros(len(factor.names), dtype=np.int64)
    number[present] = np.arange(len(present))
    return Factor(number[codes], Picked(factor.names, present))


def dimensions_of(table: Table, wanted: Wanted) -> list[Dimension]:
    """The ratings of each dimension that a table holds. Dimensions are never pooled."""
    layout = layout_of(table, wanted)
    if wanted.counts:
        from assay.ratings.counts import counted

        return [counted(table, layout, wanted)]
    beside = [name for name in (wanted.cluster, wanted.system) if name is not None]
    if not layout.is_long:
        if not layout.values:
            what = "there is no column of judgments beside the item"
            raise TableMistakes([table.mistake(what, "a column for each annotator, or one that names them")])
        taken = table.take(list(dict.fromkeys(filter(None, [layout.item, *layout.values, *beside]))))
        read = _read(table, taken, layout.values, wanted, table.path.stem)
        return [_dimension(table, table.path.stem, _wide(table, taken, layout, wanted, read), read, wanted)]
    assert layout.annotator is not None
    keys = filter(None, [layout.item, layout.annotator, layout.dimension, *layout.values, *beside])
    taken = table.take(list(dict.fromkeys(keys)))
    if layout.dimension is None or len(layout.values) > 1:
        return [_long(table, taken, layout, wanted, value, value) for value in layout.values]
    parts = []
    of_dimension = taken.columns[layout.dimension]
    for number, name in enumerate(of_dimension.names):
        mask = of_dimension.codes == number
        part = Taken(
            {key: Factor(each.codes[mask], each.names) for key, each in taken.columns.items()}, taken.rows[mask]
        )
        parts.append(_long(table, part, layout, wanted, layout.values[0], str(name)))
    return parts


def _long(table: Table, taken: Taken, layout: Layout, wanted: Wanted, value: str, name: str) -> Dimension:
    read = _read(table, taken, (value,), wanted, name)
    places = _places(taken, value, read)
    given = places >= 0
    for word, column in (("item", layout.item), ("annotator", layout.annotator)):
        assert column is not None
        empty = np.flatnonzero(given & (taken.columns[column].codes < 0))
        if empty.size:
            what = f"there is no {word} for this judgment"
            raise TableMistakes([table.mistake(what, "fill it in", int(taken.rows[empty].min()), column)])
    assert layout.item is not None
    assert layout.annotator is not None
    cluster, system = (_beside(table, taken, each, given) for each in (wanted.cluster, wanted.system))
    long = Long(taken.columns[layout.item], taken.columns[layout.annotator], places, taken.rows, cluster, system).only(
        given
    )
    return _dimension(table, name, _within_systems(long), read, wanted)


def _beside(table: Table, taken: Taken, name: str | None, given: Bools) -> Factor | None:
    """A column that says something of items, and may not be empty."""
    if name is None:
        return None
    factor = taken.columns[name]
    empty = np.flatnonzero(given & (factor.codes < 0))
    if empty.size:
        raise TableMistakes([table.mistake("the cell is empty", "fill it in", int(taken.rows[empty].min()), name)])
    return factor


def _within_systems(long: Long) -> Long:
    """The same item of another system is another thing to judge."""
    if long.system is None:
        return long
    both = long.item.codes.astype(np.int64) * len(long.system.names) + long.system.codes
    found, codes = np.unique(both, return_inverse=True)
    names = Picked(long.item.names, found // len(long.system.names))
    return Long(Factor(codes.reshape(-1), names), long.annotator, long.places, long.rows, long.cluster, long.system)


def _wide(table: Table, taken: Taken, layout: Layout, wanted: Wanted, read: Read) -> Long:
    n, width = len(taken.rows), len(layout.values)
    places = np.column_stack([_places(taken, name, read) for name in layout.values])
    numbers = np.arange(n)
    if layout.item is None:
        item = Factor(numbers, [str(table.places[row]) for row in taken.rows.tolist()] if n < 1000 else range(n))
    else:
        item = taken.columns[layout.item]
        given = (places >= 0).any(axis=1)
        if (empty := np.flatnonzero(given & (item.codes < 0))).size:
            row = int(taken.rows[empty].min())
            raise TableMistakes([table.mistake("there is no item for these judgments", "fill it in", row, layout.item)])
    cluster, system = (
        None if name is None else _repeated(_beside(table, taken, name, np.ones(n, bool)), width)
        for name in (wanted.cluster, wanted.system)
    )
    annotator = Factor(np.tile(np.arange(width), n), layout.values)
    rows = np.repeat(taken.rows, width)
    long = Long(_repeated(item, width), annotator, places.reshape(-1), rows, cluster, system, layout.values)
    return _within_systems(long.only(long.places >= 0))


def _repeated(factor: Factor | None, width: int) -> Factor:
    assert factor is not None
    return Factor(np.repeat(factor.codes, width), factor.names)


def _read(table: Table, taken: Taken, values: Sequence[str], wanted: Wanted, name: str) -> Read:
    """The scale, from every value that occurs in some columns; those that are not on it are listed."""
    if (most := max(len(taken.columns[value].names) for value in values)) > FAR_TOO_MANY:
        raise AssayError(f"{name} has {most:,} different values", "name the column of the judgments with --value")
    found = {str(text) for value in values for text in _occurring(taken.columns[value])}
    raw = sorted(text for text in found if text.strip())
    texts = [text.strip() for text in raw]
    try:
        read = scale_of(texts, wanted.scale, wanted.level, name)
    except Mixed as mixed:
        what, hint, text = mixed.args
        raise TableMistakes([_where(table, taken, values, raw[texts.index(text)], what, hint)]) from None
    off = [text for text, place in zip(raw, read.places, strict=True) if place < 0]
    if off:
        mistakes = [
            _where(table, taken, values, text, f"{text!r} is not on the scale {read.scale}", hint_for(text, read.scale))
            for text in off[:MOST_LISTED]
        ]
        more = [Mistake(table.path.name, f"and {len(off) - MOST_LISTED} more values")] if len(off) > MOST_LISTED else []
        raise TableMistakes([*mistakes, *more])
    read.lookup = dict(zip(raw, read.places, strict=True))
    return read


def _occurring(factor: Factor) -> list[Hashable]:
    codes = factor.codes[factor.codes >= 0]
    return [factor.names[int(code)] for code in np.flatnonzero(np.bincount(codes, minlength=1))]


def _where(table: Table, taken: Taken, values: Sequence[str], text: str, what: str, hint: str) -> Mistake:
    """The first place at which a text stands in some columns, with how many others there are."""
    for name in values:
        factor = taken.columns[name]
        if text in factor.names:
            found = taken.rows[factor.codes == list(factor.names).index(text)]
            if len(found):
                also = f" (and {len(found) - 1} more rows)" if len(found) > 1 else ""
                return table.mistake(what + also, hint, int(found.min()), name)
    raise AssertionError(text)


def _places(taken: Taken, name: str, read: Read) -> Ints:
    factor = taken.columns[name]
    lookup = np.full(len(factor.names) + 1, -1, dtype=np.int64)  # the last one is for cells that are empty
    for code in np.flatnonzero(np.bincount(factor.codes[factor.codes >= 0], minlength=1)).tolist():
        lookup[code] = read.lookup.get(str(factor.names[code]), -1)  # white space alone is no judgment
    return lookup[factor.codes]


def _dimension(table: Table, name: str, long: Long, read: Read, wanted: Wanted) -> Dimension:
    judges = {str(each) for each in wanted.judge} & set(map(str, long.annotator.names))
    if unknown := [each for each in wanted.judge if each not in judges]:
        known = suggest_name(unknown[0], map(str, long.annotator.names))
        raise AssayError(f"{table.path.name}: {name} has no judgment by {unknown[0]!r}", f"--judge: {known}")
    is_judge = np.array([str(each) in judges for each in long.annotator.names], dtype=bool)
    people = long.only(~is_judge[long.annotator.codes]) if judges else long
    found = Dimension(name, _ratings(table, people, read.scale), ordered=read.ordered, notes=read.notes)
    if judges:
        found.everybody = _ratings(table, long, read.scale)
    if people.system is not None:
        for number, system in enumerate(people.system.names):
            mask = people.system.codes == number
            if mask.any():
                found.systems[str(system)] = _ratings(table, people.only(mask), read.scale)
    return found


def _ratings(table: Table, long: Long, scale: Scale) -> Ratings:
    try:
        return Ratings.from_codes(long.item, long.annotator, long.places, scale, long.cluster, long.rows)
    except BadRows as bad:
        first, *others = [int(row) for row in bad.rows]
        also = "".join(f", and again in {_row(table, row)}" for row in others)
        what = str(bad).removesuffix(": keep one, or compare the two as passes") + also
        hint = "keep one of them" if others else "an item lies in one cluster: correct the column"
        raise TableMistakes([table.mistake(what, hint, first)]) from None


def _row(table: Table, row: int) -> str:
    place = table.places[row]
    return f"row {place}" if isinstance(place, int) else str(place)
