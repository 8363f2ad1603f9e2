"""Out, in and out again: a layout of the originals says the second time what it said the first, word for word."""

import csv
import json
import shutil
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay import acts
from assay.items.judgment_fields import JudgmentsWanted
from assay.items.reader import read_items
from assay.kinds import EXPORTS
from assay.live.export_data import export_data
from assay.store import open_store
from assay.store.coordinator import studies
from assay.store.coordinator.record import By
from assay.study import Study, load
from assay.study.templates import HERE
from tests.conftest import T0
from tests.examples import examples
from tests.exchange.sample import study_of

SCORES = ("coherence", "relevance", "instruction_following", "safety_compliance", "fluency")
FAULTS = ("ignores_constraint", "partial_compliance", "buried_unsafe", "impossible")
TEXT = st.text(st.sampled_from("aé中😀 ,;\"'=+-@\n|<&[]"), min_size=1, max_size=12).filter(
    lambda text: text.strip() == text
)
NAMES = st.sampled_from(["a01", "007", "1e5", "NA", "=ana", "Zoë, B."])


@cache
def empty_store() -> bytes:
    """A database with its tables and nothing in them, made once."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "assay.db"
        open_store(path).close()
        return path.read_bytes()


def exported(study: Study, path: Path, kind: str) -> bytes:
    """What a format writes of a study into which a file was taken, with the judgments in it."""
    wanted = JudgmentsWanted(people=True)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "assay.db").write_bytes(empty_store())
        store = open_store(Path(folder) / "assay.db")
        try:
            study_id = store.write(studies.publish, study, T0).id
            rows = list(read_items(study, path, wanted=wanted))
            judged = [(row.name, each) for row in rows for each in row.judgments]
            for _ in range(2):  # the second time, everything is known
                store.write(acts.take_in, By(study_id, "test", T0), study, rows, judged, None, [path.name])
            out = Path(folder) / "out"
            EXPORTS[kind]().write(export_data(store, study_id, study, T0), out)
            return out.read_bytes()
        finally:
            store.close()


def twice(study: Study, first: Path, kind: str, suffix: str) -> tuple[bytes, bytes]:
    """What comes out of a file, and what comes out when that is taken in."""
    with tempfile.TemporaryDirectory() as folder:
        once = exported(study, first, kind)
        (Path(folder) / f"again{suffix}").write_bytes(once)
        return once, exported(study, Path(folder) / f"again{suffix}", kind)


@st.composite
def rated(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Rows of the HCS layout: with and without the faults, systems and scenarios that the original does not have."""
    named, faults = draw(st.booleans()), draw(st.booleans())
    rows = []
    for number in range(draw(st.integers(1, 3))):
        item = {"item_id": f"i{number}", "prompt": draw(TEXT), "response": draw(TEXT)}
        more = {"system": draw(st.sampled_from(["x", "y"])), "scenario": draw(TEXT)} if named else {}
        for who in draw(st.lists(NAMES, min_size=1, max_size=3, unique=True)):
            scores = {name: draw(st.integers(1, 5)) for name in SCORES}
            said = draw(st.lists(st.sampled_from(FAULTS), unique=True)) if faults else []
            caps = {"caps": "; ".join(said) or draw(st.sampled_from(["", "none"]))} if faults else {}
            rows.append({**item, "annotator_id": who, **scores, "notes": draw(TEXT | st.just("")), **caps, **more})
    return rows


@settings(max_examples=examples(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(rows=rated())
def test_rating_rows_out_in_and_out_again_are_the_same_faults_included(rows: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rated.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        once, again = twice(study_of("route-planning"), path, "rating-rows", ".csv")
    assert once == again
    written = {(row["item_id"], row["annotator_id"].removeprefix("'")): row for row in read_csv(once)}
    for row in rows:
        found = written[row["item_id"], row["annotator_id"]]
        assert {name: found[name] for name in SCORES} == {name: str(row[name]) for name in SCORES}
        said = set(filter(None, row.get("caps", "").removeprefix("none").split("; ")))
        assert set(filter(None, found["caps"].strip("[]").replace('"', "").split(", "))) == said
        assert (found["caps"] == "") == (row.get("caps", "") == ""), "no fault is another answer than no answer"


def read_csv(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(content.decode("utf-8").splitlines(keepends=True)))


def test_an_export_can_be_taken_into_the_study_that_it_came_from(tmp_path: Path) -> None:
    shutil.copytree(HERE / "route-planning", tmp_path / "study")
    study = load(tmp_path / "study")
    first = exported(study, tmp_path / "study" / "existing.csv", "rating-rows")
    (tmp_path / "out.csv").write_bytes(first)
    store = open_store(tmp_path / "assay.db")
    study_id = store.write(studies.publish, study, T0).id
    for name in ("study/existing.csv", "out.csv"):
        rows = list(read_items(study, tmp_path / name, wanted=JudgmentsWanted(people=True)))
        judged = [(row.name, each) for row in rows for each in row.judgments]
        done = store.write(acts.take_in, By(study_id, "test", T0), study, rows, judged, None, [name])
    assert (done.items.added, done.items.known, done.judgments.submissions, done.judgments.known) == (0, 4, 0, 12)
    store.close()


def shuffled(turn: dict[str, Any], rng: Random) -> dict[str, Any]:
    names = list(turn)
    rng.shuffle(names)
    return {name: turn[name] for name in names}


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_dialogue_labels_come_out_as_they_were_key_for_key(tmp_path: Path, seed: int) -> None:
    study, rng = study_of("dialog-pairs"), Random(seed)
    dialogues = json.loads((HERE / "dialog-pairs" / "dialogues.json").read_text("utf-8"))
    for dialogue in dialogues if seed else []:
        dialogue["info"] = [shuffled(turn, rng) for turn in dialogue["info"]]
    path = tmp_path / "labels.json"
    path.write_text(json.dumps(dialogues), "utf-8")
    once, again = twice(study, path, "dialogue-labels", ".json")
    assert once == again
    # Pairs, not mappings: the order counts too.
    assert json.loads(once, object_pairs_hook=tuple) == json.loads(path.read_bytes(), object_pairs_hook=tuple)
