"""How the types of the study file report a mistake in it: what is wrong, at which key, and what to do."""

import json
from collections.abc import Iterable
from typing import Any

from pydantic_core import PydanticCustomError


def mistake(what: str, hint: str = "", *at: str | int, needs: Iterable[str] = ()) -> PydanticCustomError:
    """The error that a validator raises; `at` is the path from the validated part to the key that it is about.

    `needs` names the keys of which one would do. Where one of them is in the file but broken, that mistake is reported
    and this one is not.
    """
    return PydanticCustomError("study", "{what}", {"what": what, "hint": hint, "at": at, "needs": tuple(needs)})


def quote(value: Any) -> str:
    """A value as it is written in its file, cut off where it is long."""
    said = json.dumps(value, ensure_ascii=False, default=str)
    return said if len(said) <= 40 else said[:37] + "..."
