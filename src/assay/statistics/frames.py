"""Judgments out of what a notebook holds them in: data frames, dicts of columns, arrays."""

import re
from collections.abc import Hashable, Sequence
from typing import Any

from assay.model import Level
from assay.statistics.arrays import np
from assay.statistics.export_table import COLUMNS, long_from_wide, rows_of_export
from assay.statistics.factors import as_array, codes_of, is_missing
from assay.statistics.scale import Scale
from assay.statistics.table import MISSING, BadRows, Ratings

RANGE = re.compile(r"\s*([+-]?\d+)\s*(?:-|\.\.|:)\s*([+-]?\d+)\s*")
NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*")
LONGEST = 10_001


def read_scale(text: str) -> tuple[Hashable, ...]:
    """The values of a scale that is written as `1-5` or as a list, in order; numbers where all of them are.

    Raises:
        ValueError: It cannot be read so, or has fewer than two values.

    Example:
        >>> read_scale("1-5"), read_scale("-2..2"), read_scale("no, yes"), read_scale("0,0.5,1")
        ((1, 2, 3, 4, 5), (-2, -1, 0, 1, 2), ('no', 'yes'), (0, 0.5, 1))
    """
    ends = RANGE.fullmatch(text)
    if ends:
        low, high = int(ends[1]), int(ends[2])
        if not 0 < high - low < LONGEST:
            raise ValueError(f"the scale {text!r} must rise, by less than {LONGEST:,} points")
        return tuple(range(low, high + 1))
    words = [word.strip() for word in text.split(",")]
    if len(words) < 2 or not all(words):
        raise ValueError(f"the scale {text!r} is neither a range such as 1-5 nor a list such as no,yes")
    if len(set(words)) < len(words):
        raise ValueError(f"the scale {text!r} names a value twice")
    numbers = [number_of(word) for word in words]
    return tuple(words) if any(number is None for number in numbers) else tuple(numbers)


def number_of(text: str) -> int | float | None:
    """The number that a text is, a whole one as such, or None. Words such as "nan" and "inf" are no numbers.

    Example:
        >>> number_of("4"), number_of("4.0"), number_of("1e-1"), number_of("four"), number_of("nan")
        (4, 4, 0.1, None, None)
    """
    if not NUMBER.fullmatch(text):
        return None
    if text.strip().lstrip("+-").isdecimal() and len(text) < 400:
        return int(text)
    number = float(text)
    if number in (float("inf"), float("-inf")):
        return None
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def ratings_from(
    data: Any,
    *,
    item: str | None = None,
    annotator: str | Sequence[str] | None = None,
    value: str | None = None,
    scale: Sequence[Hashable] | str,
    level: Level,
    cluster: str | None = None,
    dimension: str | None = None,
) -> Ratings:
    """The judgments of one dimension, ready for `agree`, from a data frame, a dict of columns or a 2-D array.

    Args:
        data: A data frame of pandas or polars, a pyarrow table, a dict of columns: anything that gives a column for a
            name in brackets. Or a 2-D array with a row for each item and a column for each annotator.
        item: The column that names the item. In a wide table it may be left out: each row is an item.
        annotator: The column that names who judged; or, in a wide table, a list of columns, one for each annotator.
        value: The column with the judgments. In a wide table there is none.
        scale: The legal values in order, or a text such as "1-5". Never taken from the judgments: a value that nobody
            gave is still a value.
        level: nominal, ordinal, interval or ratio.
        cluster: The column that says what an item shares with others, such as its prompt.
        dimension: Of a long table that this program exported (csv, jsonl, xlsx, parquet, huggingface), which dimension;
            its columns are known, and what the report does not count is left out. `cluster="group"` takes its groups.

    None, not a number and what data frames put for a missing value all mean that there is no judgment.

    Raises:
        ValueError: A value is not on the scale, an annotator judged an item twice, a column is missing.

    Example:
        >>> long = {"id": [1, 1, 2, 2], "who": ["ann", "bo", "ann", "bo"], "score": [4, 5, 1, 1]}
        >>> ratings = ratings_from(long, item="id", annotator="who", value="score", scale="1-5", level="ordinal")
        >>> ratings.values.tolist()
        [[3, 4], [0, 0]]
    """
    categories = read_scale(scale) if isinstance(scale, str) else tuple(scale)
    if dimension is not None:
        return _ratings_of_export(data, dimension, categories, level, cluster is not None)
    if annotator is None and value is None:
        table = as_array(data) if hasattr(data, "to_numpy") else np.asarray(data)
        if table.ndim != 2:
            raise ValueError("say which columns hold the item, the annotator and the value, or give a 2-D array")
        return _wide(list(table.T), range(table.shape[1]), Scale(categories, level), range(len(table)))
    if annotator is not None and not isinstance(annotator, str):
        judged = [column_of(data, name) for name in annotator]
        items = column_of(data, item).tolist() if item is not None else range(len(judged[0]) if judged else 0)
        within = None if cluster is None else column_of(data, cluster)
        return _wide(judged, annotator, Scale(categories, level), items, within)
    named = {"item": item, "annotator": annotator, "value": value}
    if lacking := [word for word, name in named.items() if name is None]:
        raise ValueError(f"say which column holds the {lacking[0]}: {lacking[0]}=...")
    items, annotators, values = (column_of(data, str(name)) for name in named.values())
    clusters = None if cluster is None else column_of(data, cluster)
    return Ratings.from_arrays(items, annotators, values, categories, level, clusters)


def _ratings_of_export(
    data: Any, dimension: str, categories: tuple[Hashable, ...], level: Level, in_groups: bool
) -> Ratings:
    """The ratings of one dimension from a long table that this program exported."""
    names = _names_of(data)
    if names is not None and not set(COLUMNS) <= set(names):
        wide = long_from_wide(lambda name: np.asarray(column_of(data, name), dtype=object), names, dimension)
        data, names = (wide, list(wide)) if wide is not None else (data, names)
    if names is None or not set(COLUMNS) <= set(names):
        what = f"this is no long table of an export (it has no columns {', '.join(COLUMNS)}), and no wide one with "
        raise ValueError(f"{what}columns item, annotator and {dimension}")
    units, annotators, values, groups = rows_of_export(
        lambda name: np.asarray(column_of(data, name), dtype=object), names, dimension, categories
    )
    shared = in_groups and len(set(groups.tolist())) < len(set(units.tolist()))
    return Ratings.from_arrays(units, annotators, values, categories, level, groups if shared else None)


def _names_of(data: Any) -> list[Any] | None:
    """The names of a table's columns; None where it has none."""
    names = next((list(getattr(data, each)) for each in ("column_names", "columns") if hasattr(data, each)), None)
    return list(data) if names is None and isinstance(data, dict) else names


def column_of(data: Any, name: str) -> Any:
    """One column of a data frame or a dict as an array. Raises ValueError where there is none of this name."""
    names = _names_of(data)
    if names is not None and name not in names:
        raise ValueError(f"there is no column {name!r}; there are: {', '.join(map(str, names))}")
    return as_array(data[name])


def _wide(
    columns: Sequence[Any],
    annotators: Sequence[Hashable],
    scale: Scale,
    items: Sequence[Hashable],
    clusters: Any = None,
) -> Ratings:
    """A table that has a column for each annotator."""
    if len(set(items)) < len(items):
        seen: set[Hashable] = set()
        again = next(row for row, item in enumerate(items) if item in seen or seen.add(item))  # type: ignore[func-returns-value]
        raise BadRows(f"item {items[again]!r} has two rows", items.index(items[again]), again)
    values = np.full((len(items), len(columns)), MISSING, dtype=np.min_scalar_type(-max(2, len(scale))))
    for index, column in enumerate(columns):
        given = np.flatnonzero(~is_missing(column))
        codes = codes_of(column[given], scale.categories)
        if (off := given[codes < 0]).size:
            said = column[off[0] : off[0] + 1].tolist()[0]
            what = f"{said!r}, given to item {items[off[0]]!r} by annotator {annotators[index]!r}"
            raise BadRows(f"{what}, is not on the scale {scale}", int(off[0]))
        values[given, index] = codes
    kept = np.flatnonzero((values != MISSING).any(axis=1))
    of_item = None if clusters is None else np.unique(clusters[kept], return_inverse=True)[1].reshape(-1)
    names = tuple(items[row] for row in kept.tolist())
    return Ratings(values[kept], scale.categories, scale.level, names, tuple(annotators), of_item)
