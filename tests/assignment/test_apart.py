"""Items of one group are kept apart: how far, and which of the candidates goes first."""

from assay.assignment import OpenItem
from assay.assignment.apart import GroupSeen, groups_seen, least_gap, put_apart


def test_whoever_gets_no_more_items_than_groups_gets_no_group_twice_and_others_after_a_third_of_them() -> None:
    assert [least_gap(share, 9) for share in (4, 9, 10)] == [9, 9, 3]


def test_what_somebody_has_had_of_a_group_is_its_last_position_and_every_pair() -> None:
    assert groups_seen([(1, 5, 8), (1, 6, 3), (2, 5, 4)]) == {
        1: GroupSeen(8, frozenset({5, 6})),
        2: GroupSeen(4, frozenset({5})),
    }


def test_a_group_comes_again_once_enough_other_items_lie_between() -> None:
    ranked = [OpenItem(item, lot=0, n_annotators=0, group_number=group) for item, group in ((1, 1), (2, 7))]
    seen = {1: GroupSeen(2, frozenset({0}))}
    order = {position: [each.item for each in put_apart(ranked, seen, position, gap=3)] for position in (5, 6)}
    assert order == {5: [2, 1], 6: [1, 2]}
    assert [each.item for each in put_apart(ranked[::-1], seen, 6, gap=3)] == [2, 1], "then it is like any other"


def test_the_group_that_came_longest_ago_goes_first_and_in_it_the_pair_that_it_came_with() -> None:
    ranked = [OpenItem(item, 0, 0, group, pair) for item, group, pair in ((1, 1, 0), (2, 2, 1), (3, 2, 0))]
    seen = {1: GroupSeen(4, frozenset({0})), 2: GroupSeen(3, frozenset({0}))}
    assert [each.item for each in put_apart(ranked, seen, 5, gap=9)] == [3, 2, 1]


def test_a_group_of_which_much_is_left_goes_first_so_that_it_does_not_lie_together_at_the_end() -> None:
    ranked = [OpenItem(item, 0, 0, group) for item, group in ((1, 1), (2, 2), (3, 3))]
    order = {
        to_come: [each.item for each in put_apart(ranked, {}, 5, 2, {1: 1, 2: 3, 3: 4}, to_come)]
        for to_come in (8, 11, 12)
    }
    assert order == {8: [3, 2, 1], 11: [3, 1, 2], 12: [1, 2, 3]}, "four with two others between them need twelve places"
    lately = {3: GroupSeen(4, frozenset({0}))}
    assert [each.item for each in put_apart(ranked, lately, 5, 2, {3: 4}, 4)] == [1, 2, 3], "but never too early"
