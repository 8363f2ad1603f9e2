"""Whose turn it is: decided from the gates that somebody has passed, the attempt under way, and the study's state."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from assay.acts import attempts as acts_of_attempts
from assay.acts import may_judge as turns
from assay.acts import submissions
from assay.acts.claims import claim
from assay.acts.submissions import SentForm
from assay.errors import Closed, Conflict, NotYet
from assay.store import open_store
from assay.store.annotator import assignments, attempts
from assay.store.annotator.assignments import Assignment
from assay.store.annotator.sessions import Annotator, annotator_named
from assay.study import study_from_document
from tests.conftest import T0, Bench, make_bench
from tests.inviting import invite
from tests.pages import SCORES

CALIBRATION = 3
"""It is the last of four gates."""


@dataclass
class Person:
    """Somebody in the study, and what they do."""

    bench: Bench
    name: str

    @property
    def now(self) -> Annotator:
        found = self.bench.store.read(annotator_named, self.bench.study_id, self.name, T0)
        assert found is not None
        return found

    def passes(self, gates: int) -> "Person":
        for entry in self.bench.study.gates[:gates]:
            gate = entry.gate
            self.bench.store.write(assignments.pass_gate, self.now.id, gate.kind, gate.version, T0)
        return self

    def works(self) -> Assignment:
        self.bench.store.write(claim, self.now, self.bench.study, T0)
        found = self.bench.store.read(assignments.current, self.now.id)
        assert found is not None
        return found

    def practises(self) -> Assignment:
        """Begin the calibration; returns its first item."""
        gate = self.bench.study.gates[CALIBRATION].gate
        self.bench.store.write(acts_of_attempts.press_on, self.now, self.bench.study, gate, 1, None, (), T0)
        found = self.bench.store.read(acts_of_attempts.attempt_state, self.now, gate).assignment
        assert found is not None
        return found

    def submits(self, item: Assignment) -> Assignment:
        sent = SentForm({name: [value] for name, value in SCORES.items()})
        form = submissions.read_form(self.now, self.bench.study, item, sent)
        self.bench.store.write(submissions.submit, self.now, self.bench.study, item, form, T0)
        return self.bench.store.read(assignments.by_public_id, self.now.id, item.public_id)

    def may_judge(self, item: Assignment, **now: Any) -> bool:
        return self.bench.store.read(turns.may_judge, replace(self.now, **now), self.bench.study, item)

    def in_turn(self, item: Assignment, at: int = T0, **now: Any) -> Assignment:
        who = replace(self.now, **now)
        return self.bench.store.read(turns.assignment_in_turn, who, self.bench.study, item.public_id, at)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    folder = tmp_path_factory.mktemp("turns")
    store = open_store(str(folder / "assay.db"))
    yield make_bench(store, folder / "study", whole=True)
    store.close()


@pytest.fixture
def person(bench: Bench, request: pytest.FixtureRequest) -> Person:
    bench.store.write(invite, bench.study_id, [request.node.name[:60]], T0)
    return Person(bench, request.node.name[:60])


def test_the_next_gate_is_the_first_that_is_not_passed_and_none_once_all_are_known_to_be(person: Person) -> None:
    store, study = person.bench.store, person.bench.study
    found = [store.read(turns.next_gate, person.passes(n).now, study) for n in range(5)]
    assert [gate and gate.kind for gate in found] == ["consent", "warning", "reading", "calibration", None]
    newcomer = replace(person.now, id=0)
    assert store.read(turns.next_gate, replace(newcomer, ready_for=study.hash), study) is None


def test_work_is_judged_after_every_gate_and_items_of_an_attempt_only_while_it_is_under_way(person: Person) -> None:
    item = person.passes(CALIBRATION).practises()
    work = replace(item, attempt=0)
    assert person.may_judge(item)
    assert not person.may_judge(item, left_at=T0)
    assert not person.may_judge(work), "the calibration comes first"
    assert not person.may_judge(replace(item, attempt=item.attempt + 1)), "another attempt"
    person.passes(4)
    assert person.may_judge(work)
    assert not person.may_judge(item), "it is passed"


def test_an_item_of_an_attempt_that_is_over_or_never_began_is_not_judged(person: Person) -> None:
    item = person.passes(CALIBRATION).practises()
    assert not person.may_judge(item, id=0), "nobody has begun"
    gate = person.bench.study.gates[CALIBRATION].gate
    last = person.bench.store.read(attempts.last_attempt, person.now.id, gate)
    assert last is not None
    person.bench.store.write(attempts.end, last, False, {}, T0)
    assert not person.may_judge(item)


def test_a_form_is_taken_when_it_is_its_turn_and_told_what_comes_first_when_it_is_not(person: Person) -> None:
    item = person.passes(CALIBRATION).practises()
    assert person.in_turn(item) == item
    with pytest.raises(NotYet, match="before the items"):
        person.in_turn(item, left_at=T0)
    newcomer = Person(person.bench, "newcomer")
    person.bench.store.write(invite, person.bench.study_id, ["newcomer"], T0)
    with pytest.raises(NotYet, match="before the items"):
        newcomer.in_turn(item)


def test_what_was_submitted_or_declined_in_an_attempt_that_is_over_is_said_to_be(person: Person) -> None:
    first = person.passes(CALIBRATION).practises()
    person.submits(first)
    gate = person.bench.study.gates[CALIBRATION].gate
    person.bench.store.write(acts_of_attempts.press_on, person.now, person.bench.study, gate, 1, 1, (), T0)
    second = person.bench.store.read(acts_of_attempts.attempt_state, person.now, gate).assignment
    assert second is not None
    person.bench.store.write(submissions.decline, person.now, person.bench.study, second, T0)
    person.bench.store.write(acts_of_attempts.continue_attempt, person.now, person.bench.study, gate, T0)
    third = person.bench.store.read(acts_of_attempts.attempt_state, person.now, gate).assignment
    assert third is not None
    person.passes(4)
    with pytest.raises(Conflict, match="already submitted"):
        person.in_turn(first)
    with pytest.raises(Conflict, match="somebody else will"):
        person.in_turn(second)
    with pytest.raises(NotYet):
        person.in_turn(third)


def test_work_that_was_submitted_before_the_calibration_changed_waits_for_it(person: Person) -> None:
    item = person.submits(person.passes(4).works())
    document = json.loads(person.bench.study.document())
    document["gates"][CALIBRATION]["calibration"]["count"] += 1
    study = study_from_document(json.dumps(document))
    who = replace(person.now, ready_for=None)
    with pytest.raises(NotYet):
        person.bench.store.read(turns.assignment_in_turn, who, study, item.public_id, T0)


def test_answers_on_their_way_are_taken_for_an_hour_after_the_study_has_closed(person: Person) -> None:
    item = person.passes(4).works()
    closed: dict[str, Any] = {"state": "closed", "state_at": T0}
    assert person.in_turn(item, T0 + turns.GRACE_MS, **closed) == item
    with pytest.raises(Closed):
        person.in_turn(item, T0 + turns.GRACE_MS + 1, **closed)
    assert person.in_turn(item, T0 + turns.GRACE_MS + 1, state="paused", state_at=T0) == item


def test_answers_that_were_on_their_way_when_somebody_left_are_taken_for_an_hour_and_drafts_are_not(
    person: Person,
) -> None:
    item = person.passes(4).works()
    left, store, study = replace(person.now, left_at=T0), person.bench.store, person.bench.study

    def arrives(at: int, **how: bool) -> Assignment:
        return store.read(turns.assignment_in_turn, left, study, item.public_id, at, **how)

    assert arrives(T0 + turns.GRACE_MS, was_submitted=True) == item
    with pytest.raises(NotYet):
        arrives(T0 + turns.GRACE_MS + 1, was_submitted=True)
    with pytest.raises(NotYet):
        arrives(T0)


@pytest.mark.parametrize(
    ("navigation", "submitted_at", "may"),
    [
        ("free", 1, True),
        ("session", T0, True),
        ("session", T0 - 1, False),
        ("forward-only", T0 + 9, False),
    ],
)
def test_the_study_says_which_submitted_items_may_be_opened_again(
    person: Person, navigation: str, submitted_at: int, may: bool
) -> None:
    study = person.bench.study.model_copy(update={"navigation": navigation})
    item = replace(person.passes(4).works(), state="submitted", submitted_at=submitted_at)
    assert turns.can_go_back_to(person.now, study, item) == may
    assert not turns.can_go_back_to(person.now, study, replace(item, attempt=1))
    assert not turns.can_go_back_to(person.now, study, replace(item, state="open"))


def test_who_may_work_and_whether_work_goes_on(person: Person) -> None:
    store, study = person.bench.store, person.bench.study
    assert not store.read(turns.may_work, person.passes(3).now, study)
    who = person.passes(4).now
    assert store.read(turns.may_work, who, study)
    assert not store.read(turns.may_work, replace(who, left_at=T0), study)
    states = [{}, {"unread": True}, {"state": "paused"}, {"state": "paused", "unread": True}]
    found = [store.read(turns.state_of_work, replace(who, **each), study, T0) for each in states]
    assert found == ["open", "message", "paused", "paused"]


def test_who_declines_an_item_is_given_another_at_once_and_none_while_the_study_is_paused(person: Person) -> None:
    store, study = person.bench.store, person.bench.study
    item = person.passes(4).works()
    store.write(submissions.decline, person.now, study, item, T0)
    other = store.read(assignments.current, person.now.id)
    assert other is not None
    assert other.public_id != item.public_id
    store.write(submissions.decline, replace(person.now, state="paused"), study, other, T0)
    assert store.read(assignments.current, person.now.id) is None
