"""Use one new thing of each kind, as a study, a command or a browser would, and print what came of it as JSON.

Run by tests/test_one_file.py in a process of its own, against a copy of the program into which the new files were put.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient
from tools import reference
from typer.testing import CliRunner

from assay.cli import build
from assay.kinds import FAMILIES
from assay.live import figures
from assay.statistics import Ratings, agree
from assay.store import open_store
from assay.study import load
from assay.web import create_app
from assay.web.app import wall_clock

STUDY = """\
study: added
title: One of each
language: eo
items:
  source: items.pipes
  show:
    - shout: {field: response, label: Loud}
rubric:
  - dimension: warmth
    slider: {low: 0, high: 10}
  - dimension: clarity
    scale: {from: 1, to: 3}
derive:
  - derived: doubled
    twice: {of: clarity}
gates:
  - promise: guide/promise.md
assignment:
  per_item: 3
  order: backwards
  enrol: {panel: club}
analysis:
  agreement: {coefficient: all_alike}
  monitors:
    diligent: {at_least: 4}
"""


def study_in(folder: Path) -> Path:
    """A study that uses everything new that a study file can name."""
    (folder / "guide").mkdir(parents=True)
    (folder / "guide" / "promise.md").write_text("I work alone.\n", "utf-8")
    (folder / "study.yaml").write_text(STUDY, "utf-8")
    rows = "".join(f"item-{number}|what it says {number}\n" for number in range(1, 5))
    (folder / "items.pipes").write_text("id|response\n" + rows, "utf-8")
    return folder


def assay(*arguments: object) -> str:
    """What a command prints."""
    done = CliRunner().invoke(build(), [str(each) for each in arguments])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.stdout


def enter(client: TestClient, link: str) -> str:
    """Open a personal link, and the page behind it."""
    return client.post("/join", data={"token": link.rsplit("/", 1)[1]}).text


def pages(folder: Path, annotator_link: str, coordinator_link: str) -> dict[str, str]:
    """What annotators and the coordinator see."""
    store = open_store(folder / "assay.db")
    figures.compute(store, 1, load(folder), wall_clock())
    app = create_app(store)
    annotator, coordinator = (TestClient(app, base_url="http://testserver") for _ in range(2))
    gate = enter(annotator, annotator_link)
    fields = dict(re.findall(r'name="(csrf|version)" value="([^"]+)"', gate))
    item = annotator.post("/judge/added/gate", data={**fields, "choice": "promise"}).text
    found = {
        "gate": gate,
        "item": item,
        "dashboard": enter(coordinator, coordinator_link),
        "weather": coordinator.get("/coordinate/added/weather").text,
        "tally": annotator.get("/judge/added/tally").text,
        "flags": coordinator.get("/coordinate/added/flags").text,
        "style": annotator.get("/static/kinds.css").text,
        "script": annotator.get("/static/kinds/assay.inputs.slider.js").text,
        "scripts": annotator.get("/static/judging.whole.js").text,
    }
    store.close()
    return found


def use(folder: Path) -> dict[str, Any]:
    """Everything new, used."""
    found: dict[str, Any] = {"kinds": {name: list(family) for name, family in FAMILIES.items()}}
    found["reference"] = reference.pages()
    found["greeting"] = assay("greet", "Ada")
    found["check"] = assay("check", study_in(folder))
    found["import"] = assay("import", folder)
    found["simulate"] = assay("simulate", folder, "--annotators", "2", "--skill", "1")
    made = json.loads(assay("invite", folder, "--name", "eve", "--coordinator", "--json"))
    found["pages"] = pages(folder, *(each["link"] for each in made))
    (folder / "judges.yaml").write_text("judges: [{judge: penny, coin: {heads: 7}}]\n", "utf-8")
    found["judge"] = assay("judge", folder)
    found["report"] = assay("report", folder, "--json")
    found["page"] = (folder / "report.html").read_text("utf-8")
    found["export"] = assay("export", folder, "--format", "names")
    found["names"] = (folder / "names.txt").read_text("utf-8").split()
    ratings = Ratings.from_rows([("a", "a"), ("a", "b")] * 20, ("a", "b"), "nominal")
    found["coefficient"] = agree(ratings, ["all_alike"])[0].value
    found["heading"] = load(folder).words("promise.heading")
    return found


if __name__ == "__main__":
    print(json.dumps(use(Path(sys.argv[1]))))
