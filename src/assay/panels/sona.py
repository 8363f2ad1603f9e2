"""SONA, the pools of participants that universities run."""

from collections.abc import Sequence
from typing import Any, ClassVar

from assay.panels import Panel, Payee


class Sona(Panel):
    """SONA systems. Its address carries `survey_code`, the id of one participation; there is no other."""

    kind: ClassVar[str] = "sona"
    form: ClassVar[str] = r"[A-Za-z0-9_-]{1,64}"
    example: ClassVar[Any] = {"signature": {"kind": "hmac", "parameter": "signature"}}

    @property
    def names(self) -> tuple[str, str, str]:
        return "survey_code", "", "experiment_id"

    def pay_lines(self, people: Sequence[Payee]) -> list[list[str]]:
        # Credit is granted by the code of a participation, one on a line.
        return [[each.said.person] for each in people if each.decision == "pay"]
