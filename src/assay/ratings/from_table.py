"""A table of judgments -> the ratings of each dimension, with people and automated judges apart."""

from collections.abc import Callable
from dataclasses import replace

from assay.errors import AssayError
from assay.ratings.columns import TableLayout, TableOptions, layout_of
from assay.ratings.dimension import RatedDimension, RatedTable, each_that_can_be_rated, rate
from assay.ratings.export_rows import is_export
from assay.ratings.from_counts import dimension_of_counts
from assay.ratings.from_export import dimensions_of_export
from assay.ratings.long_table import LongTable
from assay.ratings.scale import ScaleOfTexts, alike_but_for_case
from assay.ratings.table import Columns, TableFile, TableMistakes
from assay.ratings.values import codes_of, read_scale_of
from assay.statistics.arrays import Bools, np
from assay.statistics.factors import Factor
from assay.suggest import suggest_name

JUDGE = "judge"
"""The column that says with true and false whether an automated judge gave a judgment, as exports have it."""


def dimensions_of(table: TableFile, options: TableOptions) -> RatedTable:
    """The ratings of each dimension that a table holds. Dimensions are never pooled."""
    if is_export(table.names):
        if not (options.item or options.annotator or options.value or options.counts):
            return dimensions_of_export(table, options)
        named = "columns are named, so that this export is read as any table: also what no result counts is counted"
        found = _dimensions_by_columns(table, options)
        return replace(found, notes=[named, *found.notes])
    return _dimensions_by_columns(table, options)


def _dimensions_by_columns(table: TableFile, options: TableOptions) -> RatedTable:
    layout = layout_of(table, options)
    if options.counts:
        options.declared.refuse_others([table.path.stem])
        return RatedTable([dimension_of_counts(table, layout, options)], notes=list(layout.notes))
    beside = [name for name in (options.cluster, options.system, *options.by) if name is not None]
    if not layout.is_long:
        return _wide_table(table, layout, options, beside)
    assert layout.annotator is not None
    keys = list(filter(None, [layout.item, layout.annotator, layout.dimension, *layout.values, *beside]))
    flag = next((name for name in table.names if name.strip().casefold() == JUDGE and name not in keys), None)
    columns = table.take(list(dict.fromkeys([*keys, *([flag] if flag else [])])))
    judges = _judges_by_column(columns, layout.annotator, flag) if flag else []
    options = replace(options, judge=tuple(dict.fromkeys([*options.judge, *judges])))
    parts = _parts(columns, layout)
    options.declared.refuse_others(parts)
    made: dict[str, Callable[[], RatedDimension]] = {
        name: (lambda name=name, part=part: _long(table, part[0], layout, options, part[1], name))  # type: ignore[misc]
        for name, part in parts.items()
    }
    people = alike_but_for_case(list(map(str, columns.factors[layout.annotator].names)), "annotators")
    apart = f"automated judges by the column {flag}: {', '.join(judges)}; people are counted without them"
    notes = [*layout.notes, *([apart] if judges else []), *_notes_on_items(columns, layout, options), *people]
    return each_that_can_be_rated(made, notes)


def _judges_by_column(columns: Columns, annotator: str, flag: str) -> list[str]:
    """Who is an automated judge by a column of true and false; nobody where it holds anything else."""
    said, who = columns.factors[flag], columns.factors[annotator]
    words = [str(each).strip().casefold() for each in said.names]
    if not set(words) <= {"true", "false"}:
        return []
    is_true = np.array([word == "true" for word in words] + [False])[said.codes]
    return sorted(str(who.names[code]) for code in np.unique(who.codes[is_true]).tolist() if code >= 0)


def _parts(columns: Columns, layout: TableLayout) -> dict[str, tuple[Columns, str]]:
    """The rows and the column of each dimension, by its name."""
    if layout.dimension is None or len(layout.values) > 1:
        return {value: (columns, value) for value in layout.values}
    of_dimension, parts = columns.factors[layout.dimension], {}
    for number, name in enumerate(of_dimension.names):
        mask = of_dimension.codes == number
        parts[str(name)] = columns.only(mask), layout.values[0]
    return parts


def _notes_on_items(columns: Columns, layout: TableLayout, options: TableOptions) -> list[str]:
    """A note where each row has another item: then the column was hardly meant, unless somebody named it."""
    assert layout.item is not None
    items = columns.factors[layout.item]
    if options.item or options.system or len(columns.rows) < 2 or len(items.names) < len(columns.rows):
        return []
    return [f"each row has another {layout.item}, so that nothing was judged twice: name the item's column with --item"]


def _long(
    table: TableFile, columns: Columns, layout: TableLayout, options: TableOptions, value: str, name: str
) -> RatedDimension:
    read = read_scale_of(table, columns, (value,), options.declared.of(name), name)
    codes = codes_of(columns, value, read)
    given = codes >= 0
    for word, column in (("item", layout.item), ("annotator", layout.annotator)):
        assert column is not None
        empty = np.flatnonzero(given & (columns.factors[column].codes < 0))
        if empty.size:
            what = f"there is no {word} for this judgment"
            raise TableMistakes([table.mistake(what, "fill it in", int(columns.rows[empty].min()), column)])
    assert layout.item is not None
    assert layout.annotator is not None
    factors = columns.factors
    cluster, system = (_item_column(table, columns, each, given) for each in (options.cluster, options.system))
    by = {column: factors[column] for column in options.by}
    long = LongTable(factors[layout.item], factors[layout.annotator], codes, columns.rows, cluster, system, by)
    return _rate(table, name, long.only(given).within_systems(), read, options)


def _item_column(table: TableFile, columns: Columns, name: str | None, given: Bools) -> Factor | None:
    """A column about items, in which every cell must be filled."""
    if name is None:
        return None
    factor = columns.factors[name]
    empty = np.flatnonzero(given & (factor.codes < 0))
    if empty.size:
        raise TableMistakes([table.mistake("the cell is empty", "fill it in", int(columns.rows[empty].min()), name)])
    return factor


def _wide_table(table: TableFile, layout: TableLayout, options: TableOptions, beside: list[str]) -> RatedTable:
    if not layout.values:
        what = "there is no column of judgments beside the item"
        raise TableMistakes([table.mistake(what, "a column for each annotator, or one that names them")])
    columns = table.take(list(dict.fromkeys(filter(None, [layout.item, *layout.values, *beside]))))
    name = table.path.stem
    options.declared.refuse_others([name])
    read = read_scale_of(table, columns, layout.values, options.declared.of(name), name)
    return RatedTable(
        [_rate(table, name, _wide(table, columns, layout, options, read), read, options)], notes=list(layout.notes)
    )


def _wide(
    table: TableFile, columns: Columns, layout: TableLayout, options: TableOptions, read: ScaleOfTexts
) -> LongTable:
    n, width = len(columns.rows), len(layout.values)
    codes = np.column_stack([codes_of(columns, name, read) for name in layout.values])
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
    by = {name: _repeat(columns.factors[name], width) for name in options.by}
    rows = np.repeat(columns.rows, width)
    long = LongTable(_repeat(item, width), annotator, codes.reshape(-1), rows, cluster, system, by)
    return long.only(long.codes >= 0).within_systems()


def _repeat(factor: Factor | None, width: int) -> Factor:
    assert factor is not None
    return Factor(np.repeat(factor.codes, width), factor.names)


def _rate(table: TableFile, name: str, long: LongTable, read: ScaleOfTexts, options: TableOptions) -> RatedDimension:
    known = set(map(str, long.annotator.names))
    if unknown := [each for each in options.judge if each not in known]:
        hint = suggest_name(unknown[0], map(str, long.annotator.names))
        raise AssayError(f"{table.path.name}: {name} has no judgment by {unknown[0]!r}", f"--judge: {hint}")
    return rate(table, name, long, read, options.judge)
