"""Items that a script sends: imported in short transactions, and where there are many by a process of their own.

As a program (`python -m assay.web.api.new_items`) it takes in what standard input brings: a line of JSON about the
request, then its body as it came. It has its own connection, a lower priority and a limit of memory.
"""

import asyncio
import json
import sys
import tempfile
from asyncio import AbstractEventLoop
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from pydantic import Field

from assay import acts
from assay.errors import AssayError, FileMistakes, Mistake, StoreError
from assay.items.judgment_fields import JudgmentsWanted
from assay.items.reader import ImportedRow, read_items
from assay.live import child
from assay.store import Backend, connect
from assay.store.annotator import versions
from assay.store.coordinator.record import By
from assay.store.coordinator.tokens import Once, OtherRequest
from assay.study import Study
from assay.web.api.endpoint import WORDS, Answer, ApiCall, Body, Declined, other_request, read_body

MOST_ITEMS = 5000
LARGE_BODY = 100_000
"""From this many bytes on another process stores the items: starting it takes as long as some hundred items."""


class NewItems(Body):
    """Rows as they would stand in the study's item file, one object each."""

    items: list[dict[str, Any]] = Field(min_length=1, max_length=MOST_ITEMS)
    replace: bool = False
    """Corrected judgments of automated judges stand in the place of those that came in before; with a reason."""
    reason: str = Field(default="", max_length=WORDS)
    partial: bool = False
    """Whether what automated judges said may lack some scores; what is missing is kept in the record."""


class Added(Answer):
    """The result of an import."""

    added: int
    known: int
    taken_out: list[str]
    """Those of the known ones that were taken out of the study: they stay out."""
    duplicates: int
    judged: int
    number: int | None
    """Of the import, in the list of imports; null: nothing came in."""


@dataclass(frozen=True, slots=True)
class ItemsRequest:
    """The facts about a request that an import needs besides the items."""

    study_id: int
    version: str
    who: str
    now: int
    kind: str
    """The content type of the body."""
    once: Once | None


async def take_in_beside_requests(call: ApiCall) -> dict[str, Any]:
    """Import the items of a request and return the response. One import at a time in each study."""
    by = call.by()
    request = ItemsRequest(by.study_id, call.bearer.version, by.who, by.at, call.kind, call.once())
    store = call.context.store
    turns = _turns.setdefault(asyncio.get_running_loop(), {})
    async with turns.setdefault((store.address, by.study_id), asyncio.Lock()):
        if len(call.body) >= LARGE_BODY:
            return await _take_in_apart(store, request, call.body)
        return await asyncio.to_thread(take_in, store, request, call.body)


_turns: WeakKeyDictionary[AbstractEventLoop, dict[tuple[str, int], asyncio.Lock]] = WeakKeyDictionary()


def take_in(store: Backend, request: ItemsRequest, body: bytes) -> dict[str, Any]:
    """Import the items of a request, all or none; returns the response."""
    wanted = read_body(NewItems, request.kind, body)
    study = store.read(versions.version, request.study_id, request.version)
    assert study is not None
    rows = _rows_of(study, wanted)
    judged = [(row.name, each) for row in rows for each in row.judgments if each.judge]
    files = acts.ImportedFiles(judged, replace=wanted.replace, partial=wanted.partial)
    by = By(request.study_id, request.who, request.now, wanted.reason.strip())
    try:
        return acts.take_in_once(store, by, study, rows, files, request.once, _answer)
    except OtherRequest:
        raise other_request() from None


def _answer(done: acts.ImportResult) -> dict[str, Any]:
    added = done.items
    counts = {"added": added.added, "known": added.known, "duplicates": added.duplicates}
    return {**counts, "judged": done.judgments.submissions, "taken_out": list(added.taken_out), "number": done.number}


def _rows_of(study: Study, wanted: NewItems) -> list[ImportedRow]:
    """The rows, read by the same reader as a file, so that the same rules apply."""
    alone = study.model_copy(update={"items": study.items.model_copy(update={"join": None})})
    with tempfile.TemporaryDirectory(prefix="assay-items-") as folder:
        path = Path(folder) / "items.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in wanted.items), "utf-8")
        return list(read_items(alone, path, wanted=JudgmentsWanted(partial=wanted.partial)))


async def _take_in_apart(store: Backend, request: ItemsRequest, body: bytes) -> dict[str, Any]:
    """Run the import in another process."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*child.program(__name__), stdin=pipe, stdout=pipe)
    asked = json.dumps({"database": store.address, **asdict(request)}).encode()
    try:
        said, _ = await process.communicate(asked + b"\n" + body)
    finally:
        if process.returncode is None:
            process.kill()
    child.see_that_it_is_done(process.returncode)
    found: dict[str, Any] = json.loads(said)
    if "store" in found:
        raise StoreError(found["store"], found["hint"])
    if "status" in found:
        raise Declined(found["status"], *(Mistake(*each) for each in found["problems"]))
    return found


def main() -> None:
    """The other process: imports, and prints the response or the error."""
    asked = json.loads(sys.stdin.buffer.readline())
    body = sys.stdin.buffer.read()
    child.stand_back()
    store = connect(asked.pop("database"))
    once = asked.pop("once")
    try:
        found = take_in(store, ItemsRequest(**asked, once=once and Once(**once)), body)
    except StoreError as error:
        found = {"store": error.what, "hint": error.hint}
    except Declined as error:
        found = _refusal(error.status, *error.problems)
    except FileMistakes as error:
        found = _refusal(422, *error.mistakes)
    except AssayError as error:
        found = _refusal(422, Mistake("request", error.what, error.hint))
    finally:
        store.close()
    print(json.dumps(found))


def _refusal(status: int, *problems: Mistake) -> dict[str, Any]:
    return {"status": status, "problems": [(each.where, each.what, each.hint) for each in problems]}


if __name__ == "__main__":
    main()
