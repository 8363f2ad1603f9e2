"""A fixed number of items for each person beside exactly k people for each item: the plan says how many to recruit."""

from collections import Counter

import pytest

from assay.live.work_plan import WorkPlan, work_plan
from assay.store import Backend
from assay.store.tables import submission
from tests.store.test_assignment import Office, a_study, an_item, an_office


def plan_of(office: Office) -> WorkPlan:
    return work_plan(office.store, office.study_id, office.study, office.now)


def told(plan: WorkPlan) -> list[str]:
    return [line for line in plan.sentences() if "ecruit" in line or "nobody yet" in line]


@pytest.mark.parametrize(
    ("items", "k", "each", "people"), [(40, 2, 20, 4), (40, 3, 25, 5), (10, 3, 20, 3), (7, 1, 3, 3)]
)
def test_as_many_as_the_plan_recruits_judge_every_item_exactly_k_times(
    store: Backend, items: int, k: int, each: int, people: int
) -> None:
    intakes = [an_item(number, number, pairs=False) for number in range(items)]
    office = an_office(store, a_study(per_item=k, per_annotator=each), intakes)
    assert plan_of(office).recruit == people
    names = [f"w{number}" for number in range(people)]
    for left, name in enumerate(names):
        assert plan_of(office).recruit == people - left
        office.join(name)
        if left % 2:  # some work off their part at once, others wait
            office.work_off([name])
    assert plan_of(office).recruit == 0
    assert told(plan_of(office)) == []
    office.work_off(names)
    judged = office.rows(submission)
    assert set(Counter(row["item_id"] for row in judged).values()) == {k}
    assert len(judged) == items * k
    assert max(Counter(row["annotator_id"] for row in judged).values()) == min(each, items)


def test_the_plan_recruits_for_what_there_is_nobody_for_and_says_one_number(store: Backend) -> None:
    office = an_office(store, a_study(per_item=2, per_annotator=20), [an_item(n, n, pairs=False) for n in range(40)])
    office.join("ana")
    plan = plan_of(office)
    assert (plan.nobody_for, plan.recruit, plan.as_json()["recruit"]) == (60, 3, 3)
    assert [line for line in told(plan) if "Recruit 3 people more" in line]
    assert not [line for line in told(plan) if "Recruit 4" in line]
