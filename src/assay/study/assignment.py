"""The part `assignment` of the study file: who judges what."""

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from assay.kinds import ORDERS, Many, Settings
from assay.mistakes import mistake, quote
from assay.panels import Panel
from assay.study.field_types import OneKind

MOST_PEOPLE = 1000


def _is_number_of_people(written: Any) -> Any:
    if written == "all" or (type(written) is int and 1 <= written <= MOST_PEOPLE):
        return written
    what = f"{quote(written)} is no number of annotators"
    raise mistake(what, f"write a whole number from 1 to {MOST_PEOPLE}, or all")


PerItem = Annotated[
    int | Literal["all"],
    BeforeValidator(_is_number_of_people),
    WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 1, "maximum": MOST_PEOPLE}, {"const": "all"}]}),
]


class DuplicateSettings(Settings):
    """Items that the same annotator gets a second time, without being told."""

    count: int | None = Field(default=None, ge=1, description="How many for each annotator.")
    share: float | None = Field(default=None, gt=0, le=1, description="Or which share of an annotator's items.")
    distance: int = Field(default=20, ge=1, description="At least so many other items lie between.")

    @model_validator(mode="after")
    def _refuse_unclear_number(self) -> Self:
        if (self.count is None) == (self.share is None):
            raise mistake("it is not clear how many duplicates there are", "write either count or share")
        return self


class Controls(Settings):
    """Items with a known answer, hidden among the others."""

    items: str = Field(description="The file with the control items, in the form of the study's items.")
    expect: str = Field(
        default="expected",
        description="The field with the expected answers by dimension. In CSV a column each: `expected.safety`.",
    )
    every: Many[int] = Field(
        default=(15, 30),
        min_length=2,
        max_length=2,
        description="The least and the most items from one control to the next; the distance is drawn between the two.",
    )

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if not 1 <= self.every[0] <= self.every[1]:
            raise mistake(f"no distance lies between {self.every[0]} and {self.every[1]}", "lowest first", "every")
        return self


class Overlap(Settings):
    """A block of items that more people judge than the rest."""

    share: float = Field(gt=0, le=1, description="Which share of the items.")
    per_item: int = Field(ge=2, le=1000, description="How many annotators judge each of them.")


class PeoplePart(Settings):
    """The part of the items that people are asked for; judges are there for the rest."""

    share: float = Field(gt=0, lt=1, description="Which share of the items people judge.")
    by: Literal["system", "doubt"] = Field(
        default="system",
        description="What lots are drawn within: the items of each system; or thirds of the items by how far judges "
        "are apart on them and how unsure they say they are, of which the last third is drawn three times as often as "
        "the first. For `doubt` judges come first, on all items: two of them, one that ran twice, or one that says how "
        "unsure it is (`doubt` in judges.yaml).",
    )


class Exposure(Settings):
    """A limit to hard content: how many such items one annotator gets at most."""

    field: str = Field(description="The field that says what an item contains; shown or hidden.")
    values: Many[str] = Field(min_length=1, description="Its values that count as hard; of a list, any one of them.")
    at_most: int = Field(ge=0, description="The most such items that one annotator gets.")


class PanelEntry(OneKind):
    """The panel that sends people; `panel: prolific` is short for `panel: {prolific: {}}`."""

    short: ClassVar[dict[str, Any] | None] = {"type": "string"}

    @property
    def kind(self) -> Panel:
        """The panel itself."""
        found: Panel = self.only_kind
        return found

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, data: Any) -> Any:
        if isinstance(data, str) and data not in cls._kind_keys():
            raise mistake(f"there is no panel {quote(data)}", f"write one of: {', '.join(cls._kind_keys())}")
        return {data: {}} if isinstance(data, str) else data


class Enrolment(Settings):
    """Open enrolment: whoever has the one link takes part, under an id of their own."""

    at_most: int | None = Field(default=None, ge=1, description="The most people who can take part.")
    per_minute: int | None = Field(
        default=None, ge=1, description="The most people who can enrol within one minute; others are asked to wait."
    )
    id: str = Field(
        default="Your id", description="What the id is called on the page, such as a panel's participant id."
    )
    panel: PanelEntry | None = Field(
        default=None,
        description="The panel that sends people: its address says who comes, and nobody types an id. Codes and "
        "addresses for the way back are in `panel.yaml`, which is no part of the published study.",
    )
    consent_within_minutes: int = Field(
        default=15,
        ge=1,
        description="With a panel: a place is kept so long for somebody who has arrived and not agreed yet; where "
        "the study asks for no consent, who has passed no gate yet.",
    )
    most_minutes: int | None = Field(
        default=None,
        ge=1,
        description="With a panel: the greatest time from arrival to the end; then the place goes to another.",
    )

    @model_validator(mode="after")
    def _refuse_times_without_panel(self) -> Self:
        for key in ("consent_within_minutes", "most_minutes"):
            if self.panel is None and key in self.model_fields_set:
                raise mistake(f"{key} is about people whom a panel sends", "write panel, or remove this key", key)
        return self


class AssignmentSettings(Settings):
    """Who judges what."""

    per_item: PerItem = Field(
        default=1,
        description="How many annotators judge each item; `all`: everybody who takes part judges every item.",
    )
    order: str = Field(default="random", description="The order in which an annotator gets items.")
    batches: Literal["in_order", "mixed"] = Field(
        default="mixed", description="Whether a batch is finished before the next one begins."
    )
    together: bool = Field(default=False, description="Items of one group come one after another, in the file's order.")
    apart: bool = Field(
        default=False,
        description="Items of one group go to different annotators where there are enough of them; otherwise they come "
        "far from each other. For items that give each other away, such as comparisons about one turn.",
    )
    counterbalance: bool = Field(
        default=False,
        description="Of each group an annotator sees one system only, and all systems equally often (a Latin square).",
    )
    duplicates: DuplicateSettings | None = Field(default=None, description="Items that come a second time.")
    controls: Controls | None = Field(default=None, description="Items with a known answer.")
    overlap: Overlap | None = Field(default=None, description="A block that more people judge.")
    people: PeoplePart | None = Field(
        default=None,
        description="Which part of the items people are asked for, drawn by lot; items of one group are drawn "
        "together. The others are for judges alone. What was drawn stays drawn. Left out: all.",
    )
    exposure: Exposure | None = Field(default=None, description="A limit to hard content for each annotator.")
    enrol: Enrolment | None = Field(default=None, description="Open enrolment with one link for everybody.")
    expires_after_hours: int = Field(
        default=24, ge=1, description="When an item that was given out and not touched since goes to another."
    )
    most_per_annotator: int | None = Field(default=None, ge=1, description="The most items one annotator gets.")
    per_annotator: int | None = Field(
        default=None,
        ge=1,
        description="So many items each annotator gets, however many people take part; the plan says how many people "
        "that takes. Hidden duplicates and controls are among them.",
    )

    @property
    def place_lasts_ms(self) -> int:
        """How long an item stays with its annotator after it was given out, or after their last change to it."""
        return self.expires_after_hours * 60 * 60 * 1000

    @property
    def panel(self) -> Panel | None:
        """The panel that sends people, where there is one."""
        return None if self.enrol is None or self.enrol.panel is None else self.enrol.panel.kind

    @property
    def most_items(self) -> int | None:
        """The most items that one annotator gets; None: as many as there are."""
        return self.most_per_annotator if self.per_annotator is None else self.per_annotator

    def annotators_of_item(self, people: int) -> int:
        """How many annotators judge an item, where so many take part."""
        return people if self.per_item == "all" else self.per_item

    @model_validator(mode="after")
    def _refuse_less_than_all(self) -> Self:
        for key in ("counterbalance", "overlap", "exposure", "most_per_annotator", "per_annotator"):
            if self.per_item == "all" and getattr(self, key):
                what = f"everybody judges every item, and {key} says that they do not"
                raise mistake(what, f"write a number in per_item, or remove {key}", key)
        return self

    @model_validator(mode="after")
    def _refuse_contradictions(self) -> Self:
        if self.order not in ORDERS:
            raise mistake(f"there is no order {self.order!r}", f"write one of: {', '.join(ORDERS)}", "order")
        if self.per_annotator is not None and self.most_per_annotator is not None:
            what = "per_annotator says how many items each gets: most_per_annotator has nothing to limit"
            raise mistake(what, "remove one of the two", "most_per_annotator", "per_annotator")
        if self.together and self.counterbalance:
            what = "items of a group cannot come together where each annotator gets one of them"
            raise mistake(what, "remove together or counterbalance", "together")
        if self.together and self.apart:
            raise mistake("items of a group cannot come together and apart", "remove together or apart", "apart")
        if self.apart and not ORDERS[self.order].balanced:
            what = f"items cannot be kept apart where the order is {self.order}"
            raise mistake(what, "write order: random, or remove apart", "apart", "order")
        if self.overlap is not None and self.per_item != "all" and self.overlap.per_item <= self.per_item:
            what = f"{self.overlap.per_item} annotators are no more than the {self.per_item} of every item"
            raise mistake(what, "write a larger number, or remove overlap", "overlap", "per_item")
        return self
