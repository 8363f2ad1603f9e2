"""Erasing a person: their name, ids and free texts go everywhere; judgments go too, or stay under no name."""

import json
import re
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, Connection, delete, func, insert, select, update

from assay.store.annotator.annotator_counts import forget_had
from assay.store.annotator.names import both_names
from assay.store.annotator.participation import recount_items, recount_work
from assay.store.annotator.places import return_all_of
from assay.store.annotator.versions import versions
from assay.store.coordinator.delete_rows import count_without, delete_rows, free_places
from assay.store.coordinator.person_answers import delete_person_answers
from assay.store.engine.json_text import to_json
from assay.store.tables import (
    action,
    adjudication,
    annotator,
    arrival,
    assignment,
    break_,
    check_in,
    computed,
    counted,
    draft,
    erasure,
    flag,
    gate_attempt,
    gate_pass,
    import_,
    judgment,
    link,
    message,
    person,
    pilot,
    problem,
    repeat,
    session,
    submission,
    text_review,
    token,
    uncounted,
)

REASONS = (
    action.c.reason,
    adjudication.c.reason,
    pilot.c.reason,
    import_.c.undone_reason,
    gate_pass.c.reason,
)
"""What coordinators wrote: where it names somebody, the rest may be about them as well."""
SHORTEST_ID = 4
"""Shorter panel ids are not searched for in texts, since they could be any number."""
LISTS = (import_.c.annotators, counted.c.left_out)
"""Lists of names, as JSON."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """Somebody who was erased, as far as anything is still known."""

    key: str
    study: int
    kept: bool
    at: int


def person_key(connection: Connection, annotator_id: int) -> str:
    """The drawn key of somebody."""
    return str(connection.execute(select(annotator.c.key).where(annotator.c.id == annotator_id)).scalar_one())


def erasures(connection: Connection, study_id: int | None = None) -> list[Erasure]:
    """Everybody who was erased, in one study or in all."""
    rows = select(erasure.c.key, erasure.c.study_id, erasure.c.kept, erasure.c.at).order_by(erasure.c.at)
    rows = rows if study_id is None else rows.where(erasure.c.study_id == study_id)
    return [Erasure(*row) for row in connection.execute(rows)]


def erasure_count(connection: Connection, study_id: int) -> int:
    """How many people were erased from a study."""
    of_study = select(func.count()).select_from(erasure).where(erasure.c.study_id == study_id)
    return int(connection.execute(of_study).scalar_one())


def erase_person(connection: Connection, study_id: int, annotator_id: int, now: int, *, keep: bool) -> Erasure:
    """Delete everything that tells who somebody is.

    `keep`: their judgments stay, without free texts and under a drawn pseudonym; otherwise they are deleted, too, and
    their places are free for others.
    """
    who = annotator.c.id == annotator_id
    key = person_key(connection, annotator_id)
    names = _names_and_ids(connection, annotator_id)
    new = f"erased-{secrets.token_hex(3)}"
    return_all_of(connection, study_id, annotator_id)
    _delete_words(connection, annotator_id)
    delete_person_answers(connection, key)
    _delete_reviews(connection, study_id, annotator_id)
    for name in names:
        _forget_name(connection, study_id, annotator_id, name, new)
    if keep:
        _delete_texts(connection, annotator_id, text_dimensions(connection, study_id))
        row = {"name": new, "left_at": func.coalesce(annotator.c.left_at, now), "had": None}
        connection.execute(update(annotator).where(who).values(row))
    else:
        _delete_judgments(connection, study_id, annotator_id)
        connection.execute(update(action).where(action.c.annotator_id == annotator_id).values(annotator_id=None))
        connection.execute(delete(annotator).where(who))
    connection.execute(delete(computed).where(computed.c.study_id == study_id))
    forget_had(connection, study_id)
    recount_work(connection, study_id)
    recount_items(connection, study_id)
    done = Erasure(key, study_id, keep, now)
    connection.execute(insert(erasure).values(key=key, study_id=study_id, kept=keep, at=now))
    return done


def erase_again(connection: Connection, known: Erasure) -> bool:
    """Repeat an erasure in a restored backup; False where the backup does not have that person."""
    found = connection.execute(select(annotator.c.id, annotator.c.study_id).where(annotator.c.key == known.key)).first()
    listed = connection.execute(select(erasure.c.key).where(erasure.c.key == known.key)).first()
    if found is None or listed is not None:
        return False
    erase_person(connection, found.study_id, found.id, known.at, keep=known.kept)
    return True


def text_dimensions(connection: Connection, study_id: int) -> set[str]:
    """The dimensions that people answer in their own words, in any version of the study."""
    return {
        each.dimension
        for version in versions(connection, study_id).values()
        for each in version.rubric
        if each.input.answer == "text"
    }


def _names_and_ids(connection: Connection, annotator_id: int) -> list[str]:
    """Everything that texts by others may call somebody: both names, and the panel's ids."""
    said = select(arrival.c.person, arrival.c.session).where(arrival.c.annotator_id == annotator_id)
    ids = [each for each in connection.execute(said).first() or () if len(each) >= SHORTEST_ID]
    return [name for name in dict.fromkeys((*both_names(connection, annotator_id), *ids)) if name]


def _delete_words(connection: Connection, annotator_id: int) -> None:
    """Delete names, panel ids, links, sessions, messages, drafts, problem reports, flags, breaks, answers at gates."""
    links = list(connection.execute(select(link.c.token_hash).where(link.c.annotator_id == annotator_id)).scalars())
    delete_rows(connection, session.c.link_hash, links)
    tokens = list(connection.execute(select(token.c.id).where(token.c.annotator_id == annotator_id)).scalars())
    delete_rows(connection, repeat.c.token_id, tokens)
    given = list(connection.execute(select(assignment.c.id).where(assignment.c.annotator_id == annotator_id)).scalars())
    for column in (draft.c.assignment_id, problem.c.assignment_id):
        delete_rows(connection, column, given)
    for table in (link, token, message, flag, break_, arrival, check_in, person):
        connection.execute(delete(table).where(table.c.annotator_id == annotator_id))
    connection.execute(update(gate_pass).where(gate_pass.c.annotator_id == annotator_id).values(reason=""))
    mine = gate_attempt.c.annotator_id == annotator_id
    for id_, result in connection.execute(select(gate_attempt.c.id, gate_attempt.c.result).where(mine)).all():
        kept = {name: value for name, value in json.loads(result).items() if name != "answers"}
        connection.execute(update(gate_attempt).where(gate_attempt.c.id == id_).values(result=to_json(kept)))
    connection.execute(
        update(submission).where(submission.c.annotator_id == annotator_id).values(events=None, overridden="[]")
    )


def _delete_reviews(connection: Connection, study_id: int, annotator_id: int) -> None:
    """Delete the reviews of their free texts."""
    mine = connection.execute(select(submission.c.id).where(submission.c.annotator_id == annotator_id)).scalars()
    for id_ in mine:
        theirs = (text_review.c.study_id == study_id, text_review.c.key.startswith(f"{id_}/", autoescape=True))
        connection.execute(delete(text_review).where(*theirs))


def _delete_texts(connection: Connection, annotator_id: int, texts: Collection[str]) -> None:
    mine = select(submission.c.id).where(submission.c.annotator_id == annotator_id)
    own_words = (judgment.c.submission_id.in_(mine), judgment.c.dimension.in_(list(texts)))
    connection.execute(delete(judgment).where(*own_words))


def _delete_judgments(connection: Connection, study_id: int, annotator_id: int) -> None:
    mine = submission.c.annotator_id == annotator_id
    rows = connection.execute(select(submission.c.id, submission.c.item_id).where(mine)).all()
    given = list(connection.execute(select(assignment.c.id).where(assignment.c.annotator_id == annotator_id)).scalars())
    submissions = [row.id for row in rows]
    for column in (judgment.c.submission_id, uncounted.c.submission_id, submission.c.id):
        delete_rows(connection, column, submissions)
    count_without(connection, study_id, {row.item_id for row in rows})
    free_places(connection, given)
    delete_rows(connection, assignment.c.id, given)
    for table in (gate_pass, gate_attempt):
        connection.execute(delete(table).where(table.c.annotator_id == annotator_id))


def _forget_name(connection: Connection, study_id: int, annotator_id: int, name: str, new: str) -> None:
    """Remove the name from the record and from texts by others. Acts about them keep time and kind alone."""
    about_them = (action.c.study_id == study_id, action.c.annotator_id == annotator_id)
    connection.execute(update(action).where(*about_them).values(about="", reason=""))
    # In the name of a file it stands between underscores.
    named = re.compile(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])")
    for column in (action.c.about, import_.c.files, message.c.words):
        _rewrite(connection, study_id, column, lambda text: named.sub(new, text))
    for column in REASONS:
        _rewrite(connection, study_id, column, lambda text: "" if named.search(text) else text)
    for column in LISTS:
        _rewrite(connection, study_id, column, lambda text: _with_name(text, name, new))


def _with_name(names: str, old: str, new: str) -> str:
    listed = json.loads(names)
    return to_json([new if each == old else each for each in listed]) if old in listed else names


def _rewrite(connection: Connection, study_id: int, column: Column[Any], change: Callable[[str], str]) -> None:
    """Apply `change` to the texts of a column in a study, and write those that differ."""
    keys, columns = list(column.table.primary_key.columns), column.table.c
    of_study = select(annotator.c.id).where(annotator.c.study_id == study_id)
    within = columns.study_id == study_id if "study_id" in columns else columns.annotator_id.in_(of_study)
    rows = connection.execute(select(column, *keys).where(within, column != "")).all()
    for text, *values in rows:
        if (changed := change(text)) != text:
            which = (key == value for key, value in zip(keys, values, strict=True))
            connection.execute(update(column.table).where(*which).values({column: changed}))
