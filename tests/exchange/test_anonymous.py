"""Data for publishing: nothing leads back to a person or to another export, and a report says what was changed."""

import csv
import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

from assay.exchange.personal_details import parts
from assay.store.engine.backup import back_up
from assay.store.tables import action, text_review
from assay.store.upkeep.verify import verify
from assay.web import create_app
from tests import pages
from tests.conftest import Bench
from tests.pages import Forms
from tests.servers import assay
from tests.straight_client import StraightClient
from tests.web.annotator import Annotator, rows
from tests.web.scripts import Script

NOTES = ["Ask Dr. Mira Kern, mira@example.org, 0151 2345678", "a plain remark of no consequence"]


@pytest.fixture
def judged(bench: Bench) -> Bench:
    """Two people have judged, and have written something."""
    for number, name in enumerate(("canary-ana", "canary-ben")):
        who = Annotator(bench, name).begin()
        for note in NOTES:
            bench.clock.now += 3_600_000
            who.submit({**pages.SCORES, "note": f"{note} {number}"}, active_ms="41234")
    return bench


def export(bench: Bench, out: Path, *more: str) -> tuple[list[dict[str, str]], str]:
    """The rows of an export, and all its bytes as text."""
    where = [str(bench.folder), "--database", bench.store.address]
    assay("export", *where, "--out", out, *more)
    files = [each for each in out.parent.rglob("*") if each.is_file() and each.name.startswith(out.name)]
    with out.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file)), "".join(each.read_text("utf-8") for each in files)


def test_names_ids_times_and_unread_texts_are_gone_and_the_order_and_duration_stay(
    judged: Bench, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    plain, _ = export(judged, tmp_path / "out" / "plain.csv", "--as-stored")
    found, everything = export(judged, tmp_path / "out" / "new.csv", "--anonymous")
    for secret in ("canary", "Kern", "mira@", "0151", "plain remark", *{row["submission"] for row in plain}):
        assert secret not in everything, secret
    assert {row["submitted_at"][:10] for row in plain}.isdisjoint({row["submitted_at"][:10] for row in found})
    assert {row["shown_at"][:10] for row in found} == {"2000-01-01"}
    assert {row["active_seconds"] for row in found} == {"41.0"} or {row["active_seconds"] for row in found} == {"41"}

    def said(of: list[dict[str, str]]) -> list[Any]:
        people: dict[str, list[Any]] = {}
        for row in sorted(of, key=lambda each: each["submitted_at"]):
            if row["dimension"] != "note":
                people.setdefault(row["annotator"], []).append((row["item"], row["dimension"], row["value"]))
        return sorted(people.values())

    assert said(found) == said(plain), "what each one said, in their order"
    report = (tmp_path / "out" / "new.csv.anonymised.md").read_text("utf-8")
    assert "2 people have new pseudonyms" in report
    assert "`note`: 4 left out, 0 read" in report


def test_two_exports_cannot_be_joined(judged: Bench, tmp_path: Path) -> None:
    both = []
    for number in range(2):
        (tmp_path / str(number)).mkdir()
        both.append(export(judged, tmp_path / str(number) / "new.csv", "--anonymous")[0])
    for column in ("annotator", "submission"):
        assert {row[column] for row in both[0]}.isdisjoint({row[column] for row in both[1]})


def test_a_text_that_somebody_has_read_is_let_through_by_page_command_and_api(judged: Bench, tmp_path: Path) -> None:
    app = create_app(judged.store, judged.clock)
    cora = StraightClient(app)
    pages.enter(cora, judged.coordinator_link())
    page = cora.get("/coordinate/empathy/texts").text
    assert '<mark title="mail">mira@example.org</mark>' in page
    assert '<mark title="name">Mira Kern</mark>' in page
    assert "canary" not in page, "who wrote it is not shown"
    where = [str(judged.folder), "--database", judged.store.address]
    listed = json.loads(assay("texts", *where, "--json"))
    keys = {each["words"]: each["key"] for each in listed}
    form = Forms(page).to("/coordinate/empathy/review-texts")
    assert form is not None
    cora.post(form[0], data={**form[1], f"text.{keys[NOTES[1] + ' 0']}": "yes", f"text.{keys[NOTES[0] + ' 0']}": "no"})
    assert NOTES[1] + " 0" not in cora.get("/coordinate/empathy/texts").text, "it is decided"
    assay("texts", *where, "--let-through", keys[NOTES[1] + " 1"], "--reason", "harmless")
    script = {"Authorization": f"Bearer {Script(judged, 'read', 'manage', name='script').token}"}
    api = StraightClient(app)
    assert len(api.get("/api/v1/studies/empathy/texts", headers=script).json()["texts"]) == 4
    answer = api.post("/api/v1/studies/empathy/texts", json={"leave_out": [keys[NOTES[0] + " 1"]]}, headers=script)
    assert answer.json() == {"decided": 1}
    (tmp_path / "out").mkdir()
    found, everything = export(judged, tmp_path / "out" / "new.csv", "--anonymous")
    texts = {row["value"] for row in found if row["dimension"] == "note"}
    assert texts == {f"{NOTES[1]} 0", f"{NOTES[1]} 1"}
    assert "Kern" not in everything
    assert "`note`: 2 left out, 2 read" in everything
    assert [row["what"] for row in rows(judged.store, action)].count("review texts") == 3
    assert len(rows(judged.store, text_review)) == 4


def test_hugging_face_is_anonymised_unless_asked_for_as_stored_and_so_is_what_the_page_and_the_api_give(
    judged: Bench, tmp_path: Path
) -> None:
    where = [str(judged.folder), "--database", judged.store.address, "--format", "huggingface"]
    assert "anonymised" in assay("export", *where, "--out", tmp_path / "hf")
    assert (tmp_path / "hf" / "anonymised.md").is_file()
    assert b"canary" not in b"".join(each.read_bytes() for each in (tmp_path / "hf").rglob("*") if each.is_file())
    assay("export", *where, "--out", tmp_path / "plain", "--as-stored")
    assert not (tmp_path / "plain" / "anonymised.md").exists()
    assert b"canary" in (tmp_path / "plain" / "data" / "annotators.parquet").read_bytes()
    app = create_app(judged.store, judged.clock)
    script = {"Authorization": f"Bearer {Script(judged, 'export', name='script').token}"}
    cora = StraightClient(app)
    pages.enter(cora, judged.coordinator_link())
    answers = [
        StraightClient(app).get("/api/v1/studies/empathy/exports/csv?anonymous=yes", headers=script),
        cora.get("/coordinate/empathy/export?format=csv&anonymous=yes"),
        StraightClient(app).get("/api/v1/studies/empathy/exports/huggingface", headers=script),
    ]
    for answer in answers:
        assert answer.status_code == 200
        with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
            inside = {name: packed.read(name) for name in packed.namelist() if not name.endswith("/")}
        assert any(name.endswith("anonymised.md") for name in inside)
        assert b"canary" not in b"".join(inside.values())
    plain = StraightClient(app).get("/api/v1/studies/empathy/exports/huggingface?anonymous=no", headers=script)
    with zipfile.ZipFile(io.BytesIO(plain.content)) as packed:
        assert not any(name.endswith("anonymised.md") for name in packed.namelist())


def test_breaks_are_no_part_of_it(judged: Bench) -> None:
    where = [str(judged.folder), "--database", judged.store.address]
    assert "times and nothing else" in assay("export", *where, "--what", "breaks", "--anonymous", expect=1)


def test_whoever_is_erased_leaves_no_review_behind(judged: Bench, tmp_path: Path) -> None:
    where = [str(judged.folder), "--database", judged.store.address]
    keys = [each["key"] for each in json.loads(assay("texts", *where, "--json"))]
    assay("texts", *where, *(word for key in keys for word in ("--let-through", key)))
    back_up(judged.store, tmp_path / "before.backup", judged.clock())
    assay("erase", "canary-ana", *where, "--yes")
    assert [fault for each in verify(judged.store, tmp_path / "before.backup") for fault in each.problems] == []
    left = {row["key"] for row in rows(judged.store, text_review)}
    assert len(left) == 2
    assert left == {each["key"] for each in json.loads(assay("texts", *where, "--json"))}


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("The reply is good.", []),
        ("Write to a.b-c@mail.example.org or see www.example.org/x", ["mail", "page"]),
        ("call +49 151 2345678 after 2024-05-01", ["number", "number"]),
        ("I asked Mira about it, said @someone", ["name", "handle"]),
        ("ich fragte Jürgen Öztürk", ["name"]),
        ("", []),
    ],
)
def test_what_may_tell_who_somebody_is_stands_out(text: str, kinds: list[str]) -> None:
    found = parts(text)
    assert [each.kind for each in found if each.kind] == kinds
    assert "".join(each.text for each in found) == text, "nothing is lost"
    assert re.sub(r"\s", "", text) == re.sub(r"\s", "", "".join(each.text for each in found))
