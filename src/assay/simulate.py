"""Annotator bots that go through the real pages, in process: a filled study is one call away.

A bot has a skill (how close it comes to what is there), a bias (how much it is above or below it) and a speed. What is
there follows from the seed, the system and the item, so that bots agree as far as their skill goes, and the same seed
gives the same judgments again.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from random import Random

import httpx2

from assay.assignment import lot
from assay.errors import AssayError
from assay.judgments import (
    Answers,
    Concrete,
    Question,
    broken,
    concrete_rules,
    filled,
    missing,
    questions_of,
    read_answer,
    read_answers,
)
from assay.model import SIDES, WORDS_A_MINUTE
from assay.store import Backend, people, results, studies
from assay.study import Study
from assay.web import create_app

MOST_PAGES = 1_000_000


@dataclass(frozen=True)
class Character:
    """What a simulated annotator is like."""

    name: str
    skill: float = 0.8
    """1: sees exactly what is there; 0: guesses."""
    bias: float = 0.0
    """In shares of the scale: 0.1 is four tenths of a point too high on a scale from 1 to 5."""
    speed: float = 1.0
    """2: twice as fast as an ordinary reader."""
    items: int | None = None
    """Stop after so many items."""


class Forms(HTMLParser):
    """The forms of a page: where each is sent, and the hidden fields that go with it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[tuple[str, dict[str, str]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a form, or a hidden field of the one that is open."""
        found = {name: value or "" for name, value in attrs}
        if tag == "form" and found.get("method", "").lower() == "post":
            self.forms.append((found.get("action", ""), {}))
        elif tag == "input" and found.get("type") == "hidden" and self.forms and found.get("name"):
            self.forms[-1][1][found["name"]] = found.get("value", "")

    def to(self, part: str) -> tuple[str, dict[str, str]] | None:
        """The form whose address contains this part."""
        return next((form for form in self.forms if part in form[0]), None)


class World:
    """What there is to see: how good each item really is on each dimension, from the seed alone."""

    def __init__(self, seed: int, systems: list[str]) -> None:
        self.seed = seed
        # Systems differ; which one is best is drawn, not taken from the alphabet.
        ranked = sorted(systems, key=lambda system: lot(seed, "system", system))
        steps = max(1, len(ranked) - 1)
        self.level = {system: 0.3 + 0.4 * place / steps for place, system in enumerate(ranked)}

    def quality(self, item: str, system: str, dimension: str) -> float:
        """Between 0 and 1, before anybody looks."""
        chance = Random(lot(self.seed, "item", item))
        shared = chance.gauss(0, 0.2)
        own = Random(lot(self.seed, "dimension", item, dimension)).gauss(0, 0.12)
        return self.level.get(system, 0.5) + shared + own


@dataclass
class Clock:
    """The application's clock: it shows the time of the bot whose turn it is."""

    now: int

    def __call__(self) -> int:
        """The time, as the application asks for it."""
        return self.now


@dataclass
class Bot:
    """One annotator at work, with its own clock."""

    character: Character
    study: Study
    world: World
    client: httpx2.AsyncClient
    store: Backend
    token: str
    clock: Clock
    now: int
    page: str = ""
    done: int = 0
    finished: bool = False

    async def step(self) -> bool:
        """Deal with one page. False when there is nothing left to do."""
        self.clock.now = self.now
        if not self.page:
            await self._enter()
        forms = Forms(self.page)
        if (form := forms.to("/submit/")) is not None:
            if self.done == self.character.items:
                self.finished = True
            else:
                await self._judge(*form)
        elif (form := forms.to("/gate")) is not None:
            await self._pass_gate(*form)
        else:
            self.finished = True
        return not self.finished

    async def _enter(self) -> None:
        landing = await self.client.get(f"/join/{self.token}")
        form = Forms(landing.text).to("/join")
        assert form is not None, "the landing page has no form"
        await self._send(*form)

    async def _pass_gate(self, address: str, hidden: dict[str, str]) -> None:
        gate = next(entry.gate for entry in self.study.gates if entry.gate.version == hidden["version"])
        self.now += 60_000
        self.clock.now = self.now
        await self._send(address, {**hidden, **gate.simulate()})

    async def _judge(self, address: str, hidden: dict[str, str]) -> None:
        item = self.store.read(results.item_of, address.rsplit("/", 1)[1])
        answers = self.answers(item)
        seconds = self.seconds(item.name, item.words)
        self.now += round(seconds * 1000)
        self.clock.now = self.now
        await self._send(address, {**hidden, "active_ms": str(round(seconds * 1000)), **answers})
        self.done += 1

    def answers(self, item: results.Behind) -> dict[str, list[str]]:
        """What this bot says of an item: the strings that its form sends."""
        questions = questions_of(self.study, item.shown)
        rules = concrete_rules(self.study, questions, item.shown)
        form = {each.key: self._answer(each, item) for each in questions if not each.dimension.optional}
        for _ in range(len(questions) + 1):
            read = {each.slot: read_answer(each, form.get(each.key, ())) for each in questions}
            given = filled(rules, read)
            wanting = missing(rules, questions, given)
            forbidden = broken(rules, questions, given, refuses=True)
            if not wanting and not forbidden:
                break
            for question in questions:
                if question.key in wanting:
                    form[question.key] = self._answer(question, item)
                elif question.key in forbidden:
                    form[question.key] = _nearest_allowed(question, read, rules, questions)
        read_answers(self.study, item.shown, form)  # a bot that breaks the rules is a mistake here, not a finding
        return form

    def _answer(self, question: Question, item: results.Behind) -> list[str]:
        character, slot = self.character, question.slot
        chance = Random(lot(self.world.seed, "answer", character.name, item.name, slot.key))
        there = self._quality(question, item)
        guess = chance.random()
        # Skill mixes what is there with a blind guess; even a careful eye wavers a little.
        seen = character.skill * there + (1 - character.skill) * guess + chance.gauss(0, 0.08) + character.bias
        return question.dimension.input.simulate(chance, seen)

    def _quality(self, question: Question, item: results.Behind) -> float:
        slot = question.slot
        of_system = {
            side: self.world.quality(item.name, system, slot.dimension + slot.entry)
            for side, system in zip(SIDES, item.systems, strict=False)
        }
        if question.dimension.input.compares:
            return 0.5 + of_system["right"] - of_system["left"]
        if slot.side:
            return of_system[slot.side]
        return self.world.quality(item.name, "".join(item.systems[:1]), slot.dimension + slot.entry)

    def seconds(self, item: str, words: int) -> float:
        """Reading time at an ordinary pace and some seconds for the answers, with the scatter that people have."""
        chance = Random(lot(self.world.seed, "time", self.character.name, item))
        return max(1.0, (words / WORDS_A_MINUTE * 60 + 12) / self.character.speed * chance.lognormvariate(0, 0.3))

    async def _send(self, address: str, form: Mapping[str, str | list[str]]) -> None:
        answer = await self.client.post(address, data=dict(form))
        if answer.status_code != 200:
            raise AssayError(f"{self.character.name} got {answer.status_code} from {address.split('/')[-2]}")
        self.page = answer.text


def _nearest_allowed(
    question: Question, read: Answers, rules: Sequence[Concrete], questions: Sequence[Question]
) -> list[str]:
    """The answer that the rules leave open and that lies nearest to the one given."""
    kind = question.dimension.input
    order = list(kind.values())
    at = order.index(read[question.slot])
    for value in sorted(order, key=lambda each: abs(order.index(each) - at)):
        if question.key not in broken(rules, questions, {**read, question.slot: value}, refuses=True):
            return kind.write(value)
    return []


def simulate(
    store: Backend,
    study_name: str,
    characters: list[Character],
    *,
    seed: int,
    start: int,
    progress: Callable[[int], None] = lambda _: None,
) -> int:
    """Let simulated annotators work until nothing is left for them; returns how many items they submitted."""
    return asyncio.run(_simulate(store, study_name, characters, seed, start, progress))


async def _simulate(
    store: Backend, study_name: str, characters: list[Character], seed: int, start: int, progress: Callable[[int], None]
) -> int:
    study_id, version = store.read(studies.find, study_name)
    study = store.read(studies.version, study_id, version)
    assert study is not None
    counts = store.read(results.item_counts, study_id, study.assignment.per_item)
    world = World(seed, list(counts.systems))
    links = store.write(people.invite, study_id, [each.name for each in characters], start, simulated=True)
    clock = Clock(start)
    app = create_app(store, clock)
    bots = []
    for character, (_, token) in zip(characters, links, strict=True):
        transport = httpx2.ASGITransport(app=app)
        client = httpx2.AsyncClient(transport=transport, base_url="http://bots", follow_redirects=True)
        bots.append(Bot(character, study, world, client, store, token, clock, start))
    waiting = list(bots)
    for _ in range(MOST_PAGES):
        # In turns, so that who gets which item does not depend on the machine.
        waiting = [bot for bot in waiting if await bot.step()]
        progress(sum(bot.done for bot in bots))
        if not waiting:
            break
    for bot in bots:
        await bot.client.aclose()
    return sum(bot.done for bot in bots)
