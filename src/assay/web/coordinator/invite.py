"""The page of invitations: links with a text to send and a QR code each, or as a CSV file."""

import csv
import io
from dataclasses import dataclass

from markupsafe import Markup
from starlette.responses import Response

from assay import acts
from assay.errors import AssayError
from assay.exchange.csv import harmless
from assay.live.work_plan import work_plan
from assay.store.coordinator.links import LINK_DAYS
from assay.study import Study
from assay.web.access import Call, Endpoint, see_other
from assay.web.coordinator import manage
from assay.web.coordinator.common import address_of, by, compute, show, study_of
from assay.web.coordinator.known_names import names_known

MOST_LINKS = 500
"""The most links that are made at a time: each has a picture on the page."""


@dataclass(frozen=True, slots=True)
class InvitationLink:
    """A link that was just made. It cannot be shown again."""

    name: str
    role: str
    address: str
    pseudonym: str = ""
    """What an annotator's judgments stand under."""

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
        return await manage.page(call, f"{error.what}: {error.hint}.", 422)
    plan = await compute(call, work_plan, names=[each.name for each in made if each.role == "annotator"])
    text = study.words("invitation.text", title=study.title, minutes=plan.forecast.minutes)
    if call.first("as") == "csv":
        return _as_csv(call, made, text)
    key = call.context.kept.put(call.session.hash, call.now, (made, text))
    return see_other(address_of(call, "invited", made=key))


async def show_links(call: Call) -> Response:
    """The links that were just made: loaded again, the page shows the same ones and makes none."""
    found = call.context.kept.get(call.session.hash, call.now, call.request.query_params.get("made", ""))
    made, text = found or ([], "")
    return await show(call, "invited.html", 200 if found else 404, made=made, text=text, days=LINK_DAYS)


async def _make_links(call: Call, study: Study) -> list[InvitationLink]:
    role = call.first("role") or "annotator"
    names = [line.strip() for line in call.first("names").splitlines() if line.strip()]
    count = int(call.first("count")) if call.first("count").strip().isdigit() else 0
    if len(names) + count > MOST_LINKS:
        raise AssayError(f"{len(names) + count} links are too many at once", f"make {MOST_LINKS} at a time")
    write = call.context.store.awrite
    if call.first("what") == "replace":
        made = await write(acts.replace_links, by(call), names)
    elif role == "annotator":
        if not names and not count:
            raise AssayError("nobody is named", "write names, one a line, or say how many to make up")
        as_they_are = bool(call.first("are_pseudonyms"))
        people, pseudonyms = ([], names) if as_they_are else (names, [])
        made = await write(acts.invite, by(call), people, count, pseudonyms=pseudonyms)
    else:
        wanted = [""] if role == "anybody" else names or [""]
        made = [(name, await write(acts.invite_other, by(call), study, role, name)) for name in wanted]
    base = str(call.request.base_url).rstrip("/")
    drawn = {name: known for known, name in (await names_known(call)).items()} if role == "annotator" else {}
    return [InvitationLink(name, role, f"{base}/join/{token}", drawn.get(name, "")) for name, token in made]


def _as_csv(call: Call, made: list[InvitationLink], text: str) -> Response:
    """A file for a mail merge. A name that a spreadsheet would take for a formula is made plain."""
    file = io.StringIO(newline="")
    rows = csv.writer(file)
    rows.writerow(["name", "role", "link", "text", "pseudonym"])
    words = harmless(text)
    rows.writerows([harmless(each.name), each.role, each.address, words, each.pseudonym] for each in made)
    headers = {"Content-Disposition": f'attachment; filename="links-{call.session.study}.csv"'}
    return Response(file.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


ENDPOINTS = [
    Endpoint("POST", "/coordinate/{study}/invite", "coordinator", invite),
    Endpoint("GET", "/coordinate/{study}/invited", "coordinator", show_links),
]
