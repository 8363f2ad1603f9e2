"""After many rows came in, PostgreSQL knows how large its tables are: its own upkeep has a look once a minute."""

from typing import Any

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import ProgrammingError

from assay import acts
from assay.items.imported_judgments import ImportedAnswers
from assay.items.reader import ImportedRow
from assay.model import Slot
from assay.store.coordinator.record import By
from assay.store.engine import postgres
from tests.conftest import T0, Bench
from tests.store.test_undo_import import row
from tests.web.scripts import Script

only_postgresql = pytest.mark.parametrize("bench", ["postgresql"], indirect=True)
MANY = 400


def believed(bench: Bench, *tables: str) -> list[int]:
    """How many rows the planner believes to be in some tables."""
    ask = text("select reltuples from pg_class where oid = to_regclass(:table)")

    def rows(connection: Connection) -> list[int]:
        return [int(connection.execute(ask, {"table": each}).scalar_one()) for each in tables]

    return bench.store.read(rows)


def take_in(bench: Bench, count: int, prefix: str, judged: int = 0) -> None:
    scores = {Slot(name): 3 for name in ("emotion", "validation", "helpfulness", "safety", "overall")}
    given = [(f"{prefix}-{number}", ImportedAnswers("gpt", True, scores)) for number in range(judged)]
    new: list[ImportedRow] = [row(f"{prefix}-{number}") for number in range(count)]
    by = By(bench.study_id, "cora", T0)
    acts.take_in_by_steps(bench.store, by, bench.study, new, acts.ImportedFiles(given))


@only_postgresql
def test_after_an_import_of_many_the_planner_knows_the_tables(bench: Bench) -> None:
    before = believed(bench, "item", "item_hidden", "judgment")
    take_in(bench, 10, "few")
    assert believed(bench, "item", "item_hidden", "judgment") == before, "of few rows it need not know"
    take_in(bench, MANY, "many", judged=MANY)
    item, hidden, judgment = believed(bench, "item", "item_hidden", "judgment")
    assert item == hidden > MANY + 10
    assert judgment == 5 * MANY
    monitored = "select last_analyze is not null from pg_stat_user_tables where relname = 'item'"
    assert bench.store.read(lambda connection: connection.exec_driver_sql(monitored).scalar_one())


@only_postgresql
def test_what_a_script_sends_is_known_too(bench: Bench) -> None:
    texts = {"user_statement": "I lost it.", "response": "Oh. " * 100, "model_tag": "m", "sample_id": "s"}
    Script(bench).send("POST", "/items", {"items": [{"eval_id": f"n{number}", **texts} for number in range(MANY)]}, 201)
    assert believed(bench, "item")[0] > MANY


@only_postgresql
def test_an_import_does_not_fail_where_the_tables_cannot_be_looked_at(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = believed(bench, "item")
    monkeypatch.setattr(postgres, "KNOWN_ROWS", "select no_such_thing(:table)")
    with pytest.raises(ProgrammingError):
        bench.store.read(lambda connection: connection.execute(text(postgres.KNOWN_ROWS), {"table": "item"}))
    take_in(bench, MANY, "many")
    assert believed(bench, "item") == before


def test_a_database_that_needs_none_is_not_asked(sqlite_bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[Any] = []
    monkeypatch.setattr(type(sqlite_bench.store), "rows_came", lambda _, added: done.append(added))
    take_in(sqlite_bench, 2, "few")
    assert [each["item"] for each in done] == [2]
