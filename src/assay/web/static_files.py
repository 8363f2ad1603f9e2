"""What is served under /static: the program's own files, and the styles that kinds bring beside their modules."""

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


def files_of_kinds(suffix: str) -> list[Path]:
    """The files of all kinds. What a kind builds on comes before it, so that it can differ from that."""
    kinds = [*DISPLAYS.values(), *INPUTS.values()]
    return list(dict.fromkeys(file for kind in kinds for file in reversed(files_beside(kind, suffix))))


@cache
def style() -> tuple[bytes, str]:
    """The styles of all kinds as one sheet, so that a page waits for one answer; and the tag of its content."""
    text = "".join(file.read_text("utf-8") for file in files_of_kinds(".css")).encode()
    return text, f'"{sha256(text).hexdigest()[:32]}"'


class StaticFilesAndKinds(StaticFiles):
    """The folder of static files, with the style sheet of the kinds in it."""

    def __init__(self) -> None:
        super().__init__(directory=FOLDER)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or that it is still the one that the browser has."""
        if path != STYLE or scope["method"] not in ("GET", "HEAD"):
            return await super().get_response(path, scope)
        text, tag = style()
        if Request(scope).headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={"etag": tag})
        return Response(text, media_type="text/css", headers={"etag": tag})
