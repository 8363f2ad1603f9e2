"""Items that took too long, after the first ones."""

from typing import ClassVar

from pydantic import Field

from assay.in_words import some_of
from assay.model import Flag
from assay.quality import Monitor, MonitorData
from assay.quality.findings import Finding, flags_from, share_evidence


class TooSlowMonitor(Monitor):
    """Items that took longer than `seconds`, or than `pace.at_most`, by the time in which the page was in use.

    The first items, `pace.grace_items` of them, may take longer. Without a limit nothing is too slow.
    """

    kind: ClassVar[str] = "too_slow"
    gravity: ClassVar[int] = 3
    of_page: ClassVar[bool] = True

    seconds: float | None = Field(default=None, gt=0, description="The limit; left out: `pace.at_most`.")
    share: float = Field(default=0.25, ge=0, lt=1, description="Flag above this share of an annotator's items.")
    at_least: int = Field(default=5, ge=1, description="Say nothing before this many items with a time.")

    def flags(self, data: MonitorData) -> list[Flag]:
        limit = self.seconds or data.study.pace.at_most
        if limit is None:
            return []
        found = []
        for annotator, submissions in data.submissions.items():
            done = sorted((given[0] for given in submissions.values()), key=lambda each: each.submitted_at)
            # Positions count controls and second passes too; without them, the order of the submissions does.
            later = [
                each for number, each in enumerate(done, 1) if (each.position or number) > data.study.pace.grace_items
            ]
            timed = [each for each in later if each.active_ms is not None]
            slow = tuple(each.item for each in timed if (each.active_ms or 0) > limit * 1000)
            if len(timed) >= self.at_least and len(slow) / len(timed) > self.share:
                words = f"{some_of(len(slow), len(timed))} items took longer than {limit:g} s"
                words += f", the first {grace} left out" if (grace := data.study.pace.grace_items) else ""
                found.append(Finding(annotator, words, slow, evidence=share_evidence(len(slow), len(timed), "slow")))
        return flags_from(self.kind, found)
