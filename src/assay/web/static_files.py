"""What is served under /static: the program's own files, and the styles and scripts that kinds bring.

Of all kinds, not of those of one study: a page goes on to items of the study's next version, which may use others.
"""

import gzip
import os
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

import assay
from assay.kinds import DISPLAYS, INPUTS
from assay.render import files_beside
from assay.web.compression import accepts_gzip, mark_compressed
from assay.web.joined_scripts import NotJoined, all_imports, join_scripts, without_comments

FOLDER = Path(__file__).parent / "static"
STYLE = "kinds.css"
OWN_STYLES = {file.name for file in FOLDER.glob("*.css")}
OFFLINE_SCRIPT = "service_worker.js"
"""The service worker: it is served here and controls the annotators' pages, which a header must allow."""
JUDGING = "judging.js"
"""The script of the judging page."""
JUDGING_WHOLE = "judging.whole.js"
"""The same with the scripts of all kinds, and with all that they import."""


@dataclass(frozen=True)
class Made:
    """A file that is made from others when it is asked for first."""

    media_type: str
    content: bytes

    @cached_property
    def gzipped_content(self) -> bytes:
        """The content compressed at the highest level, once."""
        return gzip.compress(self.content, 9, mtime=0)

    @cached_property
    def tag(self) -> str:
        """The ETag of its content."""
        return f'"{sha256(self.content).hexdigest()[:32]}"'

    def response(self, request: Request) -> Response:
        """The file, or 304 Not Modified."""
        if request.headers.get("if-none-match", "").removeprefix("W/") == self.tag:
            return Response(status_code=304, headers={"etag": self.tag})
        compresses = accepts_gzip(request.headers)
        answer = Response(self.gzipped_content if compresses else self.content, media_type=self.media_type)
        answer.headers["etag"] = self.tag
        if compresses:
            mark_compressed(answer.headers, len(self.gzipped_content))
        return answer


def files_of_kinds(suffix: str) -> dict[str, Path]:
    """The files of all kinds, by module. What a kind builds on comes before it, so that it can differ from that."""
    kinds = [*DISPLAYS.values(), *INPUTS.values()]
    return {name: file for kind in kinds for name, file in reversed(files_beside(kind, suffix).items())}


@cache
def style() -> Made:
    """The styles of all kinds as one sheet, so that a page waits for one answer."""
    text = "".join(file.read_text("utf-8") for file in files_of_kinds(".css").values())
    return Made("text/css", without_comments(text).encode())


@cache
def own_style(name: str) -> Made:
    """A style sheet of the program, without comments."""
    return Made("text/css", without_comments((FOLDER / name).read_text("utf-8")).encode())


@cache
def scripts() -> dict[str, Path]:
    """The scripts of all kinds, by their names under /static."""
    return {f"kinds/{name}.js": file for name, file in files_of_kinds(".js").items()}


@cache
def whole_script() -> Made | None:
    """The judging page's script and the scripts of all kinds as one; None where some kind comes from elsewhere.

    Scripts from elsewhere stay separate, so that an error in one of them stops nothing else.
    """
    ours = Path(assay.__file__).parent
    files = [*scripts().values(), FOLDER / JUDGING]
    if not all(file.is_relative_to(ours) for file in files):
        return None
    try:
        return Made("text/javascript", join_scripts(files, FOLDER).encode())
    except NotJoined:
        return None


def judging_scripts() -> list[str]:
    """The scripts of the judging page, by their names under /static: one, if it can be."""
    return [*scripts(), JUDGING] if whole_script() is None else [JUDGING_WHOLE]


def judging_preloads() -> list[str]:
    """What the browser should ask for at once: what those scripts import, where they are not one."""
    if whole_script() is not None:
        return []
    return [file.name for file in all_imports([FOLDER / JUDGING], FOLDER)[:-1]]


def made_file(path: str) -> Made | None:
    """What is made from other files, by its name under /static."""
    if path in OWN_STYLES:
        return own_style(path)
    make = {STYLE: style, JUDGING_WHOLE: whole_script}.get(path)
    return make() if make else None


class StaticFilesAndKinds(StaticFiles):
    """The folder of static files, with what kinds bring in it."""

    def __init__(self) -> None:
        super().__init__(directory=FOLDER)

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Where a file is. A kind's script is the file beside its module; nothing else there can be asked for."""
        script = scripts().get(path)
        return super().lookup_path(path) if script is None else (str(script), script.stat())

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or 304 Not Modified."""
        made = made_file(path) if scope["method"] in ("GET", "HEAD") else None
        if made is not None:
            return made.response(Request(scope))
        answer = await super().get_response(path, scope)
        if path == OFFLINE_SCRIPT:
            answer.headers["Service-Worker-Allowed"] = "/judge/"
        return answer
