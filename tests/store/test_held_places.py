"""Places held by people who have stopped are named, with what frees them; who is at work holds nothing up."""

import pytest

from assay import acts
from assay.simulate import Forms
from assay.store.annotator.session_lifetime import DAY
from assay.store.coordinator.held_places import HeldPlaces, held_places
from assay.store.coordinator.record import By
from tests import pages
from tests.conftest import T0, Bench
from tests.pages import text_of
from tests.web.annotator import Annotator
from tests.web.test_oversight import Coordinator


def by(bench: Bench) -> By:
    return By(bench.study_id, "cara", T0, "a reason")


def held(bench: Bench, now: int = T0) -> list[HeldPlaces]:
    return bench.store.read(held_places, bench.study_id, now)


@pytest.fixture
def ana(bench: Bench) -> Annotator:
    """Somebody who has judged one item, and has another one open."""
    ana = Annotator(bench).begin()
    ana.submit()
    return ana


def test_whoever_is_at_work_holds_nothing_up(bench: Bench, ana: Annotator) -> None:
    assert held(bench) == []


def test_after_a_day_without_work_what_is_open_is_named(bench: Bench, ana: Annotator) -> None:
    [found] = held(bench, T0 + DAY + 1)
    assert found == HeldPlaces("ana", "away", 1, 0, T0, DAY + 1)
    assert found.in_words() == (
        "ana has done nothing for 1 day and holds places: 1 not judged. `assay annotator ana release` frees them."
    )


def test_how_long_somebody_has_been_away_is_said(bench: Bench, ana: Annotator) -> None:
    bench.clock.now = T0 + 9 * DAY
    [found] = held(bench, bench.clock.now)
    assert found.reason == "has done nothing for 9 days"
    coordinator = Coordinator(bench)
    assert "has done nothing for 9 days" in text_of(coordinator.get("/manage"))


def test_what_the_excluded_have_judged_is_named_until_it_goes_to_others(bench: Bench, ana: Annotator) -> None:
    bench.store.write(acts.exclude, by(bench), "ana")
    [found] = held(bench)
    assert (found.why, found.open, found.judged) == ("excluded", 1, 1)
    assert "exclude --reassign" in found.command
    bench.store.write(acts.exclude, by(bench), "ana", reassign=True)
    assert held(bench) == []


def test_a_pause_keeps_what_is_open_and_a_release_gives_it_back(bench: Bench, ana: Annotator) -> None:
    bench.store.write(acts.pause, by(bench), "ana")
    assert [(each.why, each.open) for each in held(bench)] == [("paused", 1)]
    bench.store.write(acts.release, by(bench), "ana")
    assert held(bench) == []


def test_the_coordinator_frees_them_with_a_button(bench: Bench, ana: Annotator) -> None:
    bench.store.write(acts.exclude, by(bench), "ana")
    client = bench.client()
    pages.enter(client, bench.coordinator_link())
    page = client.get(f"/coordinate/{bench.study.study}/manage").text
    assert "Places held by people who have stopped" in page
    address, hidden = Forms(page).to("/act") or ("", {})
    client.post(address, data={**hidden, "what": "reassign"})
    assert held(bench) == []
    assert "Places held" not in client.get(f"/coordinate/{bench.study.study}/manage").text
