"""How a validator inside the study model says what is wrong, where below its own place, and what to do."""

import json
from collections.abc import Iterable
from typing import Any

from pydantic_core import PydanticCustomError


def wrong(what: str, hint: str = "", *at: str | int, needs: Iterable[str] = ()) -> PydanticCustomError:
    """An error for the study file; `at` names the key below the validated part that it is about.

    `needs` names the keys of which one would do. Where one of them is in the file but broken, nothing more is said.
    """
    return PydanticCustomError("study", "{what}", {"what": what, "hint": hint, "at": at, "needs": tuple(needs)})


def quoted(value: Any) -> str:
    """A value as its file has it, cut where it is long."""
    said = json.dumps(value, ensure_ascii=False, default=str)
    return said if len(said) <= 40 else said[:37] + "..."
