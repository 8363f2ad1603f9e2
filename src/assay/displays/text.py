"""A text under its label, as it is: white space kept, nothing interpreted unless the study asks for it."""

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import Field

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
        "if_empty": "No reply was written.",
    }
    if_empty: str = Field(
        default="",
        description="What is shown where the text is empty, in place of words that say no more than that it is.",
    )

    def fields(self) -> tuple[str, ...]:
        return (self.field,)

    def view(self, shown: dict[str, Any], prefix: str = "") -> dict[str, Any]:
        text = self.format_value(shown.get(self.field))
        return {
            "label": self.label,
            "text": text,
            "lang": self.lang,
            "markdown": self.markdown,
            "if_empty": self.if_empty,
        }

    def plain_text(self, shown: Mapping[str, Any]) -> str:
        text = self.plain_value(shown.get(self.field))
        return text if text.strip() else self.if_empty or text

    def opening(self, shown: Mapping[str, Any]) -> str:
        # What stands in place of an empty text is nothing of the item: it would not tell one from another.
        return self.plain_value(shown.get(self.field))
