"""How values are kept as text."""

import json
from typing import Any

from assay.model import Unable


def to_json(value: Any) -> str:
    """JSON as it is kept: readable, exact, and never with a NaN in it. What could not be judged has no value."""
    # Most answers are points of a scale: an encoder takes ten times as long for them.
    if type(value) is int:
        return str(value)
    return _encode(None if isinstance(value, Unable) else value)


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
