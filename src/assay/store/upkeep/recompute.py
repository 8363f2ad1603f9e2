"""Recomputes what a store derives from its data (hashes, fingerprints, scores), to find accidental changes."""

import hashlib
import json
import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, select

from assay.judgments import Answers, derived_values
from assay.model import UNABLE, Item, Slot
from assay.sides_and_candidates import by_candidate, by_side
from assay.store.annotator.submissions import fingerprint
from assay.store.annotator.versions import version
from assay.store.tables import (
    annotator,
    erasure,
    item,
    item_hidden,
    judgment,
    picture,
    study,
    study_version,
    submission,
)
from assay.study import Study, study_from_document

Found = Iterator[str | None]


def study_versions(connection: Connection) -> Found:
    """Check that each version's hash is that of its document, that it can be read, and that every study has its own."""
    known = set()
    for study_id, hash_, document in connection.execute(
        select(study_version.c.study_id, study_version.c.hash, study_version.c.document)
    ):
        known.add((study_id, hash_))
        if hashlib.sha256(document.encode()).hexdigest() != hash_:
            yield f"study version {hash_[:12]}: its document has another hash"
            continue
        try:
            study_from_document(document)
        except ValueError:
            yield f"study version {hash_[:12]}: its document cannot be read as a study"
        else:
            yield None
    for id_, name, in_force in connection.execute(select(study.c.id, study.c.name, study.c.version)):
        yield None if (id_, in_force) in known else f"study {name}: the version in force, {in_force[:12]}, is not there"
    used = select(submission.c.study_id, submission.c.study_hash).distinct()
    for study_id, hash_ in connection.execute(used):
        yield None if (study_id, hash_) in known else f"study version {hash_[:12]}: was judged and is not there"


def recomputed_items(connection: Connection) -> Found:
    """Check that every item has its hidden part and the right count of words."""
    rows = connection.execution_options(yield_per=1000).execute(
        select(item.c.name, item.c.shown, item.c.words, item_hidden.c.item_id).outerjoin(
            item_hidden, item_hidden.c.item_id == item.c.id
        )
    )
    for name, shown, words, hidden in rows:
        if hidden is None:
            yield f"item {name}: what is hidden of it is not there"
        else:
            counted = Item(name, json.loads(shown)).words
            yield None if counted == words else f"item {name}: has {counted} words, not {words}"


def pictures(connection: Connection) -> Found:
    """Check that each picture's name is the hash of its content."""
    rows = connection.execution_options(yield_per=10).execute(select(picture.c.hash, picture.c.content))
    for hash_, content in rows:
        same = hashlib.sha256(content).hexdigest() == hash_
        yield None if same else f"picture {hash_[:12]}: its content has another hash"


def find_wrong_submissions(connection: Connection) -> Found:
    """Check each submission: its answers have the stored fingerprint and give the stored derived scores."""
    columns = (submission.c.id, submission.c.study_id, submission.c.study_hash, submission.c.fingerprint)
    said = (judgment.c.dimension, judgment.c.side, judgment.c.entry, judgment.c.value)
    # Of people who were erased and whose judgments stayed, the texts are gone: the rest is not what was submitted.
    erased = select(annotator.c.id).join(erasure, erasure.c.key == annotator.c.key)
    rows = connection.execution_options(yield_per=1000).execute(
        select(*columns, submission.c.swapped, *said)
        .outerjoin(judgment, judgment.c.submission_id == submission.c.id)
        .where(submission.c.annotator_id.not_in(erased))
        .order_by(submission.c.id)
    )
    for id_, group in groupby(rows, key=lambda row: row[0]):
        every = list(group)
        plan = version(connection, every[0].study_id, every[0].study_hash)
        yield (
            f"submission {id_}: its study version is not there"
            if plan is None
            else _compare_submission(plan, id_, every)
        )


def _compare_submission(plan: Study, id_: str, rows: Sequence[Any]) -> str | None:
    derived = {each.derived for each in plan.derive}
    swapped = rows[0].swapped
    stored = {
        Slot(row.dimension, row.side, row.entry): json.loads(row.value) for row in rows if row.dimension is not None
    }
    given: Answers = {
        slot: UNABLE if value is None else value for slot, value in stored.items() if slot.dimension not in derived
    }
    answers = by_side(given, plan.preference_dimensions, swapped)
    if fingerprint(answers) != rows[0].fingerprint:
        return f"submission {id_}: its judgments are not those that were submitted"
    wanted = {
        slot: value
        for slot, value in by_candidate(derived_values(plan, answers), plan.preference_dimensions, swapped).items()
        if value is not None
    }
    found = {slot: value for slot, value in stored.items() if slot.dimension in derived}
    for slot in {*wanted, *found}:
        if not _alike(wanted.get(slot), found.get(slot)):
            return f"submission {id_}: {slot.key} is {found.get(slot)}, computed again {wanted.get(slot)}"
    return None


def _alike(one: Any, other: Any) -> bool:
    """Whether two values are equal, up to rounding."""
    if isinstance(one, float) or isinstance(other, float):
        return one is not None and other is not None and math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return bool(one == other)
