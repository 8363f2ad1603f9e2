"""Every submission about a pair as one line of JSON, with the two models in one order for everybody."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from assay.exchange import Column, Export, ExportData, ExportResult
from assay.exchange.pair_records import FIRST_KEYS, NEEDS_PAIRS, answer_columns, pair_record
from assay.exchange.submissions import Submission, submissions
from assay.model import Judgment
from assay.study.schema import Study


class SessionLogExport(Export):
    """JSON lines, one for each judged pair, that the analysis of the trajectories study reads: `session_log.jsonl`.

    For studies that compare two systems. That analysis pools whatever stands left, over annotators for whom sides were
    drawn anew. So the two models of a pair stand here in one order for everybody, that of the study's comparisons;
    `shown_left` names the system that stood left on the page. `assay import --sheet FILE` takes the file in again.
    """

    kind: ClassVar[str] = "session-log"
    suffix: ClassVar[str] = ".jsonl"
    name: ClassVar[str] = "session_log"

    def refuses(self, study: Study) -> str:
        return NEEDS_PAIRS if study.items.candidates is None else ""

    def write(self, data: ExportData, path: Path) -> ExportResult:
        count = again = unfinished = 0
        with open(path, "w", encoding="utf-8", newline="") as file:
            for submission in submissions(data.of_people("time")):
                if submission.head.pass_ > 1:
                    again += 1
                elif submission.unable or not _is_whole(data.study, submission):
                    unfinished += 1
                else:
                    record = pair_record(data, submission, _first_system(data, submission.head))
                    line = {**record, "shown_left": submission.head.left or None}
                    file.write(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n")
                    count += 1
        notes = [
            (
                again,
                f"{again:,} second passes are left out: the original takes them for other people's; csv has them",
            ),
            (unfinished, f"{unfinished:,} judged pairs are left out: an answer is missing, and the original needs all"),
        ]
        return ExportResult(count, "judged pairs", [words for number, words in notes if number])

    def columns(self, data: ExportData) -> Iterator[tuple[str, Column]]:
        for name, words in FIRST_KEYS.items():
            yield "", Column(name, words)
        yield from answer_columns(data.study, "")
        yield "", Column("shown_left", "the system that stood left on the annotator's page; null where unknown")


def _first_system(data: ExportData, head: Judgment) -> str:
    """The system that stands left in the file: the first one of the study's comparison."""
    named = (each.system for each in data.comparisons if {each.system, each.against} == set(head.systems))
    return next(named, head.systems[0])


def _is_whole(study: Study, submission: Submission) -> bool:
    """Whether every question that is always asked has an answer."""
    said = {slot.dimension for slot in submission.answers}
    return all(each.dimension in said for each in study.rubric if each.is_always_asked)
