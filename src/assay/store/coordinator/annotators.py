"""The annotators of a study as rows: found and added by name, their state, and whether the report counts them."""

from sqlalchemy import Connection, insert, select, update

from assay.errors import AssayError
from assay.store.annotator.names import all_names, draw_pseudonym, is_called
from assay.store.annotator.participation import recount_work
from assay.store.tables import action, annotator, person


def annotator_id(connection: Connection, study_id: int, name: str) -> int:
    """The id of the annotator with this name or pseudonym; raises AssayError where there is none."""
    return find(connection, study_id, name)[0]


def find(connection: Connection, study_id: int, name: str) -> tuple[int, str]:
    """The id and the pseudonym of the annotator with this name or pseudonym; raises AssayError where there is none."""
    found = connection.execute(select(annotator.c.id, annotator.c.name).where(is_called(study_id, name))).first()
    if found is None:
        raise AssayError(f"nobody in this study is called {name!r}", "`assay status` lists everybody")
    return int(found.id), str(found.name)


def find_or_add(connection: Connection, study_id: int, name: str, now: int, *, simulated: bool = False) -> int:
    """The annotator with this name, else a new one with it as the pseudonym. A bot and a person never share a name."""
    called = is_called(study_id, name)
    found = connection.execute(select(annotator.c.id, annotator.c.simulated).where(called)).first()
    if found is None:
        row = {"study_id": study_id, "name": name, "created_at": now, "simulated": simulated}
        return int(connection.execute(insert(annotator).values(row).returning(annotator.c.id)).scalar_one())
    if found.simulated != simulated:
        is_ = "a simulated annotator" if found.simulated else "a person"
        raise AssayError(f"{name!r} is {is_} already", "choose another name")
    ask_to_take_part(connection, found.id)
    return int(found.id)


def find_or_add_person(connection: Connection, study_id: int, name: str, now: int) -> int:
    """The person of this name, else a new one under a drawn pseudonym, with the name kept apart."""
    if is_known(connection, study_id, name):
        return find_or_add(connection, study_id, name, now)
    new = find_or_add(connection, study_id, draw_pseudonym(connection, study_id), now)
    connection.execute(insert(person).values(annotator_id=new, study_id=study_id, name=name))
    return new


def ask_to_take_part(connection: Connection, annotator_id: int) -> None:
    """Have somebody who was known only from a file take part: work is shared with them from now on."""
    from_file = (annotator.c.id == annotator_id, annotator.c.from_file.is_(True))
    connection.execute(update(annotator).where(*from_file).values(from_file=False))


def free_names(connection: Connection, study_id: int, count: int) -> list[str]:
    """Pseudonyms that nobody has: a1, a2, ..."""
    known = all_names(connection, study_id)
    free = (name for number in range(1, len(known) + count + 1) if (name := f"a{number}") not in known)
    return [next(free) for _ in range(count)]


def state_of(connection: Connection, annotator_id: int) -> str:
    """Whether somebody is active, paused or released."""
    return str(connection.execute(select(annotator.c.state).where(annotator.c.id == annotator_id)).scalar_one())


def set_state(connection: Connection, study_id: int, annotator_id: int, state: str) -> None:
    """Let somebody be active, paused or released."""
    connection.execute(update(annotator).where(annotator.c.id == annotator_id).values(state=state))
    recount_work(connection, study_id)


def set_excluded(connection: Connection, annotator_id: int, since: int | None) -> None:
    """Exclude somebody from the report since a time; None includes them again."""
    connection.execute(update(annotator).where(annotator.c.id == annotator_id).values(excluded_at=since))


def exclusions_by_hand(connection: Connection, study_id: int) -> dict[str, str]:
    """Who was excluded from the report by a coordinator, with the newest reason."""
    rows = connection.execute(
        select(annotator.c.name, action.c.reason)
        .join(action, action.c.annotator_id == annotator.c.id)
        .where(annotator.c.study_id == study_id, annotator.c.excluded_at.is_not(None), action.c.what == "exclude")
        .order_by(action.c.id)
    )
    return {row[0]: row[1] for row in rows}


def names(connection: Connection, study_id: int) -> dict[int, str]:
    """The pseudonyms of everybody in a study, automated judges included."""
    rows = connection.execute(select(annotator.c.id, annotator.c.name).where(annotator.c.study_id == study_id))
    return {row[0]: row[1] for row in rows}


def is_known(connection: Connection, study_id: int, name: str) -> bool:
    """Whether somebody in the study has this name or pseudonym."""
    return connection.execute(select(annotator.c.id).where(is_called(study_id, name))).first() is not None


def is_judge(connection: Connection, annotator_id: int) -> bool:
    """Whether it is an automated judge."""
    return bool(connection.execute(select(annotator.c.judge).where(annotator.c.id == annotator_id)).scalar_one())
