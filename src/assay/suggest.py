"""Hints at the name that was probably meant, where an unknown one was written."""

import difflib
from collections.abc import Iterable

MOST_LISTED = 20


def closest_name(name: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant, or None where none is like it.

    >>> closest_name("emotoin", ["emotion", "safety"])
    'emotion'
    >>> closest_name("id", ["ID", "di"])
    'ID'
    """
    spelled = {each.casefold(): each for each in reversed(list(known))}
    return next((spelled[each] for each in difflib.get_close_matches(name.casefold(), list(spelled), 1)), None)


def suggest_name(name: str, known: Iterable[str]) -> str:
    """A hint at the name that was probably meant, or at all that are known.

    >>> suggest_name("emotoin", ["emotion", "safety"]), suggest_name("x", ["emotion", "safety"])
    ("did you mean 'emotion'?", 'known here: emotion, safety')
    """
    listed = list(dict.fromkeys(known))
    if (meant := closest_name(name, listed)) is not None:
        return f"did you mean {meant!r}?"
    more = ", ..." if len(listed) > MOST_LISTED else ""
    return f"known here: {', '.join(listed[:MOST_LISTED])}{more}"
