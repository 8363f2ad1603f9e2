"""The items of a study, searched and filtered, some at a time: unfinished, far apart, flagged, held by somebody."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Float,
    and_,
    case,
    cast,
    exists,
    func,
    literal,
    not_,
    or_,
    select,
)

from assay.judgments.same_scale import same_scale
from assay.model import Judgment
from assay.store.annotator import versions
from assay.store.coordinator import flags
from assay.store.coordinator.finished_items import first_passes, is_finished, judged_and_wanted
from assay.store.coordinator.long_table import judgments_of_items
from assay.store.engine.json_text import to_json
from assay.store.tables import (
    WITHDRAWN,
    WORK,
    annotator,
    assignment,
    is_in_study,
    item,
    item_hidden,
    judgment,
    problem,
    submission,
)

MOST_COUNTED = 10_000
"""Results beyond this number are not counted: nobody needs the exact number."""


@dataclass(frozen=True)
class ItemFilter:
    """Which items to find: those that meet all conditions that are set."""

    words: str = ""
    """What stands in its name or in anything that is shown of it."""
    unfinished: bool = False
    """Not judged by as many people who count as it needs."""
    spread_above: float | None = None
    """People are farther apart than this on one of its questions, as a standard deviation."""
    spread_of: tuple[str, ...] = ()
    """The dimensions on which they may be far apart."""
    flagged: bool = False
    problem: bool = False
    """Somebody has reported a problem with it, and nobody has dealt with that yet."""
    taken_out: bool = False
    system: str = ""
    batch: str = ""
    held_by: str = ""
    """The annotator who has it and has not judged it."""
    names: tuple[str, ...] = ()
    """These items and no others."""


@dataclass(frozen=True)
class FoundItem:
    """One item in a list of them."""

    id: int
    name: str
    shown: dict[str, Any]
    systems: tuple[str, ...]
    batch: str
    wanted: int
    judged: int
    """By how many people who count."""
    held_by: tuple[str, ...]
    problems: int
    taken_out: bool

    @property
    def finished(self) -> bool:
        """Whether as many people have judged it as it needs."""
        return bool(is_finished(self.judged, self.wanted))


@dataclass(frozen=True)
class FoundItems:
    """A page of search results, in the order in which items came in."""

    items: tuple[FoundItem, ...]
    judgments: tuple[Judgment, ...]
    """Everything that was said of these."""
    total: int
    """How many there are in all; no more than `MOST_COUNTED` are counted."""
    before: bool
    """Whether there are some in front of these."""
    after: bool


def search_items(
    connection: Connection,
    study_id: int,
    wanted: ItemFilter,
    compares: Collection[str],
    *,
    after: int = 0,
    before: int = 0,
    limit: int = 50,
) -> FoundItems:
    """A page of search results: the first ones, those after an item, or those before one."""
    which = _conditions(connection, study_id, wanted)
    ids = select(item.c.id).join(item_hidden, item_hidden.c.item_id == item.c.id).where(*which)
    if before:
        nearest = ids.where(item.c.id < before).order_by(item.c.id.desc()).limit(limit)
        found = sorted(connection.execute(nearest).scalars())
    else:
        found = list(connection.execute(ids.where(item.c.id > after).order_by(item.c.id).limit(limit)).scalars())
    counted = select(func.count()).select_from(ids.limit(MOST_COUNTED).subquery())
    return FoundItems(
        items=tuple(_read_items(connection, study_id, found)),
        judgments=tuple(judgments_of_items(connection, study_id, found, compares)),
        total=int(connection.execute(counted).scalar_one()),
        before=bool(found) and _exists(connection, ids.where(item.c.id < found[0])),
        after=bool(found) and _exists(connection, ids.where(item.c.id > found[-1])),
    )


def neighbours(connection: Connection, study_id: int, wanted: ItemFilter, id_: int) -> tuple[str, str]:
    """The names of the items before and after one among the search results; empty at either end."""
    which = _conditions(connection, study_id, wanted)
    names = select(item.c.name).join(item_hidden, item_hidden.c.item_id == item.c.id).where(*which)
    before = connection.execute(names.where(item.c.id < id_).order_by(item.c.id.desc()).limit(1)).scalar()
    after = connection.execute(names.where(item.c.id > id_).order_by(item.c.id).limit(1)).scalar()
    return before or "", after or ""


def _exists(connection: Connection, ids: Any) -> bool:
    return connection.execute(ids.limit(1)).first() is not None


def _conditions(connection: Connection, study_id: int, wanted: ItemFilter) -> list[ColumnElement[bool]]:
    series = item.c.series == WITHDRAWN if wanted.taken_out else item.c.series.in_((WORK, WITHDRAWN))
    which: list[ColumnElement[bool]] = [is_in_study(study_id), series]
    if wanted.words:
        # Texts are kept as JSON, in which a quotation mark or a new line stands in another form.
        in_json = func.lower(item.c.shown).contains(to_json(wanted.words)[1:-1].lower(), autoescape=True)
        which.append(or_(func.lower(item.c.name).contains(wanted.words.lower(), autoescape=True), in_json))
    if wanted.unfinished:
        finished = is_finished(*judged_and_wanted(connection, study_id))
        which += [item.c.series == WORK, item.c.wanted > 0, not_(finished)]
    if wanted.spread_above is not None:
        if not wanted.taken_out:  # what was taken out is talked over no more
            which.append(item.c.series == WORK)
        which.append(_is_spread_above(connection, study_id, wanted.spread_above, wanted.spread_of))
    if wanted.flagged:
        open_flags = [each for each in flags.kept_flags(connection, study_id) if each.state == "open"]
        which.append(item.c.name.in_(sorted({name for each in open_flags for name in each.items})))
    if wanted.problem:
        which.append(_open_problems() > 0)
    if wanted.system:
        which.append(item_hidden.c.systems.contains(to_json(wanted.system), autoescape=True))
    if wanted.batch:
        which.append(item_hidden.c.batch == wanted.batch)
    if wanted.held_by:
        which.append(exists().where(_is_held(), annotator.c.name == wanted.held_by))
    if wanted.names:
        which.append(item.c.name.in_(wanted.names))
    return which


def holders(connection: Connection, study_id: int) -> list[str]:
    """The annotators who have an open assignment."""
    lies = exists().where(_is_held(), is_in_study(study_id), item.c.series.in_((WORK, WITHDRAWN)))
    names = select(annotator.c.name).where(annotator.c.study_id == study_id, lies.correlate(annotator))
    return sorted(connection.execute(names).scalars())


def _is_held() -> ColumnElement[bool]:
    """The condition that an annotator has an open assignment of the item."""
    mine = and_(assignment.c.item_id == item.c.id, annotator.c.id == assignment.c.annotator_id)
    return and_(mine, assignment.c.state == "open", assignment.c.attempt == 0)


def _open_problems() -> Any:
    of_item = (assignment.c.item_id == item.c.id, problem.c.closed_at.is_(None))
    counted = select(func.count()).select_from(problem).join(assignment, assignment.c.id == problem.c.assignment_id)
    return counted.where(*of_item).correlate(item).scalar_subquery()


def _is_spread_above(
    connection: Connection, study_id: int, line: float, dimensions: Collection[str]
) -> ColumnElement[bool]:
    """Whether the standard deviation of one question's values exceeds the threshold; in SQL, without a square root.

    Over all people, excluded ones too, as in adjudication.
    """
    later = submission.alias("later")
    same = [later.c[name] == submission.c[name] for name in ("annotator_id", "item_id", "pass")]
    newest = not_(exists().where(*same, later.c.revision > submission.c.revision))
    # Numbers alone: a value that is a text, a list or a truth value would not be one on PostgreSQL.
    first = func.substr(judgment.c.value, 1, 1)
    value = case((first.in_([*"-0123456789"]), cast(judgment.c.value, Float)))
    n = func.count(value)
    squares = func.sum(value * value) - func.sum(value) * func.sum(value) / n
    question = (judgment.c.dimension, judgment.c.side, judgment.c.entry)
    people = select(annotator.c.id).where(annotator.c.study_id == study_id, annotator.c.judge.is_(False))
    apart = (
        select(literal(1))
        .select_from(judgment)
        .join(submission, submission.c.id == judgment.c.submission_id)
        .where(submission.c.item_id == item.c.id, *first_passes(people), newest)
        .where(judgment.c.dimension.in_(dimensions))
        .where(*_on_scale(connection, study_id, dimensions))
        .group_by(*question)
        .having(n > 1, squares > line * line * (n - 1) + 1e-9)
        .correlate(item)
    )
    return exists(apart)


def _on_scale(connection: Connection, study_id: int, dimensions: Collection[str]) -> list[ColumnElement[bool]]:
    """The conditions that exclude values from a scale that is no longer in force."""
    now = versions.version_in_force(connection, study_id)
    return [
        not_(and_(submission.c.study_hash == hash_, judgment.c.dimension == name))
        for hash_, then in versions.versions(connection, study_id).items()
        for name in sorted(dimensions)
        if not same_scale(then, now, name)
    ]


def _read_items(connection: Connection, study_id: int, ids: Sequence[int]) -> list[FoundItem]:
    holders = select(assignment.c.item_id, annotator.c.name).where(
        assignment.c.item_id.in_(ids), annotator.c.id == assignment.c.annotator_id
    )
    open_ = (assignment.c.state == "open", assignment.c.attempt == 0)
    held: dict[int, list[str]] = {}
    for item_id, name in connection.execute(holders.where(*open_).order_by(assignment.c.id)):
        held.setdefault(item_id, []).append(name)
    judged, wanted = judged_and_wanted(connection, study_id)
    rows = connection.execute(
        select(
            item.c.id,
            item.c.name,
            item.c.shown,
            case((item.c.wanted > 0, wanted), else_=0).label("wanted"),
            item.c.series,
            item_hidden.c.systems,
            item_hidden.c.batch,
            judged.label("judged"),
            _open_problems().label("problems"),
        )
        .join(item_hidden, item_hidden.c.item_id == item.c.id)
        .where(item.c.id.in_(ids))
        .order_by(item.c.id)
    )
    return [
        FoundItem(
            id=row.id,
            name=row.name,
            shown=json.loads(row.shown),
            systems=tuple(json.loads(row.systems)),
            batch=row.batch,
            wanted=row.wanted,
            judged=row.judged,
            held_by=tuple(held.get(row.id, ())),
            problems=row.problems,
            taken_out=row.series == WITHDRAWN,
        )
        for row in rows
    ]
