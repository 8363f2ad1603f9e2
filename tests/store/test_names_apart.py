"""Names lie apart: judgments and the record know a drawn pseudonym, and people are found by either."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select, text

from assay import acts
from assay.errors import AssayError
from assay.items.imported_judgments import ImportedAnswers
from assay.live.export_data import export_data
from assay.store import SCHEMA, open_store, schema_of
from assay.store.annotator.names import both_names, names_apart, pseudonym_of
from assay.store.annotator.own_data import own_data
from assay.store.coordinator import annotators, imported_judgments, links, record, tokens
from assay.store.coordinator.record import By
from assay.store.engine.backup import back_up
from assay.store.tables import annotator, import_, item, person
from assay.store.upkeep.verify import verify
from tests import pages
from tests.conftest import T0, Bench
from tests.web.annotator import Annotator, everything, rows, submissions
from tests.web.scripts import Script

DRAWN = re.compile(r"p-[a-z2-9]{6}")


def by(bench: Bench, reason: str = "") -> By:
    return By(bench.study_id, "cora", T0, reason)


def pseudonym(bench: Bench, name: str) -> str:
    found = bench.store.read(pseudonym_of, bench.study_id, name)
    assert found is not None
    return found


def invite(bench: Bench, *names: str, **how: Any) -> dict[str, str]:
    return dict(bench.store.write(acts.invite, by(bench), list(names), **how))


def work(bench: Bench, token: str) -> None:
    client = bench.client()
    pages.enter(client, f"/join/{token}")
    pages.pass_gates(client, bench.study)
    address, hidden = pages.item_form(client.get(f"/judge/{bench.study.study}").text)
    assert client.post(address, data={**hidden, **pages.SCORES}).status_code == 200


def test_somebody_invited_by_name_is_a_drawn_pseudonym_everywhere_but_in_one_table(bench: Bench) -> None:
    made = invite(bench, "Ana Quokka", "Ben")
    work(bench, made["Ana Quokka"])
    found = {row["name"] for row in rows(bench.store, annotator)}
    assert all(DRAWN.fullmatch(each) for each in found)
    assert {row["name"] for row in rows(bench.store, person)} == {"Ana Quokka", "Ben"}
    data = {table: content for table, content in everything(bench.store).items() if table != "person"}
    assert "Quokka" not in json.dumps(data, default=str)
    exported = export_data(bench.store, bench.study_id, bench.study, T0)
    assert {each.annotator for each in exported.judgments()} == {pseudonym(bench, "Ana Quokka")}
    assert {each.annotator for each in bench.store.read(record.entries, bench.study_id)} == found


def test_a_pseudonym_of_ones_own_stands_in_the_data_as_it_is(bench: Bench) -> None:
    made = invite(bench, count=1, pseudonyms=["R01"])
    assert list(made) == ["R01", "a1"]
    assert {row["name"] for row in rows(bench.store, annotator)} == {"R01", "a1"}
    assert not rows(bench.store, person)


def test_the_same_name_is_the_same_person_and_no_name_is_the_pseudonym_of_another(bench: Bench) -> None:
    invite(bench, "ana", "a1")
    invite(bench, "ana", pseudonym(bench, "ana"), count=1)
    assert sorted(row["name"] for row in rows(bench.store, person)) == ["a1", "ana"]
    assert len(rows(bench.store, annotator)) == 3
    assert "a2" in {row["name"] for row in rows(bench.store, annotator)}, "a1 is somebody's name"
    with pytest.raises(AssayError, match="is a person already"):
        bench.store.write(acts.invite, by(bench), ["ana"], simulated=True)


def test_every_act_finds_a_person_by_name(bench: Bench) -> None:
    invite(bench, "ana")
    ana = pseudonym(bench, "ana")
    act, because = bench.store.write, by(bench, "tried")
    act(acts.send_message, because, "ana", "Hello")
    act(acts.keep_note, because, "ana", "quick")
    act(acts.exclude, because, "ana")
    act(acts.include, because, "ana")
    act(acts.pause, because, "ana")
    act(acts.resume, because, "ana")
    assert act(acts.revoke_links, because, "ana") == 1
    [(name, _)] = act(acts.replace_links, because, ["ana"])
    assert name == "ana"
    act(tokens.make, bench.study_id, "script", ["judge"], T0, days=1, only="ana")
    assert [each.annotator for each in bench.store.read(tokens.list_tokens, bench.study_id)] == [ana]
    assert {each.annotator for each in bench.store.read(record.entries, bench.study_id)} == {ana}


def test_a_file_may_call_people_by_name(bench: Bench) -> None:
    invite(bench, "ana")
    names = [row["name"] for row in rows(bench.store, item) if row["series"] == "work"][:2]
    answers = {each.slot: 3 for each in _asked(bench)}
    given = [
        (name, ImportedAnswers(who, False, answers)) for name, who in zip(names, ("ana", "from-a-file"), strict=True)
    ]
    taken = bench.store.write(imported_judgments.add, bench.study_id, bench.study, given, T0)
    assert taken.annotators == {pseudonym(bench, "ana"), "from-a-file"}
    assert len(rows(bench.store, annotator)) == 2
    assert len(submissions(bench.store, "ana")) == 1


def _asked(bench: Bench) -> list[Any]:
    from assay.judgments import questions_of

    shown = json.loads(rows(bench.store, item)[0]["shown"])
    return [each for each in questions_of(bench.study, shown) if each.dimension.input.answer != "text"]


def test_a_script_finds_people_by_name_where_it_may_know_them(bench: Bench) -> None:
    invite(bench, "ana")
    ana = pseudonym(bench, "ana")
    manages, reads = Script(bench, "read", "manage"), Script(bench, "read", name="reader")
    assert manages.get("/annotators/ana")["annotator"] == ana
    assert manages.get(f"/annotators/{ana}")["name"] == "ana"
    manages.send("PATCH", "/annotators/ana", {"state": "paused"}, 200)
    assert reads.get(f"/annotators/{ana}")["state"] == "paused"
    assert reads.get(f"/annotators/{ana}")["name"] == ""
    reads.get("/annotators/ana", 404)
    made = manages.send("POST", "/annotators", {"names": ["eva"], "pseudonyms": ["R7"]}, 201)["invited"]
    assert [(each["annotator"], each["pseudonym"]) for each in made] == [("eva", pseudonym(bench, "eva")), ("R7", "R7")]


def test_a_coordinator_sees_the_name_beside_the_pseudonym_and_a_viewer_does_not(bench: Bench) -> None:
    work(bench, invite(bench, "Ana Quokka")["Ana Quokka"])
    ana = pseudonym(bench, "Ana Quokka")
    home, shown = f"/coordinate/{bench.study.study}", {}
    for role in ("coordinator", "viewer"):
        token = bench.store.write(links.add, bench.study_id, None, bench.clock(), reads_only=role == "viewer")
        client = bench.client()
        client.post("/join", data={"token": token})
        shown[role] = [
            client.get(f"{home}{page}").text for page in ("", f"/annotator?name={ana}", "/record", "/manage")
        ]
        by_name = client.get(f"{home}/annotator?name=Ana+Quokka")
        assert by_name.status_code == (200 if role == "coordinator" else 404)
    assert all("Ana Quokka" in page for page in shown["coordinator"][:3])
    assert all(ana in page for page in shown["viewer"][:3])
    assert "Quokka" not in "".join(shown["viewer"])


def test_a_person_sees_on_their_own_page_what_they_are_called(bench: Bench) -> None:
    invite(bench, "ana")
    who = bench.store.read(annotators.annotator_id, bench.study_id, "ana")
    assert bench.store.read(own_data, who)["called"] == "ana"
    assert bench.store.read(both_names, who) == (pseudonym(bench, "ana"), "ana")


def made_earlier(bench: Bench, request: pytest.FixtureRequest, schema: str = "0023") -> None:
    """The store as an earlier program left it, opened by this one."""

    def make_earlier(connection: Connection) -> None:
        if schema < "0024":
            connection.execute(text("drop table person"))
        connection.execute(text("alter table study drop column arriving_from"))
        connection.execute(text("alter table link drop column opened_at"))
        connection.execute(text("update alembic_version set version_num = :schema"), {"schema": schema})

    bench.store.write(make_earlier)
    bench.store.close()
    bench.store = open_store(bench.store.address)
    request.addfinalizer(bench.store.close)
    assert bench.store.read(schema_of) == SCHEMA


STAYS = ("a1", "bot7", "p-7kx3mq", "erased-0f0f0f", "gpt", "from-a-file")
"""No names of people, or none that somebody gave to the program."""


def test_people_of_a_store_of_before_get_pseudonyms_and_are_found_by_their_names(
    bench: Bench, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Filled as by the program of schema 0023, which had no names apart."""
    for name in ("ana", "5f2c9a17"):
        Annotator(bench, name).begin().submit()
    kinds = {"bot7": {"simulated": True}, "gpt": {"judge": True}, "from-a-file": {"from_file": True}}
    for name in STAYS:
        row = {"study_id": bench.study_id, "name": name, "created_at": T0, **kinds.get(name, {})}
        bench.store.write(lambda c, row=row: c.execute(insert(annotator).values(row)))
    bench.store.write(acts.keep_note, by(bench), "ana", "quick")
    listed = {"files": "[]", "items": 0, "duplicates": 0, "judged": 1, "annotators": '["ana","from-a-file"]'}
    row = {"study_id": bench.study_id, "number": 9, "at": T0, "by": "cora", **listed}
    bench.store.write(lambda c: c.execute(insert(import_).values(row)))
    back_up(bench.store, tmp_path / "b.backup", T0)
    before = everything_but_names(bench)
    made_earlier(bench, request)

    called = bench.store.read(names_apart, bench.study_id)
    assert sorted(called.values()) == ["5f2c9a17", "ana"]
    assert all(DRAWN.fullmatch(each) for each in called)
    assert {row["name"] for row in rows(bench.store, annotator)} == {*called, *STAYS}
    assert everything_but_names(bench) == before
    data = {table: content for table, content in everything(bench.store).items() if table != "person"}
    assert '"ana"' not in json.dumps(data, default=str)
    assert "5f2c9a17" not in json.dumps(data, default=str)
    ana = pseudonym(bench, "ana")
    assert json.loads(rows(bench.store, import_)[-1]["annotators"]) == sorted([ana, "from-a-file"])
    assert len(submissions(bench.store, "ana")) == 1
    assert list(invite(bench, "ana")) == ["ana"]
    assert pseudonym(bench, "ana") == ana, "the same person"
    problems = [each for checked in verify(bench.store, tmp_path / "b.backup") for each in checked.problems]
    assert problems == [], "the backup of before is still a backup of this store"


def test_a_store_that_has_had_names_apart_keeps_the_pseudonyms_that_were_chosen(
    bench: Bench, request: pytest.FixtureRequest
) -> None:
    invite(bench, "ben", pseudonyms=["R01"])
    before = sorted(row["name"] for row in rows(bench.store, annotator))
    made_earlier(bench, request, "0024")
    assert sorted(row["name"] for row in rows(bench.store, annotator)) == before


def everything_but_names(bench: Bench) -> dict[str, list[tuple[Any, ...]]]:
    def ask(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
        tables = ("submission", "judgment", "assignment", "action", "link", "gate_pass")
        found = {table: connection.execute(text(f"select * from {table}")).all() for table in tables}
        found["annotator"] = connection.execute(select(*(each for each in annotator.c if each.name != "name"))).all()
        return {table: sorted(map(tuple, rows), key=repr) for table, rows in found.items()}

    return bench.store.read(ask)
