"""The same value on every dimension of an item, too often to be a coincidence."""

from typing import ClassVar

from pydantic import Field

from assay.in_words import some_of
from assay.model import Flag
from assay.quality import Monitor, MonitorData
from assay.quality.findings import Finding, flags_from, share_evidence


class StraightLiningMonitor(Monitor):
    """The same value on every dimension of an item, too often to be a coincidence.

    Only dimensions count whose values stand in an order: a line of threes does not end because a yes stands below it.
    """

    kind: ClassVar[str] = "straight_lining"
    gravity: ClassVar[int] = 1

    share: float = Field(default=0.7, gt=0, le=1, description="Flag above this share of an annotator's items.")
    at_least: int = Field(default=10, ge=1, description="Say nothing before this many items.")

    def flags(self, data: MonitorData) -> list[Flag]:
        ordered = {dimension.dimension for dimension in data.ordered_dimensions}
        found = []
        for annotator, submissions in data.submissions.items():
            lines = [[each for each in given if each.dimension in ordered] for given in submissions.values()]
            # One value alone is always "the same on all": there is nothing to see.
            lines = [given for given in lines if len([each for each in given if each.value is not None]) > 1]
            alike = [given[0].item for given in lines if len({str(each.value) for each in given}) == 1]
            if len(lines) >= self.at_least and len(alike) / len(lines) > self.share:
                words = f"{some_of(len(alike), len(lines))} items have the same value on every dimension"
                found.append(
                    Finding(annotator, words, tuple(alike), evidence=share_evidence(len(alike), len(lines), "alike"))
                )
        return flags_from(self.kind, found)
