"""The items as nested JSON, with the labels that people gave, by system."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from assay.exchange import Column, Export, ExportData, ExportResult
from assay.exchange.submissions import Submission, row_of, submissions
from assay.model import ExportItem
from assay.study.schema import Study

WORDS = {"tie": "Tie", "neither": "Neither"}
"""How answers that name no system are spelled, where the item file does not say."""

Said = Mapping[str, Sequence[Submission]]
"""What was said of each item, in the order of the annotators' places."""


class DialogueLabelsExport(Export):
    """Nested JSON: dialogues, their turns, and under each `A vs. B` the labels by system, one for each annotator.

    For studies whose items come from keys such as `A vs. B` (`items.candidates.keys`). A label is the name of the
    system that was chosen, or `Tie`, whichever side it stood on, spelled as the item file spells it. Keys are those of
    that file, in its order, so that `assay import --items FILE --with-judgments` takes the same file in again. Labels
    stand in the order of the annotators' names.
    """

    kind: ClassVar[str] = "dialogue-labels"
    suffix: ClassVar[str] = ".json"

    def refuses(self, study: Study) -> str:
        candidates = study.items.candidates
        if candidates is None or not candidates.keys:
            return "this layout needs pairs that come from keys such as `A vs. B` (items.candidates.keys)"
        return "" if study.preference_dimensions else "this layout holds preferences, and this study asks for none"

    def write(self, data: ExportData, path: Path) -> ExportResult:
        said = _submissions_by_item(data)
        with open(path, "w", encoding="utf-8", newline="") as file:
            json.dump(_LabelledRows(data, said).nested_rows(), file, ensure_ascii=False, indent=1, allow_nan=False)
            file.write("\n")
        return ExportResult(sum(map(len, said.values())), "labelled comparisons", _whose_labels(said))

    def columns(self, data: ExportData) -> Iterator[tuple[str, Column]]:
        between = data.study.items.candidates.keys if data.study.items.candidates else ""
        for name in data.study.preference_dimensions:
            words = "for each annotator, in the order of their names, the system that was chosen, or Tie"
            yield "", Column(f"A{between}B: {_name_in_file(data.study, name)}", words, "JSON", name)


def _submissions_by_item(data: ExportData) -> Said:
    """What was said of each item on its first pass."""
    found: dict[str, list[Submission]] = {}
    for each in submissions(each for each in data.of_people("item") if each.pass_ == 1):
        found.setdefault(each.head.item, []).append(each)
    return {item: sorted(said, key=lambda each: _place(each.head.annotator)) for item, said in found.items()}


def _place(name: str) -> tuple[str, int, str]:
    """A natural sort key: `label-2` comes before `label-10`."""
    letters = name.rstrip("0123456789")
    return letters, int(name[len(letters) :] or 0), name


def _whose_labels(said: Said) -> list[str]:
    """A note on whose label stands at which place of the lists."""
    orders = {tuple(each.head.annotator for each in one) for one in said.values()}
    if len(orders) == 1:
        return [f"the lists have a label of each of: {', '.join(*orders)}"]
    return ["whose label stands where differs between items: --format csv has the annotators' names"] if orders else []


def _name_in_file(study: Study, name: str) -> str:
    """What the file calls a dimension: as the study reads it from there, else by its heading."""
    read = (each.values.get(name, "") for each in study.items.judgments)
    paths = (path.removeprefix("_pair.") for path in read if path.startswith("_pair."))
    return next(paths, study.dimension(name).heading)


@dataclass(frozen=True)
class _LabelledRows:
    """The rows of the item file, with what people said in place of the labels that it came with."""

    data: ExportData
    said: Said

    def nested_rows(self) -> list[Any]:
        """The rows below what they belong to, as their file has them."""
        items = self.data.study.items
        together: dict[tuple[str, ...], list[ExportItem]] = {}
        for each in self.data.items_by_id.values():
            if each.series == "work":
                row = row_of(self.data, each.item.id)
                together.setdefault(tuple(str(row.get(name)) for name in items.id), []).append(each)
        inner, outer = items.each.rpartition(".")[2], (items.group or "").removesuffix("?")
        if not inner or not outer:
            return [self._row_with_labels(comparisons) for comparisons in together.values()]
        nested: dict[str, dict[str, Any]] = {}
        for comparisons in together.values():
            row, group = self._row_with_labels(comparisons), comparisons[0].item.group
            row.pop(outer, None)
            nested.setdefault(group, {outer: group, inner: []})[inner].append(row)
        return list(nested.values())

    def _row_with_labels(self, comparisons: Sequence[ExportItem]) -> dict[str, Any]:
        """A row with the labels of its comparisons. Of one that was taken out, the key goes too."""
        row = row_of(self.data, comparisons[0].item.id)
        labels = {self._pair_key(row, each): self._labels(row, each) for each in comparisons}
        kept = {name: value for name, value in row.items() if name in labels or len(self._systems(name)) != 2}
        return {**kept, **labels}

    def _labels(self, row: Mapping[str, Any], listed: ExportItem) -> dict[str, list[str | None]]:
        said = self.said.get(listed.item.id)
        if said is None:
            return {}
        study = self.data.study
        named = {_name_in_file(study, name): name for name in study.preference_dimensions}
        before = row.get(self._pair_key(row, listed))
        order = [name for name in before if name in named] if isinstance(before, Mapping) else []
        return {name: [self._label(each, named[name]) for each in said] for name in dict.fromkeys([*order, *named])}

    def _label(self, submission: Submission, name: str) -> str | None:
        value = submission.of(name)
        return None if value is None else self._spelling.get(str(value).casefold(), str(value))

    @cached_property
    def _spelling(self) -> dict[str, str]:
        """How the labels in the item file are spelled, which may differ from its keys in capitals."""
        found: dict[str, str] = {}
        for each in self.data.items_by_id.values():
            before = row_of(self.data, each.item.id)
            for labels in (before[name] for name in before if len(self._systems(name)) == 2):
                for label in _texts(labels):
                    found.setdefault(label.casefold(), label)
        return WORDS | found

    def _systems(self, key: str) -> list[str]:
        items = self.data.study.items
        assert items.candidates is not None
        return sorted(items.system_name(part.strip()) for part in key.split(items.candidates.keys))

    def _pair_key(self, row: Mapping[str, Any], listed: ExportItem) -> str:
        """The key of a comparison, as the row has it."""
        candidates = self.data.study.items.candidates
        assert candidates is not None
        wanted = sorted(listed.item.systems)
        found = (name for name in row if self._systems(name) == wanted)
        return next(found, candidates.keys.join(listed.item.systems))


def _texts(labels: Any) -> Iterator[str]:
    for listed in labels.values() if isinstance(labels, Mapping) else ():
        yield from (each for each in listed if isinstance(each, str)) if isinstance(listed, list) else ()
