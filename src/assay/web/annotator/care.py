"""What stands before an item for the sake of whoever judges it: how they are, and a warning of what it contains."""

from starlette.responses import Response

from assay.acts import care as acts
from assay.acts.may_judge import assignment_in_turn
from assay.acts.page_version import proof_of_page
from assay.store.annotator.assignments import Assignment
from assay.study import Study
from assay.web.access import Call, Endpoint, see_other
from assay.web.annotator import common


async def before(call: Call, study: Study, assignment: Assignment) -> Response | None:
    """The page that comes before an item: the check-in, or the warning. None: the item itself."""
    between_items = not assignment.attempt and not assignment.draft_version and study.care.check_in is not None
    if between_items and await call.context.store.aread(acts.check_in_is_due, call.annotator, study):
        return common.show(call, study, "check_in.html", answered="")
    if not assignment.is_covered:
        return None
    among = await common.number_of_item(call, study, assignment)
    values = {"assignment": assignment, "among": among, "made": proof_of_page(study, assignment)}
    warnings = [study.care.warn.get(tag, tag) for tag in assignment.warnings]
    return common.show(call, study, "warned.html", warnings=warnings, **values)


async def open_item(call: Call) -> Response:
    """Open an item after its warning was read."""
    study, store = await common.study_of(call), call.context.store
    public_id = common.public_id(call.request)
    assignment = await store.aread(assignment_in_turn, call.annotator, study, public_id, call.now)
    await store.awrite(acts.open_item, call.annotator, assignment, call.now)
    free = study.navigation == "free" and not assignment.attempt
    return see_other(f"{common.home(call)}/item/{public_id}" if free else common.home(call))


async def check_in(call: Call) -> Response:
    """Store a check-in. Somebody who is not well is shown the support page before the next item."""
    study, answer = await common.study_of(call), call.first("answer")
    await call.context.store.awrite(acts.answer_check_in, call.annotator, study, answer, call.now)
    if answer != "not_well":
        return see_other(common.home(call))
    return common.show(call, study, "check_in.html", answered=answer)


ENDPOINTS = [
    Endpoint("POST", "/judge/{study}/open/{public_id}", "annotator", open_item),
    Endpoint("POST", "/judge/{study}/check-in", "annotator", check_in),
]
