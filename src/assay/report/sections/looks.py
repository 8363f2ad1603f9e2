"""What held while the study ran: numbers that may be looked at at any time, and the rule by which it was to stop."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import ClassVar

from assay.in_words import count, some_of
from assay.report.data import Data
from assay.report.sections import Section
from assay.report.stop_rule_state import PairUnderRule, stop_rule_state


@dataclass(frozen=True, slots=True)
class LooksNumbers:
    """The study's stopping rule, and what came of it."""

    declared: bool
    """Whether the study is looked at at any time."""
    rule: str | None
    """The stopping rule in words; None where the study declares none."""
    then: str | None
    """What follows when it is reached: say, pause or close."""
    pairs: list[PairUnderRule]
    """How far every pair is now."""
    holds_now: bool
    """Whether the rule holds at this look."""
    reached_at: str | None
    """When it was reached first, and that was recorded; None: it was not."""
    found: str | None
    """What was found then; empty of a study that was blind."""
    judged: int | None
    """How many judgments of items were there by then."""
    planned: int | None
    saved: int | None
    """How many of those that were planned were not needed."""


class LooksSection(Section[LooksNumbers]):
    """What held while the study ran: numbers for any look, and the rule by which it was to stop."""

    kind: ClassVar[str] = "looks"
    rank: ClassVar[int] = 26
    title: ClassVar[str] = "What held at every look?"
    figures: ClassVar[tuple[str, ...]] = ("looks",)

    def numbers(self, data: Data) -> LooksNumbers:
        state, rule = stop_rule_state(data), data.study.analysis.stop_when
        reached = data.fieldwork.stopped if data.fieldwork else None
        return LooksNumbers(
            declared=data.study.analysis.looks == "any",
            rule=state.rule if state else None,
            then=rule.then if rule else None,
            pairs=state.pairs if state else [],
            holds_now=state.reached if state else False,
            reached_at=f"{datetime.fromtimestamp(reached.at / 1000, UTC):%Y-%m-%d %H:%M} UTC" if reached else None,
            found=reached.found if reached else None,
            judged=reached.judged if reached else None,
            planned=reached.planned if reached else None,
            saved=reached.judgments_not_needed if reached else None,
        )

    def lines(self, numbers: LooksNumbers) -> list[str]:
        if numbers.rule is None:
            return []
        declared = f"The study was to stop {numbers.rule}."
        if numbers.reached_at is not None:
            judged, planned, saved = (count(each or 0) for each in (numbers.judged, numbers.planned, numbers.saved))
            then = f" Found then: {numbers.found}." if numbers.found else ""
            return [
                declared,
                f"The rule was reached on {numbers.reached_at}, with {judged} of "
                f"{planned} planned judgments of items: {saved} were not needed.{then}",
            ]
        if numbers.holds_now:
            return [declared, "At this look the rule holds; no time was recorded before."]
        left = sum(not each.settled_by for each in numbers.pairs)
        if not numbers.pairs:
            return [declared, "It is not reached: nothing that it is about was judged."]
        return [declared, f"It is not reached: {some_of(left, len(numbers.pairs))} are not settled."]
