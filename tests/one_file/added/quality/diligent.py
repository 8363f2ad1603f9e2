"""Somebody who has judged many items."""

from typing import ClassVar

from pydantic import Field

from assay.model import Flag
from assay.quality import Monitor, MonitorData
from assay.quality.findings import Finding, flags_from


class DiligentMonitor(Monitor):
    """Somebody who has judged many items."""

    kind: ClassVar[str] = "diligent"

    at_least: int = Field(default=3, ge=1, description="Flag from this many items on.")

    def flags(self, data: MonitorData) -> list[Flag]:
        counts = {annotator: len(given) for annotator, given in data.submissions.items()}
        found = [Finding(name, f"{n} items are judged") for name, n in counts.items() if n >= self.at_least]
        return flags_from(self.kind, found)
