"""The description of the API for programs: made from the endpoints, so that it says what they do."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from pydantic.json_schema import models_json_schema
from starlette.responses import JSONResponse, Response

from assay import __version__
from assay.store.coordinator.tokens import SCOPES
from assay.web.api.endpoint import KEY, LONGEST_KEY, ApiCall, ApiEndpoint, ProblemAnswer, Query

ERRORS = {
    400: "The request cannot be understood.",
    401: "There is no token, or it is no longer good.",
    403: "The token is not good for this, or it is not yet the time for it.",
    404: "There is no such thing for this token.",
    409: "It no longer fits what is stored.",
    413: "The body is too long.",
    415: "The body is not JSON.",
    422: "What was sent is wrong; every problem is listed.",
    503: "The store cannot take it just now; send it again.",
}
WITH_BODY = (413, 415)


def describe_api(endpoints: Sequence[ApiEndpoint]) -> dict[str, Any]:
    """The whole description, OpenAPI 3.1."""
    models = {model for each in endpoints for model in (each.answer, each.body) if model is not None} | {ProblemAnswer}
    pairs = [(model, "validation") for model in sorted(models, key=lambda model: model.__name__)]
    references, schemas = models_json_schema(pairs, ref_template="#/components/schemas/{model}")  # type: ignore[arg-type]
    by_model = {model: schema for (model, _), schema in references.items()}
    paths: dict[str, Any] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.address, {})[endpoint.method.lower()] = _operation(endpoint, by_model)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Assay", "version": __version__, "description": "The same actions for scripts."},
        "paths": paths,
        "components": {
            "schemas": schemas["$defs"],
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "Made by `assay token`. Scopes: "
                + "; ".join(f"{name}: {what}" for name, what in SCOPES.items())}
            },
        },
    }  # fmt: skip


def _operation(endpoint: ApiEndpoint, by_model: dict[Any, Any]) -> dict[str, Any]:
    said = (endpoint.handler.__doc__ or "").strip().split("\n\n")
    parameters = [_in_path(name) for name in re.findall(r"{(\w+)}", endpoint.address)]
    parameters += [_in_query(each) for each in endpoint.query]
    if endpoint.repeatable:
        parameters.append(_key())
    content = by_model[endpoint.answer] if endpoint.answer is not None else {}
    answers: dict[str, Any] = {
        str(endpoint.status): {"description": "Done.", "content": {endpoint.media_type: {"schema": content}}}
    }
    problem = {"application/problem+json": {"schema": by_model[ProblemAnswer]}}
    for status, what in ERRORS.items():
        if status not in WITH_BODY or endpoint.body is not None:
            answers[str(status)] = {"description": what, "content": problem}
    found: dict[str, Any] = {
        "operationId": f"{endpoint.handler.__module__.rsplit('.', 1)[1]}_{endpoint.handler.__name__}",
        "summary": said[0],
        "description": "\n\n".join([*said[1:], f"Scope: {endpoint.scope}."]),
        "parameters": parameters,
        "responses": answers,
        "security": [] if endpoint.scope == "anyone" else [{"token": []}],
    }
    if endpoint.body is not None:
        schema = by_model[endpoint.body]
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return found


def _in_path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}


def _in_query(each: Query) -> dict[str, Any]:
    schema: dict[str, Any] = {"default": each.default}
    if each.choices:
        schema |= {"type": "string", "enum": list(each.choices)}
    else:
        schema |= {"type": "integer", "minimum": each.low, "maximum": each.high}
    return {"name": each.name, "in": "query", "required": False, "description": each.about, "schema": schema}


def _key() -> dict[str, Any]:
    about = "A request that comes again under the same key is answered again and not done again."
    schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY, "pattern": "^[!-~]+$"}
    return {"name": KEY, "in": "header", "required": False, "description": about, "schema": schema}


@cache
def _description() -> dict[str, Any]:
    from assay.web.api import ENDPOINTS

    return describe_api(ENDPOINTS)


async def openapi(call: ApiCall) -> Response:
    """Read this description."""
    return JSONResponse(_description())


ENDPOINTS = [ApiEndpoint("GET", "/openapi.json", "anyone", openapi)]
