"""A promise to work alone."""

from typing import Any, ClassVar

from assay.gates import TextGate
from assay.words import Words


class PromiseGate(TextGate):
    """A promise to work alone. Short: `promise: guide/promise.md`."""

    kind: ClassVar[str] = "promise"
    example: ClassVar[Any] = "guide/promise.md"
    go_on: ClassVar[str] = "promise"

    def title(self, words: Words) -> str:
        return words("promise.heading")
