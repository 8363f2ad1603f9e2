"""Columns as numbers: the distinct values of a column, and for each row which of them it holds."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.statistics.arrays import Bools, Ints, np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = Sequence[Any] | NDArray[Any]
else:
    Array = Any


@dataclass(frozen=True, eq=False, slots=True)
class Factor:
    """A column: `names[codes[i]]` stands in row i."""

    codes: Ints
    names: Sequence[Hashable]

    def name_at(self, row: int) -> Hashable:
        """What stands in a row."""
        return self.names[int(self.codes[row])]


def as_array(column: Any) -> "NDArray[Any]":
    """A column as numpy has it; of data frames, whatever made them. A list keeps its values as they are.

    Example:
        >>> as_array(["007", 7, None]).tolist()
        ['007', 7, None]
    """
    if isinstance(column, list | tuple | range):
        array: NDArray[Any] = np.empty(len(column), dtype=object)
        array[:] = column
        return array
    return np.asarray(column.to_numpy() if hasattr(column, "to_numpy") else column)


def is_missing(column: "NDArray[Any]") -> Bools:
    """Where a column holds nothing: None, not a number, or what data frames put there."""
    if column.dtype.kind == "O":
        kinds = set(map(type, column))
        nothing = {each for each in kinds if each.__name__ in ("NoneType", "NAType", "NaTType")}
        floats = {each for each in kinds if issubclass(each, float | np.floating)}
        if not nothing and not floats:
            return np.zeros(len(column), dtype=bool)
        found = (type(each) in nothing or (type(each) in floats and each != each) for each in column)
        return np.fromiter(found, dtype=bool, count=len(column))
    if column.dtype.kind in "fcmM":
        return np.asarray(column != column)
    return np.zeros(len(column), dtype=bool)


def factorise(column: "NDArray[Any]") -> Factor:
    """The distinct values in order of appearance.

    Example:
        >>> found = factorise(np.array([30, 10, 30]))
        >>> found.codes.tolist(), found.names
        ([0, 1, 0], (30, 10))
    """
    if column.dtype.kind not in "iufbUSM":
        names = tuple(dict.fromkeys(column.tolist()))
        numbers = {name: number for number, name in enumerate(names)}
        return Factor(np.fromiter(map(numbers.__getitem__, column.tolist()), np.int64, len(column)), names)
    found, first, codes = np.unique(column, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return Factor(rank[codes.reshape(-1)], tuple(found[order].tolist()))


def codes_of(column: "NDArray[Any]", categories: Sequence[Hashable]) -> Ints:
    """The index of each value among the categories, -1 where it is none of them.

    Example:
        >>> codes_of(np.array([5.0, 4.5, 1.0]), (1, 2, 3, 4, 5)).tolist()
        [4, -1, 0]
    """
    known = {category: index for index, category in enumerate(categories)}
    if column.dtype.kind in "iufb" and len(column) > 1000:
        found, codes = np.unique(column, return_inverse=True)
        return np.array([known.get(value, -1) for value in found.tolist()], dtype=np.int64)[codes.reshape(-1)]
    try:
        return np.fromiter((known.get(value, -1) for value in column.tolist()), np.int64, len(column))
    except TypeError:  # a list of tags is on no scale
        known_to = [known.get(value, -1) if isinstance(value, Hashable) else -1 for value in column.tolist()]
        return np.array(known_to, dtype=np.int64)
