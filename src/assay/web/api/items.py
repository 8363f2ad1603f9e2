"""Items: what there is to judge, and more of it."""

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

from pydantic import Field
from sqlalchemy import Connection, select

from assay import acts
from assay.items.judgment_fields import JudgmentsWanted
from assay.items.reader import ImportedRow, read_items
from assay.store.coordinator import item_lookup
from assay.store.coordinator.annotators_per_item import people_wanted
from assay.store.tables import EVERYBODY, WITHDRAWN, WORK, is_in_study, item, item_hidden
from assay.study import Study
from assay.web.api.endpoint import WORDS, Answer, ApiCall, ApiEndpoint, Body, Query

MOST_ITEMS = 5000
MOST_BODY = 16_000_000


class ItemAnswer(Answer):
    """An item with what is hidden of it: for coordinators."""

    item: str
    systems: list[str]
    group: str
    batch: str
    shown: dict[str, Any]
    hidden: dict[str, Any]
    wanted: int
    """How many people are to judge it; 0: it is for judges alone."""
    taken: int
    drawn: float | None
    """The probability with which it was drawn for people; null: nothing was drawn."""


class ItemsAnswer(Answer):
    """Some items, and where the next ones begin."""

    items: list[ItemAnswer]
    next: int | None
    """What to give as `after` to get the next ones; null: these were the last."""


class NewItems(Body):
    """Rows as they would stand in the study's item file, one object each."""

    items: list[dict[str, Any]] = Field(min_length=1, max_length=MOST_ITEMS)
    replace: bool = False
    """Corrected judgments of automated judges stand in the place of those that came in before; with a reason."""
    reason: str = Field(default="", max_length=WORDS)
    partial: bool = False
    """Whether what automated judges said may lack some scores; what is missing is kept in the record."""


class Added(Answer):
    """What taking in did."""

    added: int
    known: int
    taken_out: list[str]
    """Those of the known ones that were taken out of the study: they stay out."""
    duplicates: int
    judged: int
    number: int | None
    """Of the import, in the list of imports; null: nothing came in."""


async def listed(call: ApiCall) -> ItemsAnswer:
    """Read items in the order in which they came, some at a time."""
    limit: int = call.query["limit"]
    store, study_id = call.context.store, call.bearer.study_id
    rows = await store.aread(_rows, study_id, call.query["after"], limit)
    everybody = await store.aread(people_wanted, study_id, EVERYBODY)
    found = [
        ItemAnswer(
            item=row.name,
            systems=json.loads(row.systems),
            group=row.group,
            batch=row.batch,
            shown=json.loads(row.shown),
            hidden=json.loads(row.hidden),
            wanted=everybody if row.wanted == EVERYBODY else row.wanted,
            taken=row.taken,
            drawn=row.drawn,
        )
        for row in rows
    ]
    return ItemsAnswer(items=found, next=rows[-1].id if len(rows) == limit else None)


def _rows(connection: Connection, study_id: int, after: int, limit: int) -> list[Any]:
    of_hidden = ("systems", "group", "batch", "hidden", "drawn")
    hidden = [item_hidden.c[name] for name in of_hidden]
    statement = (
        select(item.c.id, item.c.name, item.c.shown, item.c.wanted, item.c.taken, *hidden)
        .join(item_hidden, item_hidden.c.item_id == item.c.id)
        .where(is_in_study(study_id), item.c.series == WORK, item.c.id > after)
        .order_by(item.c.id)
        .limit(limit)
    )
    return list(connection.execute(statement))


async def add(call: ApiCall) -> Added:
    """Take items in: all of them, or none and a list of what is wrong in which row.

    The same items a second time change nothing. A row has all its fields, also those that `items.join` would bring from
    another file. Pictures come in by `assay import` alone.
    """
    wanted = call.read(NewItems)
    study = await call.study()
    rows = await asyncio.to_thread(_read, study, wanted.items, wanted.partial)
    judged = [(row.name, each) for row in rows for each in row.judgments if each.judge]

    def act(connection: Connection) -> dict[str, Any]:
        by = call.by(wanted.reason)
        done = acts.take_in(connection, by, study, rows, judged, None, replace=wanted.replace, partial=wanted.partial)
        added = done.items
        counts = {"added": added.added, "known": added.known, "duplicates": added.duplicates}
        counts |= {"judged": done.judgments.submissions}
        return {**counts, "taken_out": list(added.taken_out), "number": done.number}

    return Added(**await call.write(act))


class ItemChange(Body):
    """Whether an item is out of the study, and why."""

    taken_out: bool
    reason: str = Field(default="", max_length=WORDS)


class ItemState(Answer):
    """An item, and whether it is out of the study."""

    item: str
    taken_out: bool


async def change(call: ApiCall) -> ItemState:
    """Take an item out of the study, or put it back. While it is out nobody gets it, and it counts nowhere."""
    wanted, name = call.read(ItemChange), call.path("item")

    def act(connection: Connection) -> dict[str, Any]:
        found = item_lookup.item_named(connection, call.bearer.study_id, name)
        if wanted.taken_out != (found.series == WITHDRAWN):
            move = acts.withdraw_item if wanted.taken_out else acts.put_item_back
            move(connection, call.by(wanted.reason), name)
        return {"item": name, "taken_out": wanted.taken_out}

    return ItemState(**await call.write(act))


def _read(study: Study, rows: list[dict[str, Any]], partial: bool) -> list[ImportedRow]:
    """Through the same reader as a file: what holds of a row there holds of it here."""
    alone = study.model_copy(update={"items": study.items.model_copy(update={"join": None})})
    with tempfile.TemporaryDirectory(prefix="assay-items-") as folder:
        path = Path(folder) / "items.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        return list(read_items(alone, path, wanted=JudgmentsWanted(partial=partial)))


ENDPOINTS = [
    ApiEndpoint(
        "GET",
        "/studies/{study}/items",
        "read",
        listed,
        ItemsAnswer,
        query=(
            Query("after", "Begin behind this place, as an earlier answer named it.", 0),
            Query("limit", "How many at most.", 100, low=1, high=1000),
        ),
    ),
    ApiEndpoint(
        "POST",
        "/studies/{study}/items",
        "manage",
        add,
        Added,
        NewItems,
        status=201,
        most_body=MOST_BODY,
        repeatable=True,
    ),
    ApiEndpoint("PATCH", "/studies/{study}/items/{item}", "manage", change, ItemState, ItemChange, repeatable=True),
]
