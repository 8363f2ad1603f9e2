"""What displays of text share: a field under its label, and how its text is dressed for reading.

Only what is seen changes. The store keeps the text as the file has it, and everything that comes out is escaped.
"""

import json
import re
from typing import Any, ClassVar, Self

from markupsafe import Markup, escape
from pydantic import Field, model_validator

from assay.kinds import Settings
from assay.mistakes import mistake
from assay.render import markdown

PLACEHOLDER = re.compile(r"\[([^\W\d]\w{0,63})\]")
# A run of spaces is only tried from its start, so that a very long one costs no more than its length.
LEFTOVERS = [
    (re.compile(r"(?<=[\w\]]) -(?=(?:s|es|ed|er|est|ing|ly)\b)"), ""),  # restaurant -s
    (re.compile(r"(?<=\w) (?=n't\b|'(?:s|re|ve|ll|d|m)\b)"), ""),  # do n't, the driver 's
    (re.compile(r"(?<! ) +(?=[.,;:!?](?:\s|$|[.,!?\"']))"), ""),  # there .
    (re.compile(r"\( +"), "("),
    (re.compile(r"(?<![ \n]) +\)"), ")"),
]


class Labelled(Settings):
    """One field of the item under its label."""

    short: ClassVar[dict[str, Any] | None] = {"type": "string"}

    field: str = Field(description="The item's field to show.")
    label: str = Field(default="", description="The heading above it.")

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, data: Any) -> Any:
        # `text: response` is the short form of `text: {field: response}`.
        return {"field": data} if isinstance(data, str) else data


class Prose(Labelled):
    """Text that may be dressed for reading."""

    markdown: bool = Field(default=False, description="Whether the text is Markdown. Links and pictures stay inert.")
    chips: bool | dict[str, str] = Field(
        default=False,
        description="Show placeholders such as `[hotel_name]` as chips; a mapping gives the words for each name.",
    )
    tidy: bool = Field(
        default=False, description="Show tokenised text as people write it: `do n't` as `don't`, `here .` as `here.`"
    )
    lang: str = Field(default="", description="The language of the text, such as `de` or `ar`.")

    @model_validator(mode="after")
    def _one_dress(self) -> Self:
        if self.markdown and self.chips is not False:
            hint = "leave out one: in Markdown a bracket has a meaning of its own"
            raise mistake("markdown and chips cannot be had together", hint, "chips")
        return self

    def dress(self, value: Any) -> Markup:
        """A value as it is seen: escaped, and nothing interpreted but what the settings ask for."""
        text = plain(value)
        if self.tidy:
            text = tidied(text)
        if self.markdown:
            return markdown(text)
        return escape(text) if self.chips is False else with_chips(text, self.chips if self.chips is not True else {})


def plain(value: Any) -> str:
    """A value as text; what is no text stands as its file has it."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def kind_of(value: Any) -> str:
    """What a value is, in words for the study's author."""
    for kind, words in ((str, "a text"), (dict, "a mapping"), (list, "a list"), (bool, "true or false")):
        if isinstance(value, kind):
            return words
    return "nothing" if value is None else "a number"


def tidied(text: str) -> str:
    """Tokenised text as people write it. Nothing goes but spaces and the hyphen of a cut-off ending.

    >>> tidied("i do n't see any restaurant -s ( cheap ) here .")
    "i don't see any restaurants (cheap) here."
    """
    for pattern, instead in LEFTOVERS:
        text = pattern.sub(instead, text)
    return text


def with_chips(text: str, words: dict[str, str]) -> Markup:
    """The text with each placeholder as a chip, in plain words; what it was stands in the chip's title."""
    parts: list[Markup] = []
    end = 0
    for found in PLACEHOLDER.finditer(text):
        name = found[1]
        said = words.get(name) or name.replace("_", " ").strip() or name
        chip = Markup('<span class="chip" title="{}">{}</span>').format(found[0], said)
        parts += [escape(text[end : found.start()]), chip]
        end = found.end()
    return Markup("").join([*parts, escape(text[end:])])
