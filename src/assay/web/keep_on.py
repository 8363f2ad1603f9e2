"""What runs beside the requests goes on, whatever happens to it once."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from assay.errors import AssayError

LOG = logging.getLogger("assay")


@contextmanager
def keep_on(what: str) -> Iterator[None]:
    """Log what fails here, and let whoever does it again and again do so."""
    try:
        yield
    except AssayError as error:
        # The store was busy or away, or another server was faster: the next time will do.
        LOG.warning("%s waits: %s", what, error)
    except Exception:
        LOG.exception("%s has failed; it is tried again the next time", what)
