"""The part `pay` of the study file: what people get for their work, and the least that an hour should bring."""

from typing import Self

from pydantic import Field, model_validator

from assay.kinds import Settings
from assay.mistakes import mistake


class Pay(Settings):
    """What people get. Nothing is paid by the program: it makes the list, and says what an hour brings."""

    per_item: float | None = Field(default=None, gt=0, description="For each submitted item.")
    per_hour: float | None = Field(default=None, gt=0, description="Or for each hour of work, idle time left out.")
    floor: float | None = Field(
        default=None, gt=0, description="The least that an hour of work should bring; below it, the study says so."
    )
    currency: str = Field(default="", max_length=8, description="What is written after an amount, such as EUR.")

    @model_validator(mode="after")
    def _one_of_the_two(self) -> Self:
        if (self.per_item is None) == (self.per_hour is None):
            raise mistake("it is not clear what people are paid for", "write either per_item or per_hour")
        if self.per_hour is not None and self.floor is not None and self.per_hour < self.floor:
            what = f"an hour brings {self.per_hour:g}, and the floor is {self.floor:g}"
            raise mistake(what, "pay more, or write a lower floor", "per_hour", "floor")
        return self

    def amount(self, items: int, active_ms: int) -> float:
        """What somebody gets for this many items in this much time."""
        if self.per_item is not None:
            return self.per_item * items
        assert self.per_hour is not None
        return self.per_hour * active_ms / HOUR

    def rate_for(self, seconds: float) -> float | None:
        """What an hour brings to somebody who takes so long for an item; None where no time is known."""
        if self.per_hour is not None:
            return self.per_hour
        return self.amount(1, 0) * 3600 / seconds if seconds else None

    def say(self, amount: float) -> str:
        """An amount with its currency."""
        return f"{amount:,.2f} {self.currency}".rstrip()


HOUR = 60 * 60 * 1000
