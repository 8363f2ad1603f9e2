"""The part `pace` of the study file: how long things take, and when annotators rest."""

from typing import Self

from pydantic import Field, model_validator

from assay.kinds import Many, Settings
from assay.mistakes import mistake


class Break(Settings):
    """When a break is offered, between two items."""

    after_items: int | None = Field(default=None, ge=1, description="After so many items.")
    after_minutes: int | None = Field(default=None, ge=1, description="After so many minutes of active time.")
    between_batches: bool = Field(default=False, description="After each batch, where they come in order.")
    minutes: int = Field(default=5, ge=1, le=240, description="How long it is meant to be.")

    @model_validator(mode="after")
    def _sometime(self) -> Self:
        if self.after_items is None and self.after_minutes is None and not self.between_batches:
            raise mistake("this break never comes", "add after_items, after_minutes or between_batches: true")
        return self


class Pace(Settings):
    """How long things take, and when to stop. Guidance only: nobody sees a countdown."""

    expect: Many[int] = Field(default=(), max_length=2, description="Seconds that an item takes, from and to.")
    grace_items: int = Field(default=0, ge=0, description="The first items, which may take longer.")
    at_most: int | None = Field(default=None, ge=1, description="Seconds after which an item takes too long.")
    too_fast: int | None = Field(default=None, ge=1, description="Seconds below which an item is flagged.")
    breaks: Many[Break] = Field(default=(), description="When a break is offered.")
    session_minutes: int | None = Field(
        default=None, ge=1, description="The most active minutes in one session; half an hour without work ends it."
    )
    day_minutes: int | None = Field(default=None, ge=1, description="The most active minutes in 24 hours.")
    ask_at_break: Many[str] = Field(default=(), description="Questions to ask oneself at a break.")
    events: bool = Field(
        default=True,
        description="Whether the page notes when it is visible and has the focus, and how many answers came by key.",
    )

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.expect and (len(self.expect) != 2 or not 0 < self.expect[0] <= self.expect[1]):
            raise mistake(
                "the expected seconds are not from and to", "write two numbers, the lower one first", "expect"
            )
        if self.session_minutes and self.day_minutes and self.day_minutes < self.session_minutes:
            raise mistake("a day is shorter than a session", "the limit of a day covers its sessions", "day_minutes")
        return self
