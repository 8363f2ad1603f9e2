"""Which system is preferred: wins, ties and losses of each pair, a ranking, and whether the side decided."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from assay.in_words import count
from assay.model import Estimate
from assay.report.charts import share
from assay.report.data import Data
from assay.report.families import families_of
from assay.report.preferences import (
    PreferenceFamily,
    PreferencePair,
    PreferenceQuestion,
    SystemRanking,
)
from assay.report.sections import ReportPart, Section
from assay.report.shown_differences import is_shown
from assay.report.system_scores import BOTH
from assay.report.wording import (
    difference_in_words,
    estimate_in_words,
    many,
    p_in_words,
    p_with_correction_in_words,
    share_in_words,
    too_few_to_say,
)


@dataclass(frozen=True, slots=True)
class PreferencesNumbers:
    """Which system is preferred, in every comparison that the study asks for."""

    families: list[PreferenceFamily]
    agreed: str
    """What the report says of values that were agreed on; empty where there are none."""


class PreferencesSection(Section[PreferencesNumbers]):
    """Which system is preferred: wins, ties and losses of each pair, a ranking, and whether the side decided."""

    kind: ClassVar[str] = "preferences"
    rank: ClassVar[int] = 24
    title: ClassVar[str] = "Which system is preferred?"
    part: ClassVar[ReportPart] = "findings"
    figures: ClassVar[tuple[str, ...]] = ("win_rates", "scores_and_choice")

    def numbers(self, data: Data) -> PreferencesNumbers:
        is_agreed = data.with_agreed.by_dimension.keys() & set(data.study.preference_dimensions)
        return PreferencesNumbers(
            families=[each.preferences for each in families_of(data) if each.preferences is not None],
            agreed=data.with_agreed.in_words() if is_agreed else "",
        )

    def lines(self, numbers: PreferencesNumbers) -> list[str]:
        lines = [line for family in numbers.families for row in family.dimensions for line in _lines(row, family)]
        return [*lines, numbers.agreed] if lines and numbers.agreed else lines


def _lines(row: PreferenceQuestion, family: PreferenceFamily) -> Iterator[str]:
    """The pair, or the ranking and the pairs in short; and the side, where it seems to have decided."""
    title, pairs = row.title, row.pairs
    if len(pairs) == 1:
        yield f"{title}, {_pair_in_words(pairs[0], family)}."
    if row.ranking is not None:
        yield _line_of_ranking(title, row.ranking)
    if len(pairs) > 1:
        shares = "; ".join(map(_pair_in_short, pairs))
        never = "; never compared with each other: " if row.never_compared else ""
        never += "; ".join(map(" and ".join, row.never_compared))
        fewest = min(pairs, key=lambda pair: pair.n_units)
        yield f"{title}, won, tied and lost: {shares}{never}{too_few_to_say(fewest.n_units, fewest.unit)}."
    left = row.position_bias.left_wins
    if is_shown(left.p):
        yield (
            f"{title}: the left side won {share_in_words(left)} of {count(left.n)} decided judgments "
            f"({p_in_words(left.p)} for an even chance){too_few_to_say(left.n, 'decided judgments')}."
        )


def _pair_in_words(pair: PreferencePair, family: PreferenceFamily) -> str:
    won, tied, lost = map(share_in_words, (pair.wins, pair.ties, pair.losses))
    signs = ""
    if pair.p is not None:
        p = p_with_correction_in_words(pair.p, pair.p_corrected, family.correction, family.tests)
        of = " of groups" if pair.unit == "groups" else ""
        if pair.any_time is not None:
            signs = f"; {p} at any look"
        elif pair.generalise == BOTH:
            signs = f"; {p} for annotators like these"
        else:
            signs = f"; sign test{of} without ties {p}, with ties split {p_in_words(pair.sign_test_ties_split.p)}"
        signs += f"; undecided: {pair.undecided}" if pair.undecided else ""
    elif pair.undecided:
        # Where there is no value, the reason stands in its place.
        signs = "; undecided" if pair.claim.value is None else f"; undecided: {pair.undecided}"
    return (
        f"{pair.system} against {pair.against}: won {won}, tied {tied}, lost {lost} of {count(pair.wins.n)} judgments "
        f"of {many(pair.n, 'item')}{_in_groups(pair)}; net win rate {_net_in_words(pair)}{_by_majority(pair)}{signs}"
        f"{_margin_in_words(pair, family)}"
        f"{too_few_to_say(pair.n_units, pair.unit)}"
    )


def _net(rate: Estimate) -> str:
    return difference_in_words(rate, as_share=True)


def _net_in_words(pair: PreferencePair) -> str:
    """The net win rate of the study's claim, and the other beside it where the study says what it claims."""
    if pair.any_time is not None:
        return f"{_net(pair.any_time)} at any look (for a single look {_net(pair.net)})"
    if pair.beyond is None:
        return _net(pair.net)
    beyond, alone = _net(pair.beyond), _net(pair.net)
    if pair.generalise == BOTH:
        return f"{beyond} for annotators like these (for these annotators alone {alone})"
    return f"{alone} for these annotators (for annotators like these {beyond})"


def _margin_in_words(pair: PreferencePair, family: PreferenceFamily) -> str:
    if pair.margin is None:
        return ""
    return f"; {pair.margin.in_words(pair.system, pair.against, family.correction, family.margin_tests)}"


def _pair_in_short(pair: PreferencePair) -> str:
    shares = ", ".join(share(each.value) for each in (pair.wins, pair.ties, pair.losses))
    net = f"net {_net(pair.net)}, n = {many(pair.n, 'item')}"
    return f"{pair.system} against {pair.against} {shares}, {net}{_by_majority(pair)}"


def _by_majority(pair: PreferencePair) -> str:
    """Wins, ties and losses by the majority of each item's judgments; empty where no item has several."""
    if pair.wins.n == pair.n:
        return ""
    votes = pair.majority
    none = f", {votes.none} without a majority" if votes.none else ""
    return f", by majority {votes.wins} won, {votes.ties} tied, {votes.losses} lost{none}"


def _line_of_ranking(title: str, ranking: SystemRanking) -> str:
    if ranking.undefined:
        return f"{title}: the systems cannot be ranked: {ranking.undefined}."
    order = "; ".join(f"{each.rank}. {each.system} {estimate_in_words(each.strength)}" for each in ranking.standings)
    few = too_few_to_say(ranking.n_units, ranking.unit)
    about = f"{count(ranking.n_items)} items{_in_groups(ranking)}"
    return f"{title}, ranking by log-strength ({ranking.model}), {about}: {order}{few}."


def _in_groups(found: PreferencePair | SystemRanking) -> str:
    return f" in {count(found.n_units)} groups" if found.unit == "groups" else ""
