"""Cleaning: markers that give a system away are taken out of what is shown, and what a text was stays hidden."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from assay.items.clean import TextCleaner
from assay.items.import_summary import ImportSummary
from assay.items.leaks import leaks_in
from assay.items.reader import ImportedRow, read_items
from assay.model import CANDIDATES
from assay.study import Study, study_from_document
from assay.study.items import Cleaning
from assay.study.schema import study_type

WARMTH = {"dimension": "warmth", "scale": {"from_": 1, "to": 5}}


def a_study(**items: Any) -> Study:
    section = {"source": "x.json", "system": "model", "show": [{"text": {"field": "reply"}}], **items}
    return study_type().model_validate({"study": "s", "title": "", "items": section, "rubric": [WARMTH]})


def read(study: Study, folder: Path, rows: list[dict[str, Any]]) -> list[ImportedRow]:
    (folder / "x.json").write_text(json.dumps(rows), "utf-8")
    return list(read_items(study, folder / "x.json"))


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("<assistant>: Hello.", "Hello."),
        ("Hello. <user> Who?", "Hello. Who?"),
        ("Hello.<user>", "Hello."),
        ("<assistant>: <assistant>: Hello.", "Hello."),
        ("Hello.\n<assistant>: Again.\n", "Hello.\nAgain."),
        ("a<user>b", "ab"),
        ("  no marker: nothing changes  ", "  no marker: nothing changes  "),
        ("<assistant>:", ""),
        ("<assistant>Hello", "Hello"),
        ("<b>stays</b>", "<b>stays</b>"),
    ],
)
def test_what_is_removed_leaves_no_trace(text: str, cleaned: str) -> None:
    cleaner = TextCleaner({"reply": Cleaning(remove=("<assistant>", "<assistant>:", "<user>"))})
    shown, changed = cleaner.clean({"reply": text, "other": text})
    assert shown == {"reply": cleaned, "other": text}, "only the field that is named"
    assert changed["reply"] == (text != cleaned)


@pytest.mark.parametrize(
    ("text", "cleaned"), [("hello", "Hello"), (" élan", " Élan"), ("Hi", "Hi"), ("", ""), ("7", "7")]
)
def test_the_first_letter_can_be_shown_as_a_capital(text: str, cleaned: str) -> None:
    shown, _ = TextCleaner({"reply": Cleaning(capital=True)}).clean({"reply": text})
    assert shown["reply"] == cleaned


def test_every_text_within_a_field_is_cleaned_and_nothing_else() -> None:
    cleaner = TextCleaner({"turns": Cleaning(remove=("<s>",))})
    picture = {"picture": "<s>", "width": 1}
    shown, changed = cleaner.clean({"turns": [{"user": "<s>hi", "n": 3}, picture, None]})
    assert shown == {"turns": [{"user": "hi", "n": 3}, picture, None]}
    assert changed == {"turns": 1}


def test_the_original_is_kept_hidden_and_the_plan_counts_what_was_cleaned(tmp_path: Path) -> None:
    study = a_study(clean={"reply": ["<assistant>:"]})
    rows = [{"id": "1", "model": "ant", "reply": "<assistant>: one"}, {"id": "2", "model": "bee", "reply": "two"}]
    found = read(study, tmp_path, rows)
    items = [row.item for row in found if row.item is not None]
    assert [item.shown["reply"] for item in items] == ["one", "two"]
    assert [item.hidden.get("reply") for item in items] == ["<assistant>: one", None]
    summary = ImportSummary(study)
    for row in found:
        summary.add(row)
    assert "cleaned:   1 text of reply (as it was, it stays hidden)" in list(summary.lines())
    assert any("reply as it was" in line for line in summary.lines())
    assert summary.as_json()["cleaned"] == {"reply": 1}


def test_candidates_are_cleaned_by_the_names_of_their_parts(tmp_path: Path) -> None:
    fields = [{"system": "m1", "show": {"text": "t1"}}, {"system": "m2", "show": {"text": "t2"}}]
    study = a_study(
        system=None,
        candidates={"fields": fields},
        show=[{"pair": [{"text": {"field": "text"}}]}],
        clean={"text": ["<s>"]},
    )
    [row] = read(study, tmp_path, [{"id": "1", "m1": "ant", "t1": "<s> x", "m2": "bee", "t2": "y"}])
    assert row.item is not None
    assert row.item.shown[CANDIDATES] == [{"text": "x"}, {"text": "y"}]
    assert row.item.hidden["t1"] == "<s> x"
    assert row.cleaned == {"text": 1}


def test_a_marker_that_is_cleaned_away_is_no_leak_any_more(tmp_path: Path) -> None:
    said = {"ant": "<assistant>: reply {}", "bee": "reply {}"}
    rows = [
        {"id": f"{at}-{n}", "model": system, "reply": text.format(n)}
        for at, (system, text) in enumerate(said.items())
        for n in range(20)
    ]
    for clean, leaks in (({}, True), ({"reply": {"remove": ["<assistant>:"]}}, False)):
        study = a_study(clean=clean)
        items = [row.item for row in read(study, tmp_path, rows) if row.item is not None]
        assert bool(leaks_in(study, items)) == leaks


def test_cleaning_belongs_to_the_version_and_its_absence_changes_no_version() -> None:
    bare, cleaned = a_study(), a_study(clean={"reply": ["<s>"]})
    assert "clean" not in bare.document()
    assert cleaned.hash != bare.hash
    assert study_from_document(cleaned.document()).items.clean["reply"].remove == ("<s>",)


@pytest.mark.parametrize(
    ("clean", "words"),
    [
        ({"replly": ["<s>"]}, "the field 'replly' is cleaned, but not shown"),
        ({"model": ["<s>"]}, "the field 'model' is cleaned, but not shown"),
        ({"reply": []}, "nothing is cleaned"),
        ({"reply": [""]}, "at least 1 character"),
    ],
)
def test_what_cannot_be_cleaned_is_refused(clean: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        a_study(clean=clean)


def test_items_for_practice_are_cleaned_as_items_are(tmp_path: Path) -> None:
    """A marker that only practice shows would tell a practice item apart."""
    from assay.items.reference_items import read_reference_items, reference_files

    controls = {"items": "controls.csv", "every": [1, 2]}
    study = study_type().model_validate(
        {
            "study": "s",
            "title": "",
            "items": {"source": "x.json", "show": [{"text": {"field": "reply"}}], "clean": {"reply": ["<s>"]}},
            "rubric": [WARMTH],
            "assignment": {"controls": controls},
        }
    )
    with (tmp_path / "controls.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["id", "reply", "expected.warmth"], ["c1", "<s> one", "3"]])
    [series] = reference_files(study)
    [known] = read_reference_items(study, series, tmp_path)
    assert known.row.item is not None
    assert known.row.item.shown["reply"] == "one"
