"""The annotators whom the study's own rules exclude (cached), and whose places were given to others because of it."""

from collections.abc import Mapping
from dataclasses import asdict

from sqlalchemy import Connection, func, select

from assay.fieldwork import ExclusionByRule
from assay.store.coordinator import cache
from assay.store.coordinator.cache import CachedResult
from assay.store.tables import action, annotator

BY_RULE = "the study's rule"
"""The name under which the record has acts that a rule of the study file does."""
REASSIGN, TAKE_BACK = "reassign", "take places back"
ABOUT_STATE = ("pause", "resume", "release", "exclude", REASSIGN)
"""Acts that decide whether somebody goes on."""


def keep(connection: Connection, study_id: int, found: Mapping[str, ExclusionByRule], now: int) -> None:
    """Cache whom the rules exclude, also where that is nobody: an earlier version may have had other rules."""
    content = {name: asdict(each) for name, each in sorted(found.items())}
    cache.put(connection, study_id, cache.EXCLUDED_BY_RULE, CachedResult(content, "", now))


def is_known(connection: Connection, study_id: int) -> bool:
    """Whether the rules were ever applied and their result is cached. Undoing an import empties the cache."""
    return cache.get(connection, study_id, cache.EXCLUDED_BY_RULE) is not None


def people(connection: Connection, study_id: int) -> dict[str, ExclusionByRule]:
    """The annotators whom the rules excluded when they were last applied."""
    found = cache.get(connection, study_id, cache.EXCLUDED_BY_RULE)
    return {name: ExclusionByRule(**each) for name, each in found.content.items()} if found else {}


def reassigned_annotators(connection: Connection, study_id: int) -> set[str]:
    """Those whose places a rule has given to others, and not taken back since."""
    by_rule = (action.c.study_id == study_id, action.c.by == BY_RULE, action.c.what.in_((REASSIGN, TAKE_BACK)))
    last = select(func.max(action.c.id)).where(*by_rule).group_by(action.c.annotator_id)
    rows = select(annotator.c.name).join(action, action.c.annotator_id == annotator.c.id)
    return set(connection.execute(rows.where(action.c.id.in_(last), action.c.what == REASSIGN)).scalars())


def was_released_by_rule(connection: Connection, annotator_id: int) -> bool:
    """Whether a rule released somebody, and nobody has decided otherwise since."""
    about = (action.c.annotator_id == annotator_id, action.c.what.in_(ABOUT_STATE))
    newest = select(action.c.by, action.c.what).where(*about).order_by(action.c.id.desc())
    rows = connection.execute(newest).all()
    ended = next((row for row in rows if row.what != REASSIGN or row.by != BY_RULE), None)
    return ended is not None and (ended.by, ended.what) == (BY_RULE, "release")
