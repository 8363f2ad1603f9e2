"""How long people are kept: a reminder, then everybody is erased, by command, page, API or the server itself."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assay import acts
from assay.store.annotator.session_lifetime import DAY
from assay.store.coordinator.record import By
from assay.store.tables import action, annotator, erasure, judgment
from assay.web import create_app
from assay.web.retention import retain_once
from tests import pages
from tests.conftest import Bench, make_bench
from tests.pages import Forms
from tests.servers import assay
from tests.straight_client import StraightClient
from tests.web.annotator import Annotator, everything, rows, with_items
from tests.web.scripts import Script


@pytest.fixture
def kept(bench: Bench, tmp_path: Path) -> Bench:
    """A study that keeps people for ten days, closed now, in which two people have judged."""

    def edit(folder: Path) -> None:
        with_items(2)(folder)
        file = folder / "study.yaml"
        text = file.read_text("utf-8").replace("study: empathy", "study: kept")
        file.write_text(f"{text}\nprivacy: {{delete_people_after_days: 10}}\n", "utf-8")

    made = make_bench(bench.store, tmp_path / "kept", edit=edit)
    for name in ("ana", "ben"):
        Annotator(made, name).begin().submit({**pages.SCORES, "note": "my own words"})
    made.store.write(acts.set_study_state, By(made.study_id, "cora", made.clock()), "closed")
    return made


def names(bench: Bench) -> set[str]:
    return {row["name"] for row in rows(bench.store, annotator) if row["study_id"] == bench.study_id}


def by_server(bench: Bench) -> None:
    retain_once(bench.store, bench.clock())


def by_page(bench: Bench) -> None:
    cora = StraightClient(create_app(bench.store, bench.clock))
    pages.enter(cora, bench.coordinator_link())
    if form := Forms(cora.get("/coordinate/kept/manage").text).to("/coordinate/kept/retain"):
        cora.post(form[0], data=form[1])


def by_api(bench: Bench) -> None:
    script = {"Authorization": f"Bearer {Script(bench, 'read', 'manage', name=f's{bench.clock()}').token}"}
    client = StraightClient(create_app(bench.store, bench.clock))
    answer = client.post("/api/v1/studies/kept/retention", json={}, headers=script)
    assert answer.status_code == 200
    assert client.get("/api/v1/studies/kept/retention", headers=script).json()["people"] == len(
        [name for name in names(bench) if not name.startswith("erased-")]
    )


@pytest.mark.parametrize("way", [by_server, by_page, by_api])
def test_nobody_is_erased_before_their_time_and_everybody_after_it(kept: Bench, way: Callable[[Bench], None]) -> None:
    kept.clock.now += 10 * DAY - 1
    way(kept)
    assert names(kept) == {"ana", "ben"}
    kept.clock.now += 1
    way(kept)
    assert all(name.startswith("erased-") for name in names(kept))
    assert len(names(kept)) == len(rows(kept.store, erasure)) == 2
    assert rows(kept.store, judgment), "what was judged stays, as the study declares"
    assert "my own words" not in repr(everything(kept.store))
    [said] = [row for row in rows(kept.store, action) if row["what"] == "retain"]
    assert said["about"] == "2 people erased, 10 days after the study was closed"
    before = everything(kept.store)
    retain_once(kept.store, kept.clock())
    assert everything(kept.store) == before, "it is done once"


def test_the_coordinators_page_reminds_in_time(kept: Bench) -> None:
    cora = StraightClient(create_app(kept.store, kept.clock))
    pages.enter(cora, kept.coordinator_link())
    assert "2 people are to be erased on" in cora.get("/coordinate/kept").text
    kept.store.write(acts.set_study_state, By(kept.study_id, "cora", kept.clock()), "open")
    assert "to be erased" not in cora.get("/coordinate/kept").text, "an open study keeps its people"
    kept.clock.now += 100 * DAY
    retain_once(kept.store, kept.clock())
    assert names(kept) == {"ana", "ben"}


def test_the_command_says_when_does_it_and_says_how_to_declare_it(database: str, tmp_path: Path) -> None:
    where = tmp_path / "study"
    assay("init", "empathy", where)
    of = [str(where), "--database", database]
    assert "does not say how long" in assay("retain", *of, expect=1)
    file = where / "study.yaml"
    file.write_text(file.read_text("utf-8") + "\nprivacy: {delete_people_after_days: 0}\n", "utf-8")
    assay("invite", *of, "--name", "ana")
    assert "is not closed" in assay("retain", *of)
    assay("state", *of, "--to", "closed")
    assert "to be erased now: ana" in assay("retain", *of, "--dry-run")
    assert "1 person erased" in assay("retain", *of)
    assert "Nobody is left" in assay("retain", *of)
