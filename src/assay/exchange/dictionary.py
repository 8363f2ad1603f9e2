"""The data dictionary: what every column of an export means, of which type it is, and which values it may have."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from assay.exchange import Column, ExportData
from assay.exchange.csv import write_csv
from assay.inputs.one_of import OneOf
from assay.judgments.same_scale import same_scale
from assay.model import SIDES
from assay.ratings.export_dictionary import BETWEEN, FIRST, NUMBER, SECOND, SYSTEMS
from assay.study.rubric import Dimension
from assay.study.schema import Study

NAMES = ("file", "column", "of", "meaning", "type", "level", "values", "anchors", "versions")
Row = tuple[str, ...]


def write_dictionary(path: Path, data: ExportData, columns: Iterable[tuple[str, Column]]) -> None:
    """Write the dictionary of an export as CSV: it opens wherever the data opens."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        write_csv(file, NAMES, _rows(data, columns))


def _rows(data: ExportData, columns: Iterable[tuple[str, Column]]) -> Iterator[Row]:
    for file, column in columns:
        if column.dimension:
            yield (file, column.name, *_detail(data, column.dimension, column.meaning))
            continue
        compared = BETWEEN.join(map("|".join, data.comparisons)) if column.name == SYSTEMS else ""
        yield (file, column.name, "", column.meaning, column.type, "", compared, "", "")
        if column.name == "value":
            for name in (*data.dimensions, *data.derived_values):
                yield (file, column.name, *_detail(data, name, ""))


def _detail(data: ExportData, name: str, meaning: str) -> Row:
    """What there is to know of a dimension, or of a value that is computed."""
    if name not in data.dimensions:
        words = meaning or f"computed from the answers: {data.derived_values[name]}"
        return (name, words, "number or text", "", "", "", "")
    dimension = data.dimensions[name]
    words = ": ".join(part for part in (dimension.heading, dimension.ask) if part)
    if name not in {each.dimension for each in data.study.rubric}:
        words += " (asked in an earlier version of the study)"
    if dimension.ask_when is not None:
        words += f" (asked only when {dimension.ask_when}; else there is no value)"
    values, anchors = _values(data.study, dimension)
    level, versions = dimension.input.level or "", BETWEEN.join(_versions(data, name))
    return (name, f"{meaning}: {words}" if meaning else words, _type(dimension), level, values, anchors, versions)


def _versions(data: ExportData, name: str) -> list[str]:
    """The versions of the study whose judgments are pooled, because the scale means the same in them."""
    found = {data.study.hash: data.study, **data.studies}
    return [hash_ for hash_, version in found.items() if same_scale(version, data.study, name)]


def _type(dimension: Dimension) -> str:
    return {"number": NUMBER, "word": "text", "list": "list of texts, as JSON", "text": "text"}[dimension.input.answer]


def _values(study: Study, dimension: Dimension) -> tuple[str, str]:
    """The legal values, and the words at each."""
    asked = dimension.input
    if asked.compares:
        systems = dict(zip(SIDES, (FIRST, SECOND), strict=True))
        return BETWEEN.join(systems.get(str(value), str(value)) for value in asked.values()), ""
    if isinstance(asked, OneOf):
        choices = asked.choices(words=study.words)
        anchors = BETWEEN.join(f"{choice.value}: {choice.label}" for choice in choices if choice.label)
        return BETWEEN.join(str(choice.value) for choice in choices), anchors
    options: dict[str, str] = getattr(asked, "options", {})
    return BETWEEN.join(options), BETWEEN.join(f"{name}: {label}" for name, label in options.items())
