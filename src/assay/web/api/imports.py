"""Imports: what came in when, by whom and from which files, and taking one back."""

from typing import Any

from pydantic import Field
from sqlalchemy import Connection

from assay import acts
from assay.exchange import as_time
from assay.store.coordinator import import_list
from assay.store.coordinator.import_list import ImportEntry
from assay.web.api.endpoint import WORDS, Answer, ApiCall, ApiEndpoint, Body, no_such_thing


class ImportAnswer(Answer):
    """What came in at one time."""

    number: int
    at: str
    by: str
    files: list[str]
    items: int
    duplicates: int
    judged: int
    replaced: int
    """How many of the judged items stand in the place of what an earlier import said."""
    annotators: list[str]
    """Who judged, people and judges."""
    undone_at: str | None
    """When it was taken back; null: it was not."""
    undone_by: str
    undone_reason: str


class ImportsAnswer(Answer):
    """The imports of a study, the newest first."""

    imports: list[ImportAnswer]


class Undoing(Body):
    """Why an import is taken back."""

    reason: str = Field(min_length=1, max_length=WORDS)
    take_out: bool = False
    """Take its items out of the study instead, where somebody has judged them: their judgments stay."""


class Undone(Answer):
    """What was done about an import."""

    number: int
    taken_out: int
    """How many items were taken out of the study, where that was asked for."""


async def listed(call: ApiCall) -> ImportsAnswer:
    """Read the imports, the newest first. One that brought nothing has no number."""
    found = await call.context.store.aread(import_list.entries, call.bearer.study_id)
    return ImportsAnswer(imports=[_answer(each) for each in found])


def _answer(each: ImportEntry) -> ImportAnswer:
    return ImportAnswer(
        number=each.number,
        at=as_time(each.at),
        by=each.by,
        files=list(each.files),
        items=each.items,
        duplicates=each.duplicates,
        judged=each.judged,
        replaced=each.replaced,
        annotators=list(each.annotators),
        undone_at=None if each.undone_at is None else as_time(each.undone_at),
        undone_by=each.undone_by,
        undone_reason=each.undone_reason,
    )


async def undo(call: ApiCall) -> Undone:
    """Take an import back: everything that it brought is deleted, as long as nobody has judged its items."""
    wanted, number = call.read(Undoing), call.path("number")
    known = {str(each.number): each.number for each in (await listed(call)).imports}
    if number not in known:
        raise no_such_thing("there is no import of this number")

    def act(connection: Connection) -> dict[str, Any]:
        by = call.by(wanted.reason)
        if wanted.take_out:
            return {"number": known[number], "taken_out": acts.take_import_out(connection, by, known[number])}
        acts.take_import_back(connection, by, known[number])
        return {"number": known[number], "taken_out": 0}

    return Undone(**await call.write(act))


ENDPOINTS = [
    ApiEndpoint("GET", "/studies/{study}/imports", "read", listed, ImportsAnswer),
    ApiEndpoint("POST", "/studies/{study}/imports/{number}/undo", "manage", undo, Undone, Undoing, repeatable=True),
]
