"""What every format must do. A new one is tested by its being there."""

import csv
from pathlib import Path
from typing import Any

import pytest

from assay.exchange import Export
from assay.exchange.dictionary import write_dictionary
from assay.kinds import EXPORTS
from tests.exchange.sample import TEMPLATES, data_of, study_of, suited

every_export = pytest.mark.parametrize("kind", EXPORTS.values(), ids=list(EXPORTS))
SUITS = {
    "human-ratings": {"in-car"},
    "rating-rows": {"route-planning", "empathy"},
    "annotation-sheets": {"route-planning", "empathy"},
    "dialogue-labels": {"dialog-pairs"},
    "judgment-files": {"dialog-pairs", "trajectories"},
    "session-log": {"dialog-pairs", "trajectories"},
}


@every_export
def test_a_format_suits_a_study_by_its_shape_and_says_why_not(kind: type[Export]) -> None:
    refused = {template: kind().refuses(study_of(template)) for template in TEMPLATES}
    assert {name for name, why in refused.items() if not why} == SUITS.get(kind.kind, set(TEMPLATES))
    for why in filter(None, refused.values()):
        assert len(why.split()) > 8
        assert not any(f"`{template}`" in why or f" {template} " in why for template in TEMPLATES)


@every_export
def test_a_format_writes_a_study_without_judgments(kind: type[Export], tmp_path: Path) -> None:
    place = tmp_path / "out"
    if not kind.suffix:
        place.mkdir()
    assert kind().write(data_of(suited(kind), []), place).count == 0
    assert place.exists()


@every_export
def test_a_format_writes_judgments_and_says_how_many(kind: type[Export], tmp_path: Path) -> None:
    place = tmp_path / "out"
    if not kind.suffix:
        place.mkdir()
    written = kind().write(data_of(suited(kind)), place)
    assert written.count > 0
    assert written.what
    files = [place] if kind.suffix else [each for each in place.rglob("*") if each.is_file()]
    assert files
    assert all(each.stat().st_size > 0 for each in files)
    assert not list(tmp_path.rglob(".*")), "nothing is left lying about"


@every_export
def test_the_dictionary_of_a_format_explains_each_column_once(kind: type[Export], tmp_path: Path) -> None:
    data = data_of(suited(kind))
    write_dictionary(tmp_path / "dictionary.csv", data, kind().columns(data))
    rows = read(tmp_path / "dictionary.csv")
    named = [(row["file"], row["column"], row["of"]) for row in rows]
    assert len(set(named)) == len(named)
    assert all(row["meaning"] and row["type"] for row in rows)
    asked = {row["of"] for row in rows}
    scored = {each.dimension for each in data.study.scored_dimensions}
    assert scored <= asked, "every dimension is explained somewhere"
    scale = next(row for row in rows if row["of"] == next(iter(scored)))
    assert scale["values"]
    assert scale["level"] in ("nominal", "ordinal")


def read(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
