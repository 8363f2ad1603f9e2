"""A text in capitals."""

from collections.abc import Mapping
from typing import Any, ClassVar

from assay.displays import Display
from assay.displays.formatted_text import LabelledField, as_text


class ShoutDisplay(LabelledField, Display):
    """A text in capitals. Short: `shout: response`."""

    kind: ClassVar[str] = "shout"
    example: ClassVar[Any] = {"field": "response", "label": "Loud"}

    def fields(self) -> tuple[str, ...]:
        return (self.field,)

    def view(self, shown: dict[str, Any], prefix: str = "") -> dict[str, Any]:
        return {"label": self.label, "text": as_text(shown.get(self.field)).upper()}

    def plain_text(self, shown: Mapping[str, Any]) -> str:
        return as_text(shown.get(self.field)).upper()
