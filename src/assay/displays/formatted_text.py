"""What displays of text share: a field under its label, and how its text is formatted for reading.

Only what the page shows changes: the store keeps the text as it is in its file. All output is escaped.
"""

import json
import re
from typing import Any, ClassVar, Self

from markupsafe import Markup, escape
from pydantic import Field, model_validator

from assay.kinds import Settings
from assay.markdown_text import markdown
from assay.mistakes import mistake

PLACEHOLDER = re.compile(r"\[([^\W\d]\w{0,63})\]")
# What a tokeniser leaves in a text. A run of spaces is matched from its start only: linear time for very long ones.
TOKENISER_TRACES = [
    (re.compile(r"(?<=[\w\]]) -(?=(?:s|es|ed|er|est|ing|ly)\b)"), ""),  # restaurant -s
    (re.compile(r"(?<=\w) (?=n't\b|'(?:s|re|ve|ll|d|m)\b)"), ""),  # do n't, the driver 's
    (re.compile(r"(?<! ) +(?=[.,;:!?](?:\s|$|[.,!?\"']))"), ""),  # there .
    (re.compile(r"\( +"), "("),
    (re.compile(r"(?<![ \n]) +\)"), ")"),
]


class LabelledField(Settings):
    """One field of the item under its label."""

    short: ClassVar[dict[str, Any] | None] = {"type": "string"}

    field: str = Field(description="The item's field to show.")
    label: str = Field(default="", description="The heading above it.")

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, data: Any) -> Any:
        # `text: response` is the short form of `text: {field: response}`.
        return {"field": data} if isinstance(data, str) else data


class FormattedText(LabelledField):
    """A text with settings for how it is formatted."""

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
    def _markdown_or_chips(self) -> Self:
        if self.markdown and self.chips is not False:
            hint = "leave out one: in Markdown a bracket has a meaning of its own"
            raise mistake("markdown and chips cannot be used together", hint, "chips")
        return self

    def format_value(self, value: Any) -> Markup:
        """A value as the page shows it: escaped, and interpreted only as far as the settings ask for."""
        text = as_text(value)
        if self.tidy:
            text = tidy_tokens(text)
        if self.markdown:
            return markdown(text)
        if self.chips is False:
            return escape(text)
        return replace_placeholders(text, {} if self.chips is True else self.chips)

    def plain_value(self, value: Any) -> str:
        """A value in plain text, worded as on the page: tidied where the study says so, placeholders in words."""
        text = as_text(value)
        if self.tidy:
            text = tidy_tokens(text)
        if self.chips is False:
            return text
        words = {} if self.chips is True else self.chips
        return PLACEHOLDER.sub(lambda found: f"[{words.get(found[1]) or found[1].replace('_', ' ').strip()}]", text)


def as_text(value: Any) -> str:
    """A value as text: a string as it is, anything else as JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def type_in_words(value: Any) -> str:
    """The type of a value, in words for the study's author."""
    for kind, words in ((str, "a text"), (dict, "a mapping"), (list, "a list"), (bool, "true or false")):
        if isinstance(value, kind):
            return words
    return "nothing" if value is None else "a number"


def tidy_tokens(text: str) -> str:
    """Tokenised text as people write it. Only spaces and the hyphens of split-off endings are removed.

    >>> tidy_tokens("i do n't see any restaurant -s ( cheap ) here .")
    "i don't see any restaurants (cheap) here."
    """
    for pattern, instead in TOKENISER_TRACES:
        text = pattern.sub(instead, text)
    return text


def replace_placeholders(text: str, words: dict[str, str]) -> Markup:
    """The text with each placeholder as a chip in plain words; the placeholder itself is the chip's title."""
    parts: list[Markup] = []
    end = 0
    for found in PLACEHOLDER.finditer(text):
        name = found[1]
        label = words.get(name) or name.replace("_", " ").strip() or name
        chip = Markup('<span class="chip" title="{}">{}</span>').format(found[0], label)
        parts += [escape(text[end : found.start()]), chip]
        end = found.end()
    return Markup("").join([*parts, escape(text[end:])])
