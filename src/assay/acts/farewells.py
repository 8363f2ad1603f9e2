"""Strangers from a panel leave: how it has ended for them, and the code and address that they go back with."""

from dataclasses import dataclass

from sqlalchemy import Connection

from assay.acts.may_judge import next_gate
from assay.acts.own_record import own_record
from assay.panels import Arrival
from assay.store.annotator import arrivals, attempts
from assay.store.annotator.participation import come_back, leave
from assay.store.annotator.sessions import Annotator
from assay.study import Study


def outcome_of(connection: Connection, annotator: Annotator, study: Study, *, nothing_left: bool = False) -> str:
    """How it has ended for somebody, by the words of `panel.yaml`; empty while it goes on.

    `nothing_left`: every gate is passed and there is no item for them any more.
    """
    known = arrivals.of_annotator(connection, annotator.id)
    if known is not None and known.outcome == "timed_out":
        return "timed_out"
    gates = [entry.gate for entry in study.gates]
    if annotator.left:
        if attempts.gate_of_refusal(connection, annotator.id, gates) is not None:
            return "screened_out"
        agreed = [gate for gate in gates if gate.kind == "consent"]
        agreed = [gate for gate in agreed if attempts.is_passed(connection, annotator.id, gate)]
        return "withdrew" if agreed or not study.consent else "no_consent"
    waits_at = next_gate(connection, annotator, study)
    if waits_at is not None:
        last = attempts.last_attempt(connection, annotator.id, waits_at)
        over = last is not None and last.passed is False and attempts.is_last(waits_at, last)
        if over:
            return "failed_gate"
        # It does not go on: the study was closed, or has ended their part in it.
        return "over_quota" if annotator.state in ("closed", "released") else ""
    return "finished" if nothing_left or annotator.state == "released" else ""


@dataclass(frozen=True, slots=True)
class Farewell:
    """What somebody is given on the way back to their panel."""

    outcome: str
    code: str
    address: str


def say_goodbye(
    connection: Connection, annotator: Annotator, study: Study, now: int, *, submitted: int, nothing_left: bool
) -> Farewell | None:
    """Keep how it has ended for somebody from a panel, and say what they get; None where it goes on, or none sent them.

    Whoever has passed every gate and found no item left was one too many.
    """
    known = arrivals.of_annotator(connection, annotator.id)
    outcome = "" if known is None else outcome_of(connection, annotator, study, nothing_left=nothing_left)
    if known is None or not outcome:
        return None
    if outcome == "finished" and not submitted:
        outcome = "over_quota"
    arrivals.end(connection, annotator.id, outcome, now)
    return farewell(connection, annotator.study_id, outcome, known.said)


def farewell(connection: Connection, study_id: int, outcome: str, said: Arrival) -> Farewell:
    """The code and the address that the study gives after an outcome, for this arrival."""
    way = arrivals.setup_of(connection, study_id).way_back(outcome)
    return Farewell(outcome, "" if way is None else way.code, "" if way is None else way.address_for(said))


def time_out(connection: Connection, annotator: Annotator, study: Study, now: int) -> bool:
    """Give up somebody's place if their time is over. Returns whether it was."""
    if annotator.id not in arrivals.over_time(connection, annotator.study_id, study, now):
        return False
    leave(connection, annotator.study_id, annotator.id, now)
    arrivals.end(connection, annotator.id, "timed_out", now)
    return True


def change_ones_mind(connection: Connection, annotator: Annotator, study: Study, now: int) -> None:
    """Somebody who has left comes back; from a panel only while there is a place, since theirs is for others by now."""
    enrol = study.assignment.enrol
    if enrol is not None and study.assignment.panel is not None and annotator.left:
        arrivals.refuse_over_quota(connection, annotator.study_id, enrol)
    come_back(connection, annotator.study_id, annotator.id)
    arrivals.end(connection, annotator.id, "", now)
    if annotator.left:
        own_record(connection, annotator, "come back", now)
