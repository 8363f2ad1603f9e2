"""What displays of text share: a field under its label, and how its text is formatted for reading.

Only what the page shows changes: the store keeps the text as it is in its file. All output is escaped.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Any, ClassVar, Self

from markupsafe import Markup, escape
from pydantic import Field, model_validator

from assay.formulas import as_text_with_formulas
from assay.kinds import Settings
from assay.markdown_text import markdown
from assay.mistakes import mistake

ENDINGS = "s|es|ed|er|est|ing|ly"
PLACEHOLDER = re.compile(r"\[([^\W\d]\w{0,63})\]")
WITH_ENDING = re.compile(rf"{PLACEHOLDER.pattern}(?: (-(?:{ENDINGS}))\b)?")
TAG_OR_CODE = re.compile(r"(<pre>.*?</pre>|<code>.*?</code>|<[^>]*>)", re.DOTALL)
# What a tokeniser leaves in a text. A run of spaces is matched from its start only: linear time for very long ones.
TOKENISER_TRACES = [
    (re.compile(rf"(?<=[\w\]]) -(?=(?:{ENDINGS})\b)"), ""),  # restaurant -s
    (re.compile(r"(?<=\w) (?=n't\b|'(?:s|re|ve|ll|d|m)\b)"), ""),  # do n't, the driver 's
    (re.compile(r"(?<! ) +(?=[.,;:!?](?:\s|$|[.,!?\"']))"), ""),  # there .
    (re.compile(r"\( +"), "("),
    (re.compile(r"(?<![ \n]) +\)"), ")"),
]


@dataclass(frozen=True)
class Wording:
    """How a study's texts are worded on the page, so that its guidelines can show examples in the same way."""

    words: Mapping[str, str] = field(default_factory=dict)
    """The words that stand for each placeholder."""
    tidy: bool = False
    """Whether tokenised text is shown as people write it."""

    def __or__(self, other: "Wording") -> "Wording":
        """The wording of two displays together."""
        return Wording({**other.words, **self.words}, self.tidy or other.tidy)

    def dress(self, page: Markup) -> Markup:
        """A guideline as the page shows texts: the study's placeholders are chips, and `code` stays as it is."""
        if not self.words:
            return page
        parts: list[Markup] = []
        for place, part in enumerate(TAG_OR_CODE.split(page)):
            # Every second one is a tag, or code. A word in brackets may be something else here than a placeholder.
            is_text = place % 2 == 0
            parts.append(as_chips(unescape(part), self, only_known=True) if is_text else Markup(part))
        return Markup("").join(parts)


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
    formulas: bool = Field(
        default=False,
        description="Whether the text has formulas in LaTeX: between `$...$` or `\\(...\\)`, on a line of their own "
        "between `$$...$$` or `\\[...\\]`. What cannot be read as a formula is shown as it is written.",
    )
    chips: bool | dict[str, str] = Field(
        default=False,
        description="Show placeholders such as `[hotel_name]` as chips, in the guidelines too; a mapping gives the "
        "words for each name; with `tidy` also for a name with an ending that was cut off, such as `price_range -ly`.",
    )
    tidy: bool = Field(
        default=False, description="Show tokenised text as people write it: `do n't` as `don't`, `here .` as `here.`"
    )
    lang: str = Field(default="", description="The language of the text, such as `de` or `ar`.")

    @model_validator(mode="after")
    def _no_chips_where_brackets_mean_something(self) -> Self:
        for name, where in (("markdown", "in Markdown"), ("formulas", "in a formula")):
            if getattr(self, name) and self.chips is not False:
                hint = f"leave out one: {where} a bracket has a meaning of its own"
                raise mistake(f"{name} and chips cannot be used together", hint, "chips")
        return self

    def format_value(self, value: Any) -> Markup:
        """A value as the page shows it: escaped, and interpreted only as far as the settings ask for."""
        text = as_text(value)
        if self.chips is not False:
            return as_chips(text, self.wording)
        text = tidy_tokens(text) if self.tidy else text
        if self.markdown:
            return markdown(text, formulas=self.formulas)
        return as_text_with_formulas(text) if self.formulas else escape(text)

    def plain_value(self, value: Any) -> str:
        """A value in plain text, worded as on the page: tidied where the study says so, placeholders in words."""
        text = as_text(value)
        if self.chips is False:
            return tidy_tokens(text) if self.tidy else text
        return "".join(f"[{label}]" if raw else label for raw, label in _pieces(text, self.wording))

    @property
    def wording(self) -> Wording:
        """How it words placeholders and tokenised text, for guidelines that show the same."""
        return Wording(self.chips if isinstance(self.chips, dict) else {}, self.tidy)


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


def as_chips(text: str, wording: Wording, *, only_known: bool = False) -> Markup:
    """The text with each placeholder as a chip in plain words; the placeholder itself is the chip's title.

    With `only_known` a placeholder that the study has no words for stays plain text.
    """
    chip = Markup('<span class="chip" title="{}">{}</span>')
    pieces = _pieces(text, wording, only_known=only_known)
    return Markup("").join(chip.format(raw, label) if raw else escape(label) for raw, label in pieces)


def _pieces(text: str, wording: Wording, *, only_known: bool = False) -> Iterator[tuple[str, str]]:
    """A text in pieces, as (raw, words): a placeholder with its words; what lies between, with an empty `raw`."""
    end = 0
    for found in (WITH_ENDING if wording.tidy else PLACEHOLDER).finditer(text):
        if only_known and found[1] not in wording.words:
            continue
        yield "", _between(text[end : found.start()], wording)
        yield found[0], _words_for(*found.groups(), words=wording.words)
        end = found.end()
    yield "", _between(text[end:], wording)


def _between(text: str, wording: Wording) -> str:
    return tidy_tokens(text) if wording.tidy else text


def _words_for(name: str, ending: str | None = None, *, words: Mapping[str, str]) -> str:
    """What is shown for a placeholder. One with an ending has words of its own, or the ending behind its words."""
    label = words.get(name) or name.replace("_", " ").strip() or name
    return (words.get(f"{name} {ending}") or f"{label}{ending}") if ending else label
