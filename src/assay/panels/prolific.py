"""Prolific: three parameters in every address, and completion codes."""

from collections.abc import Sequence
from typing import Any, ClassVar

from assay.panels import Panel, Payee


class Prolific(Panel):
    """Prolific. Its address carries `PROLIFIC_PID`, `STUDY_ID` and `SESSION_ID`."""

    kind: ClassVar[str] = "prolific"
    form: ClassVar[str] = r"[A-Za-z0-9_-]{1,64}"
    claim: ClassVar[str] = "prolific"
    example: ClassVar[Any] = {
        "signature": {"kind": "jwt_rs256", "parameter": "prolific_token", "audience": "https://study.example.org"}
    }

    @property
    def names(self) -> tuple[str, str, str]:
        return "PROLIFIC_PID", "SESSION_ID", "STUDY_ID"

    def pay_lines(self, people: Sequence[Payee]) -> list[list[str]]:
        # Approving many at once takes ids alone, one on a line.
        return [[each.said.person] for each in people if each.decision == "pay"]
