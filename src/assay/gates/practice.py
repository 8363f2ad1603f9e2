"""Items to try oneself on, with feedback and without consequence."""

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import Field

from assay.gates import Gate
from assay.words import Words


class Practice(Gate):
    """Some items to try oneself on, with feedback after each and without consequence. They count in no analysis."""

    kind: ClassVar[str] = "practice"
    by_hand: ClassVar[bool] = True
    example: ClassVar[Any] = {"items": "practice.csv", "count": 5, "reason": "reason"}
    judges: ClassVar[bool] = True

    items: str = Field(description="The file with the items and, under the names of dimensions, their references.")
    count: int = Field(default=5, ge=1, description="How many of them each annotator gets.")
    reason: str = Field(default="reason", description="The field that says why the reference is what it is.")

    def title(self, words: Words) -> str:
        return words("practice.heading")

    def place(self, words: Words, number: int, total: int) -> str:
        """Where somebody is: the heading of one of its items."""
        return words("practice.place", number=number, total=total)

    def what(self, words: Words, total: int) -> str:
        """What will happen, before it begins."""
        return words("practice.what", n=total)

    def count_of(self, number: int) -> int:
        """How many items the how-manieth try has."""
        return self.count

    @property
    def most_tries(self) -> int | None:
        return 1

    def decide(self, form: Mapping[str, str]) -> bool | None:
        return None

    def simulate(self) -> dict[str, str]:
        return {}
