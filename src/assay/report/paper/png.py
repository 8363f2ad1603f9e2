"""A drawing as PNG.

The library that draws it lets no other thread go on until it is done, which takes up to half a second. A server has it
done by this module as a program (`python -m assay.report.paper.png`), with a lower priority and a limit of memory.
"""

import json
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass

from assay.errors import AssayError

try:
    import resource
except ImportError:  # not a POSIX system: no limit of memory
    resource = None  # type: ignore[assignment]

MOST_MEMORY = 1 << 30
LESS_URGENT = 10
"""The niceness of the other process: how much lower its priority is than the server's."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is to be seen on a picture, its width in dots, and its font with the files of that."""

    svg: str
    width: int
    family: str
    plain: str
    bold: str

    def as_png(self) -> bytes:
        """The picture, made here."""
        import resvg_py

        png = resvg_py.svg_to_bytes(
            svg_string=self.svg,
            background="#ffffff",
            dpi=96,
            width=self.width,
            skip_system_fonts=True,
            font_family=self.family,
            sans_serif_family=self.family,
            font_files=[self.plain, self.bold],
        )
        return bytes(png)

    def as_png_apart(self) -> bytes:
        """The same picture, made by another process: whoever waits for it is one thread, and the others go on."""
        # -P keeps the folder that the program was started in out of its path.
        command = [sys.executable, "-P", "-m", __name__]
        done = subprocess.run(command, input=json.dumps(asdict(self)).encode(), stdout=subprocess.PIPE, check=False)
        if done.returncode != 0:
            raise AssayError("the figure could not be made as PNG", "take it as SVG or PDF; the server's log says why")
        return done.stdout


def main() -> None:
    """The other process: the drawing comes as JSON, the picture goes to standard output."""
    drawing = Drawing(**json.load(sys.stdin))
    with suppress(AttributeError, OSError):
        os.nice(LESS_URGENT)
    with suppress(AttributeError, ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    sys.stdout.buffer.write(drawing.as_png())


if __name__ == "__main__":
    main()
