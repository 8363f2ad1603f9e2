"""What the order of items gives away to one annotator: each item may hide its systems, and the sequence name them.

Pure: it is handed what one person sees, in order, and keeps numbers in place of texts.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Any

from assay.items.leaks import texts
from assay.model import CANDIDATES, Item
from assay.study.schema import Study

FEW_WORDS = 4
"""Where nothing says what belongs together, a text of fewer words stands in two items by chance."""
LEAST = 8
"""So many groups or neighbours are needed before an order can be called always the same."""
NEARLY_ALL = 0.9
LEAST_PICTURES = 3
MOST_AUDITED = 20_000
"""The number of items that are looked at."""
MOST_REMEMBERED = 256
"""So many texts are cached with their numbers: what several systems answered comes once for each."""
SELDOM = 0.05
"""Where so few are next to each other, that is not the fault of the order."""

Place = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeenItem:
    """An item as the audit knows it: what it shows as numbers, and whose it is."""

    id: str
    group: str
    systems: tuple[str, ...]
    context: str
    """What stands around the candidates, or the group: items with the same are about the same.

    Empty for an item of one system of which nothing is shown later: nothing asks for it.
    """
    outputs: Mapping[str, frozenset[int]]
    """The texts and pictures of each system."""
    around: frozenset[int]
    """The texts and pictures that are shown beside these, such as a history."""
    later: frozenset[int]
    """What is sent only after some questions are answered."""
    pictures: frozenset[str]
    batch: str = ""

    @property
    def is_pair(self) -> bool:
        """Whether it compares two systems."""
        return len(self.systems) > 1

    @property
    def place(self) -> Place:
        """What it is about: items of one place differ in their systems only."""
        return (self.group, self.context) if self.is_pair else (self.group or self.id,)


def seen_item(study: Study, item: Item) -> SeenItem:
    """What the audit needs of an item."""
    later = study.items.later_fields
    shown = {name: value for name, value in item.shown.items() if name != CANDIDATES and name not in later}
    if CANDIDATES in item.shown:
        made, around = item.shown[CANDIDATES], shown
    else:
        # Of an item with one system, lists such as a history stand around what the system said.
        around = {name: value for name, value in shown.items() if isinstance(value, list)}
        made = [{name: value for name, value in shown.items() if name not in around}]
    short = 1 if item.group else FEW_WORDS
    numbers = (frozenset(_numbers(each, short)) for each in made)
    is_told_by_context = len(item.systems) > 1 or bool(later)
    return SeenItem(
        id=item.id,
        group=item.group,
        systems=item.systems,
        context=_context(shown) if is_told_by_context else "",
        outputs=dict(zip(item.systems, numbers, strict=False)),
        around=frozenset(_numbers(around, short)),
        later=frozenset(_numbers({name: item.shown.get(name) for name in later}, 1)),
        pictures=frozenset(_pictures(item.shown)),
        batch=item.batch,
    )


@dataclass(frozen=True)
class SequenceFinding:
    """One thing that a sequence gives away, as counts that can be added up over annotators."""

    kind: str
    found: int
    of: int
    near: int = 0
    """How many of them lie directly one after the other."""
    nearest: int = 0
    """The least distance between two that give each other away; 1: directly one after the other."""
    systems: Counter[str] = field(default_factory=Counter)
    """Whom it gives away, and how often."""

    def __add__(self, other: "SequenceFinding") -> "SequenceFinding":
        nearest = min((each for each in (self.nearest, other.nearest) if each), default=0)
        systems = self.systems + other.systems
        return SequenceFinding(
            self.kind, self.found + other.found, self.of + other.of, self.near + other.near, nearest, systems
        )

    @property
    def is_for_the_order(self) -> bool:
        """Whether the order should be changed for it. What lies far apart few remember: it is only reported."""
        return not self.nearest or self.near > SELDOM * self.found

    def in_words(self) -> str:
        """The finding for a coordinator."""
        system, its = next(iter(self.systems.most_common(1)), ("", 0))
        who, count = f"{system}'s", f"{its:,} of {self.of:,}"
        said = {
            "recurs": f"the candidate that comes again below the same text is {who} in {count} cases",
            "printed": f"what another item prints as said is {who} in {count} cases",
            "revealed": f"what is shown only after an answer was seen before, in an earlier item: {self.found:,} of "
            f"{self.of:,} items",
            "order": f"below the same text systems come in the same order in {count} cases: {system}",
            "runs": f"{self.found:,} of {self.of:,} neighbours are by the same system",
            "pictures": f"{self.found:,} of {self.of:,} pictures that come several times come with {system} alone",
        }[self.kind]
        if not self.nearest:
            return said
        near = f"{self.near:,} of them directly one after the other"
        return f"{said}, {near if self.near else f'never less than {self.nearest:,} items apart'}"


@dataclass(frozen=True, slots=True)
class SequenceNote:
    """What is said of the order of items before anybody sees them."""

    words: str
    advice: str
    is_warning: bool


def audit(sequence: Sequence[SeenItem]) -> list[SequenceFinding]:
    """What one annotator can tell from the items in the order in which they come."""
    found = (each(sequence) for each in (_recurs, _prints_of_turns, _early_reveals, _order, _runs, _recurring_pictures))
    return [each for each in found if each.found]


def add_up(audits: Iterable[Iterable[SequenceFinding]]) -> list[SequenceFinding]:
    """The findings of several annotators, each kind together."""
    kinds: dict[str, SequenceFinding] = {}
    for each in (finding for findings in audits for finding in findings):
        kinds[each.kind] = kinds[each.kind] + each if each.kind in kinds else each
    return list(kinds.values())


def _recurs(sequence: Sequence[SeenItem]) -> SequenceFinding:
    """In several comparisons about the same only one candidate recurs: whoever sees two of them knows which it is."""
    compared = [rows for rows in _by_place(sequence).values() if sequence[rows[0]].is_pair]
    count = _Count("recurs", len(compared))
    for rows in compared:
        by_candidate: dict[tuple[str, frozenset[int]], list[int]] = defaultdict(list)
        for at in rows:
            for system, said in sequence[at].outputs.items():
                by_candidate[system, said].append(at)
        again = {
            system: places
            for (system, said), places in by_candidate.items()
            if said and len(places) > 1 and _differ(sequence, places)
        }
        # Where each candidate comes again, as when each two of three are compared, none of them stands out.
        if len(again) == 1:
            [(system, places)] = again.items()
            count.add(system, min(b - a for a, b in pairwise(places)))
    return count.finding()


def _prints_of_turns(sequence: Sequence[SeenItem]) -> SequenceFinding:
    """A history or another item shows the output of one candidate, and so gives away which of them it is."""
    printing: dict[tuple[str, int], list[int]] = defaultdict(list)
    for at, each in enumerate(sequence):
        for number in each.around:
            printing[each.group, number].append(at)
    places = _by_place(sequence).values()
    compared = [rows for rows in places if len({name for at in rows for name in sequence[at].systems}) > 1]
    count = _Count("printed", len(compared))
    for rows in compared:
        here, told = set(rows), dict[str, int]()
        for number, places_of in _one_system_s_own(sequence, rows).items():
            for system, at in places_of:
                own = here if sequence[at].is_pair else {at}
                others = (there for there in printing.get((sequence[at].group, number), ()) if there not in own)
                near = min((abs(there - at) for there in others), default=0)
                if near:
                    told[system] = min(told.get(system, near), near)
        if len(told) == 1:
            count.add(*next(iter(told.items())))
    return count.finding()


def _one_system_s_own(sequence: Sequence[SeenItem], rows: list[int]) -> dict[int, list[tuple[str, int]]]:
    """The texts that only one system said in these items, each with the system and the item's position."""
    said: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for at in rows:
        for system, numbers in sequence[at].outputs.items():
            for number in numbers:
                said[number].append((system, at))
    return {number: whose for number, whose in said.items() if len({system for system, _ in whose}) == 1}


def _early_reveals(sequence: Sequence[SeenItem]) -> SequenceFinding:
    """What is revealed only after an answer was revealed already with an earlier item about the same."""
    known: dict[tuple[str, frozenset[int]], int] = {}
    count = _Count("revealed", sum(1 for each in sequence if each.later))
    for at, each in enumerate(sequence):
        if each.later:
            key = (each.group or each.context, each.later)
            if key in known:
                count.add("", at - known[key])
            known[key] = at
    return count.finding()


def _order(sequence: Sequence[SeenItem]) -> SequenceFinding:
    """Systems come in the same order each time, so that the position gives the system away."""
    orders = Counter(
        tuple(" and ".join(sequence[at].systems) for at in rows)
        for rows in _by_place(sequence).values()
        if _differ(sequence, rows)
    )
    total = sum(orders.values())
    names, count = next(iter(orders.most_common(1)), ((), 0))
    if total < LEAST or count < NEARLY_ALL * total:
        return SequenceFinding("order", 0, total)
    return SequenceFinding("order", count, total, systems=Counter({", then ".join(names): count}))


def _runs(sequence: Sequence[SeenItem]) -> SequenceFinding:
    """Items of one system come in a row, then those of the next: people get used to each."""
    systems = [each.systems for each in sequence if each.systems]
    steps = len(systems) - 1
    same = sum(1 for one, other in pairwise(systems) if one == other)
    most = max(Counter(systems).values(), default=0)
    few_runs = sum(1 for _ in groupby(systems)) * 2 < len(systems)
    if steps < LEAST or same < NEARLY_ALL * steps or most > NEARLY_ALL * len(systems) or not few_runs:
        return SequenceFinding("runs", 0, max(steps, 0))
    return SequenceFinding("runs", same, steps)


def _recurring_pictures(sequence: Sequence[SeenItem]) -> SequenceFinding:
    """A picture comes with the items of one system alone, again and again: a logo, an avatar."""
    with_picture: dict[str, list[SeenItem]] = defaultdict(list)
    for each in sequence:
        if len(each.systems) == 1:
            for name in each.pictures:
                with_picture[name].append(each)
    there = {name for each in sequence for name in each.systems}
    several = [items for items in with_picture.values() if len({each.group or each.id for each in items}) > 1]
    alone = Counter(
        items[0].systems[0]
        for items in several
        if len(items) >= LEAST_PICTURES and len({each.systems for each in items}) == 1 < len(there)
    )
    return SequenceFinding("pictures", sum(alone.values()), len(several), systems=alone)


class _Count:
    """Counts the cases of one finding."""

    def __init__(self, kind: str, of: int) -> None:
        self.kind, self.of = kind, of
        self.systems: Counter[str] = Counter()
        self.distances: list[int] = []

    def add(self, system: str, distance: int) -> None:
        self.systems[system] += 1
        self.distances.append(distance)

    def finding(self) -> SequenceFinding:
        near = self.distances.count(1)
        return SequenceFinding(
            self.kind, len(self.distances), self.of, near, min(self.distances, default=0), self.systems
        )


def _by_place(sequence: Sequence[SeenItem]) -> dict[Place, list[int]]:
    places: dict[Place, list[int]] = defaultdict(list)
    for at, each in enumerate(sequence):
        places[each.place].append(at)
    return places


def _differ(sequence: Sequence[SeenItem], rows: list[int]) -> bool:
    return len({sequence[at].systems for at in rows}) > 1


def _numbers(parts: Mapping[str, Any], fewest_words: int) -> Iterator[int]:
    """A number for every text and every picture in some fields."""
    for value in parts.values():
        for text in texts(value):
            words, number = _words_and_number(text)
            if words >= fewest_words:
                yield number
        for picture in _pictures(value):
            yield _number(picture)


@lru_cache(MOST_REMEMBERED)
def _words_and_number(text: str) -> tuple[int, int]:
    """How many words a text has, and its number: capitals and blanks do not count."""
    words = text.casefold().split()
    return len(words), _number(" ".join(words))


def _context(shown: Mapping[str, Any]) -> str:
    return hashlib.blake2b(repr(shown).encode(errors="surrogatepass"), digest_size=12).hexdigest()


def _number(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=8).digest(), "big")


def _pictures(value: Any) -> Iterator[str]:
    if isinstance(value, dict) and "picture" in value:
        yield str(value["picture"])
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _pictures(part)
