"""What was made with an earlier release stays what it was: its version hashes, its judgments and its report.

`tests/golden/<release>/` holds, for each template, a store that bots and a coordinator filled with that release, and
the report that was made of it at `MADE_AT` (by that release; where numbers were meant to change, by a later one, with
`tools/golden.py`, and the changelog says which); and the numbers of the figures on the coordinator's page.
"""

import gzip
import json
import math
import re
import shutil
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from sqlalchemy import Connection, MetaData, create_engine, func, insert, select, text

from assay.frozen_json import to_json
from assay.live.report_data import gather_with_fieldwork
from assay.report.build import Report, build
from assay.report.figures import all_figures, draw
from assay.store import Backend, connect, migrate_to, open_store
from assay.store.annotator import versions
from assay.store.annotator.names import names_apart
from assay.store.annotator.session_lifetime import DAY
from assay.store.coordinator import long_table, studies
from assay.study import study_from_document
from tests.conftest import T0
from tests.selection import on_templates

RELEASE = Path(__file__).parent / "golden" / "0.1.0"
SCHEMA_OF_RELEASE = "0007"
MADE_AT = T0 + 30 * DAY
NAMES = sorted(path.name.removesuffix(".db.gz") for path in RELEASE.glob("*.db.gz"))

OF_THE_MACHINE = "report.protocol.software"
"""The versions of what a report was made with: they are those of the machine that makes it."""

named = pytest.mark.parametrize("name", NAMES)


def unpack(name: str, folder: Path) -> Path:
    path = folder / "assay.db"
    with gzip.open(RELEASE / f"{name}.db.gz") as packed, path.open("wb") as whole:
        shutil.copyfileobj(packed, whole)
    return path


def golden_report(name: str) -> Any:
    return json.loads(gzip.decompress((RELEASE / f"{name}.json.gz").read_bytes()))


def differences(was: Any, now: Any, where: str = "report") -> list[str]:
    """Where two JSON values differ; the last bits of a number may, since machines add in different orders."""
    if isinstance(was, dict) and isinstance(now, dict):
        gone = [f"{where}.{key} is gone" for key in was.keys() - now.keys()]
        if where == OF_THE_MACHINE:
            return gone
        # What is new breaks nobody who reads what there was.
        return [*gone, *(line for key in was.keys() & now.keys() for line in _below(was, now, key, where))]
    if isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        return [line for place in range(len(was)) for line in _below(was, now, place, where)]
    if isinstance(was, float) and isinstance(now, float) and math.isclose(was, now, rel_tol=1e-9, abs_tol=1e-12):
        return []
    return [] if was == now and type(was) is type(now) else [f"{where}: {was!r} became {now!r}"]


def _below(was: Any, now: Any, key: Any, where: str) -> list[str]:
    return differences(was[key], now[key], f"{where}.{key}")


def test_differences_are_seen_wherever_they_are() -> None:
    was = {"a": [1, {"b": 0.5}], "c": None}
    assert differences(was, {"a": [1, {"b": 0.5}], "c": None}) == []
    assert differences(was, {"a": [1, {"b": 0.6}], "c": None}) == ["report.a.1.b: 0.5 became 0.6"]
    assert differences(was, {"a": [1, {"b": 0.5}]}) == ["report.c is gone"]
    assert differences(was, {**was, "d": 1}) == [], "a key more"
    assert differences({"n": 1}, {"n": True}) == ["report.n: 1 became True"]
    made_with = {"protocol": {"software": {"python": "3.11.7"}}}
    assert differences(made_with, {"protocol": {"software": {"python": "3.12.1"}}}) == [], "another machine"
    assert differences(made_with, {"protocol": {"software": {}}}) == ["report.protocol.software.python is gone"]


def test_every_template_of_the_release_is_there() -> None:
    assert len(NAMES) == 5


def report_of(name: str) -> str:
    """The report that this release makes of a store of that one. `tools/golden.py` keeps it, where it is meant so.

    People are called as they were: since then pseudonyms were drawn for them, others each time.
    """
    report, called = _report_and_names(name)
    found = with_names(json.loads(report.json()), called)
    return json.dumps(found, ensure_ascii=False, indent=2)


def whole_report(name: str) -> Report:
    """The same as it is, with its page."""
    return _report_and_names(name)[0]


@cache
def _report_and_names(name: str) -> tuple[Report, dict[str, str]]:
    """Made once, for all tests of a worker."""
    with TemporaryDirectory() as folder:
        store = open_store(unpack(name, Path(folder)))
        report = _report(store, name)
        called = store.read(names_apart, store.read(studies.find, name)[0])
        store.close()
    return report, called


def _report(store: Backend, name: str) -> Report:
    study_id, hash_ = store.read(studies.find, name)
    study = store.read(versions.version, study_id, hash_)
    assert study is not None
    return build(gather_with_fieldwork(store, study_id, study, MADE_AT))


def with_names(found: Any, called: dict[str, str]) -> Any:
    """Names in the place of pseudonyms, and lists of people in the order of their names."""
    if isinstance(found, dict):
        return {called.get(key, key): with_names(value, called) for key, value in found.items()}
    if isinstance(found, list):
        inside = [with_names(each, called) for each in found]
        of_people = inside and all(isinstance(each, dict) and "annotator" in each for each in inside)
        return sorted(inside, key=lambda each: str(each["annotator"])) if of_people else inside
    return called.get(found, found) if isinstance(found, str) else found


@named
def test_a_version_of_the_release_keeps_its_hash(name: str, tmp_path: Path) -> None:
    rows = sqlite3.connect(unpack(name, tmp_path)).execute("select hash, document from study_version").fetchall()
    assert rows
    for hash_, document in rows:
        study = study_from_document(document)
        assert study.hash == hash_
        assert study.document() == document


@named
def test_the_report_of_a_store_of_the_release_is_the_same(name: str) -> None:
    assert differences(with_names(golden_report(name), {}), json.loads(report_of(name))) == []


@on_templates("route-planning", of=NAMES)
def test_pseudonyms_drawn_for_people_change_no_number_of_the_report(name: str, tmp_path: Path) -> None:
    """Those who have judged in the release are people here; the same store once as it was drawn, once with names."""
    path = unpack(name, tmp_path)
    with closing(sqlite3.connect(path)) as old, old:
        old.execute("update annotator set simulated = 0")
    store = open_store(path)
    called = store.read(names_apart, store.read(studies.find, name)[0])
    drawn = json.loads(_report(store, name).json())
    assert {"bot0", "bot1", "ana", "ben"} <= {*called.values()}
    assert not any(each in json.dumps(drawn) for each in ('"bot0"', '"bot1"', '"ana"', '"ben"'))
    back = "update annotator set name = (select name from person where person.annotator_id = annotator.id)"
    store.write(lambda c: c.execute(text(f"{back} where id in (select annotator_id from person)")))
    named_report = json.loads(_report(store, name).json())
    store.close()
    for each in (drawn, named_report):
        assert each["figures"].pop("confusion"), "of two people, one is across and one is down: by their names"
    assert differences(in_any_order(named_report), in_any_order(with_names(drawn, called))) == []


def in_any_order(found: Any) -> Any:
    """Two people of whom one is the first and one the second are the same two the other way round."""
    if isinstance(found, dict):
        inside = {key: in_any_order(value) for key, value in found.items()}
        if {"first", "second"} <= inside.keys():
            inside["first"], inside["second"] = sorted((inside["first"], inside["second"]), key=str)
        return inside
    return sorted(map(in_any_order, found), key=json.dumps) if isinstance(found, list) else found


@named
def test_figures_that_the_release_kept_are_read_whole_and_drawn(name: str) -> None:
    """The coordinator's page keeps the numbers of its figures in the store, and shows them until there are new ones."""
    kept = json.loads(gzip.decompress((RELEASE / "figures.json.gz").read_bytes()))[name]
    assert set(kept) <= {figure.kind for figure in all_figures()}, "figures of later releases may have come"
    for figure in (each for each in all_figures() if each.kind in kept):
        numbers = figure.numbers_from_json(kept[figure.kind])
        assert differences(kept[figure.kind], to_json(numbers), figure.kind) == []
        assert figure.question in draw(figure, numbers)


@named
def test_a_store_of_the_release_migrates_with_everything_in_it(name: str, tmp_path: Path, database: str) -> None:
    """On both kinds of database; the rows are those of the golden store."""
    (tmp_path / "release").mkdir()
    path = unpack(name, tmp_path / "release")
    old = connect(database)
    old.migrate(lambda connection: migrate_to(connection, SCHEMA_OF_RELEASE))
    old.write(_copy_rows, path)
    old.close()
    migrated = open_store(database)
    from_file = open_store(path)
    assert _judgments(migrated, name) == _judgments(from_file, name) != []
    for store in (migrated, from_file):
        called = store.read(names_apart, store.read(studies.find, name)[0])
        assert sorted(called.values()) == ["ana", "ben"], "bots, judges and people from files stay as they are called"
        assert all(re.fullmatch("p-[a-z2-9]{6}", drawn) for drawn in called)
    for table in ("study", "item", "annotator", "assignment", "submission", "action", "flag", "message", "problem"):
        count = select(func.count()).select_from(text(f'"{table}"'))
        ours, theirs = (store.read(lambda c, q=count: c.execute(q).scalar_one()) for store in (migrated, from_file))
        assert ours == theirs > 0 or (table == "flag" and ours == theirs), table
    migrated.close()
    from_file.close()


def _judgments(store: Backend, name: str) -> list[object]:
    study_id, hash_ = store.read(studies.find, name)
    study = store.read(versions.version, study_id, hash_)
    assert study is not None
    return sorted(store.stream(long_table.judgments, study_id, study.preference_dimensions), key=repr)


def _copy_rows(connection: Connection, path: Path) -> None:
    """Every row of a SQLite store into the tables of another, which are of the same schema."""
    tables = MetaData()
    tables.reflect(connection)
    source = create_engine(f"sqlite:///{path}")
    with source.connect() as rows:
        if connection.dialect.name == "postgresql":
            connection.execute(text("set session_replication_role = replica"))
        for table in reversed(tables.sorted_tables):
            connection.execute(table.delete())
        for table in tables.sorted_tables:
            found = [dict(row._mapping) for row in rows.execute(text(f'select * from "{table.name}"'))]
            for row in found:
                row |= {
                    column.name: bool(row[column.name])
                    for column in table.columns
                    if str(column.type) == "BOOLEAN" and row[column.name] is not None
                }
            if found:
                connection.execute(insert(table), found)
    source.dispose()
