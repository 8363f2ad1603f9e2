"""How values are stored as JSON text."""

import json
import json.encoder
from collections.abc import Callable
from typing import Any

from assay.model import Unable


def to_json(value: Any) -> str:
    """JSON as it is kept: readable, exact, and never with a NaN in it. What could not be judged has no value."""
    # Most answers are points of a scale: an encoder takes ten times as long for them.
    if type(value) is int:
        return str(value)
    return _encode(None if isinstance(value, Unable) else value)


def _encoder() -> Callable[[Any], str]:
    """An encoder that is made once: `encode` makes one for each value, and an import has many."""
    coder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    make: Any = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return coder.encode
    # Stored values come from files or are made here and contain no cycles, so the check for them is off (None).
    parts = make(None, coder.default, json.encoder.encode_basestring, None, ":", ",", False, False, False)
    return lambda value: "".join(parts(value, 0))


_encode = _encoder()
