"""A table: a mapping, a list of mappings with the same keys, or a list of texts."""

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import Field

from assay.displays import Display
from assay.displays.formatted_text import LabelledField, as_text, type_in_words


class TableDisplay(LabelledField, Display):
    """A mapping as rows, a list of mappings as a table, a list of texts as a list.

    With `columns` only these keys are shown; without, all of them. Short: `table: facts`.
    """

    kind: ClassVar[str] = "table"
    example: ClassVar[Any] = {
        "field": "offers",
        "label": "What the user could choose from",
        "columns": {"name": "Hotel", "price": "Price"},
    }

    columns: dict[str, str] = Field(
        default={}, description="The keys to show, in order, each with its heading. All other keys stay hidden."
    )

    def fields(self) -> tuple[str, ...]:
        return (self.field,)

    def keep(self, name: str, value: Any) -> Any:
        if isinstance(value, dict):
            return self._named_cells(value)
        if not isinstance(value, list):
            return None
        rows = [self._named_cells(row) for row in value if isinstance(row, dict)]
        return rows or ([] if self.columns else [each for each in value if _is_cell(each)])

    def _named_cells(self, row: dict[str, Any]) -> dict[str, Any]:
        names = self.columns or row
        return {name: row[name] for name in names if name in row and _is_cell(row[name])}

    def mistake_in(self, name: str, value: Any) -> str | None:
        if value is None:
            return None
        if isinstance(value, dict):
            return self._mistake_in_row(value, "")
        if not isinstance(value, list):
            return f"a mapping, a list of mappings or a list of texts is expected, not {type_in_words(value)}"
        if not any(isinstance(row, dict) for row in value):
            odd = [at for at, each in enumerate(value, 1) if isinstance(each, list)]
            if odd:
                return f"entry {odd[0]} is a list, not a text"
            return "columns are named, but this is a list of texts" if self.columns and value else None
        for at, row in enumerate(value, 1):
            if not isinstance(row, dict):
                return f"row {at} is {type_in_words(row)}, not a mapping like the others"
            if found := self._mistake_in_row(row, f"in row {at}, "):
                return found
        return None

    def _mistake_in_row(self, row: dict[str, Any], where: str) -> str | None:
        nested = [name for name in self.columns or row if not _is_cell(row.get(name))]
        if not nested:
            return None
        hint = "" if self.columns else "; name the columns to show"
        return f"{where}{nested[0]!r} is {type_in_words(row[nested[0]])}, which does not fit into a cell{hint}"

    def view(self, shown: dict[str, Any], prefix: str = "") -> dict[str, Any]:
        value = self.keep(self.field, shown.get(self.field))
        found: dict[str, Any] = {"label": self.label, "pairs": [], "heads": [], "rows": [], "texts": []}
        if isinstance(value, dict):
            numbers = _is_column_of_numbers(list(value.values()))
            found["pairs"] = [(self.columns.get(name, name), cell(each), numbers) for name, each in value.items()]
        elif value and isinstance(value[0], dict):
            names = list(self.columns or dict.fromkeys(name for row in value for name in row))
            number = {name: _is_column_of_numbers([row.get(name) for row in value]) for name in names}
            found["heads"] = [(self.columns.get(name, name), number[name]) for name in names]
            found["rows"] = [[(cell(row.get(name)), number[name]) for name in names] for row in value if names]
        else:
            found["texts"] = [as_text(each) for each in value or ()]
        return found

    def plain_text(self, shown: Mapping[str, Any]) -> str:
        value = self.keep(self.field, shown.get(self.field))
        if isinstance(value, dict):
            return "\n".join(self._lines_of_row(value))
        if value and isinstance(value[0], dict):
            return "\n".join("; ".join(self._lines_of_row(row)) for row in value)
        return "\n".join(f"- {as_text(each)}" for each in value or ())

    def _lines_of_row(self, row: dict[str, Any]) -> list[str]:
        return [f"{self.columns.get(name, name)}: {cell(each)}" for name, each in row.items()]

    def sample(self) -> dict[str, Any]:
        names = self.columns or {"name": "Name", "price": "Price"}
        return {self.field: [{name: f"The {name} of row {row}." for name in names} for row in (1, 2)]}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_column_of_numbers(values: list[Any]) -> bool:
    given = [value for value in values if value is not None]
    return bool(given) and all(map(_is_number, given))


def _is_cell(value: Any) -> bool:
    """Whether a value fits into a cell: one value, or a list of such."""
    if isinstance(value, list):
        return not any(isinstance(each, dict | list) for each in value)
    return not isinstance(value, dict)


def cell(value: Any) -> str:
    """The text of a cell."""
    return ", ".join(map(as_text, value)) if isinstance(value, list) else as_text(value)
