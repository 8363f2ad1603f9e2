"""Items: what there is to judge, and more of it."""

import json
from typing import Any

from pydantic import Field
from sqlalchemy import Connection, select

from assay import acts
from assay.store.coordinator import item_lookup
from assay.store.coordinator.annotators_per_item import people_wanted
from assay.store.tables import EVERYBODY, WITHDRAWN, WORK, is_in_study, item, item_hidden
from assay.web.api.endpoint import WORDS, Answer, ApiCall, ApiEndpoint, Body, Query
from assay.web.api.new_items import Added, NewItems, take_in_beside_requests

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
    return Added(**await take_in_beside_requests(call))


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
