"""The annotator's screens before anything is stored: the real application on a store that is thrown away.

Each time a file of the study is saved, a new store is made from what the files say now, so that what is shown is what
annotators would get. Served on this machine only.
"""

import json
import tempfile
from dataclasses import replace
from itertools import islice
from pathlib import Path

from sqlalchemy import Connection
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assay import acts
from assay.acts.attempts import pass_gate
from assay.acts.claims import claim
from assay.acts.sessions import begin_session
from assay.acts.submissions import decline
from assay.errors import AssayError, FileMistakes, Mistake
from assay.items.entry_links import read_links
from assay.items.item_pictures import pictures_folder
from assay.items.judgment_fields import JudgmentsWanted
from assay.items.leaks import picture_fields
from assay.items.reader import read_items
from assay.store import Backend, open_store
from assay.store.annotator import assignments
from assay.store.annotator.sessions import session_of
from assay.store.coordinator.record import By
from assay.study import Study, load_with_mistakes, study_from_document
from assay.study.load import folder_of
from assay.study.outside import named_file
from assay.study.watch import state
from assay.web.access import see_other, set_cookie
from assay.web.app import create_app, wall_clock
from assay.web.headers import POLICY
from assay.web.pages import Pages
from assay.web.preview_audit import blinding_warnings
from assay.web.preview_panel import BACK, address_of_arrival, lead_back_here, plan_for_panel
from assay.web.static_files import StaticFilesAndKinds

MOST_ITEMS = 50
MOST_READ = 1000
"""How many rows are searched for what gives a system away; with pictures, no more than are shown."""
FRAMED = POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'; frame-src 'self'")


class Screens:
    """The application made from the files as they are now, or the mistakes that prevent it."""

    def __init__(
        self, where: Path, folder: Path, number: int, panel: str = "", base: str = "", database: str = ""
    ) -> None:
        self.mistakes: list[Mistake] = []
        self.study: Study | None = None
        self.app: ASGIApp | None = None
        self.store: Backend | None = None
        self.count = 0
        self.warnings: list[str] = []
        study, self.mistakes = load_with_mistakes(where)
        if study is None or self.mistakes:
            return
        planned, study = study, _for_everybody(study, panel)
        store = open_store(folder / f"preview-{number}.db")
        try:
            self.study_id = store.write(acts.publish, "preview", study, folder_of(where), wall_clock()).id
            source = named_file(folder_of(where), study.items.source, "items.source")
            pictures = pictures_folder(study, folder_of(where))
            links = read_links(study, folder_of(where))
            wanted = JudgmentsWanted(partial=True)
            found = read_items(study, source, wanted=wanted, pictures=pictures, links=links)
            rows = list(islice(found, MOST_ITEMS if picture_fields(study) else MOST_READ))
            first = rows[:MOST_ITEMS]
            by = By(self.study_id, "preview", wall_clock())
            self.count = store.write(acts.take_in, by, study, first, [], folder_of(where)).items.added
            items = [row.item for row in rows if row.item is not None]
            self.warnings = blinding_warnings(planned, items, folder_of(where), database)
            if panel and not store.write(lead_back_here, self.study_id, base, wall_clock()):
                self.warnings.append("panel: there is no panel.yaml with codes; what is shown here are samples")
        except FileMistakes as error:
            self.mistakes = list(error.mistakes)
        except AssayError as error:
            self.mistakes = [Mistake(study.items.source, error.what, error.hint)]
        if self.mistakes:
            store.close()
            return
        self.study, self.store, self.app = study, store, create_app(store)

    def close(self) -> None:
        """Close its store."""
        if self.store is not None:
            self.store.close()


class Preview:
    """An application around the application: a bar with what to look at, and the annotator's page in a frame."""

    def __init__(self, where: Path, folder: Path, panel: str = "", base: str = "", database: str = "") -> None:
        self.where = where
        self.panel, self.base, self.database = panel, base, database
        self.sent = 0
        self.folder = folder
        self.pages = Pages()
        self.number = 0
        self.files: dict[str, tuple[int, int]] = {}
        self.shown = self._now()
        self.outer = Starlette(
            routes=[
                Route("/", self.bar),
                Route("/preview/state", self.state),
                Route("/preview/enter", self.enter),
                Route(BACK, self.back),
            ]
        )

    def _now(self) -> Screens:
        self.files = state(folder_of(self.where))
        self.number += 1
        return Screens(self.where, self.folder, self.number, self.panel, self.base, self.database)

    def refresh(self) -> None:
        """Make the application anew where a file has changed."""
        if state(folder_of(self.where)) != self.files:
            before, self.shown = self.shown, self._now()
            before.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from the bar or from the application, in a frame of this page."""

        async def send_framed(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [each for each in message.get("headers", []) if each[0] != b"content-security-policy"]
                message["headers"] = [*kept, (b"content-security-policy", FRAMED.encode())]
            await send(message)

        own = scope["type"] != "http" or scope["path"] == "/" or scope["path"].startswith("/preview/")
        inner = None if own else self.shown.app or _static()
        await (inner or self.outer)(scope, receive, send_framed if scope["type"] == "http" else send)

    async def bar(self, request: Request) -> Response:
        """The page around the frame."""
        study = self.shown.study
        return self.pages.response(
            "preview.html", title=study.title if study else "The study has problems", panel=self.panel
        )

    async def state(self, request: Request) -> Response:
        """Which version of the files is shown; a change makes the page load again."""
        self.refresh()
        shown = self.shown
        return JSONResponse(
            {
                "number": self.number,
                "problems": len(shown.mistakes),
                "items": shown.count,
                "warnings": shown.warnings,
            }
        )

    async def enter(self, request: Request) -> Response:
        """Sign in as an annotator who has done `skip` items, with or without the gates before them."""
        self.refresh()
        shown = self.shown
        if shown.study is None or shown.store is None:
            return self.pages.response("mistakes.html", mistakes=shown.mistakes)
        if self.panel and request.query_params.get("at") == "panel":
            panel, self.sent = shown.study.assignment.panel, self.sent + 1
            assert panel is not None
            return see_other(shown.store.write(address_of_arrival, shown.study_id, panel, self.sent, wall_clock()))
        skip = request.query_params.get("skip", "0")
        done = min(int(skip), MOST_ITEMS) if skip.isdigit() else 0
        cookie = shown.store.write(self._annotator, done, request.query_params.get("at") == "gates")
        response = see_other(f"/judge/{shown.study.study}")
        set_cookie(response, request, "annotator", shown.study.study, cookie)
        return response

    async def back(self, request: Request) -> Response:
        """The page that stands for the panel's own page here."""
        said = request.query_params
        opens = said.get("opens", "")
        there = f"In a study that runs, the panel's page opens now: {opens}" if opens else "The panel has the code."
        return self.pages.message(200, f"Back at the panel: {said.get('outcome', '').replace('_', ' ')}", there)

    def _annotator(self, connection: Connection, done: int, at_gates: bool) -> str:
        study, study_id, now = self.shown.study, self.shown.study_id, wall_clock()
        assert study is not None
        [(_, token)] = acts.invite(connection, By(study_id, "preview", now), [], 1)
        cookie = begin_session(connection, token, now)
        session = session_of(connection, cookie, now)
        assert session is not None
        assert session.annotator is not None
        if at_gates:
            return cookie
        # One name for all who look, so that everybody sees the candidates on the same sides.
        annotator = replace(session.annotator, name="preview")
        for entry in study.gates:
            pass_gate(connection, annotator, entry.gate, now)
        claim(connection, annotator, study, now)
        for _ in range(done):
            assignment = assignments.current(connection, annotator.id)
            if assignment is not None:
                decline(connection, annotator, study, assignment, now)
        return cookie


def _for_everybody(study: Study, panel: str = "") -> Study:
    """The study with places for any number of viewers, and its items alone, in the order of the file."""
    data = json.loads(study.document())
    data["assignment"] = {"per_item": 1000, "order": "fixed", "batches": study.assignment.batches}
    if panel:
        data["assignment"] |= plan_for_panel(study, panel)
    data.get("analysis", {}).pop("pilot", None)
    return study_from_document(json.dumps(data))


def _static() -> ASGIApp:
    """Styles and scripts, while there is no study to serve them with."""
    return Starlette(routes=[Mount("/static", StaticFilesAndKinds())])


def preview_app(
    where: Path, panel: str = "", base: str = "", database: str = ""
) -> tuple[Preview, tempfile.TemporaryDirectory[str]]:
    """The preview of a study, and the folder that is to be removed after it; `base` is where it is reached."""
    folder = tempfile.TemporaryDirectory(prefix="assay-preview-")
    return Preview(where, Path(folder.name), panel, base, database), folder
