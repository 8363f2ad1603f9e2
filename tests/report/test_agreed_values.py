"""Values that were agreed on stand in comparisons where the study says so, and never in agreement."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from assay import acts
from assay.live.report_data import gather
from assay.model import Agreed, Judgment, Slot
from assay.report.build import Report
from assay.report.data import Data
from assay.store import Backend
from assay.store.coordinator.record import By
from assay.study import Study
from tests.conftest import T0, make_bench
from tests.report.comparing import CARS, ROUTES, WAYS, choice, ungrouped
from tests.report.known import answers, computed, line, one, report


def using(study: Study) -> Study:
    """The study, in which agreed values count."""
    return study.model_copy(update={"analysis": study.analysis.model_copy(update={"use_agreed": True})})


def agreed(item: str, dimension: str, value: Any, system: str = "", entry: str = "") -> Agreed:
    return Agreed(item, dimension, system, entry, value, "we talked", "me", 0)


def routes(values: Sequence[tuple[int, int]] = ((1, 5), (3, 3), (5, 5))) -> list[Judgment]:
    return [
        each
        for index, both in enumerate(values)
        for who, value in zip(("ana", "ben"), both, strict=True)
        for each in answers(f"i{index}", who, {"coherence": value}, system="atlas", systems=("atlas",))
    ]


def mean(made: Report, dimension: str) -> float:
    return float(one(made.numbers()["systems"]["values"], dimension=dimension)["systems"][0]["mean"]["value"])


def test_an_agreed_value_is_the_items_mean_and_agreement_stays_as_it_was() -> None:
    # Nobody gave the value that was agreed on, so it cannot be anybody's that stands in the place of both.
    study, talked = ungrouped(ROUTES), [agreed("i0", "coherence", 2)]
    before, after = report(study, routes(), agreed=talked), report(using(study), routes(), agreed=talked)
    # Item means 3, 3, 5; with the agreed 2 in the place of 1 and 5: 2, 3, 5.
    assert mean(before, "coherence") == pytest.approx(11 / 3)
    assert mean(after, "coherence") == pytest.approx(10 / 3)
    assert before.numbers()["agreement"] == after.numbers()["agreement"]
    assert before.numbers()["annotators"] == after.numbers()["annotators"]
    counts = ("use_agreed", "agreed_values", "judgments_replaced")
    assert [after.numbers()["methods"][name] for name in counts] == [True, 1, 2]
    assert [before.numbers()["methods"][name] for name in counts] == [False, 0, 0]
    said = "1 value agreed on stands in place of 2 judgments wherever systems or judges are compared"
    assert said in after.html()
    assert line(after, "After talking: ").startswith(f"After talking: {said}")
    said = line(after, "After talking: ")
    assert [each for each in after.summary() if each != said] == before.summary(), "else nothing is said of it"


def test_what_was_agreed_on_a_scale_no_longer_in_force_settles_nothing() -> None:
    made = report(using(ungrouped(ROUTES)), routes(), agreed=[agreed("i0", "coherence", 7)])
    assert mean(made, "coherence") == pytest.approx(11 / 3)
    assert made.numbers()["methods"]["agreed_values"] == 0


def test_what_is_computed_is_computed_again_with_the_agreed_value_among_the_answers() -> None:
    study = ungrouped(CARS)
    four = ("instruction_constraint_adherence", "context_ambiguity_handling", "plan_coherence", "safety_compliance")
    about = {"system": "car", "systems": ("car",)}
    given = [
        each
        for who, plan in (("ana", 0), ("ben", 2))
        for each in answers("i0", who, {**dict.fromkeys(four, 2), "plan_coherence": plan, "goal.g": 1}, **about)
    ]
    talked = [agreed("i0", "plan_coherence", 1), agreed("i0", "goal", 0, entry="g")]
    made = report(using(study), computed(study, given), agreed=talked)
    # Both: three scores of 2, one of 1, and no goal: (3 * 1 + 0.5 + 0) / 5 = 0.7.
    assert mean(made, "success") == pytest.approx(0.7)
    assert mean(report(study, computed(study, given), agreed=talked), "success") == pytest.approx(0.9)


@pytest.mark.parametrize("value", ["b", "right", "tuned"])
def test_an_agreed_preference_counts_once_by_whatever_name_it_has(value: str) -> None:
    pair = ("base", "tuned")
    said = {"i0": ("base", "base", "tie"), "i1": ("base", "base", "base"), "i2": ("tuned", "tuned", "tuned")}
    given = [
        choice(item, who, pair, "base", chosen, study_hash="now")
        for item, chosen_by in said.items()
        for who, chosen in zip(("ana", "ben", "cem"), chosen_by, strict=True)
    ]
    made = report(using(ungrouped(WAYS)), given, agreed=[agreed("i0", "preference", value)])
    row = made.numbers()["preferences"]["families"][0]["dimensions"][0]
    pair_found = row["pairs"][0]
    # Three for base, three for tuned, and the agreed one for tuned.
    assert (pair_found["wins"]["value"], pair_found["losses"]["value"]) == (pytest.approx(3 / 7), pytest.approx(4 / 7))
    figure = one(made.numbers()["figures"]["win_rates"]["all"], dimension="preference")
    assert (figure["wins"], figure["ties"], figure["losses"]) == (3, 0, 4)
    # Whether the side decided is about what people said.
    assert row["position_bias"]["left_wins"]["n"] == 8
    assert any(line.startswith("1 value agreed on stands in place of 3 judgments") for line in made.summary())


def test_a_judge_is_measured_by_what_was_agreed_and_its_agreement_with_people_stays() -> None:
    study = ungrouped(ROUTES)
    said = [
        *routes([(1, 5)] * 24),
        *(
            each
            for index in range(24)
            for each in answers(
                f"i{index}", "gpt", {"coherence": 1 + index % 2}, judge=True, system="atlas", systems=("atlas",)
            )
        ),
    ]
    talked = [agreed(f"i{index}", "coherence", 1) for index in range(24)]
    before, after = (
        one(report(each, said, agreed=talked).numbers()["judges"]["dimensions"], dimension="coherence")["judges"][0]
        for each in (study, using(study))
    )
    for name in ("with_rest", "with_each", "people_with_each"):
        assert _of(before, "absolute_bias")[name] == _of(after, "absolute_bias")[name]
    # The judge says 1.5 on average; people 3, and after talking 1.
    assert _of(before, "bias")["with_mean"]["value"] == pytest.approx(-1.5)
    assert _of(after, "bias")["with_mean"]["value"] == pytest.approx(0.5)
    figure = report(using(study), said, agreed=talked).numbers()["figures"]["judge"]
    assert figure["all"][0]["bias"] == pytest.approx(0.5)


def test_agreed_values_come_from_the_store_by_the_system_of_their_side(sqlite_store: Backend, tmp_path: Any) -> None:
    bench = make_bench(sqlite_store, tmp_path / "study", "trajectories")
    data: Data = gather(bench.store, bench.study_id, bench.study, T0)
    item = sorted(data.work.items)[0] if data.work else ""
    by = By(bench.study_id, "me", T0, "we talked")
    sqlite_store.write(acts.agree, by, item, Slot("coherence", "b"), 2)
    [found] = gather(bench.store, bench.study_id, bench.study, T0).agreed
    systems = tuple(sorted(data.comparisons[0]))
    given = [
        each
        for who, value in (("ana", 1), ("ben", 5))
        for each in answers(item, who, {"coherence": value}, system=found.system, systems=systems, side="left")
    ]
    joined = replace(data, study=using(bench.study), judgments=given, agreed=[found]).with_agreed
    assert [(each.annotator, each.value, each.system) for each in joined.judgments] == [("(agreed)", 2, found.system)]


def _of(found: dict[str, Any], name: str) -> dict[str, Any]:
    return one(found["statistics"], name=name)
