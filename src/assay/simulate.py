"""Simulated annotators that go through the real pages, in the same process, until a study is filled."""

import asyncio
import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from html import unescape
from random import Random

import httpx2

from assay import acts
from assay.assignment import lot
from assay.bots import Character, SimulatedAnnotator, TrueQuality
from assay.errors import AssayError
from assay.gates.questionnaire import PersonQuestionnaire
from assay.store import Backend
from assay.store.annotator import versions
from assay.store.coordinator import item_lookup, studies, study_status
from assay.store.coordinator.record import By
from assay.study import Study
from assay.web import create_app

MOST_PAGES = 1_000_000
TAGS = re.compile(r"<(form|input)\b([^>]*)>")
ATTRIBUTES = re.compile(r"""([\w-]+)(?:="([^"]*)")?""")
"""The attributes of a tag, by pattern: a parser would take longer than all else that a bot does."""


class Forms:
    """The forms of a page: where each is sent, and the hidden fields that go with it."""

    def __init__(self, page: str) -> None:
        self.forms: list[tuple[str, dict[str, str]]] = []
        self.to_confirm: dict[str, str] = {}
        """What is to be ticked as read."""
        for tag, attributes in TAGS.findall(page):
            self._note(tag, {name.lower(): unescape(value) for name, value in ATTRIBUTES.findall(attributes)})

    def _note(self, tag: str, found: dict[str, str]) -> None:
        """Note a form, or a hidden field of the one that is open."""
        if tag == "form" and found.get("method", "").lower() == "post":
            self.forms.append((found.get("action", ""), {}))
        elif tag == "input" and found.get("type") == "hidden" and self.forms and found.get("name"):
            self.forms[-1][1][found["name"]] = found.get("value", "")
        elif tag == "input" and found.get("type") == "checkbox" and found.get("name", "").startswith("read-"):
            self.to_confirm[found["name"]] = found.get("value", "")

    def to(self, part: str) -> tuple[str, dict[str, str]] | None:
        """The form whose address contains this part."""
        return next((form for form in self.forms if part in form[0]), None)


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
    truth: TrueQuality
    client: httpx2.AsyncClient
    store: Backend
    token: str
    clock: Clock
    now: int
    page: str = ""
    done: int = 0
    finished: bool = False
    annotator: SimulatedAnnotator = field(init=False)

    def __post_init__(self) -> None:
        self.annotator = SimulatedAnnotator(self.character, self.study, self.truth)

    async def step(self) -> bool:
        """Deal with one page. False when there is nothing left to do."""
        self.clock.now = self.now
        if not self.page:
            await self._enter()
        forms = Forms(self.page)
        if (form := forms.to("/open/") or forms.to("/check-in")) is not None:
            await self._send(form[0], {**form[1], "answer": "well"})
        elif (form := forms.to("/submit/")) is not None:
            if self.done == self.character.items:
                self.finished = True
            else:
                await self._judge(*form)
        elif (form := forms.to("/gate")) is not None:
            await self._pass_gate(*form)
        elif (form := forms.to("/break")) is not None:
            await self._rest(*form)
        elif (until := re.search(r'data-until="(\d+)"', self.page)) is not None:
            await self._come_back(int(until[1]))
        else:
            self.finished = True
        return not self.finished

    async def _enter(self) -> None:
        landing = await self.client.get(f"/join/{self.token}")
        form = Forms(landing.text).to("/join")
        assert form is not None, "the landing page has no form"
        await self._send(*form)

    async def _pass_gate(self, address: str, hidden: dict[str, str]) -> None:
        gates = [entry.gate for entry in self.study.gates] + ([self.study.at_end] if self.study.at_end else [])
        gate = next(each for each in gates if each.version == hidden["version"])
        self.now += 60_000
        self.clock.now = self.now
        form: Mapping[str, str | list[str]] = gate.simulate()
        if isinstance(gate, PersonQuestionnaire):
            # People differ, and so do bots.
            form = gate.answers_by_chance(Random(lot(self.truth.seed, "person", self.character.name)))
        await self._send(address, {**hidden, **form, **Forms(self.page).to_confirm})

    async def _rest(self, address: str, hidden: dict[str, str]) -> None:
        """Take a break, a short one."""
        self.now += 120_000
        self.clock.now = self.now
        await self._send(address, hidden)

    async def _come_back(self, until: int) -> None:
        """Set the clock to `until`, when the next session or day begins, and open the page again."""
        self.clock.now = self.now = until
        self.page = (await self.client.get(f"/judge/{self.study.study}")).text

    async def _judge(self, address: str, hidden: dict[str, str]) -> None:
        item = self.store.read(item_lookup.item_behind, address.rsplit("/", 1)[1])
        answers = self.answers(item)
        seconds = self.annotator.seconds(item)
        self.now += round(seconds * 1000)
        self.clock.now = self.now
        form: dict[str, str | list[str]] = {**hidden, "active_ms": str(round(seconds * 1000)), **answers}
        if any(block.before for block in self.study.items.show):
            # The block that these answers are about comes after the others were sent, with the proof of it.
            first = Forms((await self.client.post(address, data=dict(form))).text).to("/submit/")
            form |= {name: first[1][name] for name in ("seen", "draft")} if first else {}
        await self._send(address, form)
        # Items that are judged at a gate do not count as work.
        self.done += "gate" not in hidden
        self.annotator.remember(item)

    def answers(self, item: item_lookup.ItemBehind) -> dict[str, list[str]]:
        """This bot's answers to an item, as the strings that its form sends."""
        return self.annotator.answers(item)

    async def _send(self, address: str, form: Mapping[str, str | list[str]]) -> None:
        answer = await self.client.post(address, data=dict(form))
        if answer.status_code != 200:
            raise AssayError(f"{self.character.name} got {answer.status_code} from {address.split('/')[-2]}")
        self.page = answer.text


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
    work = _simulate(store, study_name, characters, seed, start, progress)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    # In a notebook a loop runs already, and a thread has one at most.
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, work).result()


async def _simulate(
    store: Backend, study_name: str, characters: list[Character], seed: int, start: int, progress: Callable[[int], None]
) -> int:
    study_id, version = store.read(studies.find, study_name)
    study = store.read(versions.version, study_id, version)
    assert study is not None
    if (state := store.read(studies.state, study_id)) != "open":
        back = "remove --undo" if state == studies.REMOVED else "state --to open"
        raise AssayError(f"the study is {state}: nobody gets items", f"`assay {back}` opens it again")
    counts = store.read(study_status.item_counts, study_id)
    truth = TrueQuality(seed, list(counts.systems))
    links = store.write(
        acts.invite, By(study_id, "simulate", start), [each.name for each in characters], simulated=True
    )
    clock = Clock(start)
    app = create_app(store, clock)
    bots = []
    for character, (_, token) in zip(characters, links, strict=True):
        transport = httpx2.ASGITransport(app=app)
        # No compression: nothing goes over a network here.
        client = httpx2.AsyncClient(
            transport=transport, base_url="http://bots", follow_redirects=True, headers={"Accept-Encoding": "identity"}
        )
        bots.append(Bot(character, study, truth, client, store, token, clock, start))
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
