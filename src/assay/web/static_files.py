"""What is served under /static: the program's own files, and the styles and scripts that kinds bring.

Of all kinds, not of those of one study: a page goes on to items of the study's next version, which may use others.
"""

import os
from functools import cache
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from assay.kinds import DISPLAYS, INPUTS
from assay.render import files_beside

FOLDER = Path(__file__).parent / "static"
STYLE = "kinds.css"


def files_of_kinds(suffix: str) -> dict[str, Path]:
    """The files of all kinds, by module. What a kind builds on comes before it, so that it can differ from that."""
    kinds = [*DISPLAYS.values(), *INPUTS.values()]
    return {name: file for kind in kinds for name, file in reversed(files_beside(kind, suffix).items())}


@cache
def style() -> tuple[bytes, str]:
    """The styles of all kinds as one sheet, so that a page waits for one answer; and the tag of its content."""
    text = "".join(file.read_text("utf-8") for file in files_of_kinds(".css").values()).encode()
    return text, f'"{sha256(text).hexdigest()[:32]}"'


@cache
def scripts() -> dict[str, Path]:
    """The scripts of all kinds, by their names under /static."""
    return {f"kinds/{name}.js": file for name, file in files_of_kinds(".js").items()}


class StaticFilesAndKinds(StaticFiles):
    """The folder of static files, with what kinds bring in it."""

    def __init__(self) -> None:
        super().__init__(directory=FOLDER)

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Where a file is. A kind's script is the file beside its module; nothing else there can be asked for."""
        script = scripts().get(path)
        return super().lookup_path(path) if script is None else (str(script), script.stat())

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or that it is still the one that the browser has."""
        if path != STYLE or scope["method"] not in ("GET", "HEAD"):
            return await super().get_response(path, scope)
        text, tag = style()
        if Request(scope).headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={"etag": tag})
        return Response(text, media_type="text/css", headers={"etag": tag})
