"""The page for paying: who has done what, in how much time, with a suggestion and what it rests on; also as CSV."""

import csv
import io

from starlette.responses import Response

from assay.errors import NotFound
from assay.exchange.csv import write_csv
from assay.live.pay_list import COLUMNS, pay_list
from assay.study import Study
from assay.web.access import Call, Endpoint, Refused
from assay.web.coordinator.common import compute, show
from assay.web.coordinator.menu import MenuEntry
from assay.words import Translatable


async def page(call: Call) -> Response:
    """Everybody, with what an hour of work brings. Viewers see no ids of a panel and no codes."""
    found = await compute(call, pay_list)
    listed = found.as_json(with_ids=not call.session.reads_only)
    return await show(call, "pay.html", found=found, people=listed["people"])


async def as_csv(call: Call) -> Response:
    """The list as a file that a panel or a spreadsheet takes."""
    found = await compute(call, pay_list)
    people = found.as_json(with_ids=not call.session.reads_only)["people"]
    file = io.StringIO(newline="")
    write_csv(file, COLUMNS, ([each[name] for name in COLUMNS] for each in people))
    headers = {"Content-Disposition": f'attachment; filename="pay-{call.session.study}.csv"'}
    return Response(file.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


async def for_panel(call: Call) -> Response:
    """The file that the panel takes. It holds the panel's ids, which viewers do not see."""
    if call.session.reads_only:
        raise Refused(403, Translatable("errors.not_allowed"), Translatable("errors.reads_only"))
    lines = (await compute(call, pay_list)).for_panel()
    if lines is None:
        raise NotFound(Translatable("errors.no_page"))
    file = io.StringIO(newline="")
    csv.writer(file, lineterminator="\n").writerows(lines)
    headers = {"Content-Disposition": f'attachment; filename="pay-{call.session.study}-for-panel.csv"'}
    return Response(file.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


def _pays(study: Study) -> bool:
    return study.pay is not None or study.assignment.panel is not None


ENDPOINTS = [
    Endpoint("GET", "/coordinate/{study}/pay", "coordinator", page, MenuEntry("Pay", 70, _pays)),
    Endpoint("GET", "/coordinate/{study}/pay.csv", "coordinator", as_csv),
    Endpoint("GET", "/coordinate/{study}/pay-for-panel.csv", "coordinator", for_panel),
]
