"""A run: every item is put to every judge, as fast as limits allow, until all is done or the budget is spent."""

import asyncio
import base64
import hashlib
import json
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.judges import Ask, JudgeFailure, Prompt, PromptPicture, Reply, Surroundings
from assay.judging.answer_log import AnswerLog, Record, request_key, without_secrets
from assay.judging.ask_item import judge_item
from assay.judging.how_asked import facts_of_answer, settings_of
from assay.judging.judges_file import JudgeBudget, JudgeEntry
from assay.judging.passes import PlannedPass
from assay.judging.prompt import PromptMaker
from assay.judging.run_tally import RunTally
from assay.judging.spending import BudgetSpent, Cost, Purse, RequestPace, Tokens, estimated_tokens
from assay.study.schema import Study

LONGEST_WAIT = 60.0
LONGEST_RETRY_AFTER = 600.0
MOST_FAILURES_IN_A_ROW = 5
LONGEST_NAME = 200
"""Letters of a model's name; the whole answer has all of it."""
MakerOf = Callable[[PlannedPass], PromptMaker]
"""Makes the prompts of one pass: with the pictures of its item."""


@dataclass(frozen=True, slots=True)
class JudgeAtWork:
    """One judge of the file, with all that it is asked."""

    entry: JudgeEntry
    passes: Sequence[PlannedPass]
    maker_of: MakerOf
    identity: Mapping[str, Any]

    @property
    def hash_without_item(self) -> str:
        """The hash of all that its prompts say besides the item."""
        return self.maker_of(self.passes[0]).hash_without_item() if self.passes else ""

    def request(self, prompt: Prompt) -> dict[str, Any]:
        """A request as it is stored and hashed: with the hashes of pictures in their place."""
        kind = self.entry.kind
        body = kind.body(prompt, lambda picture: f"sha256:{picture.hash}")
        return {"kind": kind.kind, "to": dict(self.identity), "body": body, "repeat": prompt.repeat}


class _Stopped(Exception):
    """The run has ended: nothing more is asked."""


class JudgeRun:
    """One run of some judges over a study."""

    def __init__(
        self,
        study: Study,
        judges: Sequence[JudgeAtWork],
        log: AnswerLog,
        budget: JudgeBudget,
        folder: Path,
        environment: Mapping[str, str],
    ) -> None:
        self.study, self.judges, self.log = study, judges, log
        self.folder, self.environment = folder, environment
        self.tally = RunTally(sum(len(each.passes) for each in judges))
        self.purse = Purse(budget)
        for each in judges:
            name = each.entry.judge
            if name in log.spent:
                self.purse.spent += _cost(each.entry, Tokens(*log.spent[name]))
                self.purse.largest[name] = _cost(each.entry, Tokens(*log.largest[name]))
        self.ended = asyncio.Event()
        self.under_way: dict[str, asyncio.Lock] = {}
        self.secrets = {each.entry.judge: each.entry.kind.secrets(environment) for each in judges}

    async def go(self) -> RunTally:
        """Ask everything that is not answered yet."""
        async with AsyncExitStack() as stack:
            asking = []
            for judge in self.judges:
                around = Surroundings(self.folder, self.environment, judge.entry.limits.seconds)
                ask = await stack.enter_async_context(judge.entry.kind.opened(around))
                waiting = iter(judge.passes)
                one = _AskedJudge(self, judge, ask)
                asking += [one.work_through(waiting) for _ in range(judge.entry.limits.at_once)]
            await asyncio.gather(*asking)
        return self.tally

    def interrupt(self) -> None:
        """Stop because somebody wants it."""
        self.tally.interrupted = True
        self.stop("interrupted")

    def stop(self, why: str) -> None:
        """Ask nothing more; what is under way is waited for."""
        self.tally.stopped = self.tally.stopped or why
        self.ended.set()

    async def sleep(self, seconds: float) -> bool:
        """Wait for so many seconds, or until the run ends; whether it has ended."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.ended.wait(), seconds)
        return self.ended.is_set()


class _AskedJudge:
    """One judge while it is asked."""

    def __init__(self, run: JudgeRun, judge: JudgeAtWork, ask: Ask) -> None:
        self.run, self.judge, self.ask = run, judge, ask
        self.entry = judge.entry
        self.pace = RequestPace(self.entry.limits, run.sleep)
        self.failed_in_a_row = 0
        self.settings = settings_of(judge.entry, judge.identity)
        self.prompt = judge.hash_without_item

    async def work_through(self, waiting: Iterator[PlannedPass]) -> None:
        """Put one item after another to the judge. Several of these share what is waiting."""
        for planned in waiting:
            if self.is_over:
                return
            try:
                await self._judge(planned)
            except _Stopped:
                return
            except BudgetSpent:
                self.run.stop("the budget is spent")
                return
            except JudgeFailure as error:
                self._note_failure(planned, error)

    @property
    def is_over(self) -> bool:
        """Whether this judge is asked nothing more. Another one may be."""
        return bool(self.run.tally.stopped) or self.entry.judge in self.run.tally.silent

    def _note_failure(self, planned: PlannedPass, error: JudgeFailure) -> None:
        what = self._without_secrets(error.what)
        self.run.tally.failures.append((self.entry.judge, planned.item, what))
        self.failed_in_a_row += 1
        if error.stop or self.failed_in_a_row >= MOST_FAILURES_IN_A_ROW:
            self.run.tally.silent.setdefault(self.entry.judge, what)

    def _without_secrets(self, said: Any) -> Any:
        """What came back, without the key that a server may have repeated in it."""
        return without_secrets(said, self.run.secrets[self.entry.judge])

    async def _judge(self, planned: PlannedPass) -> None:
        study, log, tally = self.run.study, self.run.log, self.run.tally
        verdict = await judge_item(study, self.judge.maker_of(planned), planned.shown, planned.repeat, self._send)
        record = {
            "judge": self.entry.judge,
            "item": planned.item,
            "pass": planned.pass_,
            "repeat": planned.repeat,
            "swapped": planned.swapped,
            "study": study.hash,
            "template": self.entry.template_hash,
            "requests": list(verdict.requests),
            "answers": {slot.key: value for slot, value in verdict.answers.items()},
            "unable": dict(verdict.refused),
            "said": verdict.said,
            **({} if verdict.doubt is None else {"doubt": verdict.doubt}),
        }
        await asyncio.to_thread(log.keep_pass, record)
        tally.verdicts.setdefault(self.entry.judge, {})[planned.item, planned.pass_] = (planned, verdict)
        tally.done += 1
        tally.unable += bool(verdict.refused)

    async def _send(self, prompt: Prompt) -> tuple[str, Reply]:
        """The answer to a prompt: from the log, or else a new one, which is logged before it is used."""
        request = self.judge.request(prompt)
        key = request_key(request)
        # Two passes may ask the very same, such as of a pair of equal candidates: the second waits for the first.
        async with self.run.under_way.setdefault(key, asyncio.Lock()):
            record = self.run.log.find(key) or await self._ask_and_keep(key, request, prompt)
        self.run.tally.models[self.entry.judge, record["model"]] += 1
        if record["judge"] != self.entry.judge:
            self.run.tally.taken_over[self.entry.judge, record["judge"]] += 1
        self.run.tally.facts[self.entry.judge, key] = facts_of_answer(record, self.prompt, self.settings)
        tokens = record["tokens"]
        return key, Reply(record["text"], None, record["model"], tokens["in"], tokens["out"], record["fault"])

    async def _ask_and_keep(self, key: str, request: dict[str, Any], prompt: Prompt) -> Record:
        expected = estimated_tokens(prompt)
        held = await self.run.purse.hold(self.entry.judge, _cost(self.entry, expected))
        spent = Tokens()
        try:
            if self.is_over:
                raise _Stopped
            began = time.time()
            reply = await self._ask_until_answered(self.entry.kind.body(prompt, _base64), expected)
            spent = Tokens(reply.tokens_in, reply.tokens_out)
            is_counted = spent.all > 0
            if not is_counted and (self.entry.price is not None or self.run.purse.budget.tokens is not None):
                spent = expected  # an answer that says nothing of its tokens is not free
            record: Record = {
                "key": key,
                "judge": self.entry.judge,
                "at": round(began * 1000),
                "seconds": round(time.time() - began, 3),
                "model": self._without_secrets(reply.model[:LONGEST_NAME]),
                "tokens": {"in": round(spent.sent), "out": round(spent.received), "counted": is_counted},
                "fault": self._without_secrets(reply.fault),
                "text": self._without_secrets(reply.text),
                "prompt": prompt_hash(prompt),
                "template": self.entry.template_hash,
                "request": request,
                "answer": self._without_secrets(reply.whole),
            }
            await asyncio.to_thread(self.run.log.keep, record)
            self._count(spent)
            return record
        finally:
            await self.run.purse.pay(self.entry.judge, held, _cost(self.entry, spent))

    def _count(self, spent: Tokens) -> None:
        tally = self.run.tally
        tally.requests += 1
        tally.tokens += spent
        tally.money += cost_of(self.entry, spent)
        self.failed_in_a_row = 0

    async def _ask_until_answered(self, body: dict[str, Any], expected: Tokens) -> Reply:
        """Send a request; retry with exponential backoff after failures that may pass."""
        limits = self.entry.limits
        for number in range(limits.retries + 1):
            # What its answers took so far says more than the lengths of texts: models may think before they answer.
            seen = self.run.purse.largest.get(self.entry.judge, Cost())
            entry = await self.pace.wait(max(expected.all, seen.tokens))
            if self.is_over:
                raise _Stopped
            try:
                reply = await self.ask(body)
            except JudgeFailure as error:
                if not error.again or number == limits.retries or (error.after or 0) > LONGEST_RETRY_AFTER:
                    raise
                if error.after is not None:
                    self.pace.hold_back(error.after)
                else:
                    # With jitter: what failed together would fail together again.
                    await self.run.sleep(min(LONGEST_WAIT, limits.wait * 2**number) * random.uniform(0.5, 1))
                continue
            entry[1] = reply.tokens_in + reply.tokens_out or entry[1]
            return reply
        raise AssertionError("the last failure is raised")


def _base64(picture: PromptPicture) -> str:
    return base64.b64encode(picture.read()).decode()


def cost_of(entry: JudgeEntry, tokens: Tokens) -> float:
    """What so many tokens of a judge cost; nothing where it has no price."""
    return entry.price.of(tokens.sent, tokens.received) if entry.price is not None else 0.0


def _cost(entry: JudgeEntry, tokens: Tokens) -> Cost:
    return Cost(cost_of(entry, tokens), tokens.all)


def prompt_hash(prompt: Prompt) -> str:
    """The hash of what a judge reads: the texts, and the pictures by theirs."""
    parts = [part if isinstance(part, str) else part.hash for part in prompt.parts]
    asked = [[each.said, each.asked] for each in prompt.earlier]
    text = json.dumps([prompt.system, parts, asked], ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
