"""Fields of a row by their name: a column, or a way with dots into what is nested."""

from typing import Any

NOWHERE: Any = object()
"""What is found where nothing is."""


def value_at(row: Any, name: str) -> Any:
    """What a row holds under a name. A key that is written just so comes before the way into nested ones.

    >>> value_at({"a": {"b": 1}, "a.c": 2}, "a.b"), value_at({"a": {"b": 1}, "a.c": 2}, "a.c")
    (1, 2)
    """
    if not isinstance(row, dict):
        return NOWHERE
    found = row.get(name, NOWHERE)
    if found is not NOWHERE or "." not in name:
        return found
    for end in range(len(name) - 1, 0, -1):
        if name[end] == "." and name[:end] in row:
            found = value_at(row[name[:end]], name[end + 1 :])
            if found is not NOWHERE:
                return found
    return NOWHERE
