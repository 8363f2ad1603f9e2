"""Child processes for long computations: behind the server, and with a limit of memory."""

import os
import sys
from contextlib import suppress

from assay.errors import AssayError
from assay.store.engine.failures import log_without_values

try:
    import resource
except ImportError:  # not a POSIX system: no limit of memory
    resource = None  # type: ignore[assignment]

MOST_HERE = 500
"""With more submissions than so many another process computes: a report of them takes about half a second."""
MOST_MB = 4096
"""Of memory, for one such process, unless ASSAY_HEAVY_MB says how many."""
LESS_URGENT = 10
"""How far behind the server it stands where both want the processor."""
NO_ROOM = "failed to map segment"
"""What the system says where a library does not come into the memory that is left: that is no error of the import."""
FAILED = 70
"""How it ends after an error. In any other way it ends where it has taken all of its memory."""


def program(module: str, *arguments: str) -> tuple[str, ...]:
    """How a module of this program is started. -P keeps the folder that the server was started in out of its path."""
    return (sys.executable, "-P", "-m", module, *arguments)


def see_that_it_is_done(code: int | None) -> None:
    """Raise AssayError where a child process failed."""
    if code == FAILED:
        raise AssayError("this could not be computed", "the server's log says why")
    if code != 0:
        hint = "use the command line, on a machine with more memory"
        raise AssayError("this takes more memory than there is for it (ASSAY_HEAVY_MB)", hint)


def stand_back() -> None:
    """Lower this process's priority and limit its memory, as far as the system can be told to."""
    log_without_values()
    say = sys.excepthook

    def end(kind: type[BaseException], error: BaseException, at: object) -> None:
        if isinstance(error, MemoryError) or NO_ROOM in str(error):
            os._exit(1)  # as libraries do that get no memory
        say(kind, error, at)  # type: ignore[arg-type]
        sys.stderr.flush()
        os._exit(FAILED)

    sys.excepthook = end
    with suppress(AttributeError, OSError):
        os.nice(LESS_URGENT)
    with suppress(AttributeError, ValueError, OSError):
        most = int(os.environ.get("ASSAY_HEAVY_MB", MOST_MB)) * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
