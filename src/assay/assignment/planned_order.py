"""The order in which one annotator would see the items of a study, before anybody does."""

from collections import Counter
from collections.abc import Sequence

from assay.assignment import WINDOW, OpenItem, lot
from assay.assignment.apart import GroupSeen, groups_seen, least_gap, put_apart
from assay.items.sequence_audit import SeenItem, SequenceFinding, SequenceNote, audit
from assay.kinds import ORDERS
from assay.study.schema import Study


def planned_order(study: Study, items: Sequence[SeenItem]) -> list[SeenItem]:
    """What an annotator sees who gets as much as one can get, drawn from the study's seed."""
    plan = study.assignment
    numbers = {name: number for number, name in enumerate(dict.fromkeys(each.group or each.id for each in items))}
    mine = _of_first_cell(items, numbers) if plan.counterbalance else list(items)
    if ORDERS[plan.order].balanced:
        mine.sort(key=lambda each: lot(study.seed, "planned", each.id))
    if plan.batches == "in_order":
        batches = {name: number for number, name in enumerate(dict.fromkeys(each.batch for each in items))}
        mine.sort(key=lambda each: batches[each.batch])
    if plan.together:
        first = dict.fromkeys(numbers[each.group or each.id] for each in mine)
        at = {number: place for place, number in enumerate(first)}
        in_file = {each.id: place for place, each in enumerate(items)}
        mine.sort(key=lambda each: (at[numbers[each.group or each.id]], in_file[each.id]))
    elif plan.apart:
        mine = _spread_items(mine, numbers, plan.most_items or len(mine), study.seed)
    return mine[: plan.most_items]


def sequence_notes(study: Study, items: Sequence[SeenItem]) -> list[SequenceNote]:
    """What the order gives away to an annotator who gets as much as one can get, and what to do about it."""
    seen = planned_order(study, items)
    who = f"to somebody who gets {'all ' if len(seen) == len(items) else ''}{len(seen):,} items"
    return [
        SequenceNote(f"{each.in_words()} ({who})", _advice(study, items, each), each.is_for_the_order)
        for each in audit(seen)
    ]


def _advice(study: Study, items: Sequence[SeenItem], finding: SequenceFinding) -> str:
    plan = study.assignment
    if finding.kind == "pictures":
        return "show another picture, or none"
    if finding.kind in ("order", "runs") and not ORDERS[plan.order].balanced:
        return "write order: random in assignment" + (", and remove together" if plan.together else "")
    if study.items.group is None:
        return "add items.group, the field that such items share, and assignment.apart: true"
    if plan.per_item == "all":
        return "everybody judges every item: write a number in per_item, so that items of one group can be kept apart"
    if not plan.apart:
        return "assignment.apart: true keeps items of one group apart" + (", without together" if plan.together else "")
    return f"with {people_for_one_each(study, items):,} annotators nobody needs to get two items of one group"


def people_for_one_each(study: Study, items: Sequence[SeenItem]) -> int:
    """How many annotators it takes so that nobody needs to get two items of one group."""
    sizes: dict[str, int] = {}
    for each in items:
        sizes[each.group or each.id] = sizes.get(each.group or each.id, 0) + 1
    return max(sizes.values(), default=0) * study.assignment.annotators_of_item(1)


def _of_first_cell(items: Sequence[SeenItem], numbers: dict[str, int]) -> list[SeenItem]:
    pairs = _pairs(items)
    return [each for each in items if (numbers[each.group or each.id] + pairs[each.systems]) % len(pairs) == 0]


def _pairs(items: Sequence[SeenItem]) -> dict[tuple[str, ...], int]:
    return {name: number for number, name in enumerate(dict.fromkeys(each.systems for each in items))}


def _spread_items(items: Sequence[SeenItem], numbers: dict[str, int], share: int, seed: int) -> list[SeenItem]:
    gap, pairs = least_gap(min(share, len(items)), len(numbers)), _pairs(items)
    left = [OpenItem(at, 0, 0, numbers[each.group or each.id], pairs[each.systems]) for at, each in enumerate(items)]
    of_group = Counter(each.group_number for each in left)
    seen: dict[int, GroupSeen] = {}
    order = []
    for position in range(1, min(share, len(items)) + 1):
        start = lot(seed, "planned", str(position))
        window = [(start + step) % len(left) for step in range(min(WINDOW, len(left)))]
        offered = [left[at] for at in window]
        best = put_apart(offered, seen, position, gap, of_group, len(left))[0]
        del left[window[offered.index(best)]]
        of_group[best.group_number] -= 1
        had = seen.get(best.group_number)
        seen |= groups_seen([(best.group_number, pair, position) for pair in (best.pair, *(had.pairs if had else ()))])
        order.append(items[best.item])
    return order
