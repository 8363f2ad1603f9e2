"""Erasing a person over HTTP."""

import asyncio

from assay import acts
from assay.acts.erasures import older_files
from assay.errors import AssayError
from assay.exchange import as_time
from assay.web.api.annotators import ONE, one
from assay.web.api.endpoint import Answer, ApiCall, ApiEndpoint, Body


class Erasing(Body):
    """That somebody is to be erased for good."""

    name: str
    """The name once more, so that nobody is erased by mistake."""
    keep_judgments: bool | None = None
    """Whether the judgments stay, without free texts and under no name; left out: as the study declares."""


class OlderFileAnswer(Answer):
    """A file on the server that still knows whoever was erased."""

    file: str
    """Its name."""
    made_at: str


class ErasedAnswer(Answer):
    """Somebody was erased, and is known by a drawn key alone."""

    key: str
    kept: bool
    left_to_do: str
    """What the database cannot do by itself; empty: nothing."""
    older_files: list[OlderFileAnswer]
    """Backups and earlier databases, which know the person until they are deleted."""


async def erase(call: ApiCall) -> ErasedAnswer:
    """Erase a person for good: name, ids and free texts everywhere, and judgments as the study declares."""
    wanted, name = call.read(Erasing), call.path("annotator")
    await one(call)
    if wanted.name != name:
        raise AssayError("the two names differ: nobody was erased", f"send name: {name!r}")
    study, store = await call.study(), call.context.store
    done = await asyncio.to_thread(acts.erase, store, call.by(), study, name, keep=wanted.keep_judgments)
    older = await asyncio.to_thread(older_files, store)
    return ErasedAnswer(
        key=done.erasure.key,
        kept=done.erasure.kept,
        left_to_do=done.left_to_do,
        older_files=[OlderFileAnswer(file=each.path.name, made_at=as_time(each.made_at)) for each in older],
    )


ENDPOINTS = [ApiEndpoint("POST", f"{ONE}/erase", "manage", erase, ErasedAnswer, Erasing)]
