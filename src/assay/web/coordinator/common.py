"""What the coordinator's pages share: their address, the study in force, who acts, and how a page is shown."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlencode

from starlette.responses import Response

from assay.exchange import as_time
from assay.store.annotator import versions
from assay.store.coordinator.record import By
from assay.study import Study
from assay.web.access import Call

T = TypeVar("T")

MOST_WORDS = 4000


def home(call: Call) -> str:
    """The address of the coordinator's page."""
    return f"/coordinate/{call.session.study}"


def address_of(call: Call, page: str, **query: str) -> str:
    """The address of a page about something."""
    return f"{home(call)}/{page}?{urlencode(query)}"


async def study_of(call: Call) -> Study:
    """The version in force."""
    found = await call.context.store.aread(versions.version, call.session.study_id, call.session.version)
    assert found is not None
    return found


async def show(call: Call, template: str, status: int = 200, /, **values: Any) -> Response:
    """A page of the coordinator's."""
    study = await study_of(call)
    menu = [
        (path.format(study=call.session.study), each.label) for path, each in call.context.menu if each.is_for(study)
    ]
    common = {"study": study, "session": call.session, "home": home(call), "menu": menu}
    return call.context.pages.response(template, status, **{**common, "as_time": as_time, "error": "", **values})


async def compute(call: Call, work: Callable[..., T], **more: Any) -> T:
    """Do something that takes a while, without holding up the annotators."""
    study = await study_of(call)
    return await asyncio.to_thread(work, call.context.store, call.session.study_id, study, call.now, **more)


def by(call: Call) -> By:
    """Who asks for something, when, and why."""
    who = call.session.name or "coordinator"
    return By(call.session.study_id, who, call.now, call.first("reason").strip()[:MOST_WORDS])


def content(call: Call, study: Study, shown: dict[str, Any]) -> list[Any]:
    """An item as annotators see it."""
    return [call.context.pages.block(block, shown, home(call)) for block in study.items.show]
