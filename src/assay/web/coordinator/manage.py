"""What a coordinator does with the study as a whole: its state, links for people, items, and the record of it all."""

import csv
import io
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup
from starlette.responses import Response

from assay.assignment.forecast import Forecast
from assay.assignment.share import Share
from assay.errors import AssayError
from assay.exchange.csv import harmless
from assay.store.annotator import people
from assay.store.coordinator import actions, managing, results
from assay.study import Study
from assay.web.access import Call, Endpoint, MenuEntry, see_other
from assay.web.coordinator.oversee import by, home, show, study_of

MOST_LINKS = 500
"""So many are made at a time: each has a picture on the page."""


async def page(call: Call, error: str = "", status: int = 200) -> Response:
    """Everything that can be done with the study."""
    store, study_id = call.context.store, call.who.study_id
    study = await study_of(call)
    return await show(
        call,
        "manage.html",
        status,
        error=error,
        batches=await store.aread(managing.batches, study_id),
        withdrawn=await store.aread(managing.withdrawn, study_id),
        seats=await store.aread(managing.seats, study_id, call.now),
        problems=[each for each in await store.aread(results.problems, study_id) if each.closed_at is None],
        opens_to_anybody=study.assignment.enrol is not None,
        plan=await _plan(call, study),
        kept_days=managing.KEPT_DAYS,
    )


async def _plan(call: Call, study: Study) -> Forecast:
    """What the work comes to with the people there are, or one where there is nobody yet."""
    planned = await call.context.store.aread(people.planned, call.who.study_id)
    share = Share(study, "", planned.items, max(1, planned.annotators), planned.controls, planned.cells)
    return Forecast(share, planned.words, planned.hard)


async def _do(call: Call, act: Any, *args: Any, back: str = "manage") -> Response:
    """Do something that is recorded, and go back to where it was asked for."""
    try:
        await call.context.store.awrite(act, by(call), *args)
    except AssayError as error:
        return await page(call, f"{error.what}: {error.hint}." if error.hint else f"{error.what}.", 422)
    return see_other(f"{home(call)}/{back}")


async def set_state(call: Call) -> Response:
    """Open, pause or close the study."""
    return await _do(call, managing.set_state, call.first("state"))


async def remove(call: Call) -> Response:
    """Put the study away, after its name was typed."""
    return await _do(call, managing.remove, call.first("confirm").strip())


async def bring_back(call: Call) -> Response:
    """Have the study back."""
    return await _do(call, managing.bring_back)


async def move_item(call: Call) -> Response:
    """Take an item out of the study, or put it back."""
    act = managing.put_back if call.first("what") == "back" else managing.withdraw
    return await _do(call, act, call.first("name").strip())


async def close_problem(call: Call) -> Response:
    """Be done with what an annotator found wrong."""
    return await _do(call, managing.close_problem, call.first("id"))


async def revoke(call: Call) -> Response:
    """End links: one that is nobody's in particular, or all of one annotator."""
    if hash_ := call.first("link"):
        return await _do(call, managing.revoke_seat, hash_)
    return await _do(call, managing.revoke, call.first("name"))


async def record(call: Call) -> Response:
    """What was done, by whom, when and why."""
    return await show(call, "record.html", done=await call.context.store.aread(actions.done, call.who.study_id))


@dataclass(frozen=True, slots=True)
class Invited:
    """A link that was just made. It cannot be shown again."""

    name: str
    role: str
    address: str

    @property
    def picture(self) -> Markup:
        """The address as a QR code."""
        import segno

        return Markup(segno.make(self.address, error="m").svg_inline(scale=3, border=4, light="#fff"))


async def invite(call: Call) -> Response:
    """Make links: as a page with a text to send and a QR code each, or as a CSV file."""
    study = await study_of(call)
    try:
        made = await _make_links(call, study)
    except AssayError as error:
        return await page(call, f"{error.what}: {error.hint}.", 422)
    text = study.words("invitation.text", title=study.title, minutes=(await _plan(call, study)).minutes)
    if call.first("as") == "csv":
        return _as_csv(call, made, text)
    return await show(call, "invited.html", made=made, text=text, days=people.LINK_DAYS)


async def _make_links(call: Call, study: Study) -> list[Invited]:
    role = call.first("role") or "annotator"
    names = [people.check_name(line.strip()) for line in call.first("names").splitlines() if line.strip()]
    count = int(call.first("count")) if call.first("count").strip().isdigit() else 0
    if len(names) + count > MOST_LINKS:
        raise AssayError(f"{len(names) + count} links are too many at once", f"make {MOST_LINKS} at a time")
    store, acting = call.context.store, by(call)
    if role == "anybody" and study.assignment.enrol is None:
        raise AssayError("this study is not open to anybody", "assignment.enrol in study.yaml opens it")
    if role in ("coordinator", "viewer", "anybody"):
        wanted = [""] if role == "anybody" else names or [""]
        made = [(name, await store.awrite(managing.invite_other, acting, role, name)) for name in wanted]
    else:
        names += await store.aread(people.next_names, call.who.study_id, count)
        if not names:
            raise AssayError("nobody is named", "write pseudonyms, one a line, or say how many to make up")
        made = await store.awrite(managing.invite, acting, list(dict.fromkeys(names)))
    base = str(call.request.base_url).rstrip("/")
    return [Invited(name, role, f"{base}/join/{token}") for name, token in made]


def _as_csv(call: Call, made: list[Invited], text: str) -> Response:
    """A file for a mail merge. A name that a spreadsheet would take for a formula is made plain."""
    file = io.StringIO(newline="")
    rows = csv.writer(file)
    rows.writerow(["name", "role", "link", "text"])
    rows.writerows([harmless(each.name), each.role, each.address, harmless(text)] for each in made)
    headers = {"Content-Disposition": f'attachment; filename="links-{call.who.study}.csv"'}
    return Response(file.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


ENDPOINTS = [
    Endpoint("GET", "/coordinate/{study}/manage", "coordinator", page, MenuEntry("Manage", 80)),
    Endpoint("GET", "/coordinate/{study}/record", "coordinator", record, MenuEntry("Record", 90)),
    Endpoint("POST", "/coordinate/{study}/invite", "coordinator", invite),
    Endpoint("POST", "/coordinate/{study}/state", "coordinator", set_state),
    Endpoint("POST", "/coordinate/{study}/remove", "coordinator", remove),
    Endpoint("POST", "/coordinate/{study}/bring-back", "coordinator", bring_back),
    Endpoint("POST", "/coordinate/{study}/move-item", "coordinator", move_item),
    Endpoint("POST", "/coordinate/{study}/close-problem", "coordinator", close_problem),
    Endpoint("POST", "/coordinate/{study}/revoke", "coordinator", revoke),
]
