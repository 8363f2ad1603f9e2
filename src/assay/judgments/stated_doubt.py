"""How unsure a judge says it is: kept with its submission, as a page's events are, and read from there."""

import json

PREFIX = "doubt:"


def note_of(doubt: float | None) -> str | None:
    """What is kept with a submission; None where nothing was said.

    >>> note_of(0.3), note_of(None)
    ('[[0, "doubt:0.3"]]', None)
    """
    return None if doubt is None else json.dumps([[0, f"{PREFIX}{doubt:g}"]])


def doubt_in(events: str | None) -> float | None:
    """How unsure a judge was, from 0 to 1, by what is kept with its submission; None where it did not say.

    >>> doubt_in('[[0, "doubt:0.3"]]'), doubt_in('[[0, "visible"]]'), doubt_in(None)
    (0.3, None, None)
    """
    said = [str(what) for _, what in json.loads(events)] if events else []
    found = [each.removeprefix(PREFIX) for each in said if each.startswith(PREFIX)]
    return float(found[0]) if found else None
