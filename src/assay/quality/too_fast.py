"""Items submitted faster than they can be read."""

from typing import ClassVar

from pydantic import Field

from assay.in_words import share, some_of
from assay.model import WORDS_A_MINUTE, Flag, Judgment
from assay.quality import Monitor, MonitorData
from assay.quality.findings import Finding, flags_from, share_evidence


class TooFastMonitor(Monitor):
    """Items submitted faster than they can be read, by the time in which the page was in use.

    The limit is `seconds`, or `pace.too_fast`; where a study has neither, a share of the time that reading takes at 238
    words a minute.
    """

    kind: ClassVar[str] = "too_fast"
    gravity: ClassVar[int] = 1
    of_page: ClassVar[bool] = True

    seconds: float | None = Field(default=None, gt=0, description="The limit; left out: `pace.too_fast`.")
    share_of_reading: float = Field(
        default=0.3, gt=0, le=1, description="Without seconds: which share of the time that reading takes."
    )
    share: float = Field(default=0.1, ge=0, lt=1, description="Flag above this share of an annotator's items.")
    at_least: int = Field(default=5, ge=1, description="Say nothing before this many items with a time.")

    def flags(self, data: MonitorData) -> list[Flag]:
        fixed = self.seconds or data.study.pace.too_fast
        found = []
        for annotator, submissions in data.submissions.items():
            timed = [given[0] for given in submissions.values() if given[0].active_ms is not None]
            fast = tuple(each.item for each in timed if _seconds(each) < self._limit(data, each.item, fixed))
            if len(timed) >= self.at_least and len(fast) / len(timed) > self.share:
                limit = f"{fixed:g} s" if fixed else f"{share(self.share_of_reading)} of the time that reading takes"
                median = sorted(map(_seconds, timed))[len(timed) // 2]
                words = f"{some_of(len(fast), len(timed))} items took less than {limit} (median {median:.0f} s)"
                numbers = {**share_evidence(len(fast), len(timed), "fast"), "median_seconds": round(median, 1)}
                found.append(Finding(annotator, words, fast, evidence=numbers))
        return flags_from(self.kind, found)

    def _limit(self, data: MonitorData, item: str, fixed: float | None) -> float:
        words = data.items[item].words if item in data.items else 0
        return fixed or self.share_of_reading * words / WORDS_A_MINUTE * 60


def _seconds(judgment: Judgment) -> float:
    return (judgment.active_ms or 0) / 1000
