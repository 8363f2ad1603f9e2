"""Annotators: how far each is, inviting, and what is done about one."""

from collections.abc import Callable
from typing import Any, Literal

from pydantic import Field
from sqlalchemy import Connection

from assay import acts
from assay.errors import AssayError
from assay.exchange import as_time
from assay.fieldwork import AnnotatorProgress
from assay.store.annotator.names import names_apart
from assay.store.coordinator import study_status
from assay.store.coordinator.record import By
from assay.web.api.endpoint import WORDS, Answer, ApiCall, ApiEndpoint, Body, no_such_thing

MOST_PEOPLE = 200
STATES: dict[str, Callable[..., None]] = {
    "active": acts.resume,
    "paused": acts.pause,
    "released": acts.release,
}


class AnnotatorAnswer(Answer):
    """How far one annotator is."""

    annotator: str
    state: str
    excluded: bool
    """By a coordinator."""
    excluded_by_rule: str
    """Why a rule of the study leaves them out, as it was applied last; empty: none does."""
    left: bool
    simulated: bool
    gates: int
    given: int
    submitted: int
    declined: int
    active_seconds: float | None
    from_files: int
    last_at: str | None
    name: str = ""
    """What they are called apart from their work, for tokens with the scope manage; empty: by the pseudonym alone."""


class AnnotatorsAnswer(Answer):
    """Everybody in a study."""

    annotators: list[AnnotatorAnswer]


class Invitation(Body):
    """Whom to invite: names, pseudonyms, or a number of people who are named by the program."""

    names: list[str] = Field(default=[], max_length=MOST_PEOPLE)
    """Kept apart: whoever is new gets a drawn pseudonym, which the data have."""
    pseudonyms: list[str] = Field(default=[], max_length=MOST_PEOPLE)
    """Stand in the data as they are."""
    count: int = Field(default=0, ge=0, le=MOST_PEOPLE)
    replace: bool = False
    """Whether the earlier links of those who are named end at once."""
    reason: str = Field(default="", max_length=WORDS)


class Invited(Answer):
    """A personal link, shown once."""

    annotator: str
    """As was asked for."""
    link: str
    pseudonym: str
    """What the data call them."""


class InvitedAnswer(Answer):
    """Personal links, shown once and kept only as hashes."""

    invited: list[Invited]


class AnnotatorChange(Body):
    """What is to change, and why. What is left out stays."""

    state: Literal["active", "paused", "released"] | None = None
    excluded: bool | None = None
    reassign: bool = Field(default=False, description="With excluded: every place of theirs goes to others.")
    reason: str = Field(default="", max_length=WORDS)


class NewMessage(Body):
    """What the annotator reads before the next item."""

    words: str = Field(min_length=1, max_length=WORDS)


class NewNote(Body):
    """What is to be remembered of somebody."""

    words: str = Field(min_length=1, max_length=WORDS)


class GatePass(Body):
    """Which gate somebody may pass, and why."""

    gate: str = Field(max_length=100)
    reason: str = Field(max_length=WORDS)


class Reopening(Body):
    """Which submitted item somebody may change once more, and why."""

    item: str = Field(max_length=1000)
    number: int = Field(default=1, ge=1, le=2, alias="pass")
    """2: the second time that it came."""
    reason: str = Field(min_length=1, max_length=WORDS)


class Recorded(Answer):
    """It was done, and recorded."""

    recorded: str


async def listed(call: ApiCall) -> AnnotatorsAnswer:
    """Read how far everybody is."""
    study = await call.study()
    rows = await call.context.store.aread(study_status.progress, call.bearer.study_id, study.gate_versions)
    called = await _names(call)
    return AnnotatorsAnswer(annotators=[_answer(row, called.get(row.annotator, "")) for row in rows])


async def _names(call: ApiCall) -> dict[str, str]:
    """What people are called, by pseudonym, as far as the token may know it."""
    if "manage" not in call.bearer.scopes:
        return {}
    return await call.context.store.aread(names_apart, call.bearer.study_id)


def _answer(row: AnnotatorProgress, name: str) -> AnnotatorAnswer:
    return AnnotatorAnswer(
        annotator=row.annotator,
        state=row.state,
        excluded=row.excluded,
        excluded_by_rule=row.by_rule,
        left=row.left,
        simulated=row.simulated,
        gates=row.gates,
        given=row.given,
        submitted=row.submitted,
        declined=row.declined,
        active_seconds=None if row.active_ms is None else row.active_ms / 1000,
        from_files=row.from_files,
        last_at=None if row.last_at is None else as_time(row.last_at),
        name=name,
    )


async def one(call: ApiCall) -> AnnotatorAnswer:
    """Read how far one annotator is."""
    name = call.path("annotator")
    found = [each for each in (await listed(call)).annotators if name in (each.annotator, each.name)]
    if not found:
        raise no_such_thing("nobody in this study is called so")
    return found[0]


async def invite(call: ApiCall) -> InvitedAnswer:
    """Make personal links. Each is shown once; somebody invited again gets one more link, or one in place of theirs."""
    wanted = call.read(Invitation)
    if not wanted.names and not wanted.pseudonyms and not wanted.count:
        raise AssayError("nobody is named", "give names, pseudonyms, or a count")
    links: list[tuple[str, str]] = []

    def act(connection: Connection) -> dict[str, Any]:
        # PostgreSQL may have this done twice.
        again = wanted.names if wanted.replace else []
        by = call.by(wanted.reason)
        links[:] = acts.replace_links(connection, by, again)
        new = [] if wanted.replace else wanted.names
        links.extend(acts.invite(connection, by, new, wanted.count, pseudonyms=wanted.pseudonyms))
        return {}

    # A link is a secret: its answer is not kept for repeats.
    await call.write(act, repeatable=False)
    root = str(call.request.base_url).rstrip("/")
    known = {name: pseudonym for pseudonym, name in (await _names(call)).items()}
    made = [(name, f"{root}/join/{token}", known.get(name, name)) for name, token in links]
    return InvitedAnswer(invited=[Invited(annotator=who, link=link, pseudonym=alias) for who, link, alias in made])


async def change(call: ApiCall) -> AnnotatorAnswer:
    """Pause, release or resume an annotator, or leave them out of the report. It deletes nothing."""
    wanted, name = call.read(AnnotatorChange), call.path("annotator")
    await one(call)
    if wanted.state is None and wanted.excluded is None:
        raise AssayError("nothing is to change", "give state, or excluded, or both")

    def act(connection: Connection) -> dict[str, Any]:
        by = call.by(wanted.reason)
        if wanted.state is not None:
            STATES[wanted.state](connection, by, name)
        if wanted.excluded is not None:
            _count(connection, by, name, wanted)
        return {}

    await call.write(act)
    return await one(call)


def _count(connection: Connection, by: By, name: str, wanted: AnnotatorChange) -> None:
    """Count somebody in the report, or leave them out."""
    if wanted.excluded:
        acts.exclude(connection, by, name, reassign=wanted.reassign)
    else:
        acts.include(connection, by, name)


async def send(call: ApiCall) -> Recorded:
    """Send somebody a message. It is shown to them once, before the next item."""
    wanted, name = call.read(NewMessage), call.path("annotator")
    await one(call)

    def act(connection: Connection) -> dict[str, Any]:
        acts.send_message(connection, call.by(), name, wanted.words)
        return {"recorded": "message"}

    return Recorded(**await call.write(act))


async def note(call: ApiCall) -> Recorded:
    """Keep a note about somebody in the record. They never see it."""
    wanted, name = call.read(NewNote), call.path("annotator")
    await one(call)

    def act(connection: Connection) -> dict[str, Any]:
        acts.keep_note(connection, call.by(), name, wanted.words)
        return {"recorded": "note"}

    return Recorded(**await call.write(act))


async def pass_gate(call: ApiCall) -> Recorded:
    """Let somebody pass a gate that they cannot pass by themselves. Consent nobody can give for another."""
    wanted, name = call.read(GatePass), call.path("annotator")
    await one(call)
    study = await call.study()

    def act(connection: Connection) -> dict[str, Any]:
        acts.pass_gate_by_hand(connection, call.by(wanted.reason), study, name, wanted.gate)
        return {"recorded": "pass gate"}

    return Recorded(**await call.write(act))


async def reopen(call: ApiCall) -> Recorded:
    """Let somebody change one submitted item once more, also where nobody goes back. The first answers are kept."""
    wanted, name = call.read(Reopening), call.path("annotator")
    await one(call)

    def act(connection: Connection) -> dict[str, Any]:
        acts.reopen_item(connection, call.by(wanted.reason), name, wanted.item, wanted.number)
        return {"recorded": "reopen item"}

    return Recorded(**await call.write(act))


PATH = "/studies/{study}/annotators"
ONE = f"{PATH}/{{annotator}}"

ENDPOINTS = [
    ApiEndpoint("GET", PATH, "read", listed, AnnotatorsAnswer),
    ApiEndpoint("POST", PATH, "manage", invite, InvitedAnswer, Invitation, status=201),
    ApiEndpoint("GET", ONE, "read", one, AnnotatorAnswer),
    ApiEndpoint("PATCH", ONE, "manage", change, AnnotatorAnswer, AnnotatorChange, repeatable=True),
    ApiEndpoint("POST", f"{ONE}/messages", "manage", send, Recorded, NewMessage, status=201, repeatable=True),
    ApiEndpoint("POST", f"{ONE}/notes", "manage", note, Recorded, NewNote, status=201, repeatable=True),
    ApiEndpoint("POST", f"{ONE}/gates", "manage", pass_gate, Recorded, GatePass, status=201, repeatable=True),
    ApiEndpoint("POST", f"{ONE}/reopen", "manage", reopen, Recorded, Reopening, status=201, repeatable=True),
]
