"""The judgments of the annotators who count, as sections, figures and monitors look at them."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from assay.model import Judgment
from assay.quality import MonitorData
from assay.quality.duplicates import pairs_of_passes
from assay.report.data import Data


@dataclass(frozen=True)
class AnnotatorWork:
    """First and second passes of those who count, on the scale that is in force."""

    data: Data

    @cached_property
    def work(self) -> MonitorData:
        """First and second passes, and what was given in practice."""
        found: MonitorData = self.data.once("work of annotators", self._work)
        return found

    def _work(self) -> MonitorData:
        whole, excluded = self.data.work, self.data.excluded
        given = [*self.data.that_count, *self.data.second_passes]
        given = [each for each in given if self.data.on_this_scale(each)]
        known, practice = (whole.items, whole.practice) if whole else ({}, ())
        kept = [each for each in practice if each.annotator not in excluded]
        if whole is not None and len(given) == len(whole.judgments) and len(kept) == len(whole.practice):
            # Nothing is left out of what monitors look at: what they computed holds here too.
            return whole
        return MonitorData(study=self.data.study, judgments=given, items=known, practice=kept)

    @cached_property
    def twice(self) -> dict[str, dict[str, list[tuple[Judgment, Judgment]]]]:
        """First and second judgments of the same, by dimension and annotator."""
        found: dict[str, dict[str, list[tuple[Judgment, Judgment]]]] = defaultdict(lambda: defaultdict(list))
        for first, second in pairs_of_passes(self.work):
            found[first.dimension][first.annotator].append((first, second))
        return found

    @cached_property
    def names(self) -> list[str]:
        """The pseudonyms of everybody who judged something."""
        return sorted({each.annotator for each in self.work.first_passes})
