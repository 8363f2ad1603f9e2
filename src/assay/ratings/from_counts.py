"""A table that says how often each category was given to each item, but not by whom."""

from assay.ratings.columns import TableLayout, TableOptions
from assay.ratings.dimension import RatedDimension
from assay.ratings.scale import scale_of
from assay.ratings.table import Columns, TableFile, TableMistakes
from assay.statistics import Ratings
from assay.statistics.arrays import Ints, np

MOST_ON_ONE_ITEM = 10_000


def dimension_of_counts(table: TableFile, layout: TableLayout, options: TableOptions) -> RatedDimension:
    """The judgments that were counted, each given by nobody in particular."""
    if options.system or options.cluster or options.judge or options.by:
        what = "--system, --cluster, --by and --judge do not go with --counts"
        raise TableMistakes([table.mistake(what, "leave them out, or give a table that says who judged")])
    if len(layout.values) < 2:
        what = "a table of counts has a column for each category, and there are fewer than two"
        raise TableMistakes([table.mistake(what, "name the columns with --value")])
    columns = table.take(layout.values)
    read = scale_of(layout.values, *options.declared.of(table.path.stem), table.path.stem)
    if off := [name for name, code in zip(layout.values, read.codes, strict=True) if code < 0]:
        what = f"the column {off[0]!r} is not on the scale {read.scale}"
        raise TableMistakes([table.mistake(what, "name the columns of the categories with --value")])
    counts = np.column_stack([_read_counts(table, columns, name) for name in layout.values])
    totals = counts.sum(axis=1)
    if totals.max(initial=0) > MOST_ON_ONE_ITEM:
        row = int(columns.rows[totals.argmax()])
        raise TableMistakes([table.mistake(f"{totals.max():,} judgments on one item are too many", "", row)])
    values = np.full((len(counts), int(totals.max(initial=0))), -1, dtype=np.int64)
    item = np.repeat(np.arange(len(counts)), totals)
    codes = np.repeat(np.tile(read.codes, len(counts)), counts.reshape(-1))
    values[item, np.arange(len(item)) - np.repeat(totals.cumsum() - totals, totals)] = codes
    values = values[totals > 0]
    annotators = tuple(range(values.shape[1]))
    ratings = Ratings(values, read.scale.categories, read.scale.level, range(len(values)), annotators)
    return RatedDimension(table.path.stem, ratings, named=False, ordered=read.ordered, notes=read.notes)


def _read_counts(table: TableFile, columns: Columns, name: str) -> Ints:
    factor = columns.factors[name]
    numbers = np.zeros(len(factor.names) + 1, dtype=np.int64)  # the last one is for cells that are empty
    for code, text in enumerate(factor.names):
        text = str(text).strip()
        if not (text.isdecimal() and len(text) < 10):
            row = int(columns.rows[factor.codes == code].min())
            what = f"{text!r} is not a count"
            hint = "a whole number from 0; name the item column with --item if this is no category"
            raise TableMistakes([table.mistake(what, hint, row, name)])
        numbers[code] = int(text)
    return numbers[factor.codes]
