"""A text under its label, as it is: white space kept, nothing interpreted unless the study asks for it."""

from collections.abc import Mapping
from typing import Any, ClassVar

from assay.displays import Display
from assay.displays.formatted_text import FormattedText


class TextDisplay(FormattedText, Display):
    """A text under its `label`, as it is: white space kept, nothing interpreted unless asked for.

    Short: `text: response`.
    """

    kind: ClassVar[str] = "text"
    example: ClassVar[Any] = {
        "field": "response",
        "label": "The reply",
        "markdown": False,
        "formulas": False,
        "chips": {"hotel_name": "name of the hotel"},
        "tidy": True,
        "lang": "en",
    }

    def fields(self) -> tuple[str, ...]:
        return (self.field,)

    def view(self, shown: dict[str, Any], prefix: str = "") -> dict[str, Any]:
        text = self.format_value(shown.get(self.field))
        return {"label": self.label, "text": text, "lang": self.lang, "markdown": self.markdown}

    def plain_text(self, shown: Mapping[str, Any]) -> str:
        return self.plain_value(shown.get(self.field))
