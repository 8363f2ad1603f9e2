"""Items of one group kept apart: for different annotators where there are enough, otherwise far from each other."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from assay.assignment import OpenItem


@dataclass(frozen=True, slots=True)
class GroupSeen:
    """What an annotator has had of a group."""

    last: int
    """The position at which it came last."""
    pairs: frozenset[int]
    """The systems, or the pairs of them, that its items were by."""


def groups_seen(rows: Iterable[tuple[int, int, int]]) -> dict[int, GroupSeen]:
    """What an annotator has had of each group, from rows of (group, pair of systems, last position)."""
    seen: dict[int, GroupSeen] = {}
    for group, pair, position in rows:
        before = seen.get(group, GroupSeen(0, frozenset()))
        seen[group] = GroupSeen(max(before.last, position), before.pairs | {pair})
    return seen


def least_gap(share: int, groups: int) -> int:
    """How many items are to lie between two of a group, for somebody who gets `share` items of so many `groups`.

    Whoever gets no more items than there are groups need not get two of one group. Others get a group again after a
    third of the other groups, so that large groups are not left over for the end.
    """
    return groups if share <= groups else groups // 3


def too_near(each: OpenItem, seen: Mapping[int, GroupSeen], position: int, gap: int) -> int:
    """By how many items an item would come too early after the last one of its group; 0: it may come."""
    group = seen.get(each.group_number)
    return 0 if group is None else max(0, gap + 1 - (position - group.last))


def put_apart(
    ranked: Sequence[OpenItem],
    seen: Mapping[int, GroupSeen],
    position: int,
    gap: int,
    left: Mapping[int, int] = MappingProxyType({}),
    to_come: int = 0,
) -> list[OpenItem]:
    """The candidates, sorted so that items of one group lie far apart for this annotator.

    First come those whose group has not come lately, then those whose group came longest ago. Among those that may
    come, a group goes first that has so many items `left`, of the `to_come` of all groups, that they would otherwise
    crowd at the end. Within a group that has come before, items with the same systems as before go first: two
    comparisons about the same turn share a reply, so one annotator sees both as late as possible. The sort is stable.
    """

    def cost(each: OpenItem) -> tuple[int, int, bool]:
        group = seen.get(each.group_number)
        room = to_come - left.get(each.group_number, 0) * (gap + 1)
        other_pair = group is not None and group.pairs != {each.pair}
        return too_near(each, seen, position, gap), min(0, room), other_pair

    return sorted(ranked, key=cost)
