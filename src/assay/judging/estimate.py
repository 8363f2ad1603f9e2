"""Before a run: what it will take, and whether its answers could be stored. Nobody is asked for that."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from assay.errors import AssayError
from assay.judging.answer_log import FOLDER, AnswerLog, request_key
from assay.judging.ask_item import first_prompt, prompts_expected
from assay.judging.passes import PlannedPass
from assay.judging.prompt import PromptMaker
from assay.judging.run import JudgeAtWork, cost_of
from assay.judging.spending import Tokens, estimated_tokens
from assay.study.schema import Study


@dataclass(frozen=True, slots=True)
class RunEstimate:
    """What a run will take, without asking anybody."""

    judge: str
    passes: int
    requests: int
    """Those of which no answer is kept: one for each pass, and more where dimensions are asked one by one."""
    tokens: Tokens
    money: float | None
    """None where the file names no price."""

    def as_json(self) -> dict[str, Any]:
        """The same for a program to read."""
        return {
            "judge": self.judge,
            "passes": self.passes,
            "requests": self.requests,
            "tokens_in": round(self.tokens.sent),
            "tokens_out": round(self.tokens.received),
            "money": self.money,
        }


def estimate(study: Study, judge: JudgeAtWork, log: AnswerLog) -> RunEstimate:
    """What is left to be asked of a judge: items whose first answer is kept are taken to be done."""
    requests, tokens = 0, Tokens()
    for planned in judge.passes:
        maker = judge.maker_of(planned)
        if _first_key(study, judge, maker, planned) not in log.places:
            for prompt in prompts_expected(study, maker, planned.shown, planned.repeat):
                requests += 1
                tokens += estimated_tokens(prompt)
    money = None if judge.entry.price is None else cost_of(judge.entry, tokens)
    return RunEstimate(judge.entry.judge, len(judge.passes), requests, tokens, money)


def _first_key(study: Study, judge: JudgeAtWork, maker: PromptMaker, planned: PlannedPass) -> str:
    return request_key(judge.request(first_prompt(study, maker, planned.shown, planned.repeat)))


def refuse_other_answers(
    study: Study, judge: JudgeAtWork, log: AnswerLog, stored: Collection[tuple[str, int]], prompts: Collection[str]
) -> None:
    """Refuse to pay for answers that could not be stored: this judge has said something else of these items.

    `stored` has the items, with the pass, that the store knows this judge to have judged, and `prompts` the hashes of
    what it was asked then besides the item; none where they are not known.
    """
    name = judge.entry.judge
    same = not prompts or judge.hash_without_item in prompts
    for planned in judge.passes:
        if (planned.item, planned.pass_) not in stored:
            continue
        known = log.known.get((name, planned.item, planned.pass_))
        first = _first_key(study, judge, judge.maker_of(planned), planned)
        if known is None or known[:1] != (first,) or not same:
            hint = "give the judge another name; or --replace with --reason puts the new answers in the place of these"
            if known is not None:
                why = "under another prompt, model or rubric"
            elif prompts:
                why = f"and its answers are not in the folder `{FOLDER}` here"
                hint = f"bring that folder back, from where it was run; or {hint}"
            else:
                why = "by an import"
            raise AssayError(f"{name} has judged {planned.item!r} before, {why}", hint)
