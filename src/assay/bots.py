"""Simulated annotators: what they are like, and what they answer. Pure functions, without web and store.

A character has a skill (how close it comes to an item's true quality), a bias (how far above or below it), a speed,
and the habits of people whom monitors are to find. The true quality follows from the seed, the system and the item, so
that characters agree as far as their skill goes, and the same seed gives the same answers again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from assay.assignment import lot
from assay.judgments import (
    Answers,
    ItemRule,
    Question,
    Questionnaire,
    Settled,
    broken_rules,
    missing_answers,
    questionnaire_of,
    read_answer,
    read_answers,
    settle,
)
from assay.model import SIDES, WORDS_A_MINUTE, Slot, Value
from assay.sides_and_candidates import on_sides, shows_the_same_twice, sides_by_role, sides_of, slot_of_candidate
from assay.study import Study

COUNTED = 0.5
"""How often somebody counts what went wrong who need not."""
FROM_ONE_TO_THREE = (0.7, 0.4, 0.0)
"""Impressions of somebody who finds one fault, two, three."""


@dataclass(frozen=True)
class Character:
    """What a simulated annotator is like."""

    name: str
    skill: float = 0.8
    """1: sees the true quality; 0: guesses."""
    bias: float = 0.0
    """In shares of the scale: 0.1 is four tenths of a point too high on a scale from 1 to 5."""
    speed: float = 1.0
    """2: twice as fast as an ordinary reader."""
    items: int | None = None
    """Stop after so many items."""
    drift: float = 0.0
    """By how much the bias grows in 100 items."""
    spread: float = 1.0
    """How much of the scale is used: 0.5 keeps to the middle half."""
    halo: float = 0.0
    """How far one impression of an item colours all dimensions: 1 leaves nothing else."""
    line: float = 0.0
    """On which share of the items all dimensions get one and the same value."""
    attention: float = 1.0
    """Which share of the items is looked at; on others all answers are guesses, on controls too."""
    length: float = 0.0
    """How much better a long text seems, in shares of the scale for twice as many words as usual."""
    lowest: float = 0.0
    """Nothing is judged to be worse than this."""
    note: str = ""
    """What it writes in every note; left out: something about the item."""


class ItemOnScreen(Protocol):
    """An item as an annotator sees it, and what is hidden behind it."""

    @property
    def name(self) -> str:
        """The item's id."""

    @property
    def systems(self) -> tuple[str, ...]:
        """In the order of the screen, where there are two."""

    @property
    def shown(self) -> Mapping[str, Any]:
        """What is on the screen."""

    @property
    def words(self) -> int:
        """How much there is to read."""

    @property
    def expected(self) -> Mapping[str, Value]:
        """The known answers of a control: by form field, with a candidate's role instead of its side."""

    @property
    def swapped(self) -> bool | None:
        """Whether the second candidate stands on the left."""


class TrueQuality:
    """How good each item really is on each dimension: drawn from the seed alone."""

    def __init__(self, seed: int, systems: list[str]) -> None:
        self.seed = seed
        # Systems differ; which one is best is drawn, and does not follow the alphabet.
        ranked = sorted(systems, key=lambda system: lot(seed, "system", system))
        steps = max(1, len(ranked) - 1)
        self.level = {system: 0.3 + 0.4 * rank / steps for rank, system in enumerate(ranked)}
        self._drawn: dict[tuple[str, ...], float] = {}

    def quality(self, item: str, system: str, dimension: str) -> float:
        """About 0 to 1, before an annotator's skill and bias."""
        shared, own = self.draw(0.2, "item", item), self.draw(0.12, "dimension", item, dimension)
        return self.level.get(system, 0.5) + shared + own

    def draw(self, deviation: float, *about: str) -> float:
        """A normal deviate for something, the same each time."""
        if about not in self._drawn:
            self._drawn[about] = Random(lot(self.seed, *about)).gauss(0, deviation)
        return self._drawn[about]


@dataclass
class SimulatedAnnotator:
    """A character in a study: what it answers, and how long it takes."""

    character: Character
    study: Study
    truth: TrueQuality
    alike: Mapping[str, str] = field(default_factory=dict)
    """Items that count as another one, because they are nearly the same."""
    done: int = 0
    """The number of items that it has judged: drift grows with them."""
    met: set[str] = field(default_factory=set)
    """The items that it has judged before: on a second pass, chance is drawn anew."""

    def answers(self, item: ItemOnScreen) -> dict[str, list[str]]:
        """What it says of an item: the strings that its form sends."""
        form, _ = self._decide(item)
        return form

    def values(self, item: ItemOnScreen) -> Answers:
        """The same answers as values instead of form strings."""
        _, values = self._decide(item)
        return values

    def _decide(self, item: ItemOnScreen) -> tuple[dict[str, list[str]], Answers]:
        here = questionnaire_of(self.study, item.shown)
        form = {each.key: self._answer(each, item) for each in here.questions if not each.dimension.optional}
        for _ in range(len(here.questions) + 1):
            now, wanting, forbidden = _look_at(here, form)
            if not wanting and not forbidden:
                break
            for question in now.questions:
                if question.key in wanting:
                    form[question.key] = self._answer(question, item)
                elif question.key in forbidden:
                    form[question.key] = _nearest_allowed(question, now.answers, now.rules, now.questions)
        else:
            read_answers(self.study, item.shown, form)  # raises: a fault of this module
        counted = self._with_counts(item, here, form)
        if counted is not form:
            now, _, _ = _look_at(here, counted)
        return {each.key: counted[each.key] for each in now.questions if each.key in counted}, now.answers

    def _with_counts(self, item: ItemOnScreen, here: Questionnaire, form: dict[str, list[str]]) -> dict[str, list[str]]:
        """The same answers; about every second open question that counts gets an answer, where rules allow it."""
        for question in here.questions:
            kind = question.dimension.input
            chance = self._chance("count", item, question.slot.key)
            if kind.kind != "counts" or question.key in form or chance.random() >= COUNTED:
                continue
            counts = ({**form, question.key: kind.simulate(chance, quality)} for quality in FROM_ONE_TO_THREE)
            form = next((more for more in counts if not any(_look_at(here, more)[1:])), form)
        return form

    def remember(self, item: ItemOnScreen) -> None:
        """Note that an item was judged."""
        self.done += 1
        self.met.add(item.name)

    def seconds(self, item: ItemOnScreen, least: float = 0.0) -> float:
        """Reading time at an ordinary pace and some seconds for the answers, with the scatter that people have."""
        chance = Random(lot(self.truth.seed, "time", self.character.name, item.name))
        usual = max(item.words / WORDS_A_MINUTE * 60 + 12, least)
        return max(1.0, usual / self.character.speed * chance.lognormvariate(0, 0.3))

    def _answer(self, question: Question, item: ItemOnScreen) -> list[str]:
        character, slot, kind = self.character, question.slot, question.dimension.input
        looks = character.attention >= 1 or self._chance("attention", item).random() < character.attention
        if looks and (known := _known_answer(question, item)) is not None:
            return known
        same = shows_the_same_twice(item.shown) and looks
        chance = self._chance("answer", item, slot.dimension if same and slot.side else slot.key)
        if kind.kind == "text":
            return [self._note(chance, question, item)]
        if same and kind.compares:
            return kind.simulate(chance, 0.5)
        return kind.simulate(chance, self._impression(question, item, chance, looks))

    def _impression(self, question: Question, item: ItemOnScreen, chance: Random, looks: bool) -> float:
        character, slot = self.character, question.slot
        if character.line and not question.dimension.input.compares:
            line = self._chance("line", item)
            if line.random() < character.line:
                return line.random()
        there = self._comparison(question, item) if question.dimension.input.compares else self._quality_of(slot, item)
        guess, wavering = chance.random(), chance.gauss(0, 0.08)
        # Skill mixes the true quality with a blind guess; even a careful annotator varies a little.
        skill = character.skill if looks else 0.0
        seen = skill * there + (1 - skill) * guess + wavering
        if question.dimension.input.compares:
            return seen
        if character.halo:
            part = "" if shows_the_same_twice(item.shown) else slot.side
            impression = self._quality(item, slot.side, "") + self._chance("halo", item, part).gauss(0, 0.08)
            seen = (1 - character.halo) * seen + character.halo * impression
        seen += character.bias + character.drift * self.done / 100 + character.length * self._longer(item)
        return max(character.lowest, 0.5 + character.spread * (seen - 0.5))

    def _chance(self, what: str, item: ItemOnScreen, *more: str) -> Random:
        again = ("again",) if item.name in self.met else ()
        return Random(lot(self.truth.seed, what, self.character.name, item.name, *more, *again))

    def _comparison(self, question: Question, item: ItemOnScreen) -> float:
        left, right = (self._quality(item, side, question.slot.dimension) for side in SIDES)
        return 0.5 + right - left

    def _quality_of(self, slot: Slot, item: ItemOnScreen) -> float:
        return self._quality(item, slot.side, slot.dimension + slot.entry)

    def _quality(self, item: ItemOnScreen, side: str, dimension: str) -> float:
        name = self.alike.get(item.name, item.name)
        if not side:
            return self.truth.quality(name, "".join(item.systems[:1]), dimension)
        system = "" if shows_the_same_twice(item.shown) else on_sides(item.systems)[side]
        # Two candidates for the same item are not equally far apart each time.
        return self.truth.quality(name, system, dimension) + self.truth.draw(0.15, "candidate", name, system)

    def _longer(self, item: ItemOnScreen) -> float:
        """By how much it is longer than 200 words: 1 for twice as long."""
        return min(1.0, item.words / 200 - 1)

    def _note(self, chance: Random, question: Question, item: ItemOnScreen) -> str:
        longest = getattr(question.dimension.input, "longest", 4000)
        if self.character.note:
            return self.character.note[:longest]
        said = question.dimension.input.simulate(chance, 0.5)[0]
        words = _words_of(item.shown)
        at = chance.randrange(max(1, len(words) - 4))
        return f"{said}: {' '.join(words[at : at + 4])}"[:longest].strip() if words else said


def _look_at(here: Questionnaire, form: Mapping[str, list[str]]) -> tuple[Settled, dict[str, Any], dict[str, Any]]:
    """A form's answers after the rules were applied, those that are missing, and those that are not allowed."""
    read = {each.slot: read_answer(each, form.get(each.key, ())) for each in here.questions}
    now = settle(here.rules, here.questions, read)
    wanting = missing_answers(now.rules, now.questions, now.answers)
    return now, wanting, broken_rules(now.rules, now.questions, now.answers, refuses=True)


def _known_answer(question: Question, item: ItemOnScreen) -> list[str] | None:
    """The form strings of a known answer, on the side on which its candidate stands."""
    value = item.expected.get(slot_of_candidate(question.slot, item.swapped).key)
    if value is None:
        return None
    if question.dimension.input.compares:
        value = {**sides_by_role(item.swapped), **sides_of(item.systems)}.get(str(value), value)
    return question.dimension.input.write(value)


def _words_of(shown: Any) -> list[str]:
    """Every word that is shown."""
    if isinstance(shown, str):
        return shown.split()
    parts = shown.values() if isinstance(shown, Mapping) else shown if isinstance(shown, list) else ()
    return [word for part in parts for word in _words_of(part)]


def _nearest_allowed(
    question: Question, read: Answers, rules: Sequence[ItemRule], questions: Sequence[Question]
) -> list[str]:
    """The answer that the rules leave open and that lies nearest to the one given."""
    kind = question.dimension.input
    for value in _answers_by_distance(question, read[question.slot], rules):
        if question.key not in broken_rules(rules, questions, {**read, question.slot: value}, refuses=True):
            return kind.write(value)
    return []


def _answers_by_distance(question: Question, given: Value, rules: Sequence[ItemRule]) -> Sequence[Value]:
    """Other answers, the nearest first: listed values by distance; else those that rules name, then other ticks."""
    kind = question.dimension.input
    order = list(kind.values())
    if order:
        at = order.index(given)
        return sorted(order, key=lambda each: abs(order.index(each) - at))
    named = [rule.value for rule in rules if rule.slot == question.slot and rule.kind == "value"]
    if not isinstance(given, list):
        texts = (part for rule in rules if rule.slot == question.slot for part in _texts_in(rule.allow))
        return [*named, *texts]
    options = kind.option_names()
    fewer: list[Value] = [[name for name in given if name != left_out] for left_out in given]
    more: list[Value] = [[name for name in options if name in {*given, added}] for added in options]
    alone: list[Value] = [[name] for name in options]
    return [*named, *(each for each in [*fewer, *more, *alone, list(options)] if each != given), []]


def _texts_in(tree: Any) -> list[str]:
    """Every text in an expression."""
    if not isinstance(tree, list) or not tree:
        return []
    own = [each for each in tree[1:] if isinstance(each, str)] if tree[0] in ("value", "list") else []
    return own + [text for part in tree[1:] for text in _texts_in(part)]
