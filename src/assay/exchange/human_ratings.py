"""A workbook for each annotator, with the scores and with what they were computed by."""

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar

from assay.exchange import Column, Export, ExportData, ExportResult
from assay.exchange.export_columns import as_time
from assay.exchange.rating_rows import note_on_second_passes
from assay.exchange.submissions import FileNames, Submission, submissions
from assay.exchange.workbook import Sheet, headings, write_workbook
from assay.study.rubric import Dimension
from assay.study.schema import Derived, Study

RATINGS, METADATA = "Human_Ratings", "Metadata"
OF_METADATA = {
    "export_timestamp": "when it was written, UTC",
    "total_conversations": "how many items the study has",
    "total_rated": "how many of them this annotator has rated",
    "annotator_id": "the annotator's pseudonym",
    "source_folder": "where the items came from, as the study names it",
    "pass_threshold": "from which score on an item passes",
    "target_weight": "the weight of the share of entries in the score",
    "dimension_weights": "the weight of each dimension in the score, as JSON",
}


class HumanRatingsExport(Export):
    """A folder with `human_ratings_<annotator>.xlsx` for each annotator: sheets Human_Ratings and Metadata.

    For studies that score an item and answer yes or no for each entry of one list inside it. Scores stand under
    `dim_<dimension>`, answers under `target_statuses_json`, computed values under `overall_score` and `pass_fail`. Ids
    are text; times are UTC; other answers, such as notes, follow after the columns of the original.
    """

    kind: ClassVar[str] = "human-ratings"

    def refuses(self, study: Study) -> str:
        if study.items.candidates is not None:
            return "this layout scores one output, and here two systems are compared"
        if len(_targets(study)) != 1:
            return "this layout needs one list inside each item whose entries are answered yes or no"
        return "" if _scores(study) else "this layout needs a dimension with numbers, asked of the item"

    def write(self, data: ExportData, path: Path) -> ExportResult:
        names, count, again = FileNames(), 0, 0
        stream = submissions(data.of_people("annotator"))
        for who, together in groupby(stream, lambda each: each.head.annotator):
            book = _AnnotatorWorkbook(data, who, together)
            sheets = [
                Sheet(RATINGS, headings(column.name for column in book.columns), book.rows()),
                Sheet(METADATA, headings(OF_METADATA), book.metadata()),
            ]
            write_workbook(path / f"human_ratings_{names[who]}.xlsx", sheets)
            count, again = count + book.rated, again + book.again
        return ExportResult(count, "rated items", [note_on_second_passes(again)] if again else [])

    def columns(self, data: ExportData) -> Iterator[tuple[str, Column]]:
        yield from ((RATINGS, column) for column in _AnnotatorWorkbook(data, "", iter(())).columns)
        yield from ((METADATA, Column(name, words)) for name, words in OF_METADATA.items())


def _targets(study: Study) -> list[Dimension]:
    return [each for each in study.rubric if each.scope.of == "entries" and set(each.input.values()) == {0, 1}]


def _scores(study: Study) -> list[Dimension]:
    return [each for each in study.rubric if each.scope.of == "item" and each.input.answer == "number"]


class _AnnotatorWorkbook:
    """The workbook of one annotator."""

    def __init__(self, data: ExportData, who: str, given: Iterator[Submission]) -> None:
        self.data, self.study, self.who, self.given = data, data.study, who, given
        self.rated = self.again = 0

    @cached_property
    def verdict(self) -> Derived | None:
        """The computed word that says whether an item passes."""
        return next((each for each in self.study.derive if hasattr(each.derivation, "at_least")), None)

    @cached_property
    def overall(self) -> Derived | None:
        """The computed score."""
        of = getattr(self.verdict.derivation, "of", "") if self.verdict else ""
        scores = [each for each in self.study.derive if each is not self.verdict]
        return next((each for each in scores if each.derived == of), scores[0] if scores else None)

    @cached_property
    def columns(self) -> list[Column]:
        """Those of the original, by the study's own names for id and group; then every other answer."""
        study, [target] = self.study, _targets(self.study)
        group = [Column(study.items.group.removesuffix("?"), "the item's group")] if study.items.group else []
        overall = Column("overall_score", "the computed score", "number", self.overall.derived if self.overall else "")
        return [
            Column("_".join(study.items.id), "what identifies the item"),
            Column("annotator_id", "the annotator's pseudonym"),
            Column("timestamp", "when it was submitted, UTC", "time"),
            *group,
            *(Column(f"dim_{each.dimension}", "", "whole number", each.dimension) for each in _scores(study)),
            Column("targets_completed", "how many entries were answered with yes", "whole number"),
            Column("targets_introduced", "how many entries were answered", "whole number"),
            Column("target_statuses_json", "the answer to each entry by its text, as JSON", "JSON", target.dimension),
            overall,
            Column("pass_fail", "PASS or FAIL", "text", self.verdict.derived if self.verdict else ""),
            *(Column(each.dimension, "", "text", each.dimension) for each in self.others),
        ]

    @cached_property
    def others(self) -> list[Dimension]:
        return [each for each in self.study.rubric if each.scope.of == "item" and each not in _scores(self.study)]

    def rows(self) -> Iterator[list[Any]]:
        """One row for each item, and how many there were."""
        for submission in self.given:
            if submission.head.pass_ > 1:
                self.again += 1
                continue
            self.rated += 1
            yield self._values(submission)

    def _values(self, submission: Submission) -> list[Any]:
        head = submission.head
        statuses = self._statuses(submission)
        answered = [value for value in statuses.values() if value is not None]
        return [
            head.item,
            head.annotator,
            as_time(head.submitted_at),
            *([head.group] if self.study.items.group else []),
            *(submission.of(each.dimension) for each in _scores(self.study)),
            sum(answered),
            len(answered),
            json.dumps(statuses, ensure_ascii=False),
            submission.of(self.overall.derived) if self.overall else None,
            self._pass_fail(submission),
            *(submission.of(each.dimension) for each in self.others),
        ]

    def _statuses(self, submission: Submission) -> dict[str, Any]:
        """The answers by the entries' texts; one that could not be judged, or was dropped, is null."""
        [target] = _targets(self.study)
        found: dict[str, Any] = {}
        for entry in self.data.item(submission.head.item).item.shown.get(target.scope.entries) or ():
            text, number = entry["text"], 1
            while text in found:
                number += 1
                text = f"{entry['text']} ({number})"
            found[text] = submission.of(target.dimension, entry=entry["id"])
        return found

    def _pass_fail(self, submission: Submission) -> str | None:
        if self.verdict is None or (said := submission.of(self.verdict.derived)) is None:
            return None
        return "PASS" if said == getattr(self.verdict.derivation, "then", "") else "FAIL"

    def metadata(self) -> Iterator[list[Any]]:
        """One row: asked for after the last rating, so that it can say how many there were."""
        score = self.overall.derivation if self.overall else None
        weights: Mapping[str, float] | None = getattr(score, "of", None)
        yield [
            as_time(self.data.made_at),
            sum(each.series == "work" for each in self.data.items_by_id.values()),
            self.rated,
            self.who,
            self.study.items.source,
            getattr(self.verdict.derivation, "at_least", None) if self.verdict else None,
            getattr(getattr(score, "ratio", None), "weight", None),
            json.dumps(dict(weights)) if isinstance(weights, Mapping) else None,
        ]
