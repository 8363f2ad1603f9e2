"""Items to try oneself on, with feedback and without consequence."""

from typing import Any, ClassVar

from pydantic import Field

from assay.gates import Gate
from assay.words import Words


class Practice(Gate):
    """Some items to try oneself on, with feedback after each and without consequence. They count in no analysis."""

    kind: ClassVar[str] = "practice"
    example: ClassVar[Any] = {"items": "practice.csv", "count": 5, "reason": "reason"}
    acts: ClassVar[bool] = False

    items: str = Field(description="The file with the items and, under the names of dimensions, their references.")
    count: int = Field(default=5, ge=1, description="How many of them each annotator gets.")
    reason: str = Field(default="reason", description="The field that says why the reference is what it is.")

    def title(self, words: Words) -> str:
        return words("practice.heading")
