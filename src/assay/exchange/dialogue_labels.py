"""The items as nested JSON, with the labels that people gave, by system."""

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar

from assay.exchange import Column, Export, ExportData, ExportResult
from assay.exchange.submissions import Submission, row_of, submissions
from assay.model import ExportItem
from assay.study.schema import Study

WORDS = {"tie": "Tie", "neither": "Neither"}


class DialogueLabelsExport(Export):
    """Nested JSON: dialogues, their turns, and under each `A vs. B` the labels by system, one for each annotator.

    For studies whose items come from keys such as `A vs. B` (`items.candidates.keys`). A label is the name of the
    system that was chosen, or `Tie`, whichever side it stood on. `annotators` tells who stands at which place.
    `assay import --items FILE --with-judgments` takes the same file in again.
    """

    kind: ClassVar[str] = "dialogue-labels"
    suffix: ClassVar[str] = ".json"

    def refuses(self, study: Study) -> str:
        candidates = study.items.candidates
        if candidates is None or not candidates.keys:
            return "this layout needs pairs that come from keys such as `A vs. B` (items.candidates.keys)"
        return "" if study.preference_dimensions else "this layout holds preferences, and this study asks for none"

    def write(self, data: ExportData, path: Path) -> ExportResult:
        labels = _labels(data)
        dialogues = _dialogues(data, labels)
        with open(path, "w", encoding="utf-8", newline="") as file:
            json.dump(dialogues, file, ensure_ascii=False, indent=1, allow_nan=False)
            file.write("\n")
        return ExportResult(sum(len(each["annotators"]) for each in labels.values()), "labelled comparisons")

    def columns(self, data: ExportData) -> Iterator[tuple[str, Column]]:
        between = data.study.items.candidates.keys if data.study.items.candidates else ""
        for name in data.study.preference_dimensions:
            words = "for each annotator the system that was chosen, or Tie"
            yield "", Column(f"A{between}B: {_name_in_file(data.study, name)}", words, "JSON", name)
        yield "", Column(f"A{between}B: annotators", "who stands at which place in these lists", "JSON")


def _labels(data: ExportData) -> dict[str, dict[str, list[Any]]]:
    """The labels of each item that was judged, on its first pass."""
    found: dict[str, dict[str, list[Any]]] = {}
    first = (each for each in data.of_people("item") if each.pass_ == 1)
    for item, together in groupby(submissions(first), lambda each: each.head.item):
        said = list(together)
        named = {
            _name_in_file(data.study, name): [_label(each, name) for each in said]
            for name in data.study.preference_dimensions
        }
        found[item] = {**named, "annotators": [each.head.annotator for each in said]}
    return found


def _label(submission: Submission, name: str) -> str | None:
    value = submission.of(name)
    return None if value is None else WORDS.get(str(value), str(value))


def _name_in_file(study: Study, name: str) -> str:
    """What the file calls a dimension: as the study reads it from there, else by its heading."""
    read = (each.values.get(name, "") for each in study.items.judgments)
    paths = (path.removeprefix("_pair.") for path in read if path.startswith("_pair."))
    return next(paths, study.dimension(name).heading)


def _dialogues(data: ExportData, labels: dict[str, dict[str, list[Any]]]) -> list[Any]:
    """The rows of the item file, with the comparisons of a row in it, below what they belong to."""
    items = data.study.items
    turns: dict[tuple[Any, ...], dict[str, Any]] = {}
    groups: dict[tuple[Any, ...], str] = {}
    for each in data.items_by_id.values():
        if each.series != "work":
            continue
        row = row_of(data, each.item.id)
        key = tuple(str(row.get(name)) for name in items.id)
        turn = turns.setdefault(key, _without_labels(data.study, row))
        groups[key] = each.item.group
        turn[_pair_key(data.study, row, each)] = labels.get(each.item.id, {})
    inner, outer = items.each.rpartition(".")[2], (items.group or "").removesuffix("?")
    if not inner or not outer:
        return list(turns.values())
    nested: dict[str, dict[str, Any]] = {}
    for key, turn in turns.items():
        turn.pop(outer, None)
        nested.setdefault(groups[key], {outer: groups[key], inner: []})[inner].append(turn)
    return list(nested.values())


def _without_labels(study: Study, row: dict[str, Any]) -> dict[str, Any]:
    """A row as its file had it, without what others said of it before."""
    return {name: value for name, value in row.items() if len(_systems(study, name)) != 2}


def _systems(study: Study, key: str) -> list[str]:
    assert study.items.candidates is not None
    return sorted(study.items.system_name(part.strip()) for part in key.split(study.items.candidates.keys))


def _pair_key(study: Study, row: dict[str, Any], listed: ExportItem) -> str:
    """The key of a comparison, as the row has it."""
    assert study.items.candidates is not None
    wanted = sorted(listed.item.systems)
    found = (name for name in row if _systems(study, name) == wanted)
    return next(found, study.items.candidates.keys.join(listed.item.systems))
