"""Items to practise on, with feedback and without consequence."""

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import Field

from assay.gates import Gate
from assay.words import Words


class Practice(Gate):
    """Items to practise on, with feedback after each and without consequence. They count in no analysis."""

    kind: ClassVar[str] = "practice"
    by_hand: ClassVar[bool] = True
    example: ClassVar[Any] = {"items": "practice.csv", "count": 5, "reason": "reason"}
    has_items: ClassVar[bool] = True

    items: str = Field(description="The file with the items and, under the names of dimensions, their references.")
    count: int = Field(default=5, ge=1, description="How many of them each annotator gets.")
    reason: str = Field(default="reason", description="The field that says why the reference is what it is.")

    def title(self, words: Words) -> str:
        return words("practice.heading")

    def item_heading(self, words: Words, number: int, total: int) -> str:
        return words("practice.place", number=number, total=total)

    def introduction(self, words: Words, total: int) -> str:
        return words("practice.what", n=total)

    @property
    def item_file(self) -> str:
        return self.items

    @property
    def reason_field(self) -> str:
        return self.reason

    def items_in_attempt(self, attempt: int) -> int:
        return self.count

    @property
    def most_attempts(self) -> int | None:
        return 1

    def decide(self, form: Mapping[str, str]) -> bool | None:
        return None

    def simulate(self) -> dict[str, str]:
        return {}
