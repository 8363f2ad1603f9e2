"""Who is left out, by a coordinator or by a rule of the study, and what becomes of their places.

A coordinator excludes somebody with a reason, and may give their places to others (`reassign`). A rule is declared in
the study file (`analysis.exclude`): no person decides then. It is followed whenever flags are brought up to date, which
is when somebody looks at them, and is recorded under the name `BY_RULE`. Done once, it is not done again. Whom the
rules exclude is decided in `excluded_annotators.py`.
"""

from sqlalchemy import Connection

from assay.acts.reasons import need_reason
from assay.errors import AssayError
from assay.live.flags import current_flags
from assay.store import Backend
from assay.store.annotator.participation import recount_work
from assay.store.annotator.places import free_all_of, holds_places, take_back_all_of
from assay.store.coordinator import annotators, excluded_by_rule, studies
from assay.store.coordinator.annotators import annotator_id
from assay.store.coordinator.excluded_by_rule import BY_RULE, REASSIGN, TAKE_BACK, reassigned_annotators
from assay.store.coordinator.flags import Kept
from assay.store.coordinator.record import By, record
from assay.study import Study

RULE_HINT = "publish a study.yaml with another analysis.exclude or monitor; `assay status` then applies its rules again"


def exclude(connection: Connection, by: By, name: str, *, reassign: bool = False) -> int:
    """The report leaves somebody out from now on, and says so. Their judgments stay in the data.

    With `reassign` their part is over, and every place of theirs goes to others. Returns how many items that they had
    judged are unfinished again.
    """
    need_reason(by, "to leave somebody out of the report", "it is kept and printed: --reason '...'")
    annotator_id, pseudonym = annotators.find(connection, by.study_id, name)
    # The report prints why somebody is left out: giving their places away later does not change that.
    what = "reassign" if reassign and pseudonym in annotators.exclusions_by_hand(connection, by.study_id) else "exclude"
    annotators.set_excluded(connection, annotator_id, by.at)
    if not reassign:
        record(connection, by, "exclude", annotator_id)
        return 0
    freed = free_all_of(connection, by.study_id, annotator_id, by.at)
    annotators.set_state(connection, by.study_id, annotator_id, "released")
    record(connection, by, what, annotator_id, f"{freed} places given to others")
    return freed


def include(connection: Connection, by: By, name: str) -> int:
    """The report counts somebody again. Returns how many of their places others have by now, and keep."""
    annotator_id, pseudonym = annotators.find(connection, by.study_id, name)
    if by_rule := excluded_by_rule.people(connection, by.study_id).get(pseudonym):
        raise AssayError(f"{name} is left out {by_rule.reason}", RULE_HINT)
    annotators.set_excluded(connection, annotator_id, None)
    back, away = take_back_all_of(connection, by.study_id, annotator_id)
    recount_work(connection, by.study_id)
    about = f"{back} places taken back, {away} stay with others" if back or away else ""
    record(connection, by, "include", annotator_id, about)
    return away


def refresh_flags(store: Backend, study_id: int, study: Study, now: int) -> list[Kept]:
    """The flags of a study at this moment. Places of excluded annotators are given away or taken back with it."""
    found = current_flags(store, study_id, study, now)
    follow_exclusion_rules(store, study_id, now)
    return found


def follow_exclusion_rules(store: Backend, study_id: int, now: int) -> None:
    """Give away the places of annotators whom a rule with `reassign` excludes; take them back when none does any more.

    The rules are those that were applied last. Whom a coordinator excluded as well stays without their places.
    """
    if store.read(_names_to_act_on, study_id):
        store.write(_follow, study_id, now)


def _follow(connection: Connection, study_id: int, now: int) -> None:
    studies.lock(connection, study_id)
    excluded = excluded_by_rule.people(connection, study_id)
    for name in _names_to_act_on(connection, study_id):
        if name in excluded and excluded[name].reassign:
            _give_away(connection, By(study_id, BY_RULE, now, excluded[name].reason), name)
        else:
            _take_back(connection, By(study_id, BY_RULE, now, "the rule does not exclude them any more"), name)


def _names_to_act_on(connection: Connection, study_id: int) -> list[str]:
    """The annotators whose places a rule gives away or takes back now."""
    if studies.state(connection, study_id) not in ("open", "paused") or not excluded_by_rule.is_known(
        connection, study_id
    ):
        return []
    wanted = {name for name, each in excluded_by_rule.people(connection, study_id).items() if each.reassign}
    done = reassigned_annotators(connection, study_id)
    by_hand = annotators.exclusions_by_hand(connection, study_id)
    again = {name for name in wanted & done if holds_places(connection, annotator_id(connection, study_id, name))}
    return sorted((wanted - done) | again | {name for name in done - wanted if name not in by_hand})


def _give_away(connection: Connection, by: By, name: str) -> None:
    whose = annotator_id(connection, by.study_id, name)
    if annotators.state_of(connection, whose) == "active":
        annotators.set_state(connection, by.study_id, whose, "released")
        record(connection, by, "release", whose)
    freed = free_all_of(connection, by.study_id, whose, by.at)
    recount_work(connection, by.study_id)
    record(connection, by, REASSIGN, whose, f"{freed} places given to others")


def _take_back(connection: Connection, by: By, name: str) -> None:
    whose = annotator_id(connection, by.study_id, name)
    back, away = take_back_all_of(connection, by.study_id, whose)
    record(connection, by, TAKE_BACK, whose, f"{back} places taken back, {away} stay with others")
    # Their part was over by the rule, unless somebody has decided about it since.
    if excluded_by_rule.was_released_by_rule(connection, whose):
        annotators.set_state(connection, by.study_id, whose, "active")
        record(connection, by, "resume", whose)
    recount_work(connection, by.study_id)
