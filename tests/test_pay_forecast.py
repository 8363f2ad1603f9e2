"""What an hour will bring, said before the study begins: from the pilot, from bots, or from the expected time."""

import json
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from assay import acts
from assay.live.hourly_rates import rates_of
from assay.simulate import Character, simulate
from assay.store.annotator.arrivals import MINUTE
from assay.study.templates import copy_template
from tests.conftest import T0, Bench, make_bench
from tests.pages import SCORES, text_of
from tests.servers import command as run
from tests.web.annotator import Annotator
from tests.web.scripts import Script
from tests.web.test_manage import Manager


def pays(folder: Path, floor: float, *, name: str = "paid", pilot: bool = True) -> None:
    """Pay for each item, in a study with a pilot."""
    yaml, file = YAML(), folder / "study.yaml"
    study = yaml.load(file)
    study["study"] = name
    study["pay"] = {"per_item": 0.5, "floor": floor, "currency": "EUR"}
    study["pace"] = {"expect": [60, 60], "at_most": 600}
    if pilot:
        study["analysis"]["pilot"] = {"items": 4, "go": 0.6, "revise": 0.4}
    else:
        study["analysis"].pop("pilot", None)
    yaml.dump(study, file)


def paid(bench: Bench, folder: Path, floor: float) -> Bench:
    return make_bench(bench.store, folder / "paid", edit=lambda where: pays(where, floor))


def test_the_expected_time_says_it_until_somebody_has_worked(bench: Bench, tmp_path: Path) -> None:
    made = paid(bench, tmp_path, 12)
    hour = made.store.read(rates_of, made.study_id, made.study)
    assert hour.forecast == (pytest.approx(30.0), "expected")
    assert not hour.is_below_floor


def test_bots_say_it_before_people_have_worked(bench: Bench, tmp_path: Path) -> None:
    made = paid(bench, tmp_path, 12)
    simulate(made.store, "paid", [Character("bot1", 0.8, 0.0, 0.05, 2)], seed=1, start=T0)
    hour = made.store.read(rates_of, made.study_id, made.study)
    assert hour.forecast is not None
    rate, source = hour.forecast
    assert source == "bots"
    assert rate < 12, "a bot that reads twenty times slower"
    assert hour.is_below_floor
    assert hour.sentences()[0].startswith("By the time that 1 bot took, an hour would bring")
    assert hour.sentences()[-1] == "This is below the floor: pay more for each item."


def test_the_pilot_says_it_on_its_page_in_the_plan_and_when_a_version_is_published(
    bench: Bench, tmp_path: Path
) -> None:
    made = paid(bench, tmp_path, 12)
    simulate(made.store, "paid", [Character("bot1", 0.8, 0.0, 1.0, 1)], seed=1, start=T0)
    made.clock.now = T0 + 10**9
    ana = Annotator(made, "ana").begin()
    address, hidden = ana.form()
    made.clock.now += 9 * MINUTE
    assert ana.client.post(address, data={**hidden, **SCORES, "active_ms": str(5 * MINUTE)}).status_code == 200
    hour = made.store.read(rates_of, made.study_id, made.study)
    assert hour.forecast == (pytest.approx(6.0), "pilot"), "half a EUR in five minutes"
    said = "In the pilot an hour of work brings 6.00 EUR (median), 6.00 EUR (10th percentile); the floor is 12.00 EUR."
    cora = Manager(made, "cora")
    page = cora.get("/pilot")
    assert said in text_of(page)
    assert '<p class="alert">This is below the floor' in page
    plan = Script(made).get("/plan")["pay"]
    assert (plan["per_hour"], plan["source"], plan["floor"], plan["below_floor"]) == (6.0, "pilot", 12.0, True)
    assert plan["says"][0] == said
    more = made.study.model_copy(update={"title": "Another"})
    followed = made.store.read(acts.effects_of_publishing, made.study, more)
    assert "what an hour brings (6.00 EUR, in the pilot) is below the floor of 12.00 EUR" in followed
    paying = made.study.pay.model_copy(update={"per_item": 1.5})  # type: ignore[union-attr]
    better = more.model_copy(update={"pay": paying})
    assert not [each for each in made.store.read(acts.effects_of_publishing, made.study, better) if "floor" in each]


def test_check_warns_and_plan_and_publish_say_where_the_expected_time_is_below_the_floor(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    copy_template("empathy", folder)
    pays(folder, 40, pilot=False)
    checked = run("check", str(folder))
    said = "at the expected time an hour brings 30.00 EUR, below the floor of 40.00 EUR"
    assert said in checked.stdout + checked.stderr
    found = json.loads(run("check", str(folder), "--json").stdout)["warnings"]
    [warned] = [each for each in found if "floor" in each["what"]]
    assert "0.67" in warned["hint"]
    published = run("publish", str(folder))
    assert "below the floor" in published.stdout + published.stderr
    assert "This is below the floor" in run("import", str(folder)).stdout, "with the plan of the work"
    pays(folder, 20, pilot=False)
    assert "floor" not in run("check", str(folder)).stdout
