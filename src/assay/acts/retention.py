"""Retention: so many days after a study was closed, everybody in it is erased, as its file declares."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select

from assay.acts.erasures import erase_people
from assay.errors import AssayError
from assay.in_words import many
from assay.store import Backend
from assay.store.annotator.session_lifetime import DAY
from assay.store.coordinator import studies
from assay.store.coordinator.record import By, record
from assay.store.tables import annotator, erasure, study
from assay.study import Study

REMIND_DAYS = 14
"""So many days before it is done the coordinator's page says so."""


OVER = ("closed", studies.REMOVED)
"""The states since which the days are counted."""


@dataclass(frozen=True, slots=True)
class Retention:
    """When the people of a study are to be erased, and who is left."""

    days: int
    closed_at: int | None
    """When the study was closed, or put away; None: it was not."""
    people: tuple[str, ...]
    """Who is not erased yet."""

    @property
    def due_at(self) -> int | None:
        """When it is to be done; None: the study is not closed."""
        return None if self.closed_at is None else self.closed_at + self.days * DAY

    def is_due(self, now: int) -> bool:
        """Whether it is to be done now."""
        return bool(self.people) and self.due_at is not None and self.due_at <= now

    def is_near(self, now: int) -> bool:
        """Whether a coordinator is reminded of it."""
        return bool(self.people) and self.due_at is not None and self.due_at - REMIND_DAYS * DAY <= now


def retention(connection: Connection, study_id: int, declared: Study) -> Retention | None:
    """When a study's people are to be erased, and who is left; None: the study does not say."""
    days = declared.privacy.delete_people_after_days
    if days is None:
        return None
    row = connection.execute(select(study.c.state, study.c.state_at).where(study.c.id == study_id)).one()
    gone = select(erasure.c.key)
    people = select(annotator.c.name).where(
        annotator.c.study_id == study_id,
        annotator.c.judge.is_(False),
        annotator.c.simulated.is_(False),
        annotator.c.key.not_in(gone),
    )
    names = tuple(connection.execute(people.order_by(annotator.c.id)).scalars())
    return Retention(days, row.state_at if row.state in OVER else None, names)


def retain(store: Backend, by: By, declared: Study) -> int:
    """Erase everybody in a study whose time is over. Returns how many they were; 0: it is not due."""
    found = store.read(retention, by.study_id, declared)
    if found is None or not found.is_due(by.at):
        return 0
    done = erase_people(store, by, found.people, keep=declared.privacy.on_erasure == "keep")
    if done:
        about = f"{many(done, 'person', 'people')} erased, {found.days} days after the study was closed"
        store.write(record, by, "retain", about=about)
    return done


def need_retention(found: Retention | None) -> Retention:
    """What a study declares, or an error that says how to declare it."""
    if found is None:
        hint = "privacy: {delete_people_after_days: 90} in study.yaml; `assay erase NAME` erases one person"
        raise AssayError("this study does not say how long its people are kept", hint)
    return found


def retain_everywhere(store: Backend, declared: Sequence[tuple[int, Study]], now: int) -> int:
    """The same in several studies, for a server that looks every day."""
    return sum(retain(store, By(study_id, "the server", now), each) for study_id, each in declared)
