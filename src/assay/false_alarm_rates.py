"""How often a study's monitors would flag careful people: its plan, played through with simulated ones.

Judgments are made directly, without pages or a database, so that a report can say beside each flag what it is worth.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from math import ceil
from random import Random
from typing import Any

from assay.assignment import lot
from assay.bots import Character, SimulatedAnnotator, TrueQuality
from assay.model import CANDIDATES, PRACTICE, Judgment, Slot, Value
from assay.quality import Fact, MonitorData, find_flags
from assay.quality.monitor_data import number_of, scale_positions
from assay.quality.near_identical import similar_items
from assay.sides_and_candidates import in_page_order, on_screen, on_sides
from assay.statistics.wilson import wilson
from assay.study import Study
from assay.submission_rows import Own, SubmissionRows

MOST_ITEMS = 60
"""The most items of a simulated team: enough for every monitor, and soon computed."""

WHOLE_TEAM = 3
"""So many work together where everybody judges every item."""

SYSTEMS = ("first", "second")
"""What the two candidates of a comparison are called here."""

LOOKED_AT = '[[0,"visible"],[0,"focus"]]'
"""What the page of a careful annotator says at least, where the study asks it."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How many of the careful annotators a monitor flagged, with Wilson's interval of the share."""

    flagged: int
    n: int
    low: float
    high: float

    @property
    def share(self) -> float | None:
        """The share that was flagged; None where nobody could be simulated."""
        return self.flagged / self.n if self.n else None


@dataclass(frozen=True)
class SimulatedItem:
    """An item as a simulated annotator sees it."""

    name: str
    systems: tuple[str, ...]
    shown: Mapping[str, Any]
    words: int
    expected: Mapping[str, Value] = field(default_factory=dict)
    swapped: bool | None = None
    pass_: int = 1
    control: bool = False


def false_alarms(study: Study, items: Mapping[str, Fact], annotators: int = 24, seed: int = 0) -> dict[str, Rate]:
    """For each monitor of the study, how many careful annotators it flags: each of these flags is a false alarm.

    They work in teams as large as the plan needs, each team on items drawn for it: as many annotators for an item, as
    many second passes and controls as the study says. The same seed gives the same rates. They depend on no judgments,
    so those of the latest studies are cached.
    """
    items = _sample_items(items, seed)
    key = (study.hash, sha256(repr(sorted(items.items())).encode()).hexdigest(), annotators, seed)
    if key not in _kept:
        while len(_kept) >= MOST_KEPT:
            _kept.pop(next(iter(_kept)))
        _kept[key] = _false_alarms(study, items, annotators, seed)
    return dict(_kept[key])


MOST_KEPT = 16
_kept: dict[tuple[str, str, int, int], dict[str, Rate]] = {}


def _false_alarms(study: Study, items: Mapping[str, Fact], annotators: int, seed: int) -> dict[str, Rate]:
    flagged: dict[str, set[str]] = {name: set() for name in study.analysis.monitors.by_name()}
    size = study.assignment.annotators_of_item(WHOLE_TEAM) + (study.assignment.per_item != "all")
    teams = max(1, ceil(annotators / size))
    for team in range(teams if items and flagged else 0):
        people = [careful_annotator(f"careful-{team}-{number}", seed) for number in range(size)]
        for flag in find_flags(simulate_judgments(study, items, people, lot(seed, "team", str(team)))):
            flagged[flag.monitor].add(flag.annotator)
    n = teams * size if items else 0
    return {name: Rate(len(who), n, *wilson(len(who), n)) for name, who in flagged.items()}


def _sample_items(items: Mapping[str, Fact], seed: int) -> Mapping[str, Fact]:
    """A sample of the items, large enough for teams to differ: a study may have a hundred thousand."""
    if len(items) <= 10 * MOST_ITEMS:
        return items
    ordinary = [name for name, fact in items.items() if not fact.expected]
    kept = set(Random(seed).sample(ordinary, min(len(ordinary), 10 * MOST_ITEMS)))
    return {name: fact for name, fact in items.items() if fact.expected or name in kept}


def careful_annotator(name: str, seed: int = 0) -> Character:
    """An annotator who does the work as it is meant, and differs from others as people do."""
    chance = Random(lot(seed, "careful", name))
    return Character(
        name,
        skill=chance.uniform(0.8, 0.9),
        bias=chance.gauss(0, 0.03),
        speed=chance.lognormvariate(0, 0.15),
        spread=chance.uniform(0.9, 1.1),
    )


def simulate_judgments(
    study: Study, items: Mapping[str, Fact], people: Sequence[Character], seed: int, most: int = MOST_ITEMS
) -> MonitorData:
    """The judgments of these annotators under the study's plan, on so many of its items at most."""
    ordinary = [name for name, fact in items.items() if not fact.expected]
    drawn = sorted(sorted(ordinary, key=lambda name: lot(seed, "drawn", name))[:most])
    alike: dict[str, str] = {}
    if "near_identical" in study.analysis.monitors.by_name():
        for one, other in similar_items({name: items[name] for name in drawn}, 0.9):
            alike[other] = alike.get(one, one)
    truth = TrueQuality(seed, list(SYSTEMS) if study.items.candidates is not None else [])
    given: list[Judgment] = []
    breaks: dict[str, list[int]] = {}
    for number, character in enumerate(people):
        annotator = SimulatedAnnotator(character, study, truth, alike)
        mine = [
            name
            for at, name in enumerate(drawn)
            if (number - at) % len(people) < _annotators_of_item(study, at, len(drawn), len(people))
        ]
        of_one, rests = _judge_all(annotator, list(_order(study, items, mine, character.name, seed)))
        given += of_one
        breaks[character.name] = rests
    practice = [judgment for character in people for judgment in _practice(study, items, character, seed)]
    seen = {each.item for each in (*given, *practice)}
    return MonitorData(study, given, {name: items[name] for name in items if name in seen}, practice, breaks)


def _annotators_of_item(study: Study, at: int, n: int, people: int) -> int:
    """How many people judge an item: more, where it is one of the block that more people judge."""
    plan = study.assignment
    in_block = plan.overlap is not None and at < plan.overlap.share * n
    return plan.overlap.per_item if plan.overlap is not None and in_block else plan.annotators_of_item(people)


def _order(study: Study, items: Mapping[str, Fact], mine: list[str], who: str, seed: int) -> Iterator[SimulatedItem]:
    """Somebody's items in a drawn order, with second passes and controls among them."""
    chance = Random(lot(seed, "order", who))
    chance.shuffle(mine)
    mine = mine[: study.assignment.most_items]
    duplicates, controls = study.assignment.duplicates, study.assignment.controls
    again = []
    if duplicates is not None:
        again = mine[: duplicates.count or round((duplicates.share or 0) * len(mine))]
    known = [name for name, fact in items.items() if fact.expected] if controls is not None else []
    chance.shuffle(known)
    until = chance.randint(*controls.every) if controls is not None else 0
    for name in [*mine, *again]:
        if known and until == 0 and controls is not None:
            yield _item_on_screen(known[0], items, chance, control=True)
            known, until = known[1:], chance.randint(*controls.every)
        until -= 1
        yield _item_on_screen(name, items, chance)
    # A short list may end before the first control has come: it comes then.
    for name in known[:1]:
        yield _item_on_screen(name, items, chance, control=True)


def _item_on_screen(name: str, items: Mapping[str, Fact], chance: Random, control: bool = False) -> SimulatedItem:
    fact = items[name]
    candidates = fact.shown.get(CANDIDATES) or []
    swapped = chance.random() < 0.5 if len(candidates) == len(SYSTEMS) else None
    if swapped is None:
        return SimulatedItem(name, (), fact.shown, fact.words, fact.expected, control=control)
    systems = tuple(in_page_order(SYSTEMS, swapped))
    return SimulatedItem(
        name, systems, on_screen(fact.shown, swapped), fact.words, fact.expected, swapped, control=control
    )


def _judge_all(annotator: SimulatedAnnotator, order: list[SimulatedItem]) -> tuple[list[Judgment], list[int]]:
    """What one annotator does, item by item, and when they come back from breaks."""
    pace = annotator.study.pace
    usual = sum(pace.expect) / 2 if pace.expect else 0.0
    after = min((each.after_items for each in pace.breaks if each.after_items), default=0)
    now, found, rests = 0, list[Judgment](), list[int]()
    for position, item in enumerate(order, 1):
        item = replace(item, pass_=2 if item.name in annotator.met else 1)
        seconds = annotator.seconds(item, usual)
        now += round(seconds * 1000)
        found += _judgments(annotator, item, position, now, round(seconds * 1000))
        annotator.remember(item)
        if after and position % after == 0:
            now += 300_000
            rests.append(now)
    return found, rests


def _judgments(
    annotator: SimulatedAnnotator, item: SimulatedItem, position: int, now: int, active_ms: int
) -> Iterator[Judgment]:
    by_side = on_sides(item.systems)
    shared = {
        "submission": f"{annotator.character.name}/{item.name}/{item.pass_}",
        "item": item.name,
        "systems": tuple(sorted(item.systems)),
        "group": "",
        "annotator": annotator.character.name,
        "pass_": item.pass_,
        "revision": 1,
        "shown_at": now - active_ms,
        "submitted_at": now,
        "active_ms": active_ms,
        "study_hash": "",
        "consent": "",
        "left": item.systems[0] if by_side else "",
        "simulated": True,
        "position": position,
        "control": item.control,
        "events": LOOKED_AT,
    }
    own = []
    for slot, value in annotator.values(item).items():
        if value is not None:
            compares = annotator.study.dimension(slot.dimension).input.compares
            about = by_side.get(str(value), value) if compares else value
            own.append(Own(by_side.get(slot.side, ""), slot.dimension, slot.side, slot.entry, about))
    return SubmissionRows(shared, own).judgments


def _practice(study: Study, items: Mapping[str, Fact], character: Character, seed: int) -> Iterator[Judgment]:
    """Items for practice, answered with the known values and a little variation."""
    if not any(entry.gate.kind in ("calibration", "practice") for entry in study.gates):
        return
    chance = Random(lot(seed, "practice", character.name))
    scales = [(each, scale_positions(each)) for each in study.scored_dimensions if each.input.level != "nominal"]
    for at, (name, fact) in enumerate(items.items(), 1):
        for dimension, scale in scales if fact.expected else ():
            known = number_of(fact.expected.get(Slot(dimension.dimension).key), scale)
            if known is None:
                continue
            low, high = min(scale.values()), max(scale.values())
            seen = (known - low) / (high - low) + chance.gauss(0, 0.1) + character.bias
            value = dimension.input.read(dimension.input.simulate(chance, seen))
            yield replace(_practice_judgment(character.name, name, at), dimension=dimension.dimension, value=value)


def _practice_judgment(annotator: str, item: str, at: int) -> Judgment:
    return Judgment(
        submission=f"{annotator}/{item}/practice",
        item=item,
        system="",
        systems=(),
        group="",
        annotator=annotator,
        dimension="",
        side="",
        entry="",
        value=None,
        pass_=1,
        revision=1,
        shown_at=at,
        submitted_at=at,
        active_ms=None,
        study_hash="",
        consent="",
        source=PRACTICE,
        simulated=True,
        position=at,
    )
