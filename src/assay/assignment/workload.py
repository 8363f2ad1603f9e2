"""How much work a study is, before anybody is invited: items, people, and minutes for each."""

from dataclasses import dataclass

from assay.assignment.share import Share
from assay.study.schema import Study


@dataclass(frozen=True)
class WorkloadForecast:
    """What each annotator will get, and how many judgments will be missing."""

    share: Share
    words: int
    """Of an item, on average."""
    hard: int = 0
    """How many of the items have hard content."""

    @property
    def study(self) -> Study:
        """The study."""
        return self.share.study

    @property
    def practice(self) -> int:
        """How many items for practice and calibration come first."""
        return sum(entry.gate.items_in_attempt(1) for entry in self.study.gates)

    @property
    def reading(self) -> int:
        """About how many minutes the guidelines take that have to be read first: no part of `minutes`."""
        return sum(entry.gate.minutes_to_read for entry in self.study.gates)

    @property
    def seconds(self) -> float:
        """For one item: as the study expects it, otherwise for reading it and answering."""
        return self.study.seconds_for(self.words)

    @property
    def minutes(self) -> int:
        """For one person, from the first item to the last."""
        return -(-round(self.seconds * (self.share.total + self.practice)) // 60)

    @property
    def judgments(self) -> int:
        """How often items are to be judged, all together."""
        return self.share.all_places

    @property
    def shortfall(self) -> int:
        """How many of these judgments will be missing, with so many people."""
        share, people = self.share, self.share.annotators
        limit = self.study.assignment.most_items
        usual = self.study.assignment.annotators_of_item(people)
        most = share.most_items if limit is None else share.fair_items
        exposure = self.study.assignment.exposure
        too_hard = 0 if exposure is None else self.hard * usual - people * exposure.at_most
        return min(share.places, max(share.places - people * most, too_hard, 0))

    def recruits(self, left: int) -> int | None:
        """How many more people `left` judgments take, where each gets a fixed number of items; None where all share."""
        if self.study.assignment.per_annotator is None:
            return None
        return -(-left // max(1, self.share.fair_items))
