"""Required reading in sections, one at a time, each confirmed before work begins; later open at any time under G."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from pydantic import Field, model_validator

from assay.gates import Gate
from assay.kinds import Many
from assay.markdown_file import MarkdownFile
from assay.markdown_text import minutes_to_read, parts_of, titles_of
from assay.words import Words


@dataclass(frozen=True, slots=True)
class ReadingPart:
    """What is read at a time: a file, or so much of a long one as takes about two minutes."""

    field: str
    """Its field in the form."""
    title: str
    text: str
    minutes: int


class Reading(Gate):
    """Required reading in sections, one at a time, each confirmed before work begins; later open at any time under G.

    A file that takes longer than three minutes comes in parts of about two, divided at headings of the second level.
    What has been confirmed is kept, on any device. Short: `reading: [guide/rubric.md, guide/edge-cases.md]`.
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

    @cached_property
    def parts(self) -> tuple[ReadingPart, ...]:
        """The sections as they are read, in order."""
        divided = [parts_of(section.text) for section in self.sections]
        titled = [each for parts in divided for each in zip(titles_of(parts), parts, strict=True)]
        return tuple(
            ReadingPart(f"read-{number}", title, text, minutes_to_read(text))
            for number, (title, text) in enumerate(titled)
        )

    @property
    def minutes_to_read(self) -> int:
        return sum(part.minutes for part in self.parts)

    def decide(self, form: Mapping[str, str]) -> bool | None:
        return True if len(self.kept_meanwhile(form)) == len(self.parts) else None

    def kept_meanwhile(self, form: Mapping[str, str]) -> dict[str, str]:
        return {part.field: "yes" for part in self.parts if form.get(part.field) == "yes"}

    def simulate(self) -> dict[str, str]:
        return {part.field: "yes" for part in self.parts}

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
    """Whether this line is a heading that ends the section under a heading of this depth."""
    found = HEADING.match(line)
    return found is not None and len(found[1]) <= depth
