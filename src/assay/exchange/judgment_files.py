"""One JSON file for each submission about a pair, with the models that stood left and right."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from assay.exchange import Column, Export, ExportData, ExportResult
from assay.exchange.pair_records import FIRST_KEYS, NEEDS_PAIRS, answer_columns, pair_record, preferred_models
from assay.exchange.submissions import FileNames, Submission, submissions
from assay.study.schema import Study


class JudgmentFilesExport(Export):
    """A folder with one JSON file for each judged pair, `<annotator>_<submission>.json`, with left and right models.

    For studies that compare two systems. `left_model` and `right_model` say who stood where for this annotator, and
    `preference` is left, right or equal; beside it `preference_model` names the system, because sides were drawn anew
    for each annotator and must never be pooled. Each judgment is in one file and nowhere else.
    `assay import --sheet FOLDER` takes the files in again.
    """

    kind: ClassVar[str] = "judgment-files"

    def refuses(self, study: Study) -> str:
        return NEEDS_PAIRS if study.items.candidates is None else ""

    def write(self, data: ExportData, path: Path) -> ExportResult:
        names, count, unplaced = FileNames(), 0, 0
        for submission in submissions(data.of_people("time")):
            head = submission.head
            if not head.left:
                unplaced += 1
                continue
            record = json.dumps(_record(data, submission), ensure_ascii=False, indent=2, allow_nan=False)
            file = path / f"{names[head.annotator]}_{head.submission}.json"
            file.write_text(record + "\n", "utf-8")
            count += 1
        said = f"{unplaced:,} judged pairs are left out: imported ones do not say who stood where; csv has them"
        return ExportResult(count, "judged pairs", [said] if unplaced else [])

    def columns(self, data: ExportData) -> Iterator[tuple[str, Column]]:
        for name, words in FIRST_KEYS.items():
            yield "*.json", Column(name, words)
        yield "*.json", Column("pass", "1 for the first time, 2 for a duplicate")
        yield from answer_columns(data.study, "*.json")
        for name in data.study.preference_dimensions:
            yield "*.json", Column(f"{name}_model", f"the system that {name} means")


def _record(data: ExportData, submission: Submission) -> dict[str, Any]:
    record = pair_record(data, submission, submission.head.left)
    return {**record, **preferred_models(data.study, submission), "pass": submission.head.pass_}
