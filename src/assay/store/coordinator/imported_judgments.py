"""Judgments that were given elsewhere: kept like all others, and known as imported."""

import json
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, insert, select, update

from assay.errors import ItemMistakes, Mistake
from assay.items.imported_judgments import GroupAndSystem, ImportedAnswers, ItemName
from assay.items.run_facts import RunFacts
from assay.judgments.file_judgments import HeldAnswers, KnownItem, hold_against_item
from assay.judgments.stated_doubt import note_of
from assay.model import IMPORTED, Slot, Value
from assay.store.annotator.annotator_counts import forget_had
from assay.store.annotator.names import is_called
from assay.store.annotator.participation import recount_items, recount_work
from assay.store.annotator.places import lock_pool
from assay.store.annotator.submissions import QUEUE, fingerprint, store_judgments
from assay.store.coordinator.items import item_ids, item_of_group
from assay.store.coordinator.judge_runs import KeptRuns
from assay.store.engine.json_text import to_json
from assay.store.engine.prepared import Prepared
from assay.store.tables import (
    WITHDRAWN,
    WORK,
    annotator,
    assignment,
    duplicate,
    is_in_study,
    item,
    item_hidden,
    submission,
)
from assay.study import Study

MOST_MISTAKES = 100
FILL = Prepared(update(item).where(item.c.id == bindparam("item")).values(taken=item.c.taken + bindparam("more")))


@dataclass
class ImportedJudgments:
    """What taking in judgments did."""

    submissions: int = 0
    replaced: int = 0
    """How many of them stand in the place of earlier ones, which are superseded."""
    known: int = 0
    elsewhere: int = 0
    """Judged items that are not in the store, in a sheet that may well cover more than the study does."""
    missing: Counter[str] = field(default_factory=Counter)
    """How many answers are missing that the study's rules ask for, such as notes, by dimension."""
    annotators: set[str] = field(default_factory=set)
    judges: set[str] = field(default_factory=set)
    runs: dict[str, RunFacts] = field(default_factory=dict)
    """How each judge was run, as far as it is known, by its name."""


def add(
    connection: Connection,
    study_id: int,
    study: Study,
    given: Iterable[tuple[ItemName, ImportedAnswers]],
    now: int,
    number: int | None = None,
    *,
    replace: bool = False,
    partial: bool = False,
) -> ImportedJudgments:
    """Store judgments of items by name. Equal ones that are there already are skipped; different ones are mistakes.

    With `replace` a different one becomes a new revision of an earlier import's, which is kept as superseded. Judgments
    from the page or a sheet are never replaced. `number` is that of the import that they come with. With
    `partial` answers may be missing, and systems of a sheet that the items do not have are left out.
    """
    taking = _Taking(connection, study_id, study, now, number, replace=replace, partial=partial)
    for name, each in given:
        taking.take(name, each)
    if taking.taken.elsewhere:
        taking.refuse_elsewhere()
    if taking.mistakes:
        raise ItemMistakes(taking.mistakes)
    taking.fill_places()
    return taking.taken


class _Taking:
    """Judgments on their way into the store."""

    def __init__(
        self,
        connection: Connection,
        study_id: int,
        study: Study,
        now: int,
        number: int | None,
        *,
        replace: bool,
        partial: bool,
    ) -> None:
        self.connection, self.study_id, self.study, self.now = connection, study_id, study, now
        self.number, self.replace, self.partial = number, replace, partial
        self.taken = ImportedJudgments()
        self.mistakes: list[Mistake] = []
        self.items: dict[ItemName, tuple[int, int] | None] = {}
        self.people: dict[str, int] = {}
        self.pseudonyms: dict[str, str] = {}
        """The pseudonym of each annotator, by what the file calls them."""
        self.over: set[int] = set()
        """Annotators who are excluded and released: their judgments take no place."""
        self.positions: dict[int, int] = {}
        self.places: Counter[int] = Counter()
        """How many more people have judged each item now."""
        self.elsewhere: dict[str, GroupAndSystem] = {}
        """Of each system of a sheet, the first item that is not in the store."""
        self.runs = KeptRuns(connection, study_id)

    def take(self, name: ItemName, given: ImportedAnswers) -> None:
        """Store one annotator's judgments of one item."""
        found = self._item(name)
        if found is None and isinstance(name, GroupAndSystem):
            self.taken.elsewhere += 1
            self.elsewhere.setdefault(name.system, name)
            return
        if found is None:
            self._problem(f"item {name}", "is judged, but not in the store", "take the items in first")
            return
        item_id, pass_ = found[0], max(found[1], given.pass_)
        held = self._hold(name, item_id, given)
        if held.mistakes:
            return
        answers = held.answers
        who = self._annotator(given)
        print_ = fingerprint(dict(answers))
        (self.taken.judges if given.judge else self.taken.annotators).add(self.pseudonyms[given.annotator])
        earlier = self._newest(who, item_id, pass_)
        if earlier is not None:
            if earlier.fingerprint == print_ and self._is_no_other(earlier, given):
                self.taken.known += 1
            elif hint := self._why_not_replaced(earlier):
                self._problem(f"item {name}", f"{given.annotator} has judged it before, with other answers", hint)
            else:
                self._store(self._revision(earlier), who, item_id, pass_, answers, given)
                self.taken.replaced += 1
                self.taken.missing.update(held.missing)
            return
        if self._is_at_work(who, item_id, pass_):
            what = f"{given.annotator} was given it on the page and has not judged it there"
            self._problem(f"item {name}", what, "let them submit it there, or give the file's annotator another name")
            return
        self._store(self._first(item_id, pass_, who, given.swapped), who, item_id, pass_, answers, given)
        self.taken.missing.update(held.missing)
        self.places[item_id] += pass_ == 1 and not given.judge and who not in self.over

    def fill_places(self) -> None:
        """Take the places of items that people have judged elsewhere."""
        filled = [{"item": item_id, "more": count} for item_id, count in sorted(self.places.items()) if count]
        if filled:
            lock_pool(self.connection, self.study_id)
            FILL.run_many(self.connection, filled)
            recount_items(self.connection, self.study_id)
            recount_work(self.connection, self.study_id)
        if self.positions:
            forget_had(self.connection, self.study_id)

    def _newest(self, who: int, item_id: int, pass_: int) -> Row[Any] | None:
        """The newest revision of somebody's submission for an item; None where there is none."""
        mine = (submission.c.annotator_id == who, submission.c.item_id == item_id, submission.c["pass"] == pass_)
        newest = select(submission).where(*mine).order_by(submission.c.revision.desc()).limit(1)
        return self.connection.execute(newest).first()

    def _is_no_other(self, earlier: Row[Any], given: ImportedAnswers) -> bool:
        """Whether a submission with equal answers also has the same doubt and, with `replace`, the same judge run."""
        if given.doubt is not None and earlier.events != note_of(given.doubt):
            return False
        return given.run is None or not self.replace or self.runs.has(earlier.import_number, given.annotator, given.run)

    def _why_not_replaced(self, earlier: Row[Any]) -> str:
        """A hint for a conflict with other answers; empty where these may be replaced."""
        if earlier.source != IMPORTED:
            return "what was judged on the page or on a sheet is never replaced by an import: it is corrected there"
        if earlier.import_number is not None and earlier.import_number == self.number:
            return "it stands twice in what is taken in: keep the right one"
        if not self.replace:
            return "--replace with --reason puts these in the place of the earlier ones, which are kept as superseded"
        return ""

    def _hold(self, name: ItemName, item_id: int, given: ImportedAnswers) -> HeldAnswers:
        """Validate answers against their item; those that do not fit become mistakes."""
        columns = (item.c.shown, item_hidden.c.hidden, item_hidden.c.systems)
        row = self.connection.execute(select(*columns).join(item_hidden).where(item.c.id == item_id)).one()
        known = KnownItem(json.loads(row.shown), json.loads(row.hidden), tuple(json.loads(row.systems)))
        held = hold_against_item(self.study, known, given, partial=self.partial)
        for what, hint in held.mistakes:
            self._problem(f"item {name}", what, hint)
        return held

    def refuse_elsewhere(self) -> None:
        """Note a mistake where no item of a sheet, or of one of its systems, is in the study; other gaps are fine."""
        known = (is_in_study(self.study_id), item.c.series.in_((WORK, WITHDRAWN)))
        listed = select(item_hidden.c.systems).join(item).where(*known)
        here = {name for row in self.connection.execute(listed.distinct()) for name in json.loads(row.systems)}
        by = ", ".join(sorted(here)) or "none"
        said = f"systems of the items: {by}; items.names in study.yaml maps names that differ"
        if not self.taken.submissions and not self.taken.known:
            first = next(iter(self.elsewhere.values()))
            hint = f"the first one is {first}; systems of the sheet: {', '.join(sorted(self.elsewhere))}; {said}"
            self._problem("the sheet", "none of its items is in the store", hint)
        for system in sorted(set(self.elsewhere) - here) if not self.partial and not self.mistakes else ():
            self._problem("the sheet", f"no item is by {system!r}", f"{said}; --partial leaves these rows out")

    def _is_at_work(self, who: int, item_id: int, pass_: int) -> bool:
        mine = (assignment.c.annotator_id == who, assignment.c.item_id == item_id, assignment.c["pass"] == pass_)
        return self.connection.execute(select(assignment.c.id).where(*mine)).first() is not None

    def _problem(self, where: str, what: str, hint: str) -> None:
        if len(self.mistakes) < MOST_MISTAKES:
            self.mistakes.append(Mistake(where, what, hint))

    def _item(self, name: ItemName) -> tuple[int, int] | None:
        """The item that a name means, and which pass of it: a duplicate's name means its original once more."""
        if isinstance(name, GroupAndSystem) and name not in self.items:
            one = item_of_group(self.connection, self.study_id, name.group, to_json([name.system]))
            self.items[name] = None if one is None else (one, 1)
        elif isinstance(name, str) and name not in self.items:
            # What was taken out of the study is still judged: it counts when the item is put back.
            at_work, out = (item_ids(self.connection, self.study_id, [name], series) for series in (WORK, WITHDRAWN))
            ids = at_work | out
            again = self.connection.execute(
                select(duplicate.c.item_id).where(duplicate.c.study_id == self.study_id, duplicate.c.name == name)
            ).scalar()
            self.items[name] = (ids[name], 1) if name in ids else (again, 2) if again is not None else None
        return self.items[name]

    def _annotator(self, given: ImportedAnswers) -> int:
        if given.annotator not in self.people:
            called = is_called(self.study_id, given.annotator)
            known = self.connection.execute(select(annotator).where(called)).first()
            if known is not None and known.excluded_at is not None and known.state == "released":
                self.over.add(known.id)
            if known is not None and known.judge != given.judge:
                self._problem(f"annotator {given.annotator}", "is a person and a judge", "give the judge another name")
            row = {"study_id": self.study_id, "name": given.annotator, "judge": given.judge, "created_at": self.now}
            row |= {"from_file": not given.judge}
            self.pseudonyms[given.annotator] = given.annotator if known is None else known.name
            self.people[given.annotator] = (
                known.id
                if known is not None
                else self.connection.execute(insert(annotator).values(row).returning(annotator.c.id)).scalar_one()
            )
        return self.people[given.annotator]

    def _first(self, item_id: int, pass_: int, who: int, swapped: bool | None) -> dict[str, Any]:
        """The ids of somebody's first submission for an item, for which an assignment is made."""
        if who not in self.positions:
            last = select(func.max(assignment.c.position)).where(assignment.c.annotator_id == who)
            self.positions[who] = self.connection.execute(last).scalar() or 0
        self.positions[who] += 1
        name = secrets.token_urlsafe(16)
        given = {
            "study_id": self.study_id,
            "annotator_id": who,
            "item_id": item_id,
            "pass": pass_,
            "position": self.positions[who],
            "public_id": secrets.token_urlsafe(16),
            "submission_id": name,
            "state": "submitted",
            "created_at": self.now,
            "swapped": swapped,
            "freed_at": self.now if who in self.over else None,
        }
        made = self.connection.execute(insert(assignment).values(given).returning(assignment.c.id)).scalar_one()
        return {"id": name, "assignment_id": made, "revision": 1}

    def _revision(self, earlier: Row[Any]) -> dict[str, Any]:
        """The ids of a new revision of a submission."""
        first = select(assignment.c.submission_id).where(assignment.c.id == earlier.assignment_id)
        revision = earlier.revision + 1
        name = f"{self.connection.execute(first).scalar_one()}.{revision}"
        return {"id": name, "assignment_id": earlier.assignment_id, "revision": revision}

    def _store(
        self,
        ids: Mapping[str, Any],
        who: int,
        item_id: int,
        pass_: int,
        answers: Mapping[Slot, Value],
        given: ImportedAnswers,
    ) -> None:
        kept = {
            **ids,
            "study_id": self.study_id,
            "annotator_id": who,
            "item_id": item_id,
            "pass": pass_,
            "study_hash": self.study.hash,
            "consent": "",
            "fingerprint": fingerprint(dict(answers)),
            "shown_at": self.now,
            "submitted_at": self.now,
            "source": IMPORTED,
            "swapped": given.swapped,
            "events": note_of(given.doubt),
            "import_number": self.number,
        }
        self.connection.execute(insert(submission).values(kept))
        store_judgments(self.connection, ids["id"], self.study, dict(answers), None)
        QUEUE.run(self.connection, submission_id=ids["id"], study_id=self.study_id, item_id=item_id)
        self.taken.submissions += 1
        if given.run is not None:
            self.taken.runs[given.annotator] = self.taken.runs.get(given.annotator, RunFacts()) + given.run
