"""Import, plan, invitation, welcome page and API say the same minutes and the same items of every template."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from assay.gates.reading import Reading
from assay.store import open_store
from assay.store.coordinator import studies
from assay.study import load
from assay.study.templates import copy_template, template_names
from assay.web import create_app
from tests.conftest import Bench, Clock
from tests.pages import text_of
from tests.servers import command as run
from tests.web.scripts import Script
from tests.web.test_manage import Manager


def said(*arguments: str) -> Any:
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("template", template_names())
def test_everybody_says_the_same_minutes(template: str, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    copy_template(template, folder)
    study, where = load(folder), str(folder)
    taken = said("import", where)
    people = study.assignment.annotators_of_item(1)
    each = said("invite", where, "--count", str(people), "--plan")["each"]
    assert taken["work"]["each"] == each
    assert taken["plan"]["minutes"] == each["minutes"] > 0
    assert each["practice"] == sum(entry.gate.items_in_attempt(1) for entry in study.gates)
    store = open_store(folder / "assay.db")
    clock = Clock()
    try:
        study_id = store.read(studies.find, study.study)[0]
        _pages_say(Bench(study, store, study_id, folder, clock, create_app(store, clock)), people, each)
    finally:
        store.close()


def _pages_say(bench: Bench, people: int, each: dict[str, int]) -> None:
    """The page that manages the study, the text to send, the page that a link leads to, and a script."""
    assert Script(bench, "read").get(f"/plan?more={people}")["each"] == each
    manager, minutes = Manager(bench, "dora"), each["minutes"]
    assert f": {minutes} minutes." in text_of(manager.get())
    made = manager.post("/invite", role="annotator", count=str(people)).text
    say = bench.study.words
    assert say("invitation.text", title=bench.study.title, minutes=minutes) in _flat(made)
    page = bench.client().get(re.findall(r"/join/[\w-]+", made)[0]).text
    items = sum(each[part] for part in ("items", "duplicates", "controls"))
    assert say("landing.items", n=items, minutes=say("landing.minutes", n=minutes)) in _flat(page)
    reading = [part for entry in bench.study.gates if isinstance(entry.gate, Reading) for part in entry.gate.parts]
    assert say("landing.reading", n=sum(part.minutes for part in reading)) in _flat(page), "these come on top"


def _flat(page: str) -> str:
    return " ".join(text_of(page).split())


def test_places_that_files_have_filled_are_taken_from_the_plan(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    copy_template("route-planning", folder)
    where = str(folder)
    files = (where, "--items", str(folder / "existing.csv"), "--with-judgments")
    before, taken = said("import", *files, "--dry-run"), said("import", *files)
    work = taken["work"]
    assert before["work"] == work, "the dry run says what the import then says"
    assert work["from_files"] == work["taken"] == taken["judged"]
    assert work["left"] == work["judgments"] - taken["judged"]
    status = said("status", where)
    assert status["judgments"]["from_files"] == taken["judged"]
    assert f"{taken['judged']} of them came from files" in run("status", where).stdout
    plan = said("invite", where, "--count", "1", "--plan")
    assert (plan["from_files"], plan["taken"]) == (taken["judged"], taken["judged"])
    assert plan["each"]["items"] == work["items"] - plan["finished"], "new people get what is left"
    assert "came from files" in run("invite", where, "--count", "1", "--plan").stdout
    assert said("plan", where)["work"]["from_files"] == taken["judged"]
