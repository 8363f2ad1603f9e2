"""Warnings of the study's rules that were not heeded."""

from collections import Counter
from typing import ClassVar

from pydantic import Field

from assay.in_words import some_of
from assay.model import Flag
from assay.quality import Monitor, MonitorData
from assay.quality.findings import Finding, flags_from, share_evidence


class OverriddenWarningsMonitor(Monitor):
    """Submissions that went against a rule that only warns, too often to be exceptions."""

    kind: ClassVar[str] = "overridden_warnings"
    of_page: ClassVar[bool] = True

    share: float = Field(default=0.2, ge=0, lt=1, description="Flag above this share of an annotator's items.")
    at_least: int = Field(default=10, ge=1, description="Say nothing before this many items.")

    def flags(self, data: MonitorData) -> list[Flag]:
        found = []
        for annotator, submissions in data.submissions.items():
            against = [given[0] for given in submissions.values() if given[0].overridden]
            if len(submissions) >= self.at_least and len(against) / len(submissions) > self.share:
                often = Counter(warning for each in against for warning in each.overridden).most_common(1)[0]
                words = f"{some_of(len(against), len(submissions))} items were submitted against a warning, "
                words += f"{often[1]} of them about {often[0]}"
                numbers = share_evidence(len(against), len(submissions), "overridden")
                items = tuple(each.item for each in against)
                found.append(Finding(annotator, words, items, evidence=numbers))
        return flags_from(self.kind, found)
