"""The same actions over HTTP for scripts, under /api/v1: a module for each resource, described by its own endpoints."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match

from assay.errors import Mistake
from assay.web.api import (
    adjudications,
    agreement,
    annotators,
    assignments,
    care,
    erasures,
    exports,
    flags,
    imports,
    item_list,
    items,
    judgments,
    openapi,
    pay,
    plan,
    privacy,
    questionnaire,
    retention,
    studies,
    texts,
    versions,
)
from assay.web.api.endpoint import ROOT, ApiEndpoint, problem

ENDPOINTS: list[ApiEndpoint] = [
    *openapi.ENDPOINTS,
    *studies.ENDPOINTS,
    *versions.ENDPOINTS,
    *plan.ENDPOINTS,
    *pay.ENDPOINTS,
    *questionnaire.ENDPOINTS,
    *care.ENDPOINTS,
    *agreement.ENDPOINTS,
    *items.ENDPOINTS,
    *adjudications.ENDPOINTS,
    *imports.ENDPOINTS,
    *annotators.ENDPOINTS,
    *erasures.ENDPOINTS,
    *assignments.ENDPOINTS,
    *item_list.ENDPOINTS,
    *judgments.ENDPOINTS,
    *flags.ENDPOINTS,
    *texts.ENDPOINTS,
    *retention.ENDPOINTS,
    *privacy.ENDPOINTS,
    *exports.ENDPOINTS,
]

ROUTES = [endpoint.route() for endpoint in ENDPOINTS]


def answer_to_failure(request: Request, error: Exception) -> Response | None:
    """The answer for a script where there is no such address, or the program itself has failed; None for pages."""
    if not request.url.path.startswith("/api/"):
        return None
    if not isinstance(error, HTTPException):
        return problem(500, [Mistake("the program", "it has failed", "tell its makers; nothing was changed")])
    if error.status_code != 405:
        return problem(error.status_code, [Mistake("address", "there is no such address", f"see {ROOT}/openapi.json")])
    known = [route for route in ROUTES if route.matches(request.scope)[0] is not Match.NONE]
    allowed = ", ".join(sorted({method for route in known for method in route.methods or ()}))
    answer = problem(405, [Mistake("method", f"{request.method} is not known here", f"one of: {allowed}")])
    answer.headers["Allow"] = allowed
    return answer


__all__ = ["ENDPOINTS", "ROOT", "ROUTES", "ApiEndpoint", "answer_to_failure"]
