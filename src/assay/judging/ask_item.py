"""One item put to a judge: asked, checked by the study's own inputs and rules, asked again with the reasons."""

import json
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any

from assay.errors import AnswerError, AnswersRefused
from assay.judges import Exchange, Prompt, Reply
from assay.judging.answer_schema import NoAnswer, read_reply
from assay.judging.prompt import PromptMaker, Shown, visible_blocks
from assay.judgments import Question, Questionnaire, questionnaire_of, read_answer, read_answers, settle
from assay.judgments.later_blocks import revealed_blocks
from assay.judgments.rules import Answers, answers_by_key
from assay.model import UNABLE
from assay.study.expression import names
from assay.study.schema import Study

Send = Callable[[Prompt], Awaitable[tuple[str, Reply]]]
"""Sends a prompt, and gives the key of the request and the answer. Raises JudgeFailure."""
Form = dict[str, list[str]]
NOT_KNOWN_YET = "..."
"""An answer in a prompt that is made before there is one."""


@dataclass(frozen=True, slots=True)
class ItemVerdict:
    """What a judge makes of an item."""

    answers: Answers
    """By side, as the page would have them; where it was not able to judge, just that."""
    requests: tuple[str, ...]
    """The keys of the requests that led to it, in order."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """Why its last answer was not taken, by question; empty where it was."""
    said: str = ""
    """What it said then."""
    doubt: float | None = None
    """How unsure it says it is, from 0 to 1: the mean of all that it said; None where it did not say."""


@dataclass
class _Thread:
    """Some questions that are asked together, and what was said so far."""

    questions: Sequence[Question]
    prompt: Prompt
    reply: Reply | None = None
    fault: str = ""
    """Why the last answer could not be read at all."""
    doubt: float | None = None
    """How unsure it was in the last answer."""

    @property
    def keys(self) -> list[str]:
        return [question.key for question in self.questions]


async def judge_item(study: Study, maker: PromptMaker, shown: Shown, repeat: int, send: Send) -> ItemVerdict:
    """Put one item to a judge, as the page would show it: what comes after some answers comes after them here too."""
    return await _ItemTalk(study, maker, shown, repeat, send).verdict()


def first_prompt(study: Study, maker: PromptMaker, shown: Shown, repeat: int) -> Prompt:
    """What a judge is asked first of an item."""
    return next(prompts_expected(study, maker, shown, repeat))


def together(study: Study, questions: Sequence[Question], ask: str) -> Iterator[list[Question]]:
    """The questions of each request, in order: what waits for a block comes after what the block waits for."""
    place = {dimension.dimension: index for index, dimension in enumerate(study.rubric)}
    late = [
        (max(place.get(name, -1) for name in block.after), block.before) for block in study.items.show if block.after
    ]

    def stage(name: str) -> int:
        return sum(place[name] > end or name in before for end, before in late)

    in_order = sorted(dict.fromkeys(question.slot.dimension for question in questions), key=lambda name: stage(name))
    at_a_time: dict[Any, set[str]] = {}
    for name in in_order:
        at_a_time.setdefault(name if ask == "one-by-one" else stage(name), set()).add(name)
    for some in at_a_time.values():
        yield [question for question in questions if question.slot.dimension in some]


class _ItemTalk:
    """The conversation about one item."""

    def __init__(self, study: Study, maker: PromptMaker, shown: Shown, repeat: int, send: Send) -> None:
        self.study, self.maker, self.shown, self.repeat, self.send = study, maker, shown, repeat, send
        self.here: Questionnaire = questionnaire_of(study, shown)
        self.form: Form = {}
        self.threads: list[_Thread] = []
        self.requests: list[str] = []
        self.left = maker.entry.ask_again

    async def verdict(self) -> ItemVerdict:
        refused: dict[str, str] = {}
        while not refused and (questions := self._next()):
            await self._begin(questions)
            refused = await self._put_right()
        if not refused:
            answers: Answers = {slot: value for slot, value in self._read().items() if value is not None}
            stated = [thread.doubt for thread in self.threads if thread.doubt is not None]
            return ItemVerdict(answers, tuple(self.requests), doubt=fmean(stated) if stated else None)
        last = next(thread for thread in reversed(self.threads) if thread.reply is not None)
        said = last.reply.text if last.reply else ""
        return ItemVerdict(unable(self.here), tuple(self.requests), refused, said)

    def _next(self) -> list[Question]:
        """The first questions that are asked after the answers so far and were not put yet; none: all were.

        This is worked out anew each time, since a corrected answer may lead to another question.
        """
        begun = {key for thread in self.threads for key in thread.keys}
        some = together(self.study, self.here.possible, self.maker.entry.ask)
        return next((each for each in some if each[0].key not in begun and self._is_asked(each)), [])

    def _is_asked(self, questions: Sequence[Question]) -> bool:
        """Whether any of these is asked after the answers so far. In one request all are: each answer may be null."""
        if self.maker.entry.ask == "together":
            return True
        given, _ = self._answers_and_unreadable()
        asked = {each.key for each in settle(self.here.rules, self.here.questions, given).questions}
        return any(question.key in asked for question in questions)

    def _answers_and_unreadable(self) -> tuple[Answers, set[str]]:
        """The answers so far, and the keys of those that cannot be read, which are None."""
        given: Answers = {}
        unreadable = set()
        for question in self.here.questions:
            try:
                given[question.slot] = read_answer(question, self.form.get(question.key, ()))
            except AnswerError:
                given[question.slot] = None
                unreadable.add(question.key)
        return given, unreadable

    async def _begin(self, questions: Sequence[Question]) -> None:
        """Ask some questions for the first time."""
        blocks = visible_blocks(self.study, revealed_blocks(self.study, self.shown, self.form))
        # Asked one by one, a dimension is judged without a look at the others.
        before = self._answers_so_far(set(self.form)) if self.maker.entry.ask == "together" else ""
        prompt = replace(self.maker.prompt(self.shown, blocks, questions, before), repeat=self.repeat)
        thread = _Thread(questions, prompt)
        self.threads.append(thread)
        await self._ask(thread)

    async def _put_right(self) -> dict[str, str]:
        """Ask again until all answers are valid or no retry is left; returns what is still wrong."""
        while refused := self._reasons_to_refuse():
            if not self.left:
                return refused
            self.left -= 1
            for thread in self.threads:
                if not refused.keys().isdisjoint(thread.keys):
                    self._say_why(thread, refused)
                    await self._ask(thread)
        return {}

    def _say_why(self, thread: _Thread, refused: Mapping[str, str]) -> None:
        words = self.study.words
        lines = [words("judge.refused")]
        lines += [f"- {thread.fault}"] if thread.fault else []
        lines += [f"- `{key}`: {refused[key]}" for key in thread.keys if key in refused and not thread.fault]
        # Asked one by one, a dimension is judged without a look at the others, unless they are why it is refused.
        told = set(self.form) if self.maker.entry.ask == "together" else self._behind(thread, refused)
        if others := self._answers_so_far(told.difference(thread.keys)):
            lines.append(words("judge.before", answers=others))
        lines.append(words("judge.again", keys=", ".join(thread.prompt.schema["properties"])))
        said = thread.reply.text if thread.reply is not None else ""
        more = Exchange(said, "\n".join(lines))
        thread.prompt = replace(thread.prompt, earlier=(*thread.prompt.earlier, more))

    async def _ask(self, thread: _Thread) -> None:
        key, reply = await self.send(thread.prompt)
        self.requests.append(key)
        thread.reply, thread.fault, thread.doubt = reply, reply.fault, None
        for each in thread.keys:
            self.form.pop(each, None)
        if not reply.fault:
            try:
                found = read_reply(thread.questions, reply.text, doubt=self.maker.entry.doubt)
                self.form |= found.fields
                thread.doubt = found.doubt
            except NoAnswer as error:
                thread.fault = self.study.words.say(error.words)

    def _reasons_to_refuse(self) -> dict[str, str]:
        """Why the answers so far are not valid, by question; what has not been asked yet is not missing."""
        found = {key: thread.fault for thread in self.threads if thread.fault for key in thread.keys}
        asked = {key for thread in self.threads for key in thread.keys}
        try:
            self._read()
        except AnswersRefused as error:
            found = {**{key: why for key, why in error.reasons.items() if key in asked}, **found}
        return found

    def _read(self) -> Answers:
        """The answers as a submission would have them. Raises AnswersRefused."""
        return read_answers(self.study, self.shown, self.form)

    def _behind(self, thread: _Thread, refused: Mapping[str, str]) -> set[str]:
        """The keys of the questions that are named in the rules which answers of this thread break."""
        given, unreadable = self._answers_and_unreadable()
        settled = settle(self.here.rules, self.here.questions, given)
        values = answers_by_key(settled.answers)
        about = {key for key in thread.keys if key in refused and key not in unreadable and not thread.fault}
        found: set[str] = set()
        for rule in settled.rules:
            key = rule.slot.key
            if key in about and rule.refuses and rule.applies(values):
                is_missing = values.get(key) is None
                if is_missing if rule.kind == "required" else not is_missing and not rule.allows(values):
                    found.update(names(rule.when), names(rule.allow))
        return found

    def _answers_so_far(self, keys: Collection[str]) -> str:
        """What was answered to these questions, as JSON."""
        said = {key: each[0] if len(each) == 1 else each for key, each in self.form.items() if key in keys}
        return json.dumps(said, ensure_ascii=False) if said else ""


def unable(here: Questionnaire) -> Answers:
    """The answers of a judge that was unable to judge: just that, to every question that has to be answered."""
    needed = [question for question in here.possible if question.dimension.is_always_asked]
    return {question.slot: UNABLE for question in needed or here.possible}


def prompts_expected(study: Study, maker: PromptMaker, shown: Shown, repeat: int) -> Iterator[Prompt]:
    """The prompts of an item if every answer is valid at once; earlier answers that they repeat are dots."""
    possible = questionnaire_of(study, shown).possible
    asked: list[Question] = []
    for questions in together(study, possible, maker.entry.ask):
        open_ = {question.slot.dimension for question in possible if question not in asked}
        blocks = [block for block in study.items.show if open_.isdisjoint(block.after)]
        said = {question.key: NOT_KNOWN_YET for question in asked} if maker.entry.ask == "together" else {}
        before = json.dumps(said, ensure_ascii=False) if said else ""
        yield replace(maker.prompt(shown, blocks, questions, before), repeat=repeat)
        asked += questions
