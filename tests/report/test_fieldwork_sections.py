"""How the work went: time, what is missing, gates and limits, from a store in which it happened and by hand."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from assay import acts
from assay.fieldwork import AnnotatorProgress, Fieldwork, GateAttempts, PilotDecision, ProblemReport
from assay.live.report_data import gather_with_fieldwork
from assay.model import Judgment
from assay.report.build import Report, build
from assay.store.annotator import assignments, problems
from assay.store.annotator import submissions as given
from assay.store.annotator.submissions import Seat
from assay.store.coordinator.record import By
from assay.study import load
from assay.study.items import Cleaning
from assay.study.privacy import Privacy
from assay.study.templates import HERE
from tests.conftest import T0, Bench
from tests.report.comparing import WAYS, choice, ungrouped
from tests.report.known import answers, line, one, report
from tests.report.test_report import PLAIN
from tests.store.test_work import next_task, person, submit

MINUTE = 60_000
WHOLE = load(HERE / "empathy")
GATE = {entry.gate.kind: entry.gate for entry in WHOLE.gates}


def made(bench: Bench) -> Report:
    return build(gather_with_fieldwork(bench.store, bench.study_id, bench.study, T0, alarms=False))


def judged(count: int = 20, people: Sequence[str] = ("ana", "ben"), **more: object) -> list[Judgment]:
    return [
        each
        for index in range(count)
        for who in people
        for each in answers(f"i{index}", who, {"emotion": 2 + index % 3}, **more)
    ]


def test_what_is_missing_is_counted_by_its_kind_from_the_store(sqlite_bench: Bench) -> None:
    bench = sqlite_bench
    ana = person(bench, "ana")
    for _ in range(2):
        task = next_task(bench, ana, "ana")
        assert task is not None
        submit(bench, ana, task)
    task = next_task(bench, ana, "ana")
    assert task is not None
    bench.store.write(problems.report_problem, ana, task.public_id, "p1", "no picture", T0)
    bench.store.write(given.decline, ana, task.public_id)
    task = next_task(bench, ana, "ana")
    assert task is not None
    bench.store.write(given.save_draft, ana, task.public_id, {"emotion": ["4"]}, Seat(), T0)
    by = By(bench.study_id, "me", T0, "broken")
    bench.store.write(acts.withdraw_item, by, "emp-048")
    numbers = made(bench).numbers()["missing"]
    row = one(numbers["annotators"], annotator="ana")
    assert (row["given"], row["submitted"], row["declined"], row["half_way"], row["not_begun"]) == (4, 2, 1, 1, 0)
    assert numbers["withdrawn"] == ["emp-048"]
    assert numbers["items_not_finished"] == numbers["items"] == 47
    assert one(numbers["problems"], words="no picture")["closed"] is False
    said = made(bench).summary()
    assert "47 of 47 items are not judged by as many as the study asks for." in said
    assert "Of the items that were given to somebody: 1 declined, 1 begun and never submitted." in said
    assert "1 item taken out of the study and counted nowhere: emp-048." in said
    assert "1 problem reported with 1 item, 1 of which nobody has dealt with yet." in said


def test_what_cannot_be_judged_is_counted_for_each_dimension_and_who_left_is_named() -> None:
    unable = [replace(each, value=None) for each in judged(3, ["ben"])]
    work = Fieldwork("closed", 20, [AnnotatorProgress("ana", 20, 20), AnnotatorProgress("ben", 20, 3, left=True)])
    found = report(PLAIN, [*judged(20, ["ana"]), *unable], fieldwork=work)
    assert one(found.numbers()["missing"]["dimensions"], dimension="emotion")["unable"] == 3
    assert "Said to be impossible to judge, and counted in no number: Emotion recognition 3 of 23." in found.summary()
    assert "Left before the end: ben." in found.summary()
    assert "Of the items that were given to somebody: 17 given out and not begun." in found.summary()


def test_nothing_missing_is_said_too() -> None:
    assert line(report(PLAIN, judged()), "Nothing: every item is judged")


def test_gates_say_at_which_try_by_whose_leave_and_who_was_turned_away() -> None:
    versions = {kind: gate.version for kind, gate in GATE.items()}
    tried = [
        *(
            GateAttempts(who, kind, versions[kind], 0, True)
            for who in ("ana", "ben")
            for kind in ("consent", "warning")
        ),
        GateAttempts("ana", "reading", versions["reading"], 0, True),
        GateAttempts("ben", "reading", "an older text", 0, True),
        GateAttempts("ana", "calibration", versions["calibration"], 1, True),
        GateAttempts("ben", "calibration", versions["calibration"], 2, True),
        GateAttempts("cem", "calibration", versions["calibration"], 2, True, by="me"),
        GateAttempts("dee", "calibration", versions["calibration"], 2, False, failed=True),
        GateAttempts("eve", "calibration", versions["calibration"], 1, False),
    ]
    work = Fieldwork("closed", gates=tried, pilots=[PilotDecision(1, "revise", False, "me", "the guide is unclear")])
    study = WHOLE.model_copy(update={"items": PLAIN.items})
    found = report(study, judged(), fieldwork=work)
    rows = {row["gate"]: row for row in found.numbers()["gates"]["gates"]}
    assert rows["calibration"]["passed_at_try"] == {"1": 1, "2": 1}
    assert (rows["calibration"]["by_hand"], rows["calibration"]["not_passed"]) == (1, 1)
    assert rows["calibration"]["under_way"] == 1
    assert rows["reading"]["in_older_versions"] == ["ben"]
    said = found.summary()
    assert (
        "Both annotators who judged on the page passed these gates as they are now: consent, warning, calibration."
        in said
    )
    assert any(
        "(reading): 1 of the 2 annotators who judged passed it as it is now, 1 an older text" in each for each in said
    )
    assert any(
        "(calibration): 1 passed at the first attempt, 1 passed at the second attempt, 1 let pass by hand, 1 not"
        in each
        for each in said
    )
    assert "Pilot 1 showed 'revise'; the main part was not opened by me: the guide is unclear." in said


def test_where_all_who_passed_did_at_once_it_is_still_said_who_is_under_way() -> None:
    version = GATE["calibration"].version
    passed = [GateAttempts(who, "calibration", version, 1, True) for who in ("ana", "ben")]
    under_way = GateAttempts("eve", "calibration", version, 1, False)

    def lines(*tried: GateAttempts) -> list[str]:
        study = WHOLE.model_copy(update={"items": PLAIN.items})
        found = report(study, judged(), fieldwork=Fieldwork("closed", gates=[*tried]))
        return [line for line in found.summary() if "passed at the first attempt, 1 under way" in line]

    assert len(lines(*passed, under_way)) == 1
    assert lines(*passed) == []


def test_gates_of_the_store_are_those_that_were_passed(sqlite_bench: Bench) -> None:
    bench = sqlite_bench
    ana = person(bench, "bo")
    for entry in bench.study.gates:
        bench.store.write(assignments.pass_gate, ana, entry.gate.kind, entry.gate.version, T0)
    bench.store.write(assignments.pass_gate, ana, "consent", "older", T0)
    found = gather_with_fieldwork(bench.store, bench.study_id, bench.study, T0, alarms=False).fieldwork
    assert found is not None
    now = [each for each in found.gates if each.version != "older"]
    assert {(each.annotator, each.gate, each.passed) for each in now} == {
        ("bo", entry.gate.kind, True) for entry in bench.study.gates
    }
    assert len(found.gates) == len(now) + 1


def test_sessions_end_after_half_an_hour_and_breaks_are_counted() -> None:
    starts = [0, 2 * MINUTE, 10 * MINUTE, 90 * MINUTE, 94 * MINUTE]
    given = [
        each
        for index, start in enumerate(starts)
        for each in answers(
            f"i{index}", "ana", {"emotion": 3}, shown_at=start, submitted_at=start + MINUTE, active_ms=30_000
        )
    ]
    work = Fieldwork("closed", breaks={"ana": [(3 * MINUTE, 8 * MINUTE), (95 * MINUTE, None)]})
    found = report(PLAIN, given, fieldwork=work)
    row = one(found.numbers()["time"]["annotators"], annotator="ana")
    assert row["session_minutes"] == [11.0, 5.0]
    assert row["break_minutes"] == [5.0]
    assert "2 sessions, 8 minutes long (median), the longest 11; 1 break of 5 minutes (median)." in found.summary()


def test_without_times_the_section_says_so() -> None:
    found = report(PLAIN, judged(active_ms=None))
    assert line(found, "No times are known")
    assert found.numbers()["time"]["items"]["median"] is None


def limits(found: Report) -> dict[str, str]:
    return {each["about"]: each["says"] for each in found.numbers()["limits"]["limits"]}


def test_limits_name_what_the_data_cannot_show() -> None:
    few = limits(report(PLAIN, judged(5)))
    assert "rest on fewer than 20 items (5)" in few["too few items"]
    assert few["few annotators"].startswith("Few annotators: 2 judged.")
    assert "too few items" not in limits(report(PLAIN, judged(20)))
    many = limits(report(PLAIN, judged(20, ["a", "b", "c", "d", "e"])))
    assert "these 5 annotators" in many["intervals over items"]
    assert "1 annotator left out" in limits(report(PLAIN, judged(), excluded={"ben": "why"}))["left out"]
    assert "20 submissions" in limits(report(PLAIN, judged(20, ["ana"], source="imported")))["imported"]
    assert "ana, ben are simulated" in limits(report(PLAIN, judged(simulated=True)))["simulated"]


def test_limits_say_what_was_taken_out_of_texts_before_they_were_shown() -> None:
    clean = {"response": Cleaning(remove=("<assistant>:",), capital=True)}
    study = PLAIN.model_copy(update={"items": PLAIN.items.model_copy(update={"clean": clean})})
    said = limits(report(study, judged(20)))["cleaned response"]
    assert "“<assistant>:” was removed and its first letter was made a capital" in said
    assert "cleaned response" not in limits(report(PLAIN, judged(20)))


def test_limits_name_sheets_and_how_few_sources_items_share() -> None:
    on_sheets = limits(report(PLAIN, [*judged(20, ["ana"], source="sheet"), *judged(20, ["ben"])]))
    assert on_sheets["sheets"].startswith("On sheets: 20 submissions did not come by the page.")
    assert "sheets" not in limits(report(PLAIN, judged()))
    grouped = PLAIN.model_copy(update={"items": PLAIN.items.model_copy(update={"group": "source"})})
    assert "items come from 1 source, and" in limits(report(grouped, judged(group="book")))["too few groups"]
    many = [replace(each, group=each.item) for each in judged()]
    assert "too few groups" not in limits(report(grouped, many))
    assert "too few groups" not in limits(report(PLAIN, judged(group="book"))), "they are no groups of the study"


@pytest.mark.parametrize(("count", "names"), [(5, "w0, w1, w2, w3, w4"), (6, "w0, w1, w2, w3, w4, ...")])
def test_of_items_taken_out_the_first_five_are_named(count: int, names: str) -> None:
    work = Fieldwork("closed", withdrawn=[f"w{n}" for n in range(count)])
    said = f"{count} items taken out of the study and counted nowhere: {names}."
    assert said in report(PLAIN, judged(), fieldwork=work).summary()


def test_second_passes_are_those_of_work_and_not_of_practice() -> None:
    again = [replace(each, pass_=2, submission=f"{each.submission}-2") for each in judged(3, ["ana"])]
    practice = [replace(each, pass_=2, submission=f"{each.submission}-p") for each in judged(4, source="practice")]
    assert report(PLAIN, [*judged(), *again], practice).numbers()["missing"]["second_passes"] == 3


def test_limits_name_versions_that_are_joined_and_systems_that_different_people_judged() -> None:
    both = [*judged(20, ["ana"]), *judged(20, ["ben"], study_hash="old", system="n", systems=("n",))]
    found = limits(report(PLAIN, both, versions={"now": 1, "old": 1}))
    assert "under 2 versions" in found["versions"]
    assert "nobody judged both m and n" in found["different people"]


@pytest.mark.parametrize(
    ("state", "blind", "named"), [("open", True, True), ("open", False, False), ("closed", True, False)]
)
def test_a_blind_study_that_is_not_closed_is_reported_with_a_warning(state: str, blind: bool, named: bool) -> None:
    analysis = PLAIN.analysis.model_copy(update={"blind": blind})
    found = limits(report(PLAIN.model_copy(update={"analysis": analysis}), judged(), fieldwork=Fieldwork(state)))
    assert ("blind" in found) == named
    assert ("not closed" in found) == (state != "closed")


def test_a_problem_that_was_dealt_with_is_counted_as_such() -> None:
    work = Fieldwork(
        "closed", problems=[ProblemReport("i1", "ana", "typo", closed_at=T0), ProblemReport("i1", "ben", "typo")]
    )
    assert (
        "2 problems reported with 1 item, 1 of which nobody has dealt with yet."
        in report(PLAIN, judged(), fieldwork=work).summary()
    )


def test_the_report_prints_how_many_were_erased_and_claims_no_wish_where_time_was_over(sqlite_bench: Bench) -> None:
    bench = sqlite_bench
    for number, name in enumerate(("ana", "ben", "cleo")):
        person_id = person(bench, name)
        task = next_task(bench, person_id, name)
        assert task is not None
        submit(bench, person_id, task)
        assert limits(made(bench)).get("erased", "").startswith(("", "One person", "2 people")[number])
        acts.erase(bench.store, By(bench.study_id, "cora", T0), bench.study, name)
    said = limits(made(bench))["erased"]
    assert said.startswith("3 people were erased: what tells who they were is gone")
    assert "asked" not in said
    assert "3 people were erased" in made(bench).html()
    keeping = bench.study.model_copy(update={"privacy": Privacy(delete_people_after_days=10)})
    after = limits(build(gather_with_fieldwork(bench.store, bench.study_id, keeping, T0, alarms=False)))["erased"]
    assert "at their wish, or 10 days after the study was closed" in after


def test_limits_say_that_intervals_of_agreement_on_rare_answers_hold_too_seldom() -> None:
    def preferring(share: int, n: int) -> dict[str, str]:
        """Of ten items so many are won by B, and all others by A."""
        said = [
            choice(f"i{at}", who, ("A", "B"), "A", "B" if at % 10 < share else "A")
            for at in range(n)
            for who in ("ana", "ben")
        ]
        return limits(report(ungrouped(WAYS), said))

    rare = preferring(1, 40)["rare answers"]
    assert "Preference (A against B) 10 %" in rare
    assert "held the truth in 83 to 86 of 100" in rare
    assert "rare answers" not in preferring(3, 40)
    assert "rare answers" not in preferring(0, 40), "nothing varies, and there is no interval"
    assert "rare answers" not in preferring(1, 200)
