"""Two candidates side by side. Which one stands where is drawn for each annotator and item."""

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import Annotated, Any, ClassVar

from pydantic import Field, Strict, model_validator

from assay.displays import Display
from assay.displays.formatted_text import Wording
from assay.kinds import Many, Shortcut
from assay.model import CANDIDATES


class PairDisplay(Display):
    """Two candidates side by side, each shown by the same blocks. Which one stands on which side is drawn.

    Short: `pair: [text: {field: text}]`. The fields of the blocks are the parts that `items.candidates` names.
    """

    kind: ClassVar[str] = "pair"
    example: ClassVar[Any] = {"labels": ["A", "B"], "show": [{"text": {"field": "text"}}]}
    holds_blocks: ClassVar[bool] = True

    short: ClassVar[dict[str, Any] | None] = {"type": "array", "items": {"type": "object"}}

    labels: Annotated[tuple[str, str], Strict(False)] | None = Field(
        default=None, description="What the page calls the two sides; left out: left and right, in its language."
    )
    show: Many[Any] = Field(min_length=1, description="The blocks that show one candidate, in reading order.")

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, data: Any) -> Any:
        return {"show": data} if isinstance(data, list) else data

    def fields(self) -> tuple[str, ...]:
        return ()

    def candidate_fields(self) -> tuple[str, ...]:
        return tuple(name for block in self.show for name in block.display.fields())

    @property
    def wording(self) -> Wording:
        found: Wording = reduce(or_, (block.display.wording for block in self.show))
        return found

    def shortcuts(self) -> tuple[Shortcut, ...]:
        return tuple(dict.fromkeys(each for block in self.show for each in block.display.shortcuts()))

    def view(self, shown: dict[str, Any], prefix: str = "") -> dict[str, Any]:
        listed = shown.get(CANDIDATES)
        candidates = [each if isinstance(each, dict) else {} for each in listed] if isinstance(listed, list) else []
        sides = [
            {
                "label": label,
                "blocks": [(block.display, block.display.view(candidate, letter)) for block in self.show],
            }
            for label, letter, candidate in zip(self.labels or ("", ""), "AB", candidates, strict=False)
        ]
        return {"sides": sides, "same": len(candidates) == 2 and candidates[0] == candidates[1]}

    def opening(self, shown: Mapping[str, Any]) -> str:
        listed = shown.get(CANDIDATES)
        first = listed[0] if isinstance(listed, list) and listed and isinstance(listed[0], dict) else {}
        found = (block.display.opening(first) for block in self.show)
        return next((text for text in found if text.strip()), "")

    def sample(self) -> dict[str, Any]:
        one = {name: value for block in self.show for name, value in block.display.sample().items()}
        return {CANDIDATES: [one, dict(one)]}
