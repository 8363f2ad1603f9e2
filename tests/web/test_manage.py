"""Managing a study on its pages: its state, links, items and removal, each recorded with who, when and why."""

import csv
import io
import re
from typing import Any

import pytest
from sqlalchemy import select

from assay import acts
from assay.errors import AssayError
from assay.items.reader import ImportedRow, read_items
from assay.live.counting import count_new_submissions
from assay.live.report_data import gather
from assay.model import Item
from assay.store.annotator import sessions
from assay.store.annotator.names import names_apart
from assay.store.annotator.session_lifetime import DAY
from assay.store.coordinator import (
    item_lookup,
    items,
    items_taken_out,
    links,
    pattern_counts,
    problem_reports,
    record,
    studies,
    study_status,
)
from assay.store.coordinator.record import By
from assay.store.tables import item, metadata
from tests.conftest import T0, Bench
from tests.inviting import invite_coordinator
from tests.pages import Forms, enter, text_of
from tests.web.annotator import Annotator, rows


class Manager:
    """Somebody on the coordinator's pages."""

    def __init__(self, bench: Bench, name: str = "", *, reads_only: bool = False) -> None:
        self.bench = bench
        self.client = bench.client()
        link = bench.store.write(invite_coordinator, bench.study_id, bench.clock(), name, reads_only=reads_only)
        enter(self.client, f"/join/{link}")
        self.home = f"/coordinate/{bench.study.study}"

    def get(self, page: str = "/manage") -> str:
        answer = self.client.get(f"{self.home}{page}")
        assert answer.status_code == 200, page
        return str(answer.text)

    def post(self, page: str, **form: str) -> Any:
        found = re.search(r'name="csrf" value="([^"]+)"', self.get())
        return self.client.post(f"{self.home}{page}", data={"csrf": found[1] if found else "", **form})


@pytest.fixture
def dora(sqlite_bench: Bench) -> Manager:
    return Manager(sqlite_bench, "dora")


def done(bench: Bench) -> list[tuple[str, str, str, str]]:
    return [(each.by, each.what, each.about, each.reason) for each in bench.store.read(record.entries, bench.study_id)]


def state(bench: Bench) -> str:
    return bench.store.read(studies.state, bench.study_id)


def shown_to(annotator: Annotator) -> str:
    """The public id of the item that lies before somebody."""
    return annotator.form()[0].rsplit("/", 1)[-1]


def test_a_study_is_paused_closed_and_opened_again_by_somebody_for_a_reason(dora: Manager) -> None:
    for new in ("paused", "closed", "open"):
        dora.post("/state", state=new, reason=f"now {new}", confirm="close")
        assert state(dora.bench) == new
        assert f"The study is {new}" in text_of(dora.get())
    assert done(dora.bench) == [
        ("dora", "open", "", "now open"),
        ("dora", "close", "", "now closed"),
        ("dora", "pause study", "", "now paused"),
    ]
    record = text_of(dora.get("/record"))
    assert "now paused" in record
    assert "dora" in record
    assert dora.post("/state", state="gone").status_code == 422


def test_links_are_shown_once_with_a_text_and_a_picture(dora: Manager) -> None:
    page = dora.post("/invite", role="annotator", names="nina\n omar ", count="1").text
    addresses = re.findall(r'readonly value="([^"]+)"', page)
    assert len(addresses) == 3
    assert page.count("<svg") == 3
    assert "Replies to people who share a hard moment" in page
    assert re.search(r"about \d+ minutes", page)
    assert dora.client.get(addresses[0].replace("http://testserver", "")).status_code == 200
    called = dora.bench.store.read(names_apart, dora.bench.study_id)
    people = [row.annotator for row in dora.bench.store.read(study_status.progress, dora.bench.study_id)]
    assert sorted(called.get(each, each) for each in people) == ["a1", "nina", "omar"]
    recorded = dora.bench.store.read(record.entries, dora.bench.study_id)
    assert [(each.by, each.what, called.get(each.annotator, each.annotator)) for each in recorded] == [
        ("dora", "invite", "a1"),
        ("dora", "invite", "omar"),
        ("dora", "invite", "nina"),
    ]
    assert addresses[0] not in dora.get()
    refused = dora.post("/invite", role="annotator")
    assert refused.status_code == 422
    assert "nobody is named" in refused.text
    assert dora.post("/invite", role="annotator", count="501").status_code == 422
    assert dora.post("/invite", role="anybody").status_code == 422, "the study does not say that anybody may"


def test_links_come_as_a_table_in_which_no_name_is_a_formula(dora: Manager) -> None:
    answer = dora.post("/invite", role="annotator", names="=cmd()\nnina", **{"as": "csv"})
    assert answer.headers["content-type"].startswith("text/csv")
    assert "attachment" in answer.headers["content-disposition"]
    table = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["name"] for row in table] == ["'=cmd()", "nina"]
    assert dora.client.get(table[1]["link"].replace("http://testserver", "")).status_code == 200


def test_a_viewer_sees_everything_and_changes_nothing(dora: Manager, sqlite_bench: Bench) -> None:
    Annotator(sqlite_bench).begin()
    viewer = Manager(sqlite_bench, "vera", reads_only=True)
    assert [form for form in Forms(dora.get("/manage")).forms if form[1].get("csrf")], "else it could not fail"
    for page in ("", "/manage", "/record", "/flags", "/annotator?name=ana", "/item?name=emp-001"):
        page_of = viewer.get(page)
        sends = [address for address, form in Forms(page_of).forms if form.get("csrf")]
        assert sends == ["/coordinate/empathy/sign-out"], f"nothing to send on {page}, but for the way out"
    visit = viewer.client.cookies
    csrf = sqlite_bench.store.read(sessions.session_of, next(iter(visit.values())), sqlite_bench.clock())
    assert csrf is not None
    assert csrf.reads_only
    for endpoint, form in (
        ("/state", {"state": "closed"}),
        ("/invite", {"names": "eve"}),
        ("/act", {"what": "pause", "name": "ana"}),
        ("/move-item", {"name": "emp-001", "reason": "x"}),
        ("/remove", {"confirm": "empathy", "reason": "x"}),
    ):
        answer = viewer.client.post(f"{viewer.home}{endpoint}", data={"csrf": csrf.csrf, **form})
        assert answer.status_code == 403, endpoint
    assert state(sqlite_bench) == "open"
    assert done(sqlite_bench) == []


def test_revoked_links_and_their_sessions_end_at_once(dora: Manager) -> None:
    ana = Annotator(dora.bench).begin()
    viewer = Manager(dora.bench, "vera", reads_only=True)
    assert "vera" in text_of(dora.get())
    dora.post("/revoke", name="ana")
    assert ana.client.get(f"/judge/{dora.bench.study.study}").status_code == 401
    [seat] = [
        each for each in dora.bench.store.read(links.shared_links, dora.bench.study_id, T0) if each.name == "vera"
    ]
    dora.post("/revoke", link=seat.hash)
    assert viewer.client.get(viewer.home).status_code == 401
    assert dora.post("/revoke", link="0").status_code == 422
    assert [row[:3] for row in done(dora.bench)] == [("dora", "revoke link", "vera"), ("dora", "revoke links", "")]


def test_an_item_is_taken_out_and_put_back_and_nothing_is_lost(bench: Bench) -> None:
    manager, ana = Manager(bench, "dora"), Annotator(bench).begin()
    assert ana.submit().status_code == 200
    [given] = rows(bench.store, metadata.tables["submission"])
    name = bench.store.read(
        lambda connection: connection.execute(select(item.c.name).where(item.c.id == given["item_id"])).scalar_one()
    )
    total = bench.store.read(study_status.item_counts, bench.study_id).items
    assert manager.post("/move-item", name=name, what="out").status_code == 422, "not without a reason"
    manager.post("/move-item", name=name, what="out", reason="the reply is cut off")
    assert "was taken out of the study" in text_of(manager.get(f"/item?name={name}"))
    assert bench.store.read(study_status.item_counts, bench.study_id).items == total - 1
    data = gather(bench.store, bench.study_id, bench.study, T0)
    assert data.judgments, "its judgments stay"
    assert data.that_count == [], "and count nowhere"
    count_new_submissions(bench.store, bench.study_id, bench.study)
    assert bench.store.read(pattern_counts.totals, bench.study_id) == {}
    manager.post("/move-item", name=name, what="back")
    count_new_submissions(bench.store, bench.study_id, bench.study)
    assert bench.store.read(pattern_counts.totals, bench.study_id)
    assert gather(bench.store, bench.study_id, bench.study, T0).that_count
    assert bench.store.read(study_status.item_counts, bench.study_id).items == total


def test_an_item_that_lies_before_somebody_is_taken_away_when_it_is_taken_out(bench: Bench) -> None:
    manager, ana = Manager(bench, "dora"), Annotator(bench).begin()
    name = bench.store.read(item_lookup.item_behind, shown_to(ana)).name
    manager.post("/move-item", name=name, what="out", reason="broken")
    assert bench.store.read(item_lookup.item_behind, shown_to(ana)).name != name
    manager.post("/move-item", name=name, what="back")
    [row] = [each for each in rows(bench.store, item) if each["name"] == name and each["series"] == "work"]
    assert row["taken"] == 0, "the place is free again"


def test_an_item_that_was_taken_out_does_not_come_back_with_the_next_import(dora: Manager) -> None:
    dora.post("/move-item", name="emp-001", what="out", reason="broken")
    again = read_items(dora.bench.study, dora.bench.folder / "items.csv", dora.bench.folder / "mapping.json")
    taken = dora.bench.store.write(items.add, dora.bench.study_id, list(again), dora.bench.study.seed)
    assert taken.added == 0
    assert dora.bench.store.read(items_taken_out.withdrawn_items, dora.bench.study_id) == ["emp-001"]


def test_a_problem_is_dealt_with(dora: Manager) -> None:
    ana = Annotator(dora.bench).begin()
    form = {"csrf": ana.form()[1]["csrf"], "words": "the picture is missing", "report": "p" * 22}
    sent = ana.client.post(f"/judge/empathy/problem/{shown_to(ana)}", data=form)
    assert sent.status_code < 400
    assert "the picture is missing" in text_of(dora.get())
    [found] = dora.bench.store.read(problem_reports.problem_reports, dora.bench.study_id)
    dora.post("/close-problem", id=found.id)
    assert "the picture is missing" not in text_of(dora.get())
    assert done(dora.bench)[0][1] == "close problem"


def test_a_study_is_removed_only_by_its_name_and_had_back(dora: Manager) -> None:
    ana = Annotator(dora.bench).begin()
    assert dora.post("/remove", confirm="emphaty", reason="over").status_code == 422
    assert dora.post("/remove", confirm="empathy", reason=" ").status_code == 422
    assert state(dora.bench) == "open"
    dora.post("/remove", confirm="empathy", reason="the grant is over")
    assert state(dora.bench) == "removed"
    assert ana.client.get("/judge/empathy").status_code == 401
    assert dora.client.get(dora.bench.link("ben")).status_code == 404
    assert "It can be brought back until" in text_of(dora.get())
    assert dora.post("/state", state="open").status_code == 422, "it is brought back first"
    dora.post("/bring-back")
    assert state(dora.bench) == "paused"
    assert ana.client.get("/judge/empathy").status_code == 200
    assert done(dora.bench)[0][1] == "bring study back"


def test_a_study_is_deleted_for_good_only_thirty_days_after_it_was_removed(bench: Bench) -> None:
    ana = Annotator(bench).begin()
    ana.submit()
    count_new_submissions(bench.store, bench.study_id, bench.study)
    by = By(bench.study_id, "dora", T0, "over")
    with pytest.raises(AssayError, match="cannot be deleted yet"):
        bench.store.write(acts.purge_study, bench.study_id, T0 + 365 * DAY)
    bench.store.write(acts.remove_study, by, "empathy")
    with pytest.raises(AssayError, match="cannot be deleted yet"):
        bench.store.write(acts.purge_study, bench.study_id, T0 + 29 * DAY)
    bench.store.write(acts.purge_study, bench.study_id, T0 + 30 * DAY)
    left = {name: len(rows(bench.store, table)) for name, table in metadata.tables.items()}
    assert {name: count for name, count in left.items() if count} == {}


def test_what_came_in_stands_with_the_record_and_is_taken_back_there(dora: Manager) -> None:
    bench = dora.bench
    new = [ImportedRow("new-1", Item("new-1", {"user_statement": "It rained.", "response": "Oh."}))]
    bench.store.write(acts.take_in, By(bench.study_id, "ed", T0), bench.study, new, [], None, ["more.csv"])
    assert "1 item" in text_of(dora.get("/record"))
    assert "more.csv" in dora.get("/record")
    assert "undo-import" not in Manager(bench, "vera", reads_only=True).get("/record")
    refused = dora.post("/undo-import", number="9", reason="wrong", what="back")
    assert refused.status_code == 422
    assert "there is no import 9" in refused.text
    for odd in ("", "x", "-1", "9" * 30):
        assert dora.post("/undo-import", number=odd, reason="wrong", what="back").status_code == 422
    assert dora.post("/undo-import", number="1", reason="wrong", what="back").status_code == 200
    page = text_of(dora.get("/record"))
    assert "taken back" in page
    assert "by dora: wrong" in page
    assert not bench.store.read(items_taken_out.withdrawn_items, bench.study_id)
