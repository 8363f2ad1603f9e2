"""What the items that annotators were given, in the order in which these came, gave away to them."""

from collections import defaultdict

from assay.items.sequence_audit import MOST_AUDITED, SeenItem, SequenceFinding, add_up, audit, seen_item
from assay.model import Item
from assay.report.data import Data


def sequence_findings(data: Data) -> list[SequenceFinding]:
    """The findings of all annotators together, by what they judged on the page or on a sheet."""
    found: list[SequenceFinding] = data.once("sequence findings", lambda: _findings(data))
    return found


def _findings(data: Data) -> list[SequenceFinding]:
    if data.work is None:
        return []
    known: dict[str, SeenItem] = {}
    given: dict[str, dict[str, int]] = defaultdict(dict)
    looked_at: set[str] = set()
    for each in data.that_count:
        if each.submission in looked_at:  # it is about one item, and came at one time
            continue
        looked_at.add(each.submission)
        fact = data.work.items.get(each.item)
        if each.is_from_file or not each.position or fact is None or not fact.shown:
            continue
        if each.item not in known:
            if len(known) >= MOST_AUDITED:
                continue
            item = Item(each.item, dict(fact.shown), systems=each.systems, group=each.group)
            known[each.item] = seen_item(data.study, item)
        given[each.annotator][each.item] = each.position
    return add_up(audit([known[name] for name in sorted(seen, key=seen.__getitem__)]) for seen in given.values())
