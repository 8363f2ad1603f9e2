"""Amazon Mechanical Turk, by a survey link and a code: not in a frame of its pages."""

from typing import Any, ClassVar

from assay.panels import Panel


class MechanicalTurk(Panel):
    """Mechanical Turk by survey link. Its address carries `workerId`, `assignmentId` and `hitId`."""

    kind: ClassVar[str] = "mturk"
    form: ClassVar[str] = r"[A-Za-z0-9_]{1,64}"
    example: ClassVar[Any] = {"signature": {"kind": "hmac", "parameter": "signature"}}

    @property
    def names(self) -> tuple[str, str, str]:
        return "workerId", "assignmentId", "hitId"
