"""A text to agree to, or to leave. Its version is stored with each judgment; a changed text asks again."""

from typing import Any, ClassVar

from assay.gates import TextGate
from assay.words import Words


class Consent(TextGate):
    """A text to agree to, or to leave. Its version is stored with each judgment; a changed text asks again.

    Short: `consent: guide/consent.md`.
    """

    kind: ClassVar[str] = "consent"
    example: ClassVar[Any] = "guide/consent.md"
    go_on: ClassVar[str] = "agree"

    def title(self, words: Words) -> str:
        return words("consent.heading")
