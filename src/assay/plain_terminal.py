"""What goes to a terminal is text: names and titles of a study cannot move its cursor, or rename its window."""

import sys
from typing import Any, TextIO

CONTROLS = {number: f"\\x{number:02x}" for number in (*range(32), *range(127, 160)) if chr(number) not in "\n\t\r"}


class PlainTerminal:
    """A stream that writes control characters out as text, so that none of them steers a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write text, with control characters written out."""
        self.stream.write(text.translate(CONTROLS))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def keep_terminals_plain() -> None:
    """From here on nothing that is printed steers a terminal. What goes into a file or a pipe stays as it is."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and stream.isatty():
            setattr(sys, name, PlainTerminal(stream))
