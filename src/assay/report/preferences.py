"""Which system is preferred: wins, ties and losses of each pair, and a ranking."""

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from assay.model import Comparison, Estimate, Judgment
from assay.report.data import Data
from assay.report.margins import MarginTest, margin_of_net
from assay.report.preference_sides import (
    ScoresBesidePreference,
    SideEffect,
    is_usable,
    preference,
    scores_beside,
    side_effect,
)
from assay.report.shown_differences import decision, why_undecided
from assay.report.system_comparison import (
    NumericDimension,
    groups_by_item,
    independent_units,
    is_compared_on,
    numeric_dimensions,
    systems_of,
    with_test,
)
from assay.report.system_scores import BOTH
from assay.statistics.comparison.aggregates import majorities
from assay.statistics.comparison.any_time import any_time
from assay.statistics.comparison.beyond_panel import net_beyond_panel
from assay.statistics.comparison.bradley_terry import rank_systems
from assay.statistics.comparison.preferences import win_rates
from assay.statistics.draws import DRAWS
from assay.study.analysis import ComparisonSettings

if TYPE_CHECKING:
    from assay.statistics.comparison.bradley_terry import RankedSystem
    from assay.statistics.comparison.preferences import Preference


@dataclass(frozen=True, slots=True)
class MajorityVotes:
    """How many items one system won by the majority of their judgments: by the answer that was given most often."""

    items: int
    wins: int
    ties: int
    losses: int
    none: int
    """How many have no majority: two answers were given equally often."""


@dataclass(frozen=True, slots=True)
class PreferencePair:
    """How often one system was preferred to another."""

    system: str
    against: str
    n: int
    n_units: int
    """How many independent items or groups are behind it."""
    unit: str
    p_corrected: float | None
    wins: Estimate
    ties: Estimate
    losses: Estimate
    net: Estimate
    """Wins − losses."""
    sign_test: Estimate
    sign_test_ties_split: Estimate
    majority: MajorityVotes
    margin: MarginTest | None = None
    """Whether a net win rate as large as the study's margin is ruled out; None where it declares none."""
    generalise: str | None = None
    """What the study's comparisons are about; None where it does not say, and they are about these annotators."""
    beyond: Estimate | None = None
    """The net win rate for annotators like these; None where the study does not say what it is about."""
    any_time: Estimate | None = None
    """The net win rate as it may be looked at at any time; None where the study does not ask for that."""
    shares_at_any_time: tuple[Estimate, ...] = ()
    """Wins, ties and losses likewise."""

    @property
    def claim(self) -> Estimate:
        """The net win rate that the study makes a claim about."""
        if self.any_time is not None:
            return self.any_time
        return self.beyond if self.generalise == BOTH and self.beyond is not None else self.net

    @property
    def p(self) -> float | None:
        """The p-value of the test that the study's claim needs."""
        return self.sign_test.p if self.claim is self.net else self.claim.p

    @property
    def undecided(self) -> str:
        """Why nothing can be said of a difference, though there are items enough; empty where something can."""
        signs = "sign test of groups" if self.unit == "groups" else "sign test"
        called = signs if self.claim is self.net else "test"
        return why_undecided(
            self.claim, self.p, self.p_corrected, tests=[self.sign_test], called=called, n_units=self.n_units
        )

    @property
    def differ(self) -> bool:
        """Whether a difference is shown: by the test after its correction, and by the interval beside it."""
        return decision(self.p_corrected, self.undecided) is True


@dataclass(frozen=True, slots=True)
class SystemRanking:
    """All systems in the order of their strength, or why they cannot be ranked."""

    model: str
    n_items: int
    n_units: int
    unit: str
    n_comparisons: int
    n_ties: int
    tie_parameter: float | None
    method: str
    undefined: str | None
    standings: "Sequence[RankedSystem]"


@dataclass(frozen=True, slots=True)
class PreferenceQuestion:
    """One question about which system is better."""

    dimension: str
    title: str
    both_bad: int
    pairs: list[PreferencePair]
    never_compared: list[tuple[str, str]]
    ranking: SystemRanking | None
    """None where there are two systems only."""
    position_bias: SideEffect
    scores: list[ScoresBesidePreference]


@dataclass(frozen=True, slots=True)
class PreferenceFamily:
    """The tests of one family, which are corrected together."""

    correction: str
    tests: int
    dimensions: list[PreferenceQuestion]
    margin_tests: int = 0
    """How many tests against a margin are corrected together."""


def preference_family(data: Data, comparison: ComparisonSettings) -> PreferenceFamily | None:
    """One comparison that the study asks for, its p-values not yet corrected; None where there is nothing to say."""
    # Whether sides or scores go with a choice is about what each person said, before anything was talked over.
    sides = [each for each in numeric_dimensions(replace(data, agreed=())) if each.of_sides]
    rows = []
    for name in data.study.preference_dimensions:
        about = [each for each in data.with_agreed.judgments if each.dimension == name and is_usable(each, data)]
        names = systems_of(comparison, (system for each in about for system in each.systems))
        about = [each for each in about if set(each.systems) <= set(names)]
        if is_compared_on(comparison, name) and about:
            rows.append(_question(data, name, about, sides, comparison))
    if not rows:
        return None
    tests = sum(pair.p is not None for row in rows for pair in row.pairs)
    return PreferenceFamily(comparison.correction, tests, rows)


def _question(
    data: Data,
    name: str,
    about: Sequence[Judgment],
    sides: Sequence[NumericDimension],
    comparison: ComparisonSettings,
) -> PreferenceQuestion:
    systems = systems_of(comparison, (system for each in about for system in each.systems))
    # Systems that this comparison names stand in its order; others as the study or its file has them.
    pairs = [Comparison(*pair) if comparison.systems else data.comparison_of(pair) for pair in combinations(systems, 2)]
    of_pair = {pair: [each for each in about if set(each.systems) == set(pair)] for pair in pairs}
    given = [each for each in data.that_count if each.dimension == name and is_usable(each, data)]
    given = [each for each in given if set(each.systems) <= set(systems)]
    return PreferenceQuestion(
        dimension=name,
        title=data.study.dimension(name).heading,
        both_bad=sum(each.value == "neither" for each in about),
        pairs=[_pair(data, *pair, of_pair[pair], comparison) for pair in pairs if of_pair[pair]],
        never_compared=[pair for pair in pairs if not of_pair[pair]],
        ranking=_ranking(data, about) if len(systems) > 2 else None,
        position_bias=side_effect(data, given),
        scores=[scores_beside(each, given, data) for each in sides],
    )


def _pair(data: Data, one: str, other: str, about: Sequence[Judgment], asked: ComparisonSettings) -> PreferencePair:

    judged = [preference(each) for each in about]
    found = win_rates(judged, one, other, groups_by_item(data, about), data.seed, DRAWS)
    n_units, unit = independent_units(data, about)
    generalise, beyond = data.study.analysis.generalise, None
    margin = margin_of_net(asked, found.net.value, found.cases, n_units, found.net)
    if generalise is not None:
        points = ((each.item, each.annotator, float(each.points_of(one))) for each in judged)
        panel = net_beyond_panel(points, groups_by_item(data, about), data.seed, DRAWS)
        beyond = with_test(panel.estimate, n_units, unit)
        if generalise == BOTH:
            margin = margin_of_net(asked, found.net.value, found.cases, n_units, beyond, panel)
    sequence = None
    if data.study.analysis.looks == "any" and found.net.value is not None:
        share = (1 + found.net.value) / 2
        error = 2 * math.sqrt(share * (1 - share) / found.cases)
        sequence = any_time("net", found.net.value, error, n_units, found.skew)
        margin = margin_of_net(asked, found.net.value, found.cases, n_units, sequence, error=error)
    return PreferencePair(
        system=one,
        against=other,
        n=found.net.n,
        n_units=n_units,
        unit=unit,
        p_corrected=None,
        wins=found.wins,
        ties=found.ties,
        losses=found.losses,
        net=found.net,
        sign_test=with_test(found.sign_test, n_units, unit),
        sign_test_ties_split=with_test(found.sign_test_ties_split, n_units, unit),
        majority=_majority(one, judged),
        margin=margin,
        generalise=generalise,
        beyond=beyond,
        any_time=sequence,
        shares_at_any_time=found.at_any_time if sequence is not None else (),
    )


def _majority(system: str, judged: "Sequence[Preference]") -> MajorityVotes:
    points: dict[Hashable, list[Hashable]] = defaultdict(list)
    for each in judged:
        points[each.item].append(each.points_of(system))
    votes = Counter(each.value for each in majorities(points, (1, 0, -1)))
    return MajorityVotes(items=len(points), wins=votes[1], ties=votes[0], losses=votes[-1], none=votes[None])


def _ranking(data: Data, about: Sequence[Judgment]) -> SystemRanking:
    """Davidson's model where there are ties, which it explains; else Bradley and Terry's."""
    judged = [preference(each) for each in about]
    ties = any(each.outcome == "tie" for each in judged)
    found = rank_systems(judged, ties, groups_by_item(data, about), seed=data.seed, draws=DRAWS)
    n_units, unit = independent_units(data, about)
    return SystemRanking(
        model=found.model,
        n_items=found.n_items,
        n_units=n_units,
        unit=unit,
        n_comparisons=found.n_comparisons,
        n_ties=found.n_ties,
        tie_parameter=found.nu,
        method=found.method,
        undefined=found.undefined,
        standings=found.standings,
    )
