"""The plan of the work: what is to be judged, what of it is there, and what each annotator gets in how many minutes.

Everything that mentions it takes it from here: the invitation, the import, the status, the page that manages a study,
the API. The page that an annotator's link leads to makes the same forecast (`store/annotator/workload.py`). Minutes,
people to recruit and what will be missing are computed in `assignment/workload.py`.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from assay.assignment.workload import WorkloadForecast
from assay.in_words import count, many, some_of
from assay.live.hourly_rates import HourlyRates, rates_of
from assay.store import Backend
from assay.store.annotator.names import names_apart
from assay.store.annotator.participation import FROM_FILES, filled_places
from assay.store.annotator.workload import Workload, workload
from assay.store.coordinator import pilots, study_status
from assay.store.coordinator.held_places import HeldPlaces, held_places
from assay.store.coordinator.pilots import PilotProgress
from assay.store.coordinator.study_status import ItemCounts
from assay.study import Study


@dataclass(frozen=True, slots=True)
class WorkPlan:
    """How much work there is, and what each of those who share it will get."""

    work: Workload
    people: int
    """How many share it; 0: nobody yet, and the forecast is for as many as judge an item."""
    forecast: WorkloadForecast
    """For one of them."""
    counts: ItemCounts
    from_files: int
    """How many judgments of items came from files."""
    pilot: PilotProgress
    held: list[HeldPlaces]
    hour: HourlyRates
    """What an hour of work brings, or will bring."""

    @property
    def judgments_left(self) -> int:
        """How many judgments of items are neither there nor given out."""
        return max(0, self.forecast.judgments - self.work.taken_places)

    @property
    def nobody_for(self) -> int:
        """For how many judgments of items there is nobody."""
        return self.forecast.shortfall if self.people else self.judgments_left

    @property
    def recruit(self) -> int | None:
        """How many people more it takes beside those who take part; None where they share the work.

        It is known where each gets a fixed number of items.
        """
        return self.forecast.recruits(self.nobody_for)

    def as_json(self) -> dict[str, Any]:
        """The plan for a program to read."""
        share = self.forecast.share
        fixed = {} if self.recruit is None else {"recruit": self.recruit}
        return {
            "items": self.work.items,
            "items_in_all": self.counts.items,
            "judges_alone": self.counts.judges_alone,
            "finished": self.counts.finished,
            "taken": self.work.taken_places,
            "from_files": self.from_files,
            "left": self.judgments_left,
            "held": [each.as_json() for each in self.held],
            "per_item": share.study.assignment.per_item,
            "overlap": share.block,
            "judgments": self.forecast.judgments,
            "annotators": self.people,
            "each": {
                "items": share.different_items,
                "duplicates": share.duplicates,
                "controls": len(share.control_positions),
                "practice": self.forecast.practice,
                "minutes": self.forecast.minutes,
            },
            "nobody_for": self.nobody_for,
            "pay": self.hour.as_json(),
            **fixed,
        }

    def sentences(self) -> list[str]:
        """The plan in sentences."""
        lines = [self.whole_work()]
        if self.later:
            lines.append(f"  {self.what_opens_later()}")
        if self.work.taken_places:
            lines.append(f"  {self.what_is_there()}")
        if self.people_part:
            lines.append(f"  {self.people_part}")
        lines.append(f"  {self.what_each_gets()}")
        if self.counts.finished:
            left = "; new people get what is left" if self.judgments_left else ""
            finished = f"{many(self.counts.finished, 'item')} {'is' if self.counts.finished == 1 else 'are'} finished"
            lines.append(f"  {finished}{left}.")
        if self.recruit:
            lines.append(
                f"  Recruit {many(self.recruit, 'person', 'people')} more for what nobody is there for yet, "
                "and some to spare."
            )
        lines += [f"  {each.in_words()}" for each in self.held]
        if self.people and self.nobody_for:
            lines.append(f"  For {count(self.nobody_for)} of these judgments there is nobody yet: invite more people.")
        if self.hour.pay is not None:
            lines += [f"  {each}" for each in self.hour.sentences()]
        return lines

    @property
    def people_part(self) -> str:
        """Which part of the items people are asked for; empty where it is all of them."""
        part = self.forecast.study.assignment.people
        if part is None:
            return ""
        every = self.counts.items + self.counts.judges_alone
        if not self.counts.items and part.by == "doubt" and every:
            who = "two judges, or one that ran twice or says how unsure it is,"
            return f"People's items are drawn when {who} have judged all {count(every)} items."
        within = "within each system" if part.by == "system" else "by how far judges are apart"
        return f"People are asked for {some_of(self.counts.items, every)} items, drawn by lot {within}."

    @property
    def later(self) -> int:
        """How many items are not given out by now."""
        return self.counts.items - self.work.items

    def what_opens_later(self) -> str:
        """When the items behind a pilot open, and how many of them are judged all the same, as from files."""
        more = f"{count(self.later)} more {'item opens' if self.later == 1 else 'items open'}"
        judged = self.pilot.finished_behind
        which = "All" if judged == self.later else count(judged)
        already = f" {which} of them have all their judgments already." if judged else ""
        if self.pilot.verdict:
            found = f"The pilot is finished, and its verdict was {self.pilot.verdict}"
            return f"{found}: {more} by hand, or after another pilot that is passed.{already}"
        if self.pilot.is_finished:
            return f"The pilot is finished: {more} once somebody decides about it.{already}"
        return f"{more} after the pilot.{already}"

    def whole_work(self) -> str:
        """How often items are to be judged, and by how many people."""
        share = self.forecast.share
        more = f", {count(share.block)} of them by more," if share.block else ""
        needed = share.study.assignment.per_item
        whole = f"{many(self.work.items, 'item')} x {'all annotators' if needed == 'all' else many(needed)}{more}"
        shared = f", shared by {many(self.people, 'person', 'people')}" if self.people else ""
        return f"Plan: {whole} = {count(self.forecast.judgments)} item judgments{shared}."

    def what_is_there(self) -> str:
        """How many of the judgments are there or given out, and how many are left."""
        files = f" ({count(self.from_files)} of them came from files)" if self.from_files else ""
        there = f"{some_of(self.work.taken_places, self.forecast.judgments)} item judgments are there or given out"
        return f"{there}{files}: {count(self.judgments_left)} are left."

    def what_each_gets(self) -> str:
        """What one person gets, and how long it takes."""
        share = self.forecast.share
        if not share.total:
            return "Nothing is left to be judged: whoever is invited now gets no items."
        more = (
            (share.duplicates, "that come a second time"),
            (len(share.control_positions), "with a known answer"),
            (self.forecast.practice, "for practice first"),
        )
        parts = [many(share.different_items, "item"), *(f"{count(n)} {what}" for n, what in more if n)]
        alone = (
            "One person would get" if share.annotators == 1 else f"Each of {count(share.annotators)} people would get"
        )
        minutes = many(self.forecast.minutes, "minute")
        return f"{'Each gets' if self.people else alone} about {', '.join(parts)}: {minutes}."


def work_plan(
    store: Backend, study_id: int, study: Study, now: int, names: Collection[str] = (), more: int = 0
) -> WorkPlan:
    """The plan with those who take part, the named ones and so many more; for one who is new, if there are any."""
    work = store.read(workload, study_id)
    begun = {row.annotator: row.given > 0 for row in store.read(study_status.progress, study_id)}
    begun |= {name: begun[known] for known, name in store.read(names_apart, study_id).items() if known in begun}
    new = more > 0 or any(not begun.get(name, False) for name in names)
    more += len(set(names) - set(begun))
    return WorkPlan(
        work=work,
        people=work.annotators + more,
        forecast=work.forecast(study, more=more, new=new),
        counts=store.read(study_status.item_counts, study_id),
        from_files=store.read(filled_places, study_id, FROM_FILES)[0],
        pilot=store.read(pilots.progress, study_id),
        held=store.read(held_places, study_id, now),
        hour=store.read(rates_of, study_id, study),
    )
