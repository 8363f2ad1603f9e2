"""Publishing: a study's file becomes the version in force, with a record of what has changed and why."""

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection

from assay.acts.arrivals import keep_panel_setup
from assay.acts.imports import record_corrections
from assay.errors import AssayError, Mistake, StudyMistakes
from assay.judgments.lint import mistakes
from assay.judgments.same_scale import is_pooled_by_declaration, same_scale
from assay.judgments.study_changes import Change, gates_by_name, study_changes
from assay.live.hourly_rates import rates_of
from assay.store.annotator import versions
from assay.store.coordinator import imports, studies, study_status, version_effects
from assay.store.coordinator.record import By, record
from assay.store.coordinator.studies import Published
from assay.study import Study
from assay.study.load import locator
from assay.study.panel_file import load_panel_setup

LONGEST = 2000
"""So many characters of what has changed are kept in the record; both versions are kept whole."""


def publish(
    connection: Connection,
    who: str,
    study: Study,
    folder: Path,
    now: int,
    *,
    even_if_begun: bool = False,
    minor: bool = False,
    reason: str = "",
) -> Published:
    """Put a study into force: at once while nobody has judged, later only when asked to.

    The items with known answers that it names come in with it. A version that goes live while work is under way is
    recorded, with what has changed. After a minor one nobody reads anything again. Rules that cannot do what they say
    are refused, except in a version that was published before.
    """
    if not studies.has_version(connection, study):
        _refuse_mistakes(study, folder)
    before = versions.in_force(connection, study.study)
    changes = study_changes(before, study) if before is not None else []
    if minor:
        _refuse_large(changes)
    published = studies.publish(connection, study, now, even_if_begun=even_if_begun)
    if (setup := load_panel_setup(folder, study.assignment.panel)) is not None:
        keep_panel_setup(connection, By(published.id, who, now, reason), setup)
    if published.changed:
        corrected = imports.take_in_known(connection, published.id, study, folder)
        record_corrections(connection, By(published.id, who, now), corrected)
    if published.changed and published.begun:
        if minor and before is not None:
            version_effects.keep_passes(connection, published.id, _same_gates(before, study))
        words = "; ".join(map(str, changes))
        about = f"{study.hash[:12]}{', minor' if minor else ''}: {words}"
        about = about if len(about) <= LONGEST else f"{about[: LONGEST - 1]}…"
        record(connection, By(published.id, who, now, reason), "publish", about=about)
    return published


def _refuse_mistakes(study: Study, folder: Path) -> None:
    if found := mistakes(study):
        place = locator(folder)
        raise StudyMistakes([Mistake(place(each.at), each.what, each.hint) for each in found])


def _refuse_large(changes: Sequence[Change]) -> None:
    large = [each for each in changes if not each.is_minor]
    if large:
        raise AssayError(
            "this is no minor change: " + "; ".join(map(str, large)),
            "publish it without --minor, so that whoever has to read or agree again does so",
        )


def _same_gates(before: Study, after: Study) -> dict[tuple[str, str], str]:
    """The gates of both versions whose text differs: the new hash of each, by its kind and old hash."""
    old, now = gates_by_name(before), gates_by_name(after)
    same = ((gate, now[name]) for name, gate in old.items() if name in now)
    return {(was.kind, was.version): is_.version for was, is_ in same if was.version != is_.version}


def effects_of_publishing(connection: Connection, before: Study, after: Study, *, minor: bool = False) -> list[str]:
    """What a new version does to the judgments that are there and to the people at work, in sentences."""
    study_id, _ = studies.find(connection, before.study)
    found = []
    given = version_effects.judgments_by_version(connection, study_id)
    known = versions.versions(connection, study_id)
    for name in [each.dimension for each in before.rubric]:
        here = {hash_: count for (hash_, dimension), count in given.items() if dimension == name}
        if apart := sum(count for hash_, count in here.items() if _is_set_apart(known.get(hash_), before, after, name)):
            judgments = f"{apart:,} judgment{' stays' if apart == 1 else 's stay'}"
            found.append(f"{name}: {judgments} on the scale in force so far, and will not be pooled with new ones")
        if joined := sum(count for hash_, count in here.items() if _is_joined(known.get(hash_), before, after, name)):
            judgments = f"{joined:,} judgment{'' if joined == 1 else 's'}"
            found.append(f"{name}: {judgments} on another scale will be pooled with new ones, as pool_with says")
    for name in [each.derived for each in before.derive]:
        if any(_is_set_apart(known.get(hash_), before, after, name) for hash_, _ in given):
            found.append(f"{name}: it is computed from what has changed, and will not be pooled either")
    if not minor:
        passes = version_effects.passes_by_gate(connection, study_id)
        for (kind, version), _ in _same_gates(before, after).items():
            if people := passes.get((kind, version), 0):
                found.append(f"{kind}: {people} annotator{'' if people == 1 else 's'} must pass it again")
    finished = study_status.item_counts(connection, study_id).finished
    if finished and found:
        found.append(f"{finished:,} items are finished: they are not judged again")
    return [*found, *pay_below_floor(connection, study_id, after)]


SOURCES = {
    "work": "so far",
    "pilot": "in the pilot",
    "bots": "by the time of bots",
    "expected": "at the expected time",
}


def pay_below_floor(connection: Connection, study_id: int, study: Study) -> list[str]:
    """That an hour of work brings less than the study wants, in a sentence; nothing where it does not."""
    hour = rates_of(connection, study_id, study)
    if study.pay is None or study.pay.floor is None or hour.forecast is None or not hour.is_below_floor:
        return []
    rate, source = hour.forecast
    brings = f"what an hour brings ({study.pay.say(rate)}, {SOURCES[source]})"
    return [f"{brings} is below the floor of {study.pay.say(study.pay.floor)}"]


def _is_set_apart(given: Study | None, before: Study, after: Study, name: str) -> bool:
    """Whether judgments given under an earlier version were pooled so far, and no longer are."""
    return given is not None and same_scale(given, before, name) and not same_scale(given, after, name)


def _is_joined(given: Study | None, before: Study, after: Study, name: str) -> bool:
    """Whether what was given on a scale of another meaning is pooled from now on, because the study says so."""
    if given is None or not is_pooled_by_declaration(given, after, name):
        return False
    return not is_pooled_by_declaration(given, before, name)
