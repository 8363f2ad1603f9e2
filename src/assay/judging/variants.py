"""Variants of a judge: the same one with another prompt, and what each said of the items they are compared on."""

from pathlib import Path

from pydantic_core import PydanticCustomError

from assay.errors import AssayError
from assay.judging.answer_log import AnswerLog
from assay.judging.judges_file import JudgeEntry, with_known_places
from assay.judging.run import JudgeAtWork, cost_of
from assay.judging.run_tally import RunTally
from assay.judging.spending import Tokens
from assay.markdown_file import MarkdownFile, read_inside
from assay.model import Slot, Unable, Value
from assay.sides_and_candidates import by_candidate
from assay.study.schema import Study


def with_prompt(entry: JudgeEntry, file: str, folder: Path) -> JudgeEntry:
    """A judge with another prompt, under a name of its own. Raises AssayError where the file cannot be one."""
    try:
        prompt = with_known_places(MarkdownFile.model_construct(file=file, text=read_inside(folder, file)))
    except PydanticCustomError as error:
        said = error.context or {}
        raise AssayError(f"{file}: {said['what']}", said["hint"]) from None
    return entry.model_copy(update={"judge": f"{entry.judge}, {file}", "prompt": prompt})


def answers_of(study: Study, tally: RunTally, judge: str) -> dict[tuple[str, Slot], Value]:
    """What a judge answered, by item and question: of candidates, whichever side they stood on; None: unable."""
    found: dict[tuple[str, Slot], Value] = {}
    for planned, verdict in tally.verdicts.get(judge, {}).values():
        for slot, value in by_candidate(verdict.answers, study.preference_dimensions, planned.swapped).items():
            found[planned.item, slot] = None if isinstance(value, Unable) else value
    return found


def cost_of_answers(judge: JudgeAtWork, tally: RunTally, log: AnswerLog) -> tuple[int, float | None]:
    """The tokens behind a judge's answers, whenever they were paid for, and what they cost; None: without a price."""
    keys = {key for _, verdict in tally.verdicts.get(judge.entry.judge, {}).values() for key in verdict.requests}
    records = [record for key in keys if (record := log.find(key)) is not None]
    tokens = Tokens(
        sum(record["tokens"]["in"] for record in records), sum(record["tokens"]["out"] for record in records)
    )
    return round(tokens.all), None if judge.entry.price is None else cost_of(judge.entry, tokens)
