"""Erasing a person: not one byte of name, id or free text is left, and a restored backup has them erased again."""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import Connection, create_engine, delete, insert, make_url, select, text

from assay import acts
from assay.errors import AssayError
from assay.panels import Arrival
from assay.store import Backend, open_store
from assay.store.annotator import arrivals
from assay.store.annotator.care import keep_check_in
from assay.store.annotator.person_answers import keep_person_answers
from assay.store.coordinator import annotators, studies
from assay.store.coordinator.erase_person import erasure_count
from assay.store.coordinator.record import By, record
from assay.store.engine import postgres as engine
from assay.store.engine.backup import back_up
from assay.store.tables import (
    action,
    annotator,
    assignment,
    draft,
    erasure,
    flag,
    gate_pass,
    import_,
    item,
    judgment,
    message,
    metadata,
    person,
    pilot,
    problem,
    submission,
)
from assay.store.upkeep.restore import restore
from assay.store.upkeep.verify import verify
from tests.conftest import T0, Bench, empathy
from tests.pages import SCORES
from tests.web.annotator import Annotator, everything, rows

NAME = "Wilhelmina-Quetzal"
PANEL_ID = "5f1e-zebra-person"
ABOUT_HERSELF = "beekeeper in Ouagadougou"
HOW_SHE_IS = "not_well_at_all_today"
CALLED = "Theodora Quagga"
NOTE = "my neighbour Xanthippe said so"
CANARIES = (NAME, CALLED, PANEL_ID, NOTE, ABOUT_HERSELF, HOW_SHE_IS)
CANARIES += ("Xanthippe", "zebra-session", "a word with Wilhelmina")
HALF_WRITTEN = "half a thought of a falconer"
FOUND_WRONG = "this item names my street, Okapi Lane"
DOUBTED = "types like the heron of Tromso"
BY_HAND = "has a guide dog called Pangolin"
TAKEN_BACK = "she brought the ocelot file"
PILOTED = "the pilot was her axolotl"
WRITTEN_BY_OTHERS = (HALF_WRITTEN, FOUND_WRONG, DOUBTED, BY_HAND, TAKEN_BACK, PILOTED)
CANARIES += WRITTEN_BY_OTHERS


def judged_by_her(bench: Bench, items: int = 2) -> Annotator:
    """Somebody who has left traces everywhere."""
    her = Annotator(bench, NAME).begin()
    for _ in range(items):
        assert her.submit({**SCORES, "note": NOTE}).status_code == 200
    her_id = bench.store.read(annotators.annotator_id, bench.study_id, NAME)
    by = By(bench.study_id, "cora", T0, f"about {NAME}, a word with Wilhelmina")
    said = Arrival(PANEL_ID, "zebra-session", "survey")
    bench.store.write(arrivals.add, bench.study_id, her_id, said, "0" * 64, T0)
    bench.store.write(keep_person_answers, bench.study_id, her_id, {"work": ABOUT_HERSELF, "age": 3}, T0)
    bench.store.write(keep_check_in, her_id, 2, HOW_SHE_IS, T0)
    called = insert(person).values(annotator_id=her_id, study_id=bench.study_id, name=CALLED)
    bench.store.write(lambda connection: connection.execute(called))
    bench.store.write(record, by, "note", about=f"sheet_{CALLED}_1 and others")
    bench.store.write(acts.send_message, by, NAME, f"Dear {NAME}")
    bench.store.write(acts.pause, by, NAME)
    bench.store.write(record, by, "note", about=f"{NAME} and others")
    bench.store.write(record, By(bench.study_id, "cora", T0), "panel", about=f"wrote to {PANEL_ID}, zebra-session")
    bench.store.write(_traces, bench.study_id, her_id)
    return her


def _traces(connection: Connection, study_id: int, her_id: int) -> None:
    """What is written about her, by herself and by others, in every other table that takes words."""
    given = connection.execute(select(assignment.c.id).where(assignment.c.annotator_id == her_id)).scalars().all()
    ben = annotators.find_or_add(connection, study_id, "benedict", T0)
    hers, in_study = {"annotator_id": her_id}, {"study_id": study_id}
    by_hand = {"gate": "quiz", "version": "1", "passed_at": T0}
    round_ = {"round": 9, "result": "{}", "verdict": "go", "opened": False, "by": "cora", "at": T0}
    brought = {"number": 9, "at": T0, "by": "cora", "files": "[]", "items": 0, "duplicates": 0, "judged": 0}
    half = json.dumps({"note": HALF_WRITTEN})
    doubt = {"monitor": "halo", "evidence": "{}", "items": "[]", "raised_at": T0}
    for table, row in (
        (draft, {"assignment_id": max(given), "answers": half, "version": 1, "saved_at": T0}),
        (problem, {**in_study, "id": "p", "assignment_id": given[0], "words": FOUND_WRONG, "reported_at": T0}),
        (flag, {**in_study, **hers, **doubt, "reason": DOUBTED}),
        (gate_pass, {**hers, **by_hand, "reason": BY_HAND}),
        (gate_pass, {**by_hand, "annotator_id": ben, "reason": f"{CALLED} {BY_HAND}"}),
        (message, {"annotator_id": ben, "words": f"ask {CALLED}, she knows", "sent_at": T0}),
        (pilot, {**in_study, **round_, "reason": f"{CALLED}: {PILOTED}"}),
        (import_, {**in_study, **brought, "annotators": "[]", "undone_reason": f"{CALLED}: {TAKEN_BACK}"}),
    ):
        connection.execute(insert(table).values(row))


def files_of(store: Backend) -> Iterator[bytes]:
    """The raw files of a database: of PostgreSQL those of its tables and indexes, its write-ahead log left out."""
    if store.dialect == "sqlite":
        path = Path(store.address)
        for each in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-erasures")):
            if each.is_file():
                yield each.read_bytes()
        return

    def place(connection: Connection) -> tuple[str, str]:
        folder = connection.execute(text("show data_directory")).scalar_one()
        oid = connection.execute(text("select oid from pg_database where datname = current_database()")).scalar_one()
        return str(folder), str(oid)

    folder, oid = store.read(place)
    yield from (each.read_bytes() for each in (Path(folder) / "base" / oid).iterdir() if each.is_file())


def gather_statistics(store: Backend) -> None:
    """Have the database look at its tables, as it does by itself from time to time: it keeps some of the values."""

    def analyze(connection: Connection) -> None:
        for table in metadata.tables:
            connection.exec_driver_sql(f'analyze "{table}"')

    store.write(analyze)


def kept_values(store: Backend) -> str:
    """What PostgreSQL says that it keeps of the values in the tables."""
    wanted = text("select most_common_vals::text, histogram_bounds::text from pg_stats where schemaname = 'public'")
    return repr(store.read(lambda connection: connection.execute(wanted).all()))


def faults(store: Backend, against: Path | None = None) -> list[str]:
    return [fault for each in verify(store, against) for fault in each.problems]


def found_in(store: Backend) -> set[str]:
    return {canary for content in files_of(store) for canary in CANARIES if canary.encode() in content}


@pytest.mark.parametrize("keep", [True, False])
def test_not_one_byte_of_name_id_or_free_text_is_left_in_the_files(bench: Bench, keep: bool) -> None:
    judged_by_her(bench)
    ben = Annotator(bench, "ben").begin()
    ben.submit()
    bench.store.overwrite_deleted()
    gather_statistics(bench.store)
    assert found_in(bench.store) == set(CANARIES), "the search finds what is there"
    before = {table: len(found) for table, found in everything(bench.store).items()}
    done = acts.erase(bench.store, By(bench.study_id, "cora", T0 + 1), bench.study, NAME, keep=keep)
    assert found_in(bench.store) == set()
    assert bench.store.read(erasure_count, bench.study_id) == 1
    after = everything(bench.store)
    assert len(after["submission"]) == (before["submission"] if keep else 1)
    assert (before["person_answer"], after["person_answer"]) == (2, [])
    names = {row["name"] for row in rows(bench.store, annotator) if row["study_id"] == bench.study_id}
    assert "ben" in names
    assert len(names) == (3 if keep else 2)
    assert done.erasure.key in {row["key"] for row in rows(bench.store, erasure)}
    assert faults(bench.store) == []


def test_judgments_that_stay_keep_their_numbers(bench: Bench) -> None:
    judged_by_her(bench)
    before = {(row["submission_id"], row["dimension"]): row["value"] for row in rows(bench.store, judgment)}
    acts.erase(bench.store, By(bench.study_id, "cora", T0 + 1), bench.study, NAME)
    after = {(row["submission_id"], row["dimension"]): row["value"] for row in rows(bench.store, judgment)}
    assert after == {key: value for key, value in before.items() if key[1] != "note"}


def test_judgments_that_go_give_their_places_to_others(bench: Bench) -> None:
    judged_by_her(bench)
    taken = sum(row["taken"] for row in rows(bench.store, item))
    acts.erase(bench.store, By(bench.study_id, "cora", T0 + 1), bench.study, NAME, keep=False)
    assert rows(bench.store, submission) == []
    assert rows(bench.store, assignment) == []
    assert taken > sum(row["taken"] for row in rows(bench.store, item)) == 0


def test_whoever_is_erased_has_no_way_in_any_more(bench: Bench) -> None:
    her = judged_by_her(bench)
    acts.erase(bench.store, By(bench.study_id, "cora", T0 + 1), bench.study, NAME)
    assert her.client.get(her.home).status_code == 401


def test_a_backup_that_is_restored_has_them_erased_again(bench: Bench, tmp_path: Path) -> None:
    if bench.store.dialect != "sqlite":
        pytest.skip("the list beside the file is SQLite's; the table is read on both")
    judged_by_her(bench)
    backup = tmp_path / "before.backup"
    back_up(bench.store, backup, T0)
    acts.erase(bench.store, By(bench.study_id, "cora", T0 + 1), bench.study, NAME)
    address = bench.store.address
    bench.store.close()
    Path(address).unlink()
    restore(backup, address, T0 + 2)
    again = open_store(address)
    try:
        assert found_in(again) == set()
        assert again.read(erasure_count, bench.study_id) == 1
        assert NAME not in {row["name"] for row in rows(again, annotator)}
    finally:
        again.close()


def test_a_backup_restored_into_a_new_database_has_them_erased_again_by_the_list_in_the_studys_folder(
    bench: Bench, database: str, tmp_path: Path
) -> None:
    judged_by_her(bench)
    folder, backup = tmp_path / "folder", tmp_path / "before.backup"
    folder.mkdir()
    back_up(bench.store, backup, T0)
    bench.store.folder = folder
    done = acts.erase(bench.store, By(bench.study_id, "cora", T0 + 1), bench.study, NAME)
    listed = (folder / "assay.db-erasures").read_text("ascii")
    assert listed == f"{done.erasure.key} kept {T0 + 1}\n", "a drawn key and nothing else"
    new = database if database != bench.store.address else str(folder / "assay.db")
    restore(backup, new, T0 + 2, folder=folder)
    again = open_store(new)
    try:
        assert found_in(again) == set()
        assert again.read(erasure_count, bench.study_id) == 1
    finally:
        again.close()


def test_a_list_that_cannot_be_written_is_said_to_be_left_and_hinders_nothing(bench: Bench, tmp_path: Path) -> None:
    judged_by_her(bench)
    bench.store.folder = tmp_path / "gone"
    done = acts.erase(bench.store, By(bench.study_id, "cora", T0 + 1), bench.study, NAME)
    assert "list of erasures" in done.left_to_do
    assert found_in(bench.store) == set()


def test_verifying_against_an_older_backup_knows_who_was_erased(bench: Bench, tmp_path: Path) -> None:
    judged_by_her(bench)
    backup = tmp_path / "before.backup"
    back_up(bench.store, backup, T0)
    acts.erase(bench.store, By(bench.study_id, "cora", T0 + 1), bench.study, NAME, keep=False)
    assert faults(bench.store, backup) == []


def test_a_judge_is_nobody_to_be_erased_and_a_name_must_be_known(bench: Bench) -> None:
    with pytest.raises(AssayError, match="nobody in this study"):
        acts.erase(bench.store, By(bench.study_id, "cora", T0), bench.study, "nobody-here")


def test_a_name_that_is_part_of_another_word_changes_no_text(bench: Bench) -> None:
    Annotator(bench, "ana").begin().submit()
    for reason in ("banana, anagram", "ana was right"):
        bench.store.write(partial(record, about="ana and banana"), By(bench.study_id, "cora", T0, reason), "note")
    acts.erase(bench.store, By(bench.study_id, "cora", T0 + 1), bench.study, "ana")
    notes = [row for row in rows(bench.store, action) if row["what"] == "note"]
    assert {row["reason"] for row in notes} == {"banana, anagram", ""}
    assert all(re.fullmatch(r"erased-[0-9a-f]{6} and banana", row["about"]) for row in notes)


def test_an_id_that_is_a_short_number_changes_no_count_in_the_record(bench: Bench) -> None:
    Annotator(bench, "ana").begin()
    her_id = bench.store.read(annotators.annotator_id, bench.study_id, "ana")
    bench.store.write(arrivals.add, bench.study_id, her_id, Arrival("12", "7"), "0" * 64, T0)
    bench.store.write(record, By(bench.study_id, "cora", T0), "review texts", about="12 let through, 7 left out")
    acts.erase(bench.store, By(bench.study_id, "cora", T0 + 1), bench.study, "ana")
    assert "12 let through, 7 left out" in {row["about"] for row in rows(bench.store, action)}


def test_values_that_postgresql_keeps_of_a_table_that_is_empty_now_go_as_well(new_postgres: Callable[[], str]) -> None:
    store = open_store(new_postgres())
    try:
        study_id = store.write(studies.publish, empathy(), T0).id
        row = {"what": "note", "study_id": study_id, "at": T0, "by": "cora", "about": "of the okapi keeper"}
        store.write(lambda connection: connection.execute(insert(action), [row] * 3))
        gather_statistics(store)
        assert "of the okapi keeper" in kept_values(store)
        store.write(lambda connection: connection.execute(delete(action)))
        assert "operator's" in store.overwrite_deleted()
        assert "of the okapi keeper" not in kept_values(store)
        assert not [content for content in files_of(store) if b"of the okapi keeper" in content]
    finally:
        store.close()


def test_a_user_who_may_not_clear_what_postgresql_keeps_of_values_is_told(new_postgres: Callable[[], str]) -> None:
    import psycopg

    address, role = new_postgres(), f"r_{uuid4().hex[:8]}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"create role {role} login")
        connection.execute(f"grant all on schema public to {role}")
    store = open_store(address.replace("postgres:@", f"{role}:@"))
    try:
        left = store.overwrite_deleted()
        assert "pg_statistic" in left
        assert "checkpoint" in left
        assert "write-ahead log" in left
    finally:
        store.close()
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(f"drop owned by {role} cascade")
            connection.execute(f"drop role {role}")


def test_somebody_who_writes_in_another_database_of_the_server_is_waited_for(
    postgres: str, new_postgres: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = "a transaction from before still saw it"
    store = open_store(new_postgres())
    beside = create_engine(make_url(postgres).set(drivername="postgresql+psycopg"))
    try:
        with beside.begin() as connection, monkeypatch.context() as patch:
            patch.setattr(engine, "MOST_LOOKS", 3)
            connection.exec_driver_sql("select txid_current()")  # from now on it counts as one that writes
            store.write(store.change_nothing)  # in place of what is erased while it goes on
            assert waited in store.overwrite_deleted()
        assert waited not in store.overwrite_deleted()
    finally:
        beside.dispose()
        store.close()
