"""SONA, the pools of participants that universities run."""

from typing import Any, ClassVar

from assay.panels import Panel


class Sona(Panel):
    """SONA systems. Its address carries `survey_code`, the id of one participation; there is no other."""

    kind: ClassVar[str] = "sona"
    form: ClassVar[str] = r"[A-Za-z0-9_-]{1,64}"
    example: ClassVar[Any] = {"signature": {"kind": "hmac", "parameter": "signature"}}

    @property
    def names(self) -> tuple[str, str, str]:
        return "survey_code", "", "experiment_id"
