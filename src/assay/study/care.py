"""The part `care` of the study file: warnings before hard content, a limit by day, support, how people are."""

import re
from dataclasses import dataclass
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, model_validator

from assay.kinds import Settings
from assay.markdown_file import MarkdownFile
from assay.mistakes import mistake
from assay.study.assignment import Exposure


def _is_language(text: str) -> str:
    if not re.fullmatch("[a-z]{2,3}(-[A-Z]{2})?", text):
        raise mistake(f"{text!r} is no language", "write a language, or one in a country: de, de-AT, en-GB")
    return text


LanguageTag = Annotated[str, AfterValidator(_is_language)]


class CheckIn(Settings):
    """A short question between two items: how somebody is."""

    every: int = Field(ge=1, description="After so many items.")
    ask: str = Field(default="", description="The question; left out: a word of the study's language.")
    coordinator_sees: bool = Field(
        default=False,
        description="Whether coordinators see what was answered. Say so in the consent text, which the study then has "
        "to have. Left out: the answer is not stored, and only leads the person to support.",
    )


class Care(Settings):
    """Care for those who judge hard content."""

    field: str = Field(
        default="", description="The field that says what an item contains: a text or a list of them, shown or hidden."
    )
    warn: dict[str, str] = Field(
        default={},
        description="Its values that are warned of before an item opens, each with the words of the warning. Nothing "
        "of such an item is sent to the page before the annotator asks for it; they can leave it out.",
    )
    most_per_day: int | None = Field(
        default=None, ge=1, description="The most items with a warning that one annotator opens in 24 hours."
    )
    support: dict[LanguageTag, MarkdownFile] = Field(
        default={},
        description="Markdown files with help by language, or by language and country, such as `de` and `de-AT`. What "
        "a browser asks for comes first; the others are one click away. Where none fits, `support` does.",
    )
    check_in: CheckIn | None = Field(default=None, description="How somebody is, asked between items.")

    @model_validator(mode="after")
    def _refuse_what_has_no_effect(self) -> Self:
        if self.warn and not self.field:
            raise mistake("it is not said where the tags of an item are", "add field", "warn", needs=("field",))
        if self.field and not self.warn:
            raise mistake("nothing is warned of", "add warn, or remove field", "field", needs=("warn",))
        if self.most_per_day is not None and not self.warn:
            raise mistake("no item counts for this limit", "add field and warn", "most_per_day", needs=("warn",))
        return self

    def warnings_of(self, value: Any) -> list[str]:
        """Which of the tags in an item's field are warned of, in the order of the study."""
        tags = {str(each) for each in (value if isinstance(value, list) else [value])}
        return [tag for tag in self.warn if tag in tags]


@dataclass(frozen=True, slots=True)
class CheckInAnswer:
    """How somebody said that they are, between two items."""

    annotator: str
    at: int
    judged: int
    answer: str
    simulated: bool


def refuse_contradicting_care(care: Care, exposure: Exposure | None, *, has_consent: bool) -> None:
    """Refuse care that other parts of the study contradict."""
    if care.check_in is not None and care.check_in.coordinator_sees and not has_consent:
        what = "coordinators see how people are, and nobody was asked to agree to that"
        raise mistake(what, "add a gate consent that says so", "care", "check_in", "coordinator_sees")
    if care.most_per_day is None or exposure is None:
        return
    if (exposure.field, set(exposure.values)) != (care.field, set(care.warn)):
        what = "this limit and assignment.exposure speak of different items"
        raise mistake(what, "write the same field and values in both", "care", "most_per_day")
