"""Whether the stopping rule that a study declares is reached: every pair of systems is settled, at this look."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from assay.model import Estimate
from assay.report.charts import interval, number
from assay.report.data import Data
from assay.report.families import ComparisonFamily, families_of
from assay.report.looks import means_at_any_time
from assay.report.margins import SHOWN, MarginTest
from assay.report.preferences import PreferencePair
from assay.report.shown_differences import is_shown
from assay.report.system_scores import PairOfSystems
from assay.report.wording import difference_in_words, p_in_words
from assay.study.stopping import StopRule


@dataclass(frozen=True, slots=True)
class PairUnderRule:
    """One pair of systems on one dimension (or one mean, where nothing is compared), and what settles it."""

    title: str
    about: str
    value: float | None
    ci: tuple[float, float] | None
    settled_by: str
    """Which condition holds, in words; empty: none yet."""
    measure: Literal["mean", "difference", "net win rate"] = "mean"

    def in_words(self) -> str:
        """What was found of it."""
        found = "undefined" if self.value is None else f"{number(self.value)} {interval(self.ci)}".strip()
        if self.value is not None and self.measure != "mean":
            found = difference_in_words(Estimate("", self.value, self.ci), self.measure == "net win rate")
        return f"{self.title}, {self.about} {found}: {self.settled_by or 'not settled'}"


@dataclass(frozen=True, slots=True)
class StopRuleState:
    """How far the rule is at this look."""

    rule: str
    pairs: list[PairUnderRule]

    @property
    def reached(self) -> bool:
        """Whether every pair that the rule is about is settled; never where it is about none."""
        return bool(self.pairs) and all(each.settled_by for each in self.pairs)

    def pairs_in_words(self) -> str:
        """What was found of every pair."""
        return "; ".join(each.in_words() for each in self.pairs)


def stop_rule_state(data: Data) -> StopRuleState | None:
    """How far the study's rule is; None where it has none."""
    rule = data.study.analysis.stop_when
    if rule is None:
        return None
    families = families_of(data)
    pairs = [pair for family in families for pair in (*_of_scores(rule, family), *_of_preferences(rule, family))]
    if not any(family.systems and family.systems.dimensions for family in families) and rule.narrower_than:
        pairs += _of_means(rule, data)
    return StopRuleState(data.study.analysis.stop_rule_in_words, pairs)


def _of_scores(rule: StopRule, family: ComparisonFamily) -> Iterator[PairUnderRule]:
    for row in family.systems.dimensions if family.systems else ():
        for pair in row.pairs if _is_about(rule, row.dimension) else ():
            names = pair.first, pair.second
            yield from _under_rule(rule, rule.narrower_than, pair, pair.difference, names, row.title, "difference")


def _of_preferences(rule: StopRule, family: ComparisonFamily) -> Iterator[PairUnderRule]:
    for row in family.preferences.dimensions if family.preferences else ():
        for pair in row.pairs if _is_about(rule, row.dimension) else ():
            names = pair.system, pair.against
            yield from _under_rule(rule, rule.narrower_than_net, pair, pair.net, names, row.title, "net win rate")


def _is_about(rule: StopRule, dimension: str) -> bool:
    return not rule.on or dimension in rule.on


def _under_rule(
    rule: StopRule,
    width: float | None,
    pair: PairOfSystems | PreferencePair,
    at_the_end: Estimate,
    names: tuple[str, str],
    title: str,
    measure: Literal["difference", "net win rate"],
) -> Iterator[PairUnderRule]:
    """A pair with what settles it, if the rule has a condition that could."""
    by_margin = rule.equivalence_shown and pair.margin is not None
    if rule.difference_shown or by_margin or width:
        found = pair.any_time or at_the_end
        about = (" − " if measure == "difference" else " against ").join(names)
        by = _condition_that_holds(rule, width, found, pair.p_corrected, pair.margin, names)
        yield PairUnderRule(title, about, found.value, found.ci, by, measure)


def _of_means(rule: StopRule, data: Data) -> Iterator[PairUnderRule]:
    """Where nothing is compared: the mean of each system, or of all items."""
    for panel in means_at_any_time(data):
        for row in panel.rows if _is_about(rule, panel.dimension) else ():
            by = _narrow(row.estimate, rule.narrower_than)
            yield PairUnderRule(panel.title, row.about, row.estimate.value, row.estimate.ci, by)


def _condition_that_holds(
    rule: StopRule,
    width: float | None,
    found: Estimate,
    p: float | None,
    margin: MarginTest | None,
    names: tuple[str, str],
) -> str:
    """The first condition that holds; nothing is settled by what is not defined at this look."""
    if found.value is None:
        return ""
    if rule.difference_shown and is_shown(p):
        return f"a difference is shown ({p_in_words(p)})"
    if rule.equivalence_shown and margin is not None and margin.decision == SHOWN:
        return f"{margin.claim(*names)} ({p_in_words(margin.p_corrected)})"
    return _narrow(found, width)


def _narrow(found: Estimate, width: float | None) -> str:
    narrow = width is not None and found.ci is not None and found.ci[1] - found.ci[0] < width
    return f"the interval is narrower than {width:g}" if narrow else ""
