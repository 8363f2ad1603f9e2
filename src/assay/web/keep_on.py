"""Background work that goes on after an error."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from assay.errors import AssayError

LOG = logging.getLogger("assay")


@contextmanager
def keep_on(what: str) -> Iterator[None]:
    """Log an error in the block instead of raising it, so that the caller's loop goes on."""
    try:
        yield
    except AssayError as error:
        # The store was busy or away, or another server was faster: the next time will do.
        LOG.warning("%s waits: %s", what, error)
    except Exception:
        LOG.exception("%s has failed; it is tried again the next time", what)
