"""What a run may spend, and how fast: a budget of money and tokens, and limits a minute."""

import asyncio
import json
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from assay.judges import Prompt
from assay.judging.judges_file import JudgeBudget, JudgeLimits

LETTERS_A_TOKEN = 4
LAST_LATIN = "\u02af"
PICTURE_TOKENS = 1000
ANSWER_TOKENS = {"enum": 12, "text": 80}
MINUTE = 60.0
Sleep = Callable[[float], Awaitable[bool]]
"""Waits for so many seconds, or until nothing more is to be asked: then it says so."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens that are sent and received."""

    sent: float = 0
    received: float = 0

    @property
    def all(self) -> float:
        """Both together."""
        return self.sent + self.received

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(self.sent + other.sent, self.received + other.received)


def estimated_tokens(prompt: Prompt) -> Tokens:
    """About how many tokens a request will take: of its texts, and so much for a picture and for each answer."""
    texts = [
        prompt.system,
        prompt.text,
        json.dumps(prompt.schema, ensure_ascii=False),
        *(each.said + each.asked for each in prompt.earlier),
    ]
    sent = sum(map(_tokens_of, texts)) + PICTURE_TOKENS * len(prompt.pictures)
    answers = prompt.schema["properties"].values()
    return Tokens(sent, sum(ANSWER_TOKENS["enum" if "enum" in each else "text"] for each in answers))


def _tokens_of(text: str) -> float:
    """About how many tokens a text is: Latin letters by four; beyond them (Chinese, Arabic, signs) each may be one.

    >>> _tokens_of("warm"), _tokens_of("wärm"), _tokens_of("温暖")
    (1.0, 1.0, 2.0)
    """
    beyond = sum(letter > LAST_LATIN for letter in text) if not text.isascii() else 0
    return (len(text) - beyond) / LETTERS_A_TOKEN + beyond


class BudgetSpent(Exception):
    """The next request may cost more than is left."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a request costs."""

    money: float = 0
    tokens: float = 0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.money + other.money, self.tokens + other.tokens)

    def __sub__(self, other: "Cost") -> "Cost":
        return Cost(self.money - other.money, self.tokens - other.tokens)

    def at_least(self, other: "Cost") -> "Cost":
        """The maximum of both costs, of money and of tokens each."""
        return Cost(max(self.money, other.money), max(self.tokens, other.tokens))


@dataclass
class Purse:
    """The budget at work: what all judges have spent, in earlier runs too, and what is reserved for open requests."""

    budget: JudgeBudget
    spent: Cost = Cost()
    held: Cost = Cost()
    largest: dict[str, Cost] = field(default_factory=dict)
    """The most that an answer of each judge has cost so far. Lengths of texts say little of it where models think."""
    first: str = ""
    """The judge whose first answer is waited for, alone."""
    under_way: int = 0
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def hold(self, judge: str, expected: Cost) -> Cost:
        """Reserve what a request may cost; returns that. Raises BudgetSpent where too little is left.

        Waits where enough may come back: requests under way often cost less than is reserved for them. Where there is a
        budget, nothing else is sent until a judge's first answer is there: before, nobody knows its cost.
        """
        async with self.changed:
            is_first = False
            try:
                while True:
                    # Looked at each time: the first one may have failed meanwhile, and then this one is it.
                    if self.budget.is_set and not self.first and judge not in self.largest:
                        self.first, is_first = judge, True
                    needed = expected.at_least(self.largest.get(judge, Cost()))
                    if not self._is_enough(self.spent + needed):
                        raise BudgetSpent
                    may_go = not self.under_way if is_first else not self.first
                    if may_go and self._is_enough(self.spent + self.held + needed):
                        break
                    await self.changed.wait()
            except BaseException:
                if is_first:
                    self.first = ""
                    self.changed.notify_all()
                raise
            self.held += needed
            self.under_way += 1
            return needed

    def _is_enough(self, cost: Cost) -> bool:
        most = self.budget
        return (most.money is None or cost.money <= most.money) and (most.tokens is None or cost.tokens <= most.tokens)

    async def pay(self, judge: str, held: Cost, cost: Cost) -> None:
        """Replace what was reserved for a request by what it did cost; by nothing where it failed."""
        async with self.changed:
            self.held -= held
            self.spent += cost
            self.under_way -= 1
            if cost != Cost():
                self.largest[judge] = cost.at_least(self.largest.get(judge, Cost()))
            if self.first == judge:
                self.first = ""
            self.changed.notify_all()


class RequestPace:
    """A rate limiter for the requests to one judge; it also waits when the judge asks for it."""

    def __init__(self, limits: JudgeLimits, sleep: Sleep) -> None:
        self.limits, self.sleep = limits, sleep
        self.lately: deque[list[float]] = deque()
        """When each request of the last minute was sent, and how many tokens it takes."""
        self.not_before = 0.0
        self.turn = asyncio.Lock()

    async def wait(self, tokens: float) -> list[float]:
        """Wait until a request may be sent. Returns its entry, in which the real number of tokens is noted later."""
        async with self.turn:
            while (pause := self._pause(tokens, time.monotonic())) > 0:
                if await self.sleep(pause):
                    break
            entry = [time.monotonic(), tokens]
            self.lately.append(entry)
            return entry

    def _pause(self, tokens: float, now: float) -> float:
        """How long to wait before looking again; 0: it may be sent."""
        while self.lately and self.lately[0][0] <= now - MINUTE:
            self.lately.popleft()
        if now < self.not_before:
            return self.not_before - now
        requests, most = self.limits.requests, self.limits.tokens
        over = requests is not None and len(self.lately) >= requests
        # A single request that is larger than the limit would wait for ever: it is sent when nothing else was.
        over |= most is not None and bool(self.lately) and sum(entry[1] for entry in self.lately) + tokens > most
        return max(0.01, self.lately[0][0] + MINUTE - now) if over else 0.0

    def hold_back(self, seconds: float) -> None:
        """Send nothing for so long."""
        self.not_before = max(self.not_before, time.monotonic() + seconds)
