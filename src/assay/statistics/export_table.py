"""The long table of this program's exports, in a notebook: which of its rows are the judgments of one dimension."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from assay.statistics.arrays import np

COLUMNS = ("item", "annotator", "dimension", "value")
"""What tells a long table of this program from any other."""
APART = ("superseded", "control", "surplus", "withdrawn", "judge", "excluded")
"""Columns that say of a row that the report does not count it among what people said."""
BETWEEN = " · "
ROLES = ("a", "b")
"""The two candidates of a pair, as the columns of a wide table end with them."""


def long_from_wide(column: Callable[[str], Any], names: Sequence[str], dimension: str) -> dict[str, Any] | None:
    """The long table of one dimension from the wide one, which has a column for each answer; None where it has none.

    `coherence.a` and `coherence.b` are of two candidates, `goal.1`, `goal.2` of the entries of a list.

    Example:
        >>> import numpy as np
        >>> wide = {"item": ["x", "y"], "annotator": ["ana", "ana"], "warmth": [4, None]}
        >>> found = long_from_wide(lambda name: np.array(wide[name], dtype=object), list(wide), "warmth")
        >>> found["item"], found["value"]
        (['x'], [4])
    """
    if not {"item", "annotator"} <= set(names):
        return None
    of_pairs = {f"{dimension}.{role}": f"system_{role}" for role in ROLES if f"system_{role}" in names}
    answers = [
        name
        for name in names
        if name == dimension or name in of_pairs or (name.startswith(f"{dimension}.") and name.split(".")[-1].isdigit())
    ]
    if not answers:
        return None
    rows = len(column("item"))
    kept = [name for name in ("item", "annotator", "group", "pass", "source", *APART) if name in names]
    found: dict[str, list[Any]] = {name: [] for name in (*kept, "dimension", "value", "system", "systems", "entry")}
    for name in answers:
        for each in kept:
            found[each] += column(each).tolist()
        found["value"] += column(name).tolist()
        found["dimension"] += [dimension] * rows
        of_pair = name in of_pairs
        found["system"] += column(of_pairs[name]).tolist() if of_pair else [""] * rows
        found["systems"] += ["|".join(ROLES) if of_pair else ""] * rows
        found["entry"] += ["" if of_pair or name == dimension else name.split(".")[-1]] * rows
    given = [not _is_missing(value) for value in found["value"]]
    return {name: [each for each, is_given in zip(of, given, strict=True) if is_given] for name, of in found.items()}


def rows_of_export(
    column: Callable[[str], Any], names: Sequence[str], dimension: str, scale: Sequence[Hashable]
) -> tuple[Any, Any, Any, Any]:
    """Units, annotators, values and groups of what counts on one dimension: the first pass, in force, of people.

    A unit is an item; of a pair that is judged side by side, one candidate of it; of a list, one entry.
    """
    dimensions = column("dimension").astype(str)
    counts = dimensions == dimension
    if not counts.any():
        known = ", ".join(dict.fromkeys(dimensions.tolist()))
        raise ValueError(f"there is no judgment of the dimension {dimension!r}; there are: {known}")
    if "pass" in names:
        counts &= column("pass").astype(str) == "1"
    if "source" in names:
        counts &= column("source").astype(str) != "practice"
    for name in (each for each in APART if each in names):
        counts &= ~np.isin(column(name).astype(str), ("True", "true"))
    units = column("item")[counts].astype(str).astype(object)
    if "systems" in names and "system" in names:
        of_pair = np.array(["|" in each for each in column("systems")[counts].astype(str)])
        units = _append_part(units, np.where(of_pair, _text(column("system")[counts]), ""))
    if "entry" in names:
        units = _append_part(units, _text(column("entry")[counts]))
    groups = _text(column("group")[counts]) if "group" in names else units
    shared = np.where(groups == "", column("item")[counts].astype(str).astype(object), groups)
    return units, column("annotator")[counts], _on_scale(column("value")[counts], scale), shared


def _text(values: Any) -> Any:
    """Values as texts; what a data frame puts for a missing one is empty."""
    texts = values.astype(str).astype(object)
    return np.where(np.isin(texts, ("nan", "None", "<NA>", "NaN")), "", texts)


def _append_part(units: Any, part: Any) -> Any:
    return np.where(part == "", units, units + BETWEEN + part)


def _on_scale(values: Any, scale: Sequence[Hashable]) -> Any:
    """Values as they stand on the scale: a file may hold 4 as a text, or as 4.0."""
    known = {str(each): each for each in scale}
    found = [known.get(_plain(each), None if _is_missing(each) else each) for each in values.tolist()]
    made = np.empty(len(found), dtype=object)
    made[:] = found
    return made


def _plain(value: Any) -> str:
    text = str(value)
    return text[:-2] if text.endswith(".0") else text


def _is_missing(value: Any) -> bool:
    return value is None or value != value or value == ""
