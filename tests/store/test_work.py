"""What is given out and what is taken in, at the level of the store."""

import threading
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import Connection, func, select
from sqlalchemy.exc import IntegrityError

from assay import acts
from assay.errors import Conflict, NotFound
from assay.model import Slot
from assay.store import Backend
from assay.store.annotator import assignments, versions
from assay.store.annotator import submissions as given
from assay.store.annotator.assignments import Assignment
from assay.store.annotator.submissions import Form, Receipt, Seat
from assay.store.coordinator import studies, study_status
from assay.store.coordinator.record import By
from assay.store.tables import annotator, assignment, draft, item, judgment, submission
from assay.study import load
from tests.conftest import T0, Bench, make_bench
from tests.giving import claim
from tests.inviting import invite

ANSWERS = {Slot("emotion"): 3, Slot("validation"): 4, Slot("note"): None, Slot("edge"): ["crisis"]}


def person(bench: Bench, name: str) -> int:
    bench.store.write(invite, bench.study_id, [name], T0)
    wanted = select(annotator.c.id).where(annotator.c.name == name, annotator.c.study_id == bench.study_id)
    return int(bench.store.read(lambda c: c.execute(wanted).scalar_one()))


def next_task(bench: Bench, annotator_id: int, name: str) -> Assignment | None:
    bench.store.write(claim, bench.study_id, bench.study, annotator_id)
    return bench.store.read(assignments.current, annotator_id)


def submit(bench: Bench, annotator_id: int, task: Assignment, answers: dict[Slot, object] = ANSWERS) -> Receipt:  # type: ignore[assignment]
    form = Form(answers, seat=Seat(draft=task.draft_version), shown_at=T0, active_ms=1000)  # type: ignore[arg-type]
    return bench.store.write(given.submit, annotator_id, task.public_id, bench.study, form, T0 + 5)


def count(store: Backend, table: object) -> int:
    return int(store.read(lambda c: c.execute(select(func.count()).select_from(table)).scalar_one()))  # type: ignore[call-overload]


def test_an_annotator_gets_every_item_once(bench: Bench) -> None:
    ana = person(bench, "ana")
    seen = []
    while (task := next_task(bench, ana, "ana")) is not None:
        seen.append(task.shown["response"])
        submit(bench, ana, task)
    assert len(seen) == 48
    assert max(Counter(seen).values()) == 1


def test_asking_twice_gives_the_same_item(bench: Bench) -> None:
    ana = person(bench, "ana")
    assert next_task(bench, ana, "ana") == next_task(bench, ana, "ana")
    assert count(bench.store, assignment) == 1


def test_each_item_is_given_to_exactly_k_people_and_never_twice_to_one(bench: Bench) -> None:
    people_ = [(person(bench, name), name) for name in ("ana", "ben", "cem", "dia", "eli")]
    # Everybody asks at once, again and again, from threads of their own.

    def work_all(who: int, name: str) -> None:
        while (task := next_task(bench, who, name)) is not None:
            submit(bench, who, task)

    threads = [threading.Thread(target=work_all, args=each) for each in people_]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    per_item = bench.store.read(
        lambda c: [
            row[0] for row in c.execute(select(func.count()).select_from(submission).group_by(submission.c.item_id))
        ]
    )
    assert per_item == [2] * 48
    taken = bench.store.read(lambda c: set(c.execute(select(item.c.taken)).scalars()))
    assert taken == {2}


def test_items_finish_evenly(bench: Bench) -> None:
    ana, ben = person(bench, "ana"), person(bench, "ben")
    for who, name in ((ana, "ana"), (ben, "ben")):
        for _ in range(20):
            task = next_task(bench, who, name)
            assert task is not None
            submit(bench, who, task)
    # 40 places taken among 48 items: nobody gets an item that another has while there are untouched ones.
    taken = bench.store.read(lambda c: Counter(c.execute(select(item.c.taken)).scalars()))
    assert taken == {1: 40, 0: 8}


def test_annotators_have_orders_of_their_own_and_the_same_again_from_the_same_seed(tmp_path: Path) -> None:
    from assay.store import open_store

    def orders(folder: str) -> list[list[str]]:
        store = open_store(tmp_path / f"{folder}.db")
        bench = make_bench(store, tmp_path / folder)
        found = []
        for name in ("ana", "ben"):
            who, mine = person(bench, name), []
            while (task := next_task(bench, who, name)) is not None:
                mine.append(str(task.shown["response"]))
                submit(bench, who, task)
            found.append(mine)
        store.close()
        return found

    first, again = orders("first"), orders("again")
    assert first == again
    assert first[0] != first[1]
    assert sorted(first[0]) == sorted(first[1])
    in_file = sorted(first[0])
    assert first[0] != in_file


def test_the_fixed_order_is_the_order_of_the_file(bench: Bench) -> None:
    text = (bench.folder / "study.yaml").read_text().replace("order: random", "order: fixed")
    (bench.folder / "study.yaml").write_text(text)
    bench.study = load(bench.folder)
    bench.store.write(studies.publish, bench.study, T0)
    ana = person(bench, "ana")
    names = []
    for _ in range(5):
        task = next_task(bench, ana, "ana")
        assert task is not None
        query = (
            select(item.c.name)
            .join(assignment, assignment.c.item_id == item.c.id)
            .where(assignment.c.public_id == task.public_id)
        )
        names.append(bench.store.read(lambda c, query=query: c.execute(query).scalar()))
        submit(bench, ana, task)
    assert names == [f"emp-00{number}" for number in range(1, 6)]


def test_a_submission_is_stored_with_its_judgments_times_and_versions(bench: Bench) -> None:
    ana = person(bench, "ana")
    task = next_task(bench, ana, "ana")
    assert task is not None
    submit(bench, ana, task)
    stored = bench.store.read(lambda c: c.execute(select(submission)).mappings().one())
    assert stored["study_hash"] == bench.study.hash
    assert stored["consent"] == bench.study.consent != ""
    assert (stored["shown_at"], stored["submitted_at"], stored["active_ms"]) == (T0, T0 + 5, 5)
    rows = bench.store.read(lambda c: c.execute(select(judgment.c.dimension, judgment.c.value)).all())
    assert dict(map(tuple, rows)) == {"emotion": "3", "validation": "4", "edge": '["crisis"]'}


def test_the_same_submission_again_is_the_same_and_other_answers_are_refused(bench: Bench) -> None:
    ana = person(bench, "ana")
    task = next_task(bench, ana, "ana")
    assert task is not None
    assert submit(bench, ana, task) == submit(bench, ana, task)
    with pytest.raises(Conflict):
        submit(bench, ana, task, {**ANSWERS, Slot("emotion"): 5})
    assert count(bench.store, submission) == 1
    assert count(bench.store, judgment) == 3


def test_an_item_that_was_opened_again_is_done_with_when_it_is_submitted_as_it_was(bench: Bench) -> None:
    ana = person(bench, "ana")
    task = next_task(bench, ana, "ana")
    assert task is not None
    first = submit(bench, ana, task)
    name = bench.store.read(lambda c: c.execute(select(item.c.name).join(submission)).scalar_one())
    bench.store.write(acts.reopen_item, By(bench.study_id, "cora", T0 + 6, "ana has written"), "ana", name)
    assert bench.store.read(assignments.by_public_id, ana, task.public_id).reopened
    again = Form(ANSWERS, revision=2)  # type: ignore[arg-type]
    assert bench.store.write(given.submit, ana, task.public_id, bench.study, again, T0 + 7) == first
    assert not bench.store.read(assignments.by_public_id, ana, task.public_id).reopened
    assert count(bench.store, submission) == 1


def test_an_item_says_when_it_was_submitted_last_whatever_became_of_others(bench: Bench) -> None:
    ana = person(bench, "ana")
    found = []
    for at, revisions in ((T0 + 10, 1), (T0 + 20, 2)):
        task = next_task(bench, ana, "ana")
        assert task is not None
        for revision in range(1, revisions + 1):
            form = Form({Slot("emotion"): revision}, revision=revision)
            bench.store.write(given.submit, ana, task.public_id, bench.study, form, at + revision)
        found.append(task.public_id)
    said = [bench.store.read(assignments.by_public_id, ana, each) for each in found]
    assert [(each.revision, each.submitted_at) for each in said] == [(1, T0 + 11), (2, T0 + 22)]


def test_uniqueness_is_a_constraint_of_the_database(bench: Bench) -> None:
    ana = person(bench, "ana")
    task = next_task(bench, ana, "ana")
    assert task is not None
    submit(bench, ana, task)

    def copy(connection: Connection) -> None:
        row = dict(connection.execute(select(submission)).mappings().one())
        connection.execute(submission.insert().values({**row, "id": "another"}))

    def twice(connection: Connection) -> None:
        row = dict(connection.execute(select(judgment)).mappings().first() or {})
        connection.execute(judgment.insert().values({**row, "value": "5"}))

    for act in (copy, twice):
        with pytest.raises(Exception) as caught:  # noqa: PT011  (the two databases name it differently)
            bench.store.write(act)
        assert isinstance(caught.value, IntegrityError) or "unique" in str(caught.value).lower()


def test_somebody_elses_item_is_not_found(bench: Bench) -> None:
    ana, ben = person(bench, "ana"), person(bench, "ben")
    task = next_task(bench, ana, "ana")
    assert task is not None
    with pytest.raises(NotFound):
        submit(bench, ben, task)
    with pytest.raises(NotFound):
        bench.store.write(given.save_draft, ben, task.public_id, {}, Seat(), T0)
    with pytest.raises(NotFound):
        bench.store.read(assignments.by_public_id, ben, task.public_id)


def test_drafts_are_kept_by_version_and_end_with_the_submission(bench: Bench) -> None:
    ana = person(bench, "ana")
    task = next_task(bench, ana, "ana")
    assert task is not None
    assert bench.store.write(given.save_draft, ana, task.public_id, {"emotion": ["4"]}, Seat(), T0) == 1
    assert bench.store.write(given.save_draft, ana, task.public_id, {"emotion": ["2"]}, Seat(draft=1), T0) == 2
    with pytest.raises(Conflict, match="another window"):
        bench.store.write(given.save_draft, ana, task.public_id, {"emotion": ["5"]}, Seat(draft=1), T0)
    found = bench.store.read(assignments.by_public_id, ana, task.public_id)
    assert (found.answers, found.draft_version) == ({"emotion": ["2"]}, 2)
    with pytest.raises(Conflict, match="another window"):
        submit(bench, ana, task)
    submit(bench, ana, found)
    assert count(bench.store, draft) == 0
    with pytest.raises(Conflict, match="already submitted"):
        bench.store.write(given.save_draft, ana, task.public_id, {}, Seat(draft=2), T0)


def test_a_form_that_was_changed_stays_so_when_what_was_submitted_arrives_once_more(bench: Bench) -> None:
    """An answer that got lost is asked for again, perhaps after the form was changed."""
    ana = person(bench, "ana")
    task = next_task(bench, ana, "ana")
    assert task is not None
    sent = Form({Slot("emotion"): 3}, {"emotion": ["3"]}, Seat("here"))
    changed = []
    for raw in ({"emotion": ["3"]}, {"emotion": ["5"]}, {"emotion": ["3"]}):
        bench.store.write(given.submit, ana, task.public_id, bench.study, sent, T0 + 5, go_back=True)
        changed.append(bench.store.read(assignments.by_public_id, ana, task.public_id).changed)
        bench.store.write(given.save_draft, ana, task.public_id, raw, Seat("here", 9), T0 + 9, go_back=True)
    bench.store.write(given.submit, ana, task.public_id, bench.study, sent, T0 + 20, go_back=True)
    changed.append(bench.store.read(assignments.by_public_id, ana, task.public_id).changed)
    assert changed == [False, False, True, False]


def test_a_declined_item_goes_to_somebody_else_and_not_back(bench: Bench) -> None:
    ana = person(bench, "ana")
    task = next_task(bench, ana, "ana")
    assert task is not None
    bench.store.write(given.decline, ana, task.public_id)
    bench.store.write(given.decline, ana, task.public_id)
    assert bench.store.read(lambda c: set(c.execute(select(item.c.taken)).scalars())) == {0}
    seen = []
    while (other := next_task(bench, ana, "ana")) is not None:
        seen.append(other.shown)
        submit(bench, ana, other)
    assert len(seen) == 47
    assert task.shown not in seen


def test_it_is_counted_how_often_each_item_was_given_and_declined(bench: Bench) -> None:
    """By both databases alike, with the system and the group of each item, in the order of names."""
    ana, ben = person(bench, "ana"), person(bench, "ben")
    first, other = next_task(bench, ana, "ana"), None
    assert first is not None
    bench.store.write(given.decline, ana, first.public_id)
    while (task := next_task(bench, ben, "ben")) is not None:
        other = task if task.shown == first.shown else other
        submit(bench, ben, task)
    assert other is not None, "what somebody declines goes to another"
    found = bench.store.read(study_status.items_given, bench.study_id)
    assert [each.item for each in found] == sorted(each.item for each in found)
    (declined,) = [each for each in found if each.declined]
    assert (declined.given, declined.declined) == (2, 1)
    assert len(declined.systems) == 1
    assert declined.group
    assert Counter(each.given for each in found) == {1: 47, 2: 1}


def test_of_a_declined_item_no_answer_is_kept(bench: Bench) -> None:
    ana = person(bench, "ana")
    task = next_task(bench, ana, "ana")
    assert task is not None
    bench.store.write(given.save_draft, ana, task.public_id, {"emotion": ["4"]}, Seat(), T0)
    assert count(bench.store, draft) == 1
    bench.store.write(given.decline, ana, task.public_id)
    assert count(bench.store, draft) == 0


def test_a_study_changes_at_once_before_the_first_judgment_and_only_when_asked_after(bench: Bench) -> None:
    path = bench.folder / "study.yaml"
    path.write_text(path.read_text().replace("title: Overall", "title: All in all"))
    changed = load(bench.folder)
    assert bench.store.write(studies.publish, changed, T0).changed
    ana = person(bench, "ana")
    task = next_task(bench, ana, "ana")
    assert task is not None
    bench.study = changed
    submit(bench, ana, task)
    path.write_text(path.read_text().replace("title: All in all", "title: In sum"))
    again = load(bench.folder)
    waiting = bench.store.write(studies.publish, again, T0)
    assert (waiting.changed, waiting.waiting, waiting.hash) == (False, True, changed.hash)
    assert bench.store.write(studies.publish, again, T0, even_if_begun=True).changed
    assert bench.store.read(studies.find, "empathy")[1] == again.hash
    kept = bench.store.read(versions.version, bench.study_id, changed.hash)
    assert kept == changed


def test_batches_come_in_order_where_the_study_says_so(bench: Bench, tmp_path: Path) -> None:
    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        text = file.read_text("utf-8").replace("study: in-car\n", "study: by-batch\n")
        assert "batches: in_order" in text
        file.write_text(text, "utf-8")

    ordered = make_bench(bench.store, tmp_path / "ordered", "in-car", edit)
    for name in ("ana", "ben"):
        who = person(ordered, name)
        seen = []
        while (task := next_task(ordered, who, name)) is not None:
            seen.append((task.batch, task.batches))
            ordered.store.write(given.decline, who, task.public_id)
        batches = [batch for batch, _ in seen]
        assert batches == sorted(batches), "each is finished before the next one begins"
        assert {total for _, total in seen} == {max(batches)} == {4}
