"""A text under its label, as it is: white space kept, nothing interpreted."""

import json
from typing import Any, ClassVar

from pydantic import Field

from assay.displays import Display


class TextDisplay(Display):
    """A text under its `label`, as it is: white space kept, nothing interpreted."""

    kind: ClassVar[str] = "text"
    example: ClassVar[Any] = {"field": "response", "label": "The reply"}

    field: str = Field(description="The item's field to show.")
    label: str = Field(default="", description="The heading above it.")

    def fields(self) -> tuple[str, ...]:
        return (self.field,)

    def view(self, shown: dict[str, Any]) -> dict[str, Any]:
        value = shown.get(self.field)
        if value is not None and not isinstance(value, str):
            value = json.dumps(value, ensure_ascii=False)
        return {"label": self.label, "text": value or ""}
