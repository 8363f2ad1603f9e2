"""What people said, as scores that Inspect puts into its logs."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from typing import IO, Any, ClassVar

from assay.errors import AssayError
from assay.exchange import Column, Export, ExportData, ExportResult
from assay.exchange.submissions import FileNames, Submission, submissions
from assay.model import Judgment, Value
from assay.sides_and_candidates import systems_by_role
from assay.study.schema import Study

NO_SYSTEM = "scores"
"""What the file is called where items name no system."""

FIELDS = [
    Column("id", "the sample: the item's id, or its group's with --id group"),
    Column(
        "value", "the mean over annotators of each dimension that has numbers; of a preference, the share won", "JSON"
    ),
    Column("explanation", "what annotators wrote, each after their pseudonym"),
    Column("metadata", "the item, its systems and group, and what each annotator said", "JSON"),
]


class InspectExport(Export):
    """Scores for Inspect's `precomputed_scores`: a folder with a file for each system, a line for each item.

    A log of Inspect is one model's run, so each system has a file of its own. `value` has the mean over annotators of
    each dimension; of a preference, 1 for each comparison won, 0.5 for a tie and 0 for one lost.
    """

    kind: ClassVar[str] = "inspect"

    def refuses(self, study: Study) -> str:
        if any(each.input.answer == "number" or each.input.compares for each in study.rubric):
            return ""
        return "scores are numbers or comparisons, and no dimension of this study is either"

    def write(self, data: ExportData, path: Path) -> ExportResult:
        names, open_files, seen = FileNames(), {}, set()
        count = 0
        with ExitStack() as stack:
            for _, together in groupby(data.of_people("item"), lambda each: each.item):
                given = [each for each in together if each.pass_ == 1]
                for system, record in _records(data, given):
                    if (system, record["id"]) in seen:
                        what = f"two items of {system or 'the study'} are called {record['id']!r} by their group"
                        raise AssayError(what, "leave --id group out: then each item is called by its own id")
                    seen.add((system, record["id"]))
                    if system not in open_files:
                        file = path / f"{names[system or NO_SYSTEM]}.jsonl"
                        open_files[system] = stack.enter_context(open(file, "w", encoding="utf-8", newline=""))
                    _line(open_files[system], record)
                    count += 1
        return ExportResult(count, "scored items")

    def columns(self, data: ExportData) -> Iterator[tuple[str, Column]]:
        # The dictionary explains every dimension below a column of the name `value`.
        yield from (("*.jsonl", column) for column in FIELDS)


def _line(file: IO[str], record: dict[str, Any]) -> None:
    file.write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")


def _records(data: ExportData, given: list[Judgment]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is said of each system of one item."""
    if not given:
        return
    head, said = given[0], list(submissions(given))
    name = head.group if data.named_by == "group" else head.item
    if not name:
        raise AssayError(f"the item {head.item!r} has no group", "leave --id group out")
    one = head.systems[0] if head.systems else ""
    for role, system in (systems_by_role(head.systems) or {"": one}).items():
        value = _mean_values(data, said, role, system)
        if value:
            metadata = {
                "item": head.item,
                "systems": list(head.systems),
                "group": head.group,
                "judgments": _all_answers(said),
            }
            yield system, {"id": name, "value": value, "explanation": _explanation(data, said), "metadata": metadata}


def _mean_values(data: ExportData, said: list[Submission], role: str, system: str) -> dict[str, float]:
    """The mean of each dimension that is about this system."""
    found: dict[str, list[float]] = {}
    for submission in said:
        for slot, value in submission.answers.items():
            dimension = data.dimensions.get(slot.dimension)
            if dimension is not None and dimension.input.compares:
                points = {system: 1.0, "tie": 0.5, "neither": None}.get(str(value), 0.0) if value is not None else None
            elif slot.side == role:
                points = _number(value)
            else:
                points = None
            if points is not None:
                found.setdefault(slot.dimension, []).append(points)
    return {name: sum(points) / len(points) for name, points in found.items()}


def _number(value: Value) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _explanation(data: ExportData, said: list[Submission]) -> str | None:
    texts = [
        f"{submission.head.annotator}: {value}"
        for submission in said
        for slot, value in submission.answers.items()
        if value and slot.dimension in data.dimensions and data.dimensions[slot.dimension].input.answer == "text"
    ]
    return "\n".join(texts) or None


def _all_answers(said: list[Submission]) -> dict[str, dict[str, Value]]:
    return {each.head.annotator: {slot.key: value for slot, value in each.answers.items()} for each in said}
