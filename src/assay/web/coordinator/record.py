"""The page of the record: what was done, by whom, when and why; and what came in, which can be taken back."""

from starlette.responses import Response

from assay import acts
from assay.errors import AssayError
from assay.store.coordinator import import_list, record
from assay.web.access import Call, Endpoint, see_other
from assay.web.coordinator.common import by, home, show
from assay.web.coordinator.menu import MenuEntry


async def page(call: Call, error: str = "", status: int = 200) -> Response:
    """What was done, by whom, when and why."""
    store, study_id = call.context.store, call.session.study_id
    return await show(
        call,
        "record.html",
        status,
        error=error,
        done=await store.aread(record.entries, study_id, for_coordinators=not call.session.reads_only),
        imports=await store.aread(import_list.entries, study_id),
    )


async def undo_import(call: Call) -> Response:
    """Take an import back, or its items out of the study."""
    number = call.first("number")
    act = acts.take_import_out if call.first("what") == "out" else acts.take_import_back
    try:
        if not number.isdecimal() or len(number) > 9:
            raise AssayError("there is no such import")
        await call.context.store.awrite(act, by(call), int(number))
    except AssayError as error:
        return await page(call, f"{error.what}: {error.hint}." if error.hint else f"{error.what}.", 422)
    return see_other(f"{home(call)}/record")


ENDPOINTS = [
    Endpoint("GET", "/coordinate/{study}/record", "coordinator", page, MenuEntry("Record", 90)),
    Endpoint("POST", "/coordinate/{study}/undo-import", "coordinator", undo_import),
]
