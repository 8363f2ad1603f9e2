"""What hard content is to be expected, with a safe way out before any of it is seen."""

from typing import Any, ClassVar

from assay.gates import TextGate
from assay.words import Words


class ContentWarning(TextGate):
    """What hard content is to be expected, with a safe way out before any of it is seen.

    Short: `warning: guide/warning.md`.
    """

    kind: ClassVar[str] = "warning"
    example: ClassVar[Any] = "guide/warning.md"
    go_on: ClassVar[str] = "continue"

    def title(self, words: Words) -> str:
        return words("warning.heading")
