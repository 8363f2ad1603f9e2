"""What the coordinator's pages share: their address, the study in force, who acts, and how a page is shown."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlencode

from starlette.responses import HTMLResponse, Response

from assay import in_words
from assay.errors import NotFound
from assay.exchange import as_time
from assay.quality.findings import evidence_in_words
from assay.store.annotator import versions
from assay.store.coordinator import cache
from assay.store.coordinator.item_lookup import CoordinatorItem, item_named
from assay.store.coordinator.record import By
from assay.study import Study
from assay.web.access import Call
from assay.web.coordinator.known_names import name_beside, names_known
from assay.web.coordinator.labelled_cells import with_labels
from assay.web.coordinator.menu import menu_in_words
from assay.web.pages import Pages

T = TypeVar("T")

MOST_WORDS = 4000
MOST_NAME = 200


def home(call: Call) -> str:
    """The address of the coordinator's page."""
    return f"/coordinate/{call.session.study}"


def address_of(call: Call, page: str, **query: str) -> str:
    """The address of a page about something."""
    return f"{home(call)}/{page}" + (f"?{urlencode(query)}" if query else "")


async def study_of(call: Call) -> Study:
    """The version in force."""
    found = await call.context.store.aread(versions.version, call.session.study_id, call.session.version)
    assert found is not None
    return found


async def show(call: Call, template: str, status: int = 200, /, **values: Any) -> Response:
    """A page of the coordinator's."""
    study = await study_of(call)
    menu = menu_in_words(call.context.menu, study, call.session.study, home(call), call.request.url.path)
    common = {"study": study, "session": call.session, "home": home(call), "menu": menu}
    called = await names_known(call)
    common |= {"called": called, "named": partial(name_beside, called)}
    shared = {"as_time": as_time, "in_words": in_words, "evidence_in_words": evidence_in_words, "error": ""}
    # Some of these pages are long, or the first of their kind: annotators do not wait until one is written.
    return await asyncio.to_thread(_page_of, call.context.pages, template, status, {**common, **shared, **values})


def _page_of(pages: Pages, template: str, status: int, values: Mapping[str, Any]) -> Response:
    return HTMLResponse(with_labels(pages.html(template, **values)), status)


async def item_of(call: Call, name: str) -> CoordinatorItem | None:
    """An item by its name; None where there is none, and a person is to be told so by `no_such_item`."""
    try:
        return await call.context.store.aread(item_named, call.session.study_id, name)
    except NotFound:
        if call.wants_json:
            raise
        return None


async def no_such_item(call: Call, name: str) -> Response:
    """The page for an address with an unknown item."""
    return await show(call, "no_such_item.html", 404, name=name[:MOST_NAME])


async def leads_of(call: Call, kind: str) -> dict[str, list[str]]:
    """What each mark of a figure leads to, by its words: items, or people."""
    found = await call.context.store.aread(cache.get, call.session.study_id, cache.LEADS)
    return {} if found is None else found.content.get(kind, {})


async def compute(call: Call, work: Callable[..., T], **more: Any) -> T:
    """Run a slow computation in a thread, without blocking annotators."""
    study = await study_of(call)
    return await asyncio.to_thread(work, call.context.store, call.session.study_id, study, call.now, **more)


def by(call: Call) -> By:
    """The actor, the time and the reason of an act, from the request."""
    who = call.session.name or "coordinator"
    return By(call.session.study_id, who, call.now, call.first("reason").strip()[:MOST_WORDS])


def content(call: Call, study: Study, shown: dict[str, Any]) -> list[Any]:
    """An item as annotators see it."""
    return [call.context.pages.block(block, shown, home(call)) for block in study.items.show]
