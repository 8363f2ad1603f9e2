"""A small client for scripts: `Client(url, token)` speaks to /api/v1 of a running server.

It stands alone: it needs nothing else of this program, and what goes wrong is an `ApiError` with the server's words.
A request that got no answer is sent again under the same key, so that nothing is done twice.
"""

import json
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx2

ATTEMPTS = 4
FIRST_WAIT = 0.5
"""Seconds before the first repeat; each further one waits twice as long."""
RETRY_STATUSES = (429, 502, 503, 504)

Json = dict[str, Any]


class ApiError(Exception):
    """What the server refused, in its own words. `problems` lists where, what and the fix."""

    def __init__(self, status: int, detail: str, problems: Sequence[Mapping[str, str]] = ()) -> None:
        lines = [f"{each['where']}: {each['what']}" + (f" ({each['fix']})" if each["fix"] else "") for each in problems]
        super().__init__(f"{status}: " + ("; ".join(lines) or detail))
        self.status = status
        self.detail = detail
        self.problems = list(problems)


class Client:
    """The API of one server, for the study that the token is good for."""

    def __init__(
        self, url: str, token: str, *, timeout: float = 30, tries: int = ATTEMPTS, transport: Any = None
    ) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        self._http = httpx2.Client(
            base_url=f"{url.rstrip('/')}/api/v1", headers=headers, timeout=timeout, transport=transport
        )
        self._tries = tries

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    # Studies

    def studies(self) -> list[Json]:
        """The studies that the token is good for."""
        found: list[Json] = self._get("/studies")["studies"]
        return found

    def study(self, study: str) -> Json:
        """A study: its rubric, its state, and how many items are finished."""
        return self._get(_path("studies", study))

    def plan(self, study: str, more: int = 0) -> Json:
        """What is to be judged, what of it is there, and what each gets, with so many more people."""
        return self._get(_path("studies", study, "plan"), more=more)

    def pay(self, study: str) -> Json:
        """Who has done what, with a suggestion for paying, and what an hour of work brings; takes the scope manage."""
        return self._get(_path("studies", study, "pay"))

    def set_state(self, study: str, state: str, reason: str = "") -> Json:
        """Open, pause or close a study: `open`, `paused`, `closed`."""
        return self._send("PATCH", _path("studies", study), {"state": state, "reason": reason})

    def agreement(self, study: str) -> Json:
        """How far annotators agree at this moment, on each dimension and each comparison, and over these."""
        return self._get(_path("studies", study, "agreement"))

    def report(self, study: str) -> Json:
        """Every number of the report."""
        return self._get(_path("studies", study, "report"))

    def actions(self, study: str, limit: int = 100) -> list[Json]:
        """What coordinators and tokens did, the newest first."""
        found: list[Json] = self._get(_path("studies", study, "actions"), limit=limit)["actions"]
        return found

    # Items

    def items(self, study: str) -> Iterator[Json]:
        """Every item, fetched some at a time."""
        after: int | None = 0
        while after is not None:
            page = self._get(_path("studies", study, "items"), after=after, limit=500)
            yield from page["items"]
            after = page["next"]

    def add_items(self, study: str, rows: Sequence[Mapping[str, Any]]) -> Json:
        """Take items in, all or none: rows as they would stand in the study's item file."""
        return self._send("POST", _path("studies", study, "items"), {"items": [dict(row) for row in rows]})

    # Annotators

    def annotators(self, study: str) -> list[Json]:
        """How far everybody is."""
        found: list[Json] = self._get(_path("studies", study, "annotators"))["annotators"]
        return found

    def invite(self, study: str, *names: str, count: int = 0) -> dict[str, str]:
        """Personal links by annotator. They are shown once, so this is sent once and never repeated by itself."""
        sent = {"names": list(names), "count": count}
        made = self._send("POST", _path("studies", study, "annotators"), sent, repeat=False)
        return {each["annotator"]: each["link"] for each in made["invited"]}

    def set_annotator(
        self, study: str, annotator: str, *, state: str | None = None, excluded: bool | None = None, reason: str = ""
    ) -> Json:
        """Pause, release or resume somebody, or leave them out of the report."""
        change = {"state": state, "excluded": excluded, "reason": reason}
        return self._send("PATCH", _path("studies", study, "annotators", annotator), change)

    def message(self, study: str, annotator: str, words: str) -> None:
        """Send somebody a message, which they read before the next item."""
        self._send("POST", _path("studies", study, "annotators", annotator, "messages"), {"words": words})

    def note(self, study: str, annotator: str, words: str) -> None:
        """Keep a note about somebody in the record, which they never see."""
        self._send("POST", _path("studies", study, "annotators", annotator, "notes"), {"words": words})

    def erase(self, study: str, annotator: str, keep_judgments: bool | None = None) -> Json:
        """Erase a person for good: name, ids and free texts, and judgments as the study declares or as is said."""
        body = {"name": annotator, "keep_judgments": keep_judgments}
        return self._send("POST", _path("studies", study, "annotators", annotator, "erase"), body, repeat=False)

    def pass_gate(self, study: str, annotator: str, gate: str, reason: str) -> None:
        """Let somebody pass a gate that they cannot pass by themselves."""
        self._send("POST", _path("studies", study, "annotators", annotator, "gates"), {"gate": gate, "reason": reason})

    # Judging

    def assignments(self, study: str, annotator: str, ahead: int = 0) -> list[Json]:
        """What an annotator has to judge now: what their page shows, and its questions. Empty: nothing, or not now."""
        path = _path("studies", study, "annotators", annotator, "assignments")
        found: list[Json] = self._get(path, ahead=ahead)["assignments"]
        return found

    def draft(self, study: str, annotator: str, assignment: Mapping[str, Any], answers: Mapping[str, Any]) -> Json:
        """Keep half-finished answers. Returns the assignment as it is then: with what is shown after these answers."""
        sent = {"answers": dict(answers), "study_version": assignment["study_version"], "seen": assignment["seen"]}
        path = _path("studies", study, "annotators", annotator, "assignments", assignment["assignment"], "draft")
        return self._send("POST", path, sent)

    def submit(
        self, study: str, annotator: str, assignment: Mapping[str, Any], answers: Mapping[str, Any], **times: int
    ) -> Json:
        """Submit judgments of an assignment; `shown_at` and `active_ms` may be given. Returns the receipt."""
        sent = {
            "answers": dict(answers),
            "study_version": assignment["study_version"],
            "seen": assignment.get("seen", []),
            **times,
        }
        path = _path("studies", study, "annotators", annotator, "assignments", assignment["assignment"], "judgments")
        return self._send("POST", path, sent)

    # Results

    def judgments(self, study: str, which: str = "newest") -> Iterator[Json]:
        """Judgments as they come, one by one: `newest` or `all` revisions."""
        path = _path("studies", study, "judgments")
        with self._http.stream("GET", path, params={"which": which}) as answer:
            if answer.status_code >= 400:
                answer.read()
                raise _error(answer)
            for line in answer.iter_lines():
                yield json.loads(line)

    def flags(self, study: str) -> list[Json]:
        """Every flag, open ones first."""
        found: list[Json] = self._get(_path("studies", study, "flags"))["flags"]
        return found

    def dismiss(self, study: str, annotator: str, monitor: str, reason: str) -> Json:
        """Dismiss a flag that was looked into."""
        path = _path("studies", study, "flags", annotator, monitor)
        return self._send("POST", path, {"action": "dismiss", "reason": reason})

    def adjudications(self, study: str) -> list[Json]:
        """The questions that people were far apart on, with the values agreed on so far."""
        found: list[Json] = self._get(_path("studies", study, "adjudications"))["questions"]
        return found

    def agree(
        self, study: str, item: str, answers: Mapping[str, Any], reason: str = "", *, majority: bool = False
    ) -> int:
        """Keep the values that were agreed on for an item; returns how many. Answers need a reason.

        With `majority` the questions that are then open get the value that more than half of the people gave to each.
        """
        path = _path("studies", study, "adjudications", item)
        more = {"majority": True} if majority else {}
        return int(self._send("POST", path, {"answers": dict(answers), "reason": reason, **more})["agreed"])

    def export(self, study: str, form: str, out: Path, anonymous: bool | None = None) -> Path:
        """Write the judgments in a format to a file, and beside it the dictionary by which `assay agree` reads them.

        A format of several files comes as a zip file, with its dictionary in it. `anonymous` says whether it is for
        publishing; left out, it is as the format does (huggingface: it is).
        """
        path = _path("studies", study, "exports", form)
        query = {} if anonymous is None else {"anonymous": "yes" if anonymous else "no"}
        if self._fetch(path, out, query).get("link"):
            self._fetch(f"{path}/dictionary", out.with_name(f"{out.name}.dictionary.csv"))
        return out

    def paper(self, study: str, out: Path) -> Path:
        """Write what a paper needs of the report to a zip file: figures, tables, captions, methods, sources."""
        self._fetch(_path("studies", study, "paper"), out)
        return out

    def _fetch(self, path: str, out: Path, query: Mapping[str, str] | None = None) -> Mapping[str, str]:
        """Write what an address answers to a file, whole or not at all. Returns the answer's headers."""
        part = out.with_name(f".{out.name}.part")
        with self._http.stream("GET", path, params=dict(query or {})) as answer:
            if answer.status_code >= 400:
                answer.read()
                raise _error(answer)
            with part.open("wb") as file:
                for chunk in answer.iter_bytes():
                    file.write(chunk)
        part.replace(out)
        return answer.headers

    def _get(self, path: str, **query: Any) -> Json:
        return self._request("GET", path, params=query)

    def _send(self, method: str, path: str, body: Json, *, repeat: bool = True) -> Json:
        headers = {"Idempotency-Key": secrets.token_hex(16)} if repeat else {}
        return self._request(method, path, tries=self._tries if repeat else 1, json=body, headers=headers)

    def _request(self, method: str, path: str, *, tries: int | None = None, **how: Any) -> Json:
        """Send a request; retry where no answer came, or where the server says that it is busy."""
        most = self._tries if tries is None else tries
        for number in range(1, most + 1):
            try:
                answer = self._http.request(method, path, **how)
            except httpx2.TransportError as error:
                if number == most:
                    raise ApiError(0, f"no answer came: {error}") from error
            else:
                if answer.status_code not in RETRY_STATUSES or number == most:
                    return _content(answer)
            time.sleep(FIRST_WAIT * 2 ** (number - 1))
        raise AssertionError("unreachable")


def _path(*parts: str) -> str:
    return "/" + "/".join(quote(part, safe="") for part in parts)


def _content(answer: httpx2.Response) -> Json:
    if answer.status_code >= 400:
        raise _error(answer)
    found: Json = answer.json()
    return found


def _error(answer: httpx2.Response) -> ApiError:
    try:
        said = answer.json()
        return ApiError(answer.status_code, said["detail"], said["problems"])
    except (ValueError, KeyError, TypeError):
        return ApiError(answer.status_code, answer.reason_phrase or "no words")
