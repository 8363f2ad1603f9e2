"""Required reading in sections, each confirmed before work begins; later open at any time under G."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import Field, model_validator

from assay.gates import Gate
from assay.kinds import Many
from assay.markdown_file import MarkdownFile
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

    sections: Many[MarkdownFile] = Field(min_length=1, description="The Markdown files, in reading order.")

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, data: Any) -> Any:
        if isinstance(data, dict):
            return data
        return {"sections": data if isinstance(data, list) else [data]}

    def title(self, words: Words) -> str:
        return words("reading.heading")

    def decide(self, form: Mapping[str, str]) -> bool | None:
        read = all(form.get(f"read-{number}") == "yes" for number in range(len(self.sections)))
        return True if read else None

    def simulate(self) -> dict[str, str]:
        return {f"read-{number}": "yes" for number in range(len(self.sections))}

    def about(self, heading: str) -> str:
        for section in self.sections:
            lines = section.text.splitlines()
            for at, line in enumerate(lines):
                found = HEADING.match(line)
                if found and heading.casefold() in found[2].casefold():
                    ends = (later for later in range(at + 1, len(lines)) if _is_above(lines[later], len(found[1])))
                    return "\n".join(lines[at : next(ends, len(lines))])
        return ""


HEADING = re.compile(r"(#{1,6}) +(.+)")


def _is_above(line: str, depth: int) -> bool:
    """Whether a heading of this depth ends at this line."""
    found = HEADING.match(line)
    return found is not None and len(found[1]) <= depth
