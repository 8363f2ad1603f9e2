"""Required reading in sections, each confirmed before work begins; later open at any time under G."""

from typing import Any, ClassVar

from pydantic import Field, model_validator

from assay.document import Document
from assay.gates import Gate
from assay.kinds import Many
from assay.words import Words


class Reading(Gate):
    """Required reading in sections, each confirmed before work begins; later open at any time under G.

    Short: `reading: [guide/rubric.md, guide/edge-cases.md]`.
    """

    kind: ClassVar[str] = "reading"
    example: ClassVar[Any] = ["guide/rubric.md", "guide/examples.md"]

    short: ClassVar[dict[str, Any] | None] = {
        "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
    }

    sections: Many[Document] = Field(min_length=1, description="The Markdown files, in reading order.")

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, data: Any) -> Any:
        if isinstance(data, dict):
            return data
        return {"sections": data if isinstance(data, list) else [data]}

    def title(self, words: Words) -> str:
        return words("reading.heading")

    def decide(self, form: dict[str, str]) -> bool | None:
        read = all(form.get(f"read-{number}") == "yes" for number in range(len(self.sections)))
        return True if read else None

    def simulate(self) -> dict[str, str]:
        return {f"read-{number}": "yes" for number in range(len(self.sections))}
