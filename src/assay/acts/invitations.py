"""Inviting: personal links for annotators, links for coordinators and viewers, one for anybody; and their end."""

from collections.abc import Sequence

from sqlalchemy import Connection

from assay.acts.enrolment import refuse_enrolment
from assay.errors import AssayError, Conflict, NotFound
from assay.store.annotator.participation import people_taking_part, recount_work
from assay.store.annotator.sessions import look_at_link
from assay.store.coordinator import annotators, links, studies
from assay.store.coordinator.links import SharedLink
from assay.store.coordinator.record import By, record
from assay.study import Study
from assay.words import Translatable

ROLES_OF_LINKS = ("coordinator", "viewer", "anybody")
"""The roles whose links belong to no annotator."""


def valid_name(name: str) -> str:
    """The name, if it can stand in files and addresses. Raises AssayError where it cannot."""
    if not name or len(name) > 100 or any(ord(character) < 32 for character in name) or name != name.strip():
        raise AssayError(f"{name!r} cannot name an annotator", "1 to 100 characters, no line breaks")
    return name


def choose_names(connection: Connection, study_id: int, names: Sequence[str], count: int) -> list[str]:
    """Whom to invite: those who are named, each once, and so many more under free pseudonyms."""
    named = [valid_name(name) for name in names]
    return list(dict.fromkeys([*named, *annotators.free_names(connection, study_id, count)]))


def invite(
    connection: Connection,
    by: By,
    names: Sequence[str],
    count: int = 0,
    *,
    pseudonyms: Sequence[str] = (),
    simulated: bool = False,
) -> list[tuple[str, str]]:
    """Make a personal link for each annotator, old or new; an earlier link of the same annotator stays good.

    Whoever is new and has a name gets a drawn pseudonym, and the name is kept apart; `pseudonyms` stand in the data as
    they are given, and so do the names of bots. Returns each name with the token of its link, which cannot be shown
    again.
    """
    invited = []
    people = set() if simulated else set(names) - set(pseudonyms)
    for name in choose_names(connection, by.study_id, [*names, *pseudonyms], count):
        if name in people:
            annotator_id = annotators.find_or_add_person(connection, by.study_id, name, by.at)
        else:
            annotator_id = annotators.find_or_add(connection, by.study_id, name, by.at, simulated=simulated)
        invited.append((name, links.add(connection, by.study_id, annotator_id, by.at)))
        if not simulated:
            record(connection, by, "invite", annotator_id)
    recount_work(connection, by.study_id)
    return invited


def invite_other(connection: Connection, by: By, study: Study, role: str, name: str = "") -> str:
    """Make a link for a coordinator or a viewer under a name, or the one for anybody. Returns its token."""
    if role == "anybody" and study.assignment.enrol is None:
        raise AssayError("this study is not open to anybody", "assignment.enrol in study.yaml opens it")
    whose = {"enrols": role == "anybody", "reads_only": role == "viewer"}
    token = links.add(connection, by.study_id, None, by.at, name=name, **whose)
    record(connection, by, f"invite {role}", about=name)
    return token


def first_coordinators_link(connection: Connection, by: By, study: Study) -> str | None:
    """Make the link of a server's first start; None where a coordinator's link is good already."""
    if any(each.role == "coordinator" for each in links.shared_links(connection, by.study_id, by.at)):
        return None
    return invite_other(connection, by, study, "coordinator")


def replace_coordinators_link(connection: Connection, by: By, study: Study) -> tuple[str, list[SharedLink]]:
    """Make a new link for the coordinator and revoke those without a name. Returns its token, and all earlier links."""
    earlier = [each for each in links.shared_links(connection, by.study_id, by.at) if each.role == "coordinator"]
    for each in earlier:
        if not each.name:
            revoke_shared_link(connection, by, each.hash)
    return invite_other(connection, by, study, "coordinator"), earlier


def enrol(connection: Connection, token: str, study: Study, name: str, now: int) -> str:
    """Let somebody take part under an id of their own, which is kept apart; returns the token of their link."""
    found, asked = look_at_link(connection, token, now), study.assignment.enrol
    if found.role != "anybody" or asked is None:
        raise NotFound(Translatable("errors.dead_link"))
    valid_name(name)
    # Of two who enrol at once, the second sees the first.
    studies.lock(connection, found.study_id)
    if annotators.is_known(connection, found.study_id, name):
        raise Conflict(Translatable("landing.id_taken"))
    refuse_enrolment(connection, found.study_id, asked, now)
    if asked.at_most is not None and people_taking_part(connection, found.study_id) >= asked.at_most:
        raise Conflict(Translatable("landing.full"))
    annotator_id = annotators.find_or_add_person(connection, found.study_id, name, now)
    recount_work(connection, found.study_id)
    return links.add(connection, found.study_id, annotator_id, now)


def revoke_links(connection: Connection, by: By, name: str) -> int:
    """Have somebody's links and sessions end at once. Returns how many links that were."""
    annotator_id = annotators.annotator_id(connection, by.study_id, name)
    ended = links.end_links_of(connection, annotator_id, by.at)
    record(connection, by, "revoke links", annotator_id)
    return ended


def replace_links(connection: Connection, by: By, names: Sequence[str]) -> list[tuple[str, str]]:
    """Make a new link for each of some annotators; their earlier links and sessions end at once."""
    for name in names:
        links.end_links_of(connection, annotators.annotator_id(connection, by.study_id, name), by.at)
    made = [
        (name, links.add(connection, by.study_id, annotators.annotator_id(connection, by.study_id, name), by.at))
        for name in names
    ]
    for name in names:
        record(connection, by, "replace links", annotators.annotator_id(connection, by.study_id, name))
    return made


def revoke_shared_link(connection: Connection, by: By, hash_: str) -> None:
    """Have the link of a coordinator, of a viewer, or the one for anybody end at once."""
    record(connection, by, "revoke link", about=links.end_link(connection, by.study_id, hash_, by.at))
