"""The values that stand in columns, as places on a scale; those that are on none are named with their row."""

from collections.abc import Hashable, Sequence

from assay.errors import Mistake
from assay.model import Level
from assay.ratings.scale import MixedValues, ScaleOfTexts, hint_for, label_of, scale_of
from assay.ratings.table import Columns, TableFile, TableMistakes
from assay.statistics import Scale
from assay.statistics.arrays import Ints, np
from assay.statistics.factors import Factor
from assay.statistics.frames import number_of

MOST_LISTED = 20
FAR_TOO_MANY = 100_000


class NoScale(TableMistakes):
    """The values of a dimension that make no scale: words among numbers, or too many of them."""


def read_scale_of(
    table: TableFile, columns: Columns, values: Sequence[str], declared: tuple[str | None, Level | None], name: str
) -> ScaleOfTexts:
    """The scale, from every value that occurs in some columns; those that are not on it are listed.

    Raises:
        NoScale: No scale can be taken from the values.
        TableMistakes: Values are not on the scale that is declared.
    """
    if (most := max(len(columns.factors[value].names) for value in values)) > FAR_TOO_MANY:
        what = f"{name} has {most:,} different values"
        raise NoScale([table.mistake(what, "name the column of the judgments with --value")])
    raw = _texts_in(columns, values)
    texts = [label_of(text) for text in raw]
    try:
        read = scale_of(texts, *declared, name)
    except MixedValues as mixed:
        what, hint, text = mixed.args
        raise NoScale([_mistake_at_first(table, columns, values, raw[texts.index(text)], what, hint)]) from None
    return _look_up(table, columns, values, raw, read)


def read_on_scale(table: TableFile, columns: Columns, values: Sequence[str], scale: Scale) -> ScaleOfTexts:
    """The values that occur in some columns, on a scale that is known.

    Raises:
        TableMistakes: Values are not on it.
    """
    raw = _texts_in(columns, values)
    known = {value: place for place, value in enumerate(scale.categories)}
    codes = [known.get(number_of(text) if scale.numeric else label_of(text), -1) for text in raw]
    return _look_up(table, columns, values, raw, ScaleOfTexts(scale, codes))


def _look_up(
    table: TableFile, columns: Columns, values: Sequence[str], raw: Sequence[str], read: ScaleOfTexts
) -> ScaleOfTexts:
    """The scale with the place of every text; those that are not on it are listed."""
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


def _texts_in(columns: Columns, values: Sequence[str]) -> list[str]:
    """The texts that occur in some columns."""
    found = {str(text) for value in values for text in _values_in(columns.factors[value])}
    return sorted(text for text in found if text.strip())


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


def codes_of(columns: Columns, name: str, read: ScaleOfTexts) -> Ints:
    """The place on the scale of each value in a column, -1 where there is none."""
    factor = columns.factors[name]
    lookup = np.full(len(factor.names) + 1, -1, dtype=np.int64)  # the last one is for cells that are empty
    for code in np.flatnonzero(np.bincount(factor.codes[factor.codes >= 0], minlength=1)).tolist():
        lookup[code] = read.lookup.get(str(factor.names[code]), -1)  # white space alone is no judgment
    return lookup[factor.codes]
