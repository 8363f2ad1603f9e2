"""A person's own page about their data: see it, take it along, stop, or stop and have it deleted."""

import asyncio
import io
import json
from collections.abc import Mapping

from starlette.responses import Response

from assay.acts.participation import leave
from assay.acts.withdrawals import withdraw as withdraw_wholly
from assay.exchange import as_time
from assay.exchange.csv import write_csv
from assay.store.annotator import versions
from assay.store.annotator.own_data import COLUMNS, own_data, own_rows
from assay.study import Study
from assay.web.access import Call, Endpoint, drop_cookie, see_other
from assay.web.annotator.common import supports


async def page(call: Call) -> Response:
    """What is stored about them, all of it, with the ways to take it along and to stop."""
    study = await _study(call)
    data = await call.context.store.aread(own_data, call.annotator.id)
    entries = {part: [_in_a_line(each) for each in rows] for part, rows in data.items() if isinstance(rows, list)}
    return _show(call, study, "own_data.html", data=data, entries=entries)


def _in_a_line(row: Mapping[str, object]) -> str:
    """One entry as a line: what it says without the names of fields, which are a program's."""
    return " · ".join(said for name, value in row.items() if (said := _in_words(name, value)))


def _in_words(name: str, value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_in_words(key, each)}" for key, each in value.items())
    if isinstance(value, list):
        return ", ".join(_in_words("", each) for each in value)
    if isinstance(value, int) and not isinstance(value, bool) and (name == "at" or name.endswith("_at")):
        return as_time(value)[:16].replace("T", " ")
    return "" if value is None or isinstance(value, bool) else str(value)


async def as_json(call: Call) -> Response:
    """Everything, for a program."""
    data = await call.context.store.aread(own_data, call.annotator.id)
    text = json.dumps(data, ensure_ascii=False, indent=2)
    return Response(text, media_type="application/json", headers=_file(call, "json"))


async def as_csv(call: Call) -> Response:
    """Everything, as a table."""
    data = await call.context.store.aread(own_data, call.annotator.id)
    file = io.StringIO(newline="")
    write_csv(file, COLUMNS, own_rows(data))
    return Response(file.getvalue(), media_type="text/csv; charset=utf-8", headers=_file(call, "csv"))


async def withdraw(call: Call) -> Response:
    """Stop, and keep what was given; or stop and delete it, which ends the session as well."""
    store = call.context.store
    if call.first("wish") != "delete":
        await store.awrite(leave, call.annotator, call.now)
        return see_other(_home(call))
    study = await _study(call)
    goodbye = await asyncio.to_thread(withdraw_wholly, store, call.annotator, study, call.now)
    answer = _show(call, study, "deleted.html", farewell=goodbye)
    drop_cookie(answer, call.request, "annotator", call.session.study)
    return answer


async def _study(call: Call) -> Study:
    found = await call.context.store.aread(versions.version, call.session.study_id, call.session.version)
    assert found is not None
    return found


def _home(call: Call) -> str:
    return f"/judge/{call.session.study}"


def _show(call: Call, study: Study, template: str, **values: object) -> Response:
    common = {"study": study, "session": call.session, "home": _home(call), "farewell": None}
    common["supports"] = supports(call, study)
    return call.context.pages.of(study).response(template, 200, **{**common, **values})


def _file(call: Call, ending: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="my-data-{call.session.study}.{ending}"'}


ENDPOINTS = [
    Endpoint("GET", "/judge/{study}/my-data", "annotator", page),
    Endpoint("GET", "/judge/{study}/my-data.json", "annotator", as_json),
    Endpoint("GET", "/judge/{study}/my-data.csv", "annotator", as_csv),
    Endpoint("POST", "/judge/{study}/withdraw", "annotator", withdraw),
]
