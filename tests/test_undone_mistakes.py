"""Every mistake of docs/mistakes.md, made and put right as a user does it: by one command, or by one button."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from assay.cli.common import now
from assay.live.report_data import gather
from assay.store import Backend, open_store
from assay.store.coordinator import adjudications, studies, study_status
from assay.store.coordinator.record import entries
from assay.study import Study, load
from assay.study.templates import copy_template
from assay.web import create_app
from tests import pages
from tests.conftest import plain
from tests.pages import Forms
from tests.selection import on_sqlite_first
from tests.servers import assay
from tests.straight_client import StraightClient
from tests.web.annotator import read_csv, submissions, write_csv

ROOT = Path(__file__).parent.parent


@dataclass
class Field:
    """A study with four items, its commands, and its pages."""

    folder: Path
    database: str
    store: Backend
    later: int = 0
    """How far the pages' clock is ahead of the commands'."""

    @property
    def now(self) -> int:
        return now() + self.later

    def run(self, *arguments: str) -> str:
        return assay(*arguments, "--database", self.database, "--by", "cora")

    @property
    def study_id(self) -> int:
        return int(self.store.read(studies.find, "empathy")[0])

    @property
    def study(self) -> Study:
        return load(self.folder)

    def edit(self, old: str, new: str) -> None:
        file = self.folder / "study.yaml"
        text = file.read_text("utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), "utf-8")

    def last(self) -> tuple[str, str, str]:
        """What was recorded last: what, by whom, and why."""
        found = self.store.read(entries, self.study_id)[0]
        return found.what, found.by, found.reason

    def open(self, path: str) -> Any:
        client = StraightClient(create_app(self.store, lambda: self.now))
        return client, pages.enter(client, path)

    def made(self, *who: str) -> str:
        """A link that the command makes."""
        return str(json.loads(self.run("invite", str(self.folder), "--json", *who))[0]["link"])

    def link(self, name: str) -> str:
        return re.sub("^.*(?=/join/)", "", self.made("--name", name))

    def work(self, name: str, scores: dict[str, str] = pages.SCORES, most: int = 99) -> StraightClient:
        """Somebody judges whatever they get."""
        client, _ = self.open(self.link(name))
        page = pages.pass_gates(client, self.study)
        while "/submit/" in page and most:
            address, hidden = pages.item_form(page)
            self.later += 60_000
            page = client.post(address, data={**hidden, **scores}).text
            most -= 1
        return client

    def judged(self, name: str) -> list[str]:
        return [each["item"] for each in submissions(self.store, name)]

    def counts(self) -> Counter[str]:
        """How many judgments of emotion count for each item."""
        data = gather(self.store, self.study_id, self.study, self.now)
        return Counter(each.item for each in data.that_count if each.dimension == "emotion")


@pytest.fixture
def field(database: str, tmp_path: Path) -> Iterator[Field]:
    folder = tmp_path / "study"
    copy_template("empathy", folder)
    plain(folder)
    rows = read_csv(folder / "items.csv")
    write_csv(folder / "later.csv", rows[4:6])
    write_csv(folder / "items.csv", rows[:4])
    assay("import", folder, "--database", database)
    store = open_store(database)
    yield Field(folder, database, store)
    store.close()


def test_every_mistake_of_the_page_is_made_here_and_no_other() -> None:
    rows = re.findall(r"^\| \*\*(.+?)\*\*", (ROOT / "docs" / "mistakes.md").read_text("utf-8"), re.MULTILINE)
    made = [each[len("test_put_right_") :] for each in globals() if each.startswith("test_put_right_")]
    assert [re.sub(r"\W+", "_", each.lower()).strip("_") for each in rows] == made


@on_sqlite_first("database")
def test_put_right_the_wrong_file(field: Field) -> None:
    where = str(field.folder)
    field.run("import", where, "--items", str(field.folder / "later.csv"))
    assert field.store.read(study_status.item_counts, field.study_id).items == 6
    field.run("import", where, "--undo", "2", "--reason", "the file of last year")
    assert field.store.read(study_status.item_counts, field.study_id).items == 4
    assert field.last() == ("take import back", "cora", "the file of last year")


@on_sqlite_first("database")
def test_put_right_the_wrong_scale(field: Field) -> None:
    field.work("ana", most=1)
    field.edit("to: 5\n", "to: 7\n")
    said = field.run("publish", str(field.folder), "--reason", "the guide says seven points")
    assert "will not be pooled with new ones" in said
    assert field.last()[0::2] == ("publish", "the guide says seven points")
    assert 'value="7"' in field.open(field.link("ana"))[1].text
    data = gather(field.store, field.study_id, field.study, field.now)
    assert data.off_scale == {"emotion": 1}, "what was said on the old scale is kept and not pooled"
    assert len(field.judged("ana")) == 1


@on_sqlite_first("database")
def test_put_right_a_bot_among_the_people(field: Field) -> None:
    field.work("bot")
    field.work("ben")
    field.run("annotator", "bot", "exclude", str(field.folder), "--reassign", "--reason", "answered in a second each")
    assert field.last() == ("exclude", "cora", "answered in a second each")
    field.work("cleo")
    assert set(field.counts().values()) == {2}, "others have judged in its place"
    assert len(field.judged("bot")) == len(field.judged("cleo")) == 4


@on_sqlite_first("database")
def test_put_right_one_annotator_too_few_for_each_item(field: Field) -> None:
    for name in ("ana", "ben", "cleo"):
        field.work(name)
    assert field.judged("cleo") == [], "every item has its two"
    field.edit("per_item: 2", "per_item: 3")
    field.run("publish", str(field.folder), "--minor", "--reason", "the pilot asks for three")
    field.work("cleo")
    assert set(field.counts().values()) == {3}
    assert field.last()[0] == "invite"
    assert any(each.reason == "the pilot asks for three" for each in field.store.read(entries, field.study_id))


@on_sqlite_first("database")
def test_put_right_a_system_that_was_left_out(field: Field) -> None:
    rows = read_csv(field.folder / "items.csv")
    write_csv(field.folder / "later.csv", [{**row, "eval_id": f"late-{row['eval_id']}"} for row in rows])
    joined = field.folder / "mapping.json"
    mapped = {each["eval_id"]: each for each in json.loads(joined.read_text("utf-8"))}
    late = [{**mapped[row["eval_id"]], "eval_id": f"late-{row['eval_id']}", "model_tag": "late-lm"} for row in rows]
    joined.write_text(json.dumps([*mapped.values(), *late]), "utf-8")
    field.work("ana")
    field.run("import", str(field.folder), "--items", str(field.folder / "later.csv"), "--reason", "it came later")
    assert field.last() == ("import", "cora", "it came later")
    field.work("ana")
    data = gather(field.store, field.study_id, field.study, field.now)
    assert "late-lm" in {each.system for each in data.that_count}
    assert len(field.judged("ana")) == 8


@on_sqlite_first("database")
def test_put_right_a_study_closed_too_early(field: Field) -> None:
    field.run("state", str(field.folder), "--to", "closed", "--reason", "done, I thought")
    client = field.work("ana")
    assert field.judged("ana") == []
    field.run("state", str(field.folder), "--to", "open", "--reason", "two people have not begun")
    assert field.last() == ("open", "cora", "two people have not begun")
    assert "/gate" in client.get("/judge/empathy").text


@on_sqlite_first("database")
def test_put_right_an_invitation_sent_twice(field: Field) -> None:
    field.work("ana", most=2)
    field.work("ana-again", most=1)
    field.run("annotator", "ana-again", "exclude", str(field.folder), "--reassign", "--reason", "the same person")
    assert field.last() == ("exclude", "cora", "the same person")
    client, _ = field.open(field.link("ana"))
    assert "/submit/" in client.get("/judge/empathy").text, "by one more link she is where she was"
    assert sum(field.counts().values()) == 2


@on_sqlite_first("database")
def test_put_right_a_link_lost_or_leaked(field: Field) -> None:
    first = field.link("ana")
    client, _ = field.open(first)
    command = ("invite", str(field.folder), "--replace", "ana", "--json", "--reason", "posted in a chat")
    made = json.loads(field.run(*command))
    assert field.last() == ("replace links", "cora", "posted in a chat")
    assert client.get("/judge/empathy").status_code == 401, "whoever came by the old link is out"
    assert StraightClient(create_app(field.store, lambda: field.now)).get(first).status_code == 404
    assert "/gate" in field.open(re.sub("^.*(?=/join/)", "", made[0]["link"]))[1].text


@on_sqlite_first("database")
def test_put_right_an_agreed_value_that_is_regretted(field: Field) -> None:
    where = str(field.folder)
    agreed = lambda: [each.value for each in field.store.read(adjudications.agreed_values, field.study_id)]  # noqa: E731
    name = read_csv(field.folder / "items.csv")[0]["eval_id"]
    for value in ("4", "5"):
        field.run("adjudicate", where, "--item", name, "--value", f"safety={value}", "--reason", "talked over")
        assert agreed() == [int(value)], "the newest counts"
    field.run("adjudicate", where, "--item", name, "--take-back", "safety", "--reason", "we had the wrong item")
    assert agreed() == []
    assert field.last() == ("take agreement back", "cora", "we had the wrong item")
    wrong = ("adjudicate", where, "--item", name, "--take-back", "safety", "--reason", "again")
    assert "nothing is agreed on 'safety'" in assay(*wrong, "--database", field.database, expect=1)


@on_sqlite_first("database")
def test_put_right_a_slip_where_nobody_goes_back(field: Field) -> None:
    assert field.study.navigation == "forward-only"
    client = field.work("ana", most=2)
    slip = submissions(field.store, "ana")[0]
    field.run("annotator", "ana", "reopen", str(field.folder), "--item", slip["item"], "--reason", "ana has written")
    assert field.last() == ("reopen item", "cora", "ana has written")
    note = client.get("/judge/empathy").text
    assert "is open for you again" in note
    [there] = re.findall(r'href="(/judge/empathy/item/[^"]+)"', note)
    address, hidden = pages.item_form(shown := client.get(there).text)
    assert re.search(r'name="emotion" value="3"[^>]* checked', shown), "as it was sent"
    client.post(address, data={**hidden, **pages.SCORES, "emotion": "4"})
    now = [each for each in submissions(field.store, "ana") if each["item"] == slip["item"]]
    assert [(each["revision"], each["answers"]["emotion"]) for each in now] == [(1, 3), (2, 4)], "the first is kept"
    assert client.get(there).url.path == "/judge/empathy", "it is open once"
    again = client.post(address, data={**hidden, **pages.SCORES, "emotion": "2", "revision": "3"})
    assert again.status_code == 409
    assert len(submissions(field.store, "ana")) == 3


def test_the_buttons_and_the_api_do_the_same_as_the_commands(field: Field) -> None:
    field.work("ana", most=2)
    field.work("ben", {**pages.SCORES, "safety": "1", "note": "it is not safe at all"}, most=4)
    slips = [each["item"] for each in submissions(field.store, "ana")]
    cora, _ = field.open(re.sub("^.*(?=/join/)", "", field.made("--coordinator")))
    page = cora.get("/coordinate/empathy/annotator?name=ana").text
    form = next(fields for where, fields in Forms(page).forms if where.endswith("/act"))
    cora.post("/coordinate/empathy/act", data={**form, "what": "reopen", "about": f"1:{slips[0]}", "reason": "by hand"})
    assert field.last() == ("reopen item", "coordinator", "by hand")
    refused = cora.post("/coordinate/empathy/act", data={**form, "what": "reopen", "about": "1:no", "reason": "x"})
    assert refused.status_code == 422
    assert "they have not submitted item" in refused.text
    made = ("token", field.folder, "--name", "script", "--scope", "manage", "--database", field.database)
    token = re.findall(r"\S{30,}", assay(*made))[0]
    api = {"Authorization": f"Bearer {token}"}
    root = "/api/v1/studies/empathy"
    body = {"item": slips[1], "reason": "by script"}
    assert cora.post(f"{root}/annotators/ana/reopen", json=body, headers=api).status_code == 201
    assert field.last() == ("reopen item", "token script", "by script")
    for way in ("page", "api"):
        kept = {"answers": {"safety": 3}, "reason": "talked over"}
        assert cora.post(f"{root}/adjudications/{slips[0]}", json=kept, headers=api).json()["agreed"] == 1
        if way == "page":
            sent = {"csrf": form["csrf"], "name": slips[0], "question": "safety", "reason": "regretted"}
            assert cora.post("/coordinate/empathy/take-agreement-back", data=sent).status_code == 200
        else:
            back = {"take_back": ["safety"], "reason": "regretted"}
            assert cora.post(f"{root}/adjudications/{slips[0]}", json=back, headers=api).json()["taken_back"] == 1
        assert field.last()[0::2] == ("take agreement back", "regretted")
        assert field.store.read(adjudications.agreed_values, field.study_id) == []
    assert cora.post(f"{root}/adjudications/{slips[0]}", json={"reason": "nothing"}, headers=api).status_code == 422
