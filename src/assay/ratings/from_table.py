"""A table of judgments -> the ratings of each dimension, with people and automated judges apart."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from assay.errors import AssayError, Mistake
from assay.ratings.columns import TableLayout, TableOptions, layout_of
from assay.ratings.dimension import RatedDimension
from assay.ratings.from_counts import dimension_of_counts
from assay.ratings.scale import MixedValues, ScaleOfTexts, hint_for, scale_of
from assay.ratings.table import Columns, TableFile, TableMistakes
from assay.statistics import BadRows, Ratings, Scale
from assay.statistics.arrays import Bools, Ints, np
from assay.statistics.factors import Factor
from assay.suggest import suggest_name

MOST_LISTED = 20
FAR_TOO_MANY = 100_000


@dataclass(frozen=True)
class LongTable:
    """Judgments in rows: numbers of items, annotators and values, each row with its number in the file."""

    item: Factor
    annotator: Factor
    codes: Ints
    rows: Ints
    cluster: Factor | None = None
    system: Factor | None = None
    columns: tuple[str, ...] = ()
    """In a wide table, the column of each annotator."""

    def only(self, mask: Bools) -> "LongTable":
        """Some of the rows, without the names that do not occur in them."""
        if mask.all():
            return self
        item, annotator = _compact(self.item, mask), _compact(self.annotator, mask)
        cluster, system = (each and Factor(each.codes[mask], each.names) for each in (self.cluster, self.system))
        return LongTable(item, annotator, self.codes[mask], self.rows[mask], cluster, system, self.columns)


class SomeNames(Sequence[Hashable]):
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
    return Factor(number[codes], SomeNames(factor.names, present))


def dimensions_of(table: TableFile, options: TableOptions) -> list[RatedDimension]:
    """The ratings of each dimension that a table holds. Dimensions are never pooled."""
    layout = layout_of(table, options)
    if options.counts:
        return [dimension_of_counts(table, layout, options)]
    beside = [name for name in (options.cluster, options.system) if name is not None]
    if not layout.is_long:
        if not layout.values:
            what = "there is no column of judgments beside the item"
            raise TableMistakes([table.mistake(what, "a column for each annotator, or one that names them")])
        columns = table.take(list(dict.fromkeys(filter(None, [layout.item, *layout.values, *beside]))))
        read = _read_scale(table, columns, layout.values, options, table.path.stem)
        return [_dimension(table, table.path.stem, _wide(table, columns, layout, options, read), read, options)]
    assert layout.annotator is not None
    keys = filter(None, [layout.item, layout.annotator, layout.dimension, *layout.values, *beside])
    columns = table.take(list(dict.fromkeys(keys)))
    if layout.dimension is None or len(layout.values) > 1:
        return [_long(table, columns, layout, options, value, value) for value in layout.values]
    parts = []
    of_dimension = columns.factors[layout.dimension]
    for number, name in enumerate(of_dimension.names):
        mask = of_dimension.codes == number
        part = Columns(
            {key: Factor(each.codes[mask], each.names) for key, each in columns.factors.items()}, columns.rows[mask]
        )
        parts.append(_long(table, part, layout, options, layout.values[0], str(name)))
    return parts


def _long(
    table: TableFile, columns: Columns, layout: TableLayout, options: TableOptions, value: str, name: str
) -> RatedDimension:
    read = _read_scale(table, columns, (value,), options, name)
    codes = _codes(columns, value, read)
    given = codes >= 0
    for word, column in (("item", layout.item), ("annotator", layout.annotator)):
        assert column is not None
        empty = np.flatnonzero(given & (columns.factors[column].codes < 0))
        if empty.size:
            what = f"there is no {word} for this judgment"
            raise TableMistakes([table.mistake(what, "fill it in", int(columns.rows[empty].min()), column)])
    assert layout.item is not None
    assert layout.annotator is not None
    cluster, system = (_item_column(table, columns, each, given) for each in (options.cluster, options.system))
    long = LongTable(
        columns.factors[layout.item], columns.factors[layout.annotator], codes, columns.rows, cluster, system
    ).only(given)
    return _dimension(table, name, _within_systems(long), read, options)


def _item_column(table: TableFile, columns: Columns, name: str | None, given: Bools) -> Factor | None:
    """A column that says something of items, and may not be empty."""
    if name is None:
        return None
    factor = columns.factors[name]
    empty = np.flatnonzero(given & (factor.codes < 0))
    if empty.size:
        raise TableMistakes([table.mistake("the cell is empty", "fill it in", int(columns.rows[empty].min()), name)])
    return factor


def _within_systems(long: LongTable) -> LongTable:
    """The same item of another system is another thing to judge."""
    if long.system is None:
        return long
    both = long.item.codes.astype(np.int64) * len(long.system.names) + long.system.codes
    found, codes = np.unique(both, return_inverse=True)
    names = SomeNames(long.item.names, found // len(long.system.names))
    return LongTable(Factor(codes.reshape(-1), names), long.annotator, long.codes, long.rows, long.cluster, long.system)


def _wide(
    table: TableFile, columns: Columns, layout: TableLayout, options: TableOptions, read: ScaleOfTexts
) -> LongTable:
    n, width = len(columns.rows), len(layout.values)
    codes = np.column_stack([_codes(columns, name, read) for name in layout.values])
    numbers = np.arange(n)
    if layout.item is None:
        item = Factor(numbers, [str(table.locations[row]) for row in columns.rows.tolist()] if n < 1000 else range(n))
    else:
        item = columns.factors[layout.item]
        given = (codes >= 0).any(axis=1)
        if (empty := np.flatnonzero(given & (item.codes < 0))).size:
            row = int(columns.rows[empty].min())
            raise TableMistakes([table.mistake("there is no item for these judgments", "fill it in", row, layout.item)])
    cluster, system = (
        None if name is None else _repeat(_item_column(table, columns, name, np.ones(n, bool)), width)
        for name in (options.cluster, options.system)
    )
    annotator = Factor(np.tile(np.arange(width), n), layout.values)
    rows = np.repeat(columns.rows, width)
    long = LongTable(_repeat(item, width), annotator, codes.reshape(-1), rows, cluster, system, layout.values)
    return _within_systems(long.only(long.codes >= 0))


def _repeat(factor: Factor | None, width: int) -> Factor:
    assert factor is not None
    return Factor(np.repeat(factor.codes, width), factor.names)


def _read_scale(
    table: TableFile, columns: Columns, values: Sequence[str], options: TableOptions, name: str
) -> ScaleOfTexts:
    """The scale, from every value that occurs in some columns; those that are not on it are listed."""
    if (most := max(len(columns.factors[value].names) for value in values)) > FAR_TOO_MANY:
        raise AssayError(f"{name} has {most:,} different values", "name the column of the judgments with --value")
    found = {str(text) for value in values for text in _values_in(columns.factors[value])}
    raw = sorted(text for text in found if text.strip())
    texts = [text.strip() for text in raw]
    try:
        read = scale_of(texts, options.scale, options.level, name)
    except MixedValues as mixed:
        what, hint, text = mixed.args
        raise TableMistakes([_mistake_at_first(table, columns, values, raw[texts.index(text)], what, hint)]) from None
    off = [text for text, code in zip(raw, read.codes, strict=True) if code < 0]
    if off:
        mistakes = [
            _mistake_at_first(
                table, columns, values, text, f"{text!r} is not on the scale {read.scale}", hint_for(text, read.scale)
            )
            for text in off[:MOST_LISTED]
        ]
        more = [Mistake(table.path.name, f"and {len(off) - MOST_LISTED} more values")] if len(off) > MOST_LISTED else []
        raise TableMistakes([*mistakes, *more])
    read.lookup = dict(zip(raw, read.codes, strict=True))
    return read


def _values_in(factor: Factor) -> list[Hashable]:
    codes = factor.codes[factor.codes >= 0]
    return [factor.names[int(code)] for code in np.flatnonzero(np.bincount(codes, minlength=1))]


def _mistake_at_first(
    table: TableFile, columns: Columns, values: Sequence[str], text: str, what: str, hint: str
) -> Mistake:
    """A mistake in the first row in which a text stands in some columns, with how many others there are."""
    for name in values:
        factor = columns.factors[name]
        if text in factor.names:
            found = columns.rows[factor.codes == list(factor.names).index(text)]
            if len(found):
                also = f" (and {len(found) - 1} more rows)" if len(found) > 1 else ""
                return table.mistake(what + also, hint, int(found.min()), name)
    raise AssertionError(text)


def _codes(columns: Columns, name: str, read: ScaleOfTexts) -> Ints:
    factor = columns.factors[name]
    lookup = np.full(len(factor.names) + 1, -1, dtype=np.int64)  # the last one is for cells that are empty
    for code in np.flatnonzero(np.bincount(factor.codes[factor.codes >= 0], minlength=1)).tolist():
        lookup[code] = read.lookup.get(str(factor.names[code]), -1)  # white space alone is no judgment
    return lookup[factor.codes]


def _dimension(
    table: TableFile, name: str, long: LongTable, read: ScaleOfTexts, options: TableOptions
) -> RatedDimension:
    judges = {str(each) for each in options.judge} & set(map(str, long.annotator.names))
    if unknown := [each for each in options.judge if each not in judges]:
        known = suggest_name(unknown[0], map(str, long.annotator.names))
        raise AssayError(f"{table.path.name}: {name} has no judgment by {unknown[0]!r}", f"--judge: {known}")
    is_judge = np.array([str(each) in judges for each in long.annotator.names], dtype=bool)
    people = long.only(~is_judge[long.annotator.codes]) if judges else long
    found = RatedDimension(name, _ratings(table, people, read.scale), ordered=read.ordered, notes=read.notes)
    if judges:
        found.everybody = _ratings(table, long, read.scale)
    if people.system is not None:
        for number, system in enumerate(people.system.names):
            mask = people.system.codes == number
            if mask.any():
                found.systems[str(system)] = _ratings(table, people.only(mask), read.scale)
    return found


def _ratings(table: TableFile, long: LongTable, scale: Scale) -> Ratings:
    try:
        return Ratings.from_codes(long.item, long.annotator, long.codes, scale, long.cluster, long.rows)
    except BadRows as bad:
        first, *others = [int(row) for row in bad.rows]
        also = "".join(f", and again in {_location_in_words(table, row)}" for row in others)
        what = str(bad).removesuffix(": keep one, or compare the two as passes") + also
        hint = "keep one of them" if others else "an item lies in one cluster: correct the column"
        raise TableMistakes([table.mistake(what, hint, first)]) from None


def _location_in_words(table: TableFile, row: int) -> str:
    location = table.locations[row]
    return f"row {location}" if isinstance(location, int) else str(location)
