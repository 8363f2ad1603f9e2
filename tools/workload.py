"""The study that annotators' pages are measured on: the empathy template without what holds somebody up."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from assay import acts
from assay.items.reader import read_items
from assay.store import open_store
from assay.store.coordinator import imports, studies
from assay.store.coordinator.record import By
from assay.study import load
from assay.study.templates import copy_template

HEADER = "eval_id,user_statement,response,sample_id,model_tag\n"
STATEMENT = "I have not slept well since the move and nobody here knows me. " * 10
REPLY = "That sounds lonely, and tiring too. Could you call one old friend this week? " * 7


def prepare(
    folder: Path,
    items: int,
    annotators: int,
    now: int,
    *,
    per_item: int = 100,
    database: str = "",
    edit: Callable[[Any], None] = lambda content: None,
) -> list[str]:
    """Make the study and its store, in the folder or elsewhere; returns the token of each annotator's link.

    Only consent, warning and reading come before the items. Unless it is said otherwise, so many people judge each item
    that nobody comes to the end, with few items or with many. What else is to differ in the study file is edited.
    """
    copy_template("empathy", folder)
    yaml = YAML()
    file = folder / "study.yaml"
    content = yaml.load(file.read_text("utf-8"))
    content["gates"] = [gate for gate in content["gates"] if not {"practice", "calibration"} & set(gate)]
    content["assignment"]["per_item"] = per_item
    del content["pace"]["breaks"], content["analysis"]["pilot"]
    edit(content)
    yaml.dump(content, file)
    rows = (f'i{n},"{STATEMENT}{n}","{REPLY}",s{n},m{n % 3}\n' for n in range(items))
    (folder / "items.csv").write_text(HEADER + "".join(rows), "utf-8")
    study = load(folder)
    store = open_store(database or folder / "assay.db")
    try:
        study_id = store.write(studies.publish, study, now).id
        store.write(imports.take_in, study_id, study, read_items(study, folder / study.items.source), folder)
        names = [f"a{number}" for number in range(1, annotators + 1)]
        return [token for _, token in store.write(acts.invite, By(study_id, "bench", now), [], pseudonyms=names)]
    finally:
        store.close()
