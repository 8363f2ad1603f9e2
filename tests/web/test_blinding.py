"""What is hidden reaches no annotator: every byte of every answer is looked through, and every statement behind it."""

import base64
import codecs
import html
import json
import random
import string
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import psycopg
import pytest
from sqlalchemy import event
from sqlalchemy.pool import Pool

from assay.store import Backend, open_store
from assay.store.tables import assignment, item, item_hidden
from assay.web.app import ENDPOINTS
from assay.web.static_files import FOLDER
from tests.conftest import Bench, make_bench
from tests.pages import SCORES, enter
from tests.web.annotator import SCRIPT, Annotator, edited, read_csv, rows, with_items, write_csv

SHOWN = ("user_statement", "response")
LENGTH, PREFIX = 24, 8


class Canaries:
    """Random words, each planted in one place that an annotator must not see."""

    def __init__(self) -> None:
        self.chance = random.Random()
        self.planted: dict[str, str] = {}

    def new(self, where: str) -> str:
        self.planted[where] = "".join(self.chance.choices(string.ascii_lowercase, k=LENGTH))
        return self.planted[where]

    def hits(self, raw: bytes) -> list[str]:
        """Where a canary comes through, whole or in part, plain or encoded."""
        text = raw.decode("utf-8", "replace")
        plain = {reading.lower() for reading in readings(text)}
        return [
            f"{where}: {form!r}"
            for where, canary in self.planted.items()
            for forms, texts in ((plain_forms(canary), plain), (coded_forms(canary), {text}))
            for form in forms
            if any(form in each for each in texts)
        ]


def readings(text: str) -> list[str]:
    """The text as it is, and as somebody would decode it."""
    return [text, html.unescape(text), unquote(text), codecs.decode(text, "rot13"), text[::-1]]


def plain_forms(canary: str) -> list[str]:
    """Every piece of eight letters, and the beginning written as numbers."""
    pieces = [canary[at : at + PREFIX] for at in range(LENGTH - PREFIX + 1)]
    return [*pieces, canary[:PREFIX].encode().hex()]


def coded_forms(canary: str) -> list[str]:
    """The beginning in base 64, which depends on where in a group of three it begins, and in base 32."""
    start = canary[:PREFIX].encode()
    # The outer signs depend on what stands beside it.
    coded = [base64.b64encode(b"\0" * shift + start).decode().rstrip("=")[4:-2] for shift in range(3)]
    return [*coded, base64.b64encode(start).decode()[:8], base64.b32encode(start).decode()[:8]]


def test_the_search_finds_a_canary_however_it_is_written() -> None:
    canaries = Canaries()
    canary = canaries.new("system")
    for hidden in (
        canary,
        canary[5:14],
        canary.upper(),
        canary.encode().hex(),
        canary.encode().hex().upper(),
        base64.b64encode(canary.encode()).decode(),
        base64.urlsafe_b64encode(b"ab" + canary.encode()).decode(),
        base64.b64encode(f'{{"system": "{canary}"}}'.encode()).decode(),
        "".join(f"%{byte:02X}" for byte in canary.encode()),
        "".join(f"&#x{byte:x};" for byte in canary.encode()),
        codecs.encode(canary, "rot13"),
        canary[::-1],
    ):
        assert canaries.hits(f"<p>before {hidden} after</p>".encode()), hidden
    assert canaries.hits(b"<p>nothing of the kind</p>") == []


@pytest.fixture
def statements() -> Iterator[list[str]]:
    """Every statement that any connection opened from now on sends."""
    seen: list[str] = []

    class Watched(psycopg.Cursor[Any]):
        def execute(self, query: Any, *args: Any, **kwargs: Any) -> Any:
            seen.append(str(query))
            return super().execute(query, *args, **kwargs)

        def executemany(self, query: Any, *args: Any, **kwargs: Any) -> None:
            seen.append(str(query))
            super().executemany(query, *args, **kwargs)

    def watch(connection: Any, _: Any) -> None:
        if isinstance(connection, psycopg.Connection):
            connection.cursor_factory = Watched
        else:
            connection.set_trace_callback(seen.append)

    event.listen(Pool, "connect", watch)
    yield seen
    event.remove(Pool, "connect", watch)


@pytest.fixture
def watched_store(statements: list[str], database: str) -> Iterator[Backend]:
    opened = open_store(database)
    yield opened
    opened.close()


def plant(canaries: Canaries, folder: Path) -> None:
    """Put a canary into every field that is not shown: ids, systems, groups, more columns, their names, the files."""
    found = read_csv(folder / "items.csv")[:6]
    more = [canaries.new(f"column {number}") for number in range(2)]
    key = canaries.new("a key of the joined file")
    known = []
    for number, row in enumerate(found):
        for column in [*row, *more]:
            if column not in SHOWN:
                row[column] = canaries.new(f"{column} of row {number}")
        hidden = {each: canaries.new(f"{each} of row {number}") for each in ("model_tag", "sample_id", key)}
        known.append({"eval_id": row["eval_id"], **hidden})
    items, mapping = canaries.new("file") + ".csv", canaries.new("joined file") + ".json"
    (folder / "items.csv").unlink()
    (folder / "mapping.json").unlink()
    write_csv(folder / items, found)
    (folder / mapping).write_text(json.dumps(known), "utf-8")
    study = folder / "study.yaml"
    text = study.read_text("utf-8").replace("items.csv", items).replace("mapping.json", mapping)
    study.write_text(text, "utf-8")


@pytest.fixture
def canaries() -> Canaries:
    return Canaries()


@pytest.fixture
def planted(watched_store: Backend, tmp_path: Path, canaries: Canaries) -> Bench:
    bench = make_bench(watched_store, tmp_path / "study", edit=lambda folder: plant(canaries, folder))
    assert canaries.planted["model_tag of row 0"] in str(rows(watched_store, item_hidden))
    return bench


def crawl(bench: Bench) -> list[bytes]:
    """Every answer that an annotator can get, headers and all: each route, rightly and wrongly asked, to the end."""
    seen: list[bytes] = []

    def keep(response: Any) -> None:
        head = f"{response.status_code} {response.url}\n{response.headers}\n".encode()
        seen.append(head + response.read())

    ana = Annotator(bench)
    ana.client.event_hooks = {"response": [keep]}
    ana.begin()
    address, form = ana.form()
    for endpoint in [each for each in ENDPOINTS if not each.path.endswith("/sign-out")]:
        public_id = address.rsplit("/", 1)[1]
        path = endpoint.path.format(study="empathy", public_id=public_id, token="none", hash="0" * 64, position="1")
        for headers in ({}, SCRIPT):
            ana.client.get(path, headers=headers)
            ana.client.head(path)
            for data in ({}, {"a": "b"}, form, {**form, "emotion": "1"}, {**form, "study": "none"}):
                ana.client.post(path, data=data, headers=headers)
        ana.client.request("DELETE", path)
    for number in range(1, 9):  # the ids that the database gives are no addresses
        ana.send(f"{ana.home}/submit/{number}", {**form, **SCORES})
    for file in FOLDER.iterdir():
        ana.client.get(f"/static/{file.name}")
        ana.client.get(f"/static/{file.name}.map")
    ana.client.post(f"{ana.home}/break", data={**form, "ends": "yes"})
    _, form = ana.form()
    ana.client.post(ana.form()[0], data={**form, "decline": "yes"})
    for _ in range(6):
        if "/submit/" not in ana.page():
            break
        ana.submit()
        ana.send(address, {**form, **SCORES})
    assert "You are up to date" in ana.page()
    return seen


def test_nothing_hidden_reaches_an_annotator_in_any_byte_by_any_route(planted: Bench, canaries: Canaries) -> None:
    other = Annotator(planted, canaries.new("another annotator's name")).begin()
    other.submit({**SCORES, "emotion": "5", "note": canaries.new("another annotator's note")})
    address, form = other.form()
    other.send(address.replace("/submit/", "/draft/"), {**form, "note": canaries.new("another annotator's draft")})
    canaries.planted["another annotator's item"] = address.rsplit("/", 1)[1]

    answers = crawl(planted)
    assert len(answers) > 150
    assert sum(map(len, answers)) > 500_000
    assert [hit for answer in set(answers) for hit in canaries.hits(answer)] == []


def test_the_coordinator_does_see_what_is_hidden(planted: Bench, canaries: Canaries) -> None:
    # Else the test above could not fail.
    client = planted.client()
    enter(client, planted.coordinator_link())
    hits = canaries.hits(client.get("/coordinate/empathy").content)
    assert any(hit.startswith("model_tag of row 0") for hit in hits)


def test_no_statement_behind_an_annotators_page_touches_the_hidden_table(planted: Bench, statements: list[str]) -> None:
    statements.clear()
    crawl(planted)
    assert len(statements) > 100
    assert any("submission" in each for each in statements), "writes are watched"
    assert any("FROM assignment" in each for each in statements), "reads are watched"
    assert [each for each in statements if "hidden" in each.lower()] == []

    enter(planted.client(), planted.coordinator_link())
    assert [each for each in statements if "item_hidden" in each], "the watch sees the table when it is asked for"


def test_an_item_has_another_name_for_each_annotator(store: Backend, tmp_path: Path) -> None:
    bench = make_bench(store, tmp_path / "study", edit=with_items(2))
    for name in ("ana", "ben"):
        person = Annotator(bench, name).begin()
        for _ in range(2):
            person.submit()
    given = rows(store, assignment)
    assert len({row["item_id"] for row in given}) == 2, "both judged both items"
    assert len({row["public_id"] for row in given} | {row["submission_id"] for row in given}) == 8


def share_in_the_order_of_the_file(bench: Bench) -> float:
    """Of two items of an annotator, how often the first stands first in the file too: half of the time, by lot."""
    for name in ("ana", "ben", "cem", "dee", "eve", "fay"):
        somebody = Annotator(bench, name).begin()
        for _ in range(8):
            somebody.submit()
    mine = {row["id"] for row in rows(bench.store, item) if row["study_id"] == bench.study_id}
    orders: dict[int, list[int]] = defaultdict(list)
    for row in sorted(rows(bench.store, assignment), key=lambda row: row["position"]):
        if row["item_id"] in mine:
            orders[row["annotator_id"]].append(row["item_id"])
    pairs = [pair for order in orders.values() for pair in combinations(order, 2)]
    assert len(pairs) >= 6 * 28
    return sum(first < second for first, second in pairs) / len(pairs)


def test_the_order_of_items_does_not_tell_their_place_in_the_file(sqlite_store: Backend, tmp_path: Path) -> None:
    by_lot = make_bench(sqlite_store, tmp_path / "lot", edit=edited(study="lot", order="random"))
    assert 0.35 < share_in_the_order_of_the_file(by_lot) < 0.65
    fixed = make_bench(sqlite_store, tmp_path / "fixed", edit=edited(study="fixed", order="fixed"))
    assert share_in_the_order_of_the_file(fixed) == 1, "the measure tells one from the other"
