"""Groups of people in the report: agreement and scores by what people said of themselves, never of fewer than five."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.bots import Character
from assay.live.report_data import gather
from assay.model import Judgment, Value
from assay.report.build import Report, build
from assay.report.data import Data
from assay.report.person_groups import FEWEST_PEOPLE, groups_of
from assay.report.sections.groups import GroupsSection
from assay.simulate import simulate
from assay.store import Backend
from assay.study import Study, load
from assay.study.person import PersonQuestion
from assay.study.schema import gate_types
from assay.study.templates import copy_template
from tests.conftest import T0, make_bench, plain
from tests.report.test_report import PLAIN, STUDY, judgment

QUESTION = {"question": "age", "choice": {"young": "Under 30", "middle": "30 to 59", "old": "60 or older"}}


ASKED: PersonQuestion = gate_types()["questionnaire"].model_validate({"questions": [QUESTION]}).questions[0]


def asking(folder: Path) -> None:
    """A study whose report has groups by age."""
    file = folder / "study.yaml"
    gate = json.dumps({"questionnaire": {"questions": [QUESTION]}})
    text = re.sub(r"^gates:.*\n", f"gates:\n- {gate}\n", file.read_text("utf-8"), flags=re.M)
    file.write_text(re.sub(r"^analysis:.*\n", "analysis:\n  groups: [age]\n", text, flags=re.M), "utf-8")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("made") / "study"
    copy_template("empathy", folder)
    plain(folder)
    asking(folder)
    made = load(folder)
    return made.model_copy(update={"items": PLAIN.items})


def data_of(study: Study, judgments: list[Judgment], ages: Mapping[str, Value]) -> Data:
    people = sorted({each.annotator for each in judgments})
    return Data(
        study=study,
        judgments=judgments,
        items=30,
        finished=30,
        systems={"m": 30},
        annotators=people,
        versions={STUDY.hash: len(judgments)},
        studies={STUDY.hash: study},
        made_at="2027-01-01T00:00:00.000Z",
        seed=1,
        person_answers={"age": ages},
    )


def judged(people: Mapping[str, int], items: int = 30) -> list[Judgment]:
    """Everybody judges every item, alike within a group and apart between groups by what is added."""
    return [
        judgment(f"i{item}", who, 1 + (item % 3) + more) for item, (who, more) in product(range(items), people.items())
    ]


def section(made: Report) -> dict[str, object]:
    [found] = made.numbers()["groups"]["questions"]
    return dict(found)


def test_groups_of_five_have_their_agreement_and_their_means_worked_out_by_hand(study: Study) -> None:
    young, old = [f"y{n}" for n in range(5)], [f"o{n}" for n in range(6)]
    people = {**dict.fromkeys(young, 0), **dict.fromkeys(old, 2)}
    ages: dict[str, Value] = {**dict.fromkeys(young, "young"), **dict.fromkeys(old, "old")}
    made = build(data_of(study, judged(people), ages))
    found = section(made)
    assert found["groups"] == [{"title": "Under 30", "people": 5}, {"title": "60 or older", "people": 6}]
    [agreement] = [each for each in found["agreement"] if each["dimension"] == "emotion"]  # type: ignore[attr-defined]
    assert [each["value"] for each in agreement["groups"]] == [pytest.approx(1.0)] * 2, "within a group all are alike"
    whole = next(each for each in made.numbers()["agreement"]["dimensions"] if each["dimension"] == "emotion")
    assert next(each["value"] for each in whole["coefficients"] if each["name"] == whole["main"]) < 0.6
    [scores] = [each for each in found["scores"] if each["dimension"] == "emotion"]  # type: ignore[attr-defined]
    assert [each["value"] for each in scores["groups"]] == [pytest.approx(2.0), pytest.approx(4.0)]
    [line, caution] = GroupsSection().lines(made.parts["groups"])
    assert line == "Age: Under 30 (5 people); 60 or older (6 people)."
    assert caution in made.html()


def test_a_dimension_or_system_that_fewer_than_five_of_a_group_judged_is_not_shown_for_any_group(study: Study) -> None:
    young, old = [f"y{n}" for n in range(5)], [f"o{n}" for n in range(6)]
    ages: dict[str, Value] = {**dict.fromkeys(young, "young"), **dict.fromkeys(old, "old")}
    rows = judged(dict.fromkeys([*young, *old], 0))
    rows += [judgment(f"i{n}", who, 3, dimension="safety") for n, who in product(range(30), [*young[:4], *old])]
    rows += [judgment(f"j{n}", who, 2, system="n", systems=("n",)) for n, who in product(range(30), [*young[:2], *old])]
    found = section(build(data_of(study, rows, ages)))
    agreement = {each["dimension"]: each["groups"] for each in found["agreement"]}  # type: ignore[attr-defined]
    assert agreement["safety"] is None
    assert agreement["emotion"] is not None
    scores = {(each["dimension"], each["system"]): each["groups"] for each in found["scores"]}  # type: ignore[attr-defined]
    assert scores["safety", "m"] is None
    assert scores["emotion", "n"] is None
    assert scores["emotion", "m"] is not None


def test_agreement_of_a_group_in_which_few_share_items_is_not_shown(study: Study) -> None:
    young, old = [f"y{n}" for n in range(6)], [f"o{n}" for n in range(6)]
    ages: dict[str, Value] = {**dict.fromkeys(young, "young"), **dict.fromkeys(old, "old")}
    rows = judged(dict.fromkeys([*young[:2], *old], 0))
    # Four of the young judge items that nobody else has: the agreement of the young would be that of two people.
    rows += [judgment(f"own-{who}-{n}", who, 1 + n % 5) for who, n in product(young[2:], range(5))]
    found = section(build(data_of(study, rows, ages)))
    [agreement] = [each for each in found["agreement"] if each["dimension"] == "emotion"]  # type: ignore[attr-defined]
    assert agreement["groups"] is None
    assert next(each for each in found["scores"] if each["dimension"] == "emotion")["groups"] is not None  # type: ignore[attr-defined]


def test_whoever_the_report_leaves_out_is_in_no_group(study: Study) -> None:
    young, old = [f"y{n}" for n in range(5)], [f"o{n}" for n in range(6)]
    ages: dict[str, Value] = {**dict.fromkeys(young, "young"), **dict.fromkeys(old, "old")}
    data = data_of(study, judged(dict.fromkeys([*young, *old], 0)), ages)
    found = section(build(replace(data, excluded={"y0": "a bot"})))
    assert found["groups"] == []
    assert found["agreement"] == found["scores"] == []


@given(counts=st.lists(st.integers(0, 9), min_size=4, max_size=4))
@settings(deadline=None)
def test_no_group_is_small_and_everybody_is_in_one(counts: list[int]) -> None:
    answers = ("young", "middle", "old", None)
    ages = {f"{answer}{n}": answer for answer, many in zip(answers, counts, strict=True) for n in range(many)}
    groups = groups_of(ASKED, set(ages), {name: answer for name, answer in ages.items() if answer is not None})
    assert all(len(each.people) >= FEWEST_PEOPLE for each in groups)
    assert len(groups) != 1
    if groups:
        assert sorted(name for each in groups for name in each.people) == sorted(ages)


def test_a_study_from_its_first_page_to_the_report(sqlite_store: Backend, tmp_path: Path) -> None:
    bench = make_bench(sqlite_store, tmp_path / "study", edit=asking)
    chance = Random(3)
    simulate(
        bench.store,
        bench.study.study,
        [Character(f"b{n}", skill=chance.random(), items=1) for n in range(14)],
        seed=3,
        start=T0,
    )
    data = gather(bench.store, bench.study_id, bench.study, T0)
    assert set(data.person_answers["age"].values()) <= {"young", "middle", "old"}
    found = section(build(data))
    assert found["answered"] == 14
    assert all(each["people"] >= FEWEST_PEOPLE for each in found["groups"])  # type: ignore[attr-defined]
