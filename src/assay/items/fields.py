"""The value of a field by its name: a column, or a path with dots into nested values."""

from typing import Any

ABSENT: Any = object()
"""Returned for a field that a row does not have."""


def value_at(row: Any, name: str) -> Any:
    """The value of a field. A key that is spelled like the whole name comes before a path into nested values.

    >>> value_at({"a": {"b": 1}, "a.c": 2}, "a.b"), value_at({"a": {"b": 1}, "a.c": 2}, "a.c")
    (1, 2)
    """
    if not isinstance(row, dict):
        return ABSENT
    found = row.get(name, ABSENT)
    if found is not ABSENT or "." not in name:
        return found
    for end in range(len(name) - 1, 0, -1):
        if name[end] == "." and name[:end] in row:
            found = value_at(row[name[:end]], name[end + 1 :])
            if found is not ABSENT:
                return found
    return ABSENT
