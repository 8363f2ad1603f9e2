"""Versions of a study: what a study folder would change, and publishing it; what is open before a study is closed."""

import asyncio
import base64
import binascii
from pathlib import Path
from typing import Any

from pydantic import Field
from sqlalchemy import Connection
from starlette.responses import Response

from assay import acts
from assay.errors import AssayError
from assay.live import heavy_work
from assay.live.before_closing import before_closing
from assay.store.coordinator import studies
from assay.web.api.endpoint import WORDS, Answer, ApiCall, ApiEndpoint, Body
from assay.web.file_answers import BYTES, file_answer

MOST_BODY = 14_000_000


class NewVersion(Body):
    """A study folder as a zip file in base64."""

    zip: str
    reason: str = Field(default="", max_length=WORDS)
    minor: bool = False
    """A typo: nobody reads anything again."""
    dry_run: bool = False
    """Only say what would change."""


class VersionAnswer(Answer):
    """What a version changes, what follows, and whether it is in force now."""

    version: str
    changes: list[str]
    effects: list[str]
    published: bool


class MatterAnswer(Answer):
    """One thing to look at before a study is closed."""

    about: str
    open: int
    says: str


class MattersAnswer(Answer):
    """What is still open."""

    matters: list[MatterAnswer]


async def publish(call: ApiCall) -> VersionAnswer:
    """Publish a study folder, or only say what it would change. Items come in apart from it."""
    wanted = call.read(NewVersion)
    try:
        content = base64.b64decode(wanted.zip, validate=True)
    except (binascii.Error, ValueError):
        raise AssayError("zip is no base64", "send the bytes of the zip file in base64") from None

    def act(connection: Connection) -> dict[str, Any]:
        by = call.by(wanted.reason)
        proposed = acts.propose_version(connection, by, content, minor=wanted.minor)
        if not wanted.dry_run:
            acts.publish_folder(connection, by, content, minor=wanted.minor)
        said = {"version": proposed.hash, "changes": proposed.changes, "effects": proposed.effects}
        return {**said, "published": not wanted.dry_run}

    return VersionAnswer(**await call.write(act))


async def closing(call: ApiCall) -> MattersAnswer:
    """Read what is still open before the study is closed."""
    at = (call.context.store, call.bearer.study_id, await call.study(), call.now)
    found = await asyncio.to_thread(before_closing, *at)
    return MattersAnswer(matters=[MatterAnswer(**each.as_json()) for each in found])


async def backup(call: ApiCall) -> Response:
    """Take a backup of the whole store, where it holds this study alone."""
    store = call.context.store
    if len(await store.aread(studies.all_studies)) > 1:
        raise AssayError("the store holds other studies, too", "`assay backup` makes a backup on the server")
    name = f"assay-{call.path('study')}.backup"

    async def write(folder: Path) -> Path:
        at = (call.bearer.study_id, await call.study(), call.now)
        return Path(await heavy_work.compute(store, "backup", *at, path=str(folder / name)))

    return await file_answer(name, write)


ONE = "/studies/{study}"

ENDPOINTS = [
    ApiEndpoint("POST", f"{ONE}/versions", "manage", publish, VersionAnswer, NewVersion, most_body=MOST_BODY),
    ApiEndpoint("GET", f"{ONE}/closing", "read", closing, MattersAnswer),
    ApiEndpoint("GET", f"{ONE}/backup", "manage", backup, media_type=BYTES),
]
