"""A sample without a reference answer: the page says so, and correctness is judged by the picture."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from assay.store import Backend
from tests.conftest import make_bench
from tests.web.annotator import Annotator

PROCESS = [f"{name}.{side}" for name in ("coherence", "efficiency", "thoroughness") for side in ("left", "right")]
REST = {"correctness.left": "1", "correctness.right": "0", "preference": "left", "confidence": "3"}


def take_out(nothing: Any, folder: Path) -> None:
    path = folder / "samples.json"
    data = json.loads(path.read_text("utf-8"))
    for sample in data["samples"]:
        sample["ground_truth"] = nothing
    path.write_text(json.dumps(data), "utf-8")


@pytest.mark.parametrize("nothing", ["", " ", None])
def test_without_a_reference_the_page_says_that_there_is_none_and_correctness_can_be_answered(
    sqlite_store: Backend, tmp_path: Path, nothing: Any
) -> None:
    ana = Annotator(make_bench(sqlite_store, tmp_path / "study", "trajectories", partial(take_out, nothing))).begin()
    address, form = ana.form()
    ana.send(address.replace("/submit/", "/draft/"), {**form, **dict.fromkeys(PROCESS, "3")})
    answer = ana.client.get(address.replace("/submit/", "/reveal/")).json()
    [block] = answer["blocks"].values()
    assert "None is given: decide by what you see in the picture." in block
    form["seen"] = " ".join(answer["seen"])
    taken = ana.send(address, {**form, "draft": "1", **dict.fromkeys(PROCESS, "3"), **REST})
    assert taken.status_code == 200
