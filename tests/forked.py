"""A command in a fork of the server that `tests/warm.py` is loaded into."""

import os
import sys
from multiprocessing.connection import Connection

from assay.cli import main


def run(arguments: list[str], cwd: str | None, out: Connection, err: Connection) -> None:
    """One command, in a fork: what it prints goes into the pipes."""
    os.dup2(out.fileno(), 1)
    os.dup2(err.fileno(), 2)
    if cwd:
        os.chdir(cwd)
    sys.argv = ["assay", *arguments]
    main()
