"""Acts: what people do in a study. Each is one function, called alike by page, API, command and sheet.

An act takes a connection, so that all of it is one transaction; who does it, when and why; and what it is about. It
checks that it may be done, changes what there is to change, and keeps the record. Rows are the business of `store`.
Where something long must be computed first, the act takes the store, and computes before it writes.
"""

from assay.acts.adjudications import agree, agree_on_answers, agree_with_majority, take_agreement_back
from assay.acts.annotators import keep_note, pause, release, resume, send_message
from assay.acts.attempts import answer_gate, continue_attempt, pass_gate, press_on
from assay.acts.claims import claim
from assay.acts.enrolment import set_enrolment
from assay.acts.erasures import erase
from assay.acts.exclusions import exclude, follow_exclusion_rules, include, refresh_flags
from assay.acts.flags import dismiss_flag
from assay.acts.import_steps import delete_broken_off, take_in_by_steps, take_in_once
from assay.acts.imports import ImportedFiles, ImportResult, look_at_what_came, take_in
from assay.acts.invitations import (
    choose_names,
    enrol,
    first_coordinators_link,
    invite,
    invite_other,
    replace_coordinators_link,
    replace_links,
    revoke_links,
    revoke_shared_link,
    valid_name,
)
from assay.acts.items import close_problem, put_item_back, withdraw_item
from assay.acts.judge_imports import take_in_judged
from assay.acts.new_version import effects_of_publishing, publish
from assay.acts.pass_gate_by_hand import pass_gate_by_hand
from assay.acts.pilots import begin_next_pilot, decide_pilot, keep_pilot_decision
from assay.acts.publish_folder import propose_version, publish_folder
from assay.acts.reopened_items import reopen_item
from assay.acts.retention import retain, retain_everywhere, retention
from assay.acts.sheets import give_sheets, take_sheets
from assay.acts.stopping import follow_stop_rule
from assay.acts.studies import bring_study_back, purge_study, remove_study, set_study_aside, set_study_state
from assay.acts.submissions import decline, save_draft, submit
from assay.acts.text_reviews import review_texts, texts_to_review
from assay.acts.tokens import make_token, revoke_token
from assay.acts.tuning import draw_tuning_part
from assay.acts.undo_import import take_import_back, take_import_out

__all__ = [
    "ImportResult",
    "ImportedFiles",
    "agree",
    "agree_on_answers",
    "agree_with_majority",
    "answer_gate",
    "begin_next_pilot",
    "bring_study_back",
    "choose_names",
    "claim",
    "close_problem",
    "continue_attempt",
    "decide_pilot",
    "decline",
    "delete_broken_off",
    "dismiss_flag",
    "draw_tuning_part",
    "effects_of_publishing",
    "enrol",
    "erase",
    "exclude",
    "first_coordinators_link",
    "follow_exclusion_rules",
    "follow_stop_rule",
    "give_sheets",
    "include",
    "invite",
    "invite_other",
    "keep_note",
    "keep_pilot_decision",
    "look_at_what_came",
    "make_token",
    "pass_gate",
    "pass_gate_by_hand",
    "pause",
    "press_on",
    "propose_version",
    "publish",
    "publish_folder",
    "purge_study",
    "put_item_back",
    "refresh_flags",
    "release",
    "remove_study",
    "reopen_item",
    "replace_coordinators_link",
    "replace_links",
    "resume",
    "retain",
    "retain_everywhere",
    "retention",
    "review_texts",
    "revoke_links",
    "revoke_shared_link",
    "revoke_token",
    "save_draft",
    "send_message",
    "set_enrolment",
    "set_study_aside",
    "set_study_state",
    "submit",
    "take_agreement_back",
    "take_import_back",
    "take_import_out",
    "take_in",
    "take_in_by_steps",
    "take_in_judged",
    "take_in_once",
    "take_sheets",
    "texts_to_review",
    "valid_name",
    "withdraw_item",
]
