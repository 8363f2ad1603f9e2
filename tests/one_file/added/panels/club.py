"""A club that sends its members' numbers."""

from typing import Any, ClassVar

from assay.panels import Panel


class Club(Panel):
    """A club. Its address carries `number`."""

    kind: ClassVar[str] = "club"
    form: ClassVar[str] = r"[0-9]{1,6}"
    example: ClassVar[Any] = {}

    @property
    def names(self) -> tuple[str, str, str]:
        return "number", "", ""
