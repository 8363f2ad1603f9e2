"""Amazon Mechanical Turk, by a survey link and a code: not in a frame of its pages."""

from collections.abc import Sequence
from typing import Any, ClassVar

from assay.panels import Panel, Payee


class MechanicalTurk(Panel):
    """Mechanical Turk by survey link. Its address carries `workerId`, `assignmentId` and `hitId`."""

    kind: ClassVar[str] = "mturk"
    form: ClassVar[str] = r"[A-Za-z0-9_]{1,64}"
    example: ClassVar[Any] = {"signature": {"kind": "hmac", "parameter": "signature"}}

    @property
    def names(self) -> tuple[str, str, str]:
        return "workerId", "assignmentId", "hitId"

    def pay_lines(self, people: Sequence[Payee]) -> list[list[str]]:
        # The columns of a file of results that are read when it is uploaded. Whom to reject is for a person to decide.
        done = [each for each in people if each.decision in ("pay", "look")]
        return [["HITId", "AssignmentId", "WorkerId", "Approve", "Reject"]] + [
            [each.said.survey, each.said.session, each.said.person, "X" if each.decision == "pay" else "", ""]
            for each in done
        ]
