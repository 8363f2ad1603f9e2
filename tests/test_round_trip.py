"""What comes in goes out with equal values: items, judgments and what is computed from them."""

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from assay.exchange import LONG
from assay.exchange.export_columns import values_of
from assay.exchange.jsonl import JsonlExport
from assay.items.reader import read_items
from assay.store import Backend, open_store
from assay.store.coordinator import imported_judgments as given_store
from assay.store.coordinator import imports as intake_store
from assay.store.coordinator import long_table, studies
from assay.store.tables import item, item_hidden
from assay.study import load
from tests.examples import examples

NAMES = ["one", "two", "three"]
TEXTS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), min_size=1, max_size=30).filter(
    lambda text: text.strip() == text
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


@st.composite
def inputs(draw: st.DrawFn) -> tuple[dict[str, Any], Any]:
    """An input as the study file has it, and what its answers are drawn from."""
    kind = draw(st.sampled_from(["scale", "yes_no", "choice", "tags", "text"]))
    if kind == "scale":
        low = draw(st.integers(-3, 3))
        high = draw(st.integers(low + 1, low + 10))
        return {"scale": {"from": low, "to": high}}, st.integers(low, high)
    if kind == "yes_no":
        return {"yes_no": {}}, st.integers(0, 1)
    if kind == "choice":
        return {"choice": {"options": {"a": "A", "b": "B", "c": "C"}}}, st.sampled_from(["a", "b", "c"])
    if kind == "tags":
        options = {"x": "X", "y": "Y"}
        return {"tags": {"options": options}}, st.lists(st.sampled_from(["x", "y"]), min_size=1, unique=True).map(
            sorted
        )
    return {"text": {}}, TEXTS


@st.composite
def studies_with_rows(draw: st.DrawFn) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    rubric, answers = [], {}
    for name in NAMES[: draw(st.integers(1, 3))]:
        kind, values = draw(inputs())
        rubric.append({"dimension": name, "optional": True, **kind})
        answers[name] = values
    study = {
        "study": "round-trip",
        "title": "Round trip",
        "items": {
            "source": "items.jsonl",
            "system": "model",
            "judgments": [{"annotator": "who"}],
            "show": [{"text": {"field": "reply"}}],
        },
        "rubric": rubric,
    }
    rows = []
    for number in range(draw(st.integers(1, 4))):
        fixed = {"id": f"item {number}", "model": draw(TEXTS), "reply": draw(TEXTS), "extra": draw(JSON)}
        for who in ["ana", "ben"][: draw(st.integers(1, 2))]:
            given_here = {name: draw(st.none() | values) for name, values in answers.items()}
            rows.append({**fixed, "who": who, **given_here})
    return study, rows


@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(made=studies_with_rows())
def test_what_a_file_says_comes_out_again_with_equal_values(made: tuple[dict[str, Any], list[dict[str, Any]]]) -> None:
    study_data, rows = made
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "study.yaml").write_text(json.dumps(study_data, ensure_ascii=False), "utf-8")
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (Path(folder) / "items.jsonl").write_text(lines, "utf-8")
        store = open_store(Path(folder) / "assay.db")
        try:
            exported, shown = taken_in_and_out(Path(folder), store)
        finally:
            store.close()
    for row in rows:
        visible, hidden, systems = shown[row["id"]]
        assert visible == {"reply": row["reply"]}
        assert systems == [row["model"]]
        assert hidden["extra"] == row["extra"]
    wanted = {(row["id"], row["who"], name): row[name] for row in rows for name in NAMES if row.get(name) is not None}
    found = {(each["item"], each["annotator"], each["dimension"]): each["value"] for each in exported}
    assert found == wanted
    assert {(each["item"], each["system"]) for each in exported} <= {(row["id"], row["model"]) for row in rows}


def taken_in_and_out(folder: Path, store: Backend) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    study = load(folder)
    study_id = store.write(studies.publish, study, 0).id
    intakes = list(read_items(study, folder / study.items.source))
    store.write(intake_store.take_in, study_id, study, intakes, folder)
    taken = [(intake.name, each) for intake in intakes for each in intake.judgments]
    store.write(given_store.add, study_id, study, taken, 0)
    place = folder / "out.jsonl"
    JsonlExport().table(
        LONG, map(values_of, store.stream(long_table.judgments, study_id, study.preference_dimensions)), place
    )
    rows = store.read(
        lambda connection: connection.execute(
            select(item.c.name, item.c.shown, item_hidden.c.hidden, item_hidden.c.systems).join(item_hidden)
        ).all()
    )
    shown = {row[0]: tuple(map(json.loads, row[1:])) for row in rows}
    return [json.loads(line) for line in place.read_text("utf-8").split("\n") if line], shown
