"""What a coordinator does about one item: take it out, put it back, close a problem that was reported."""

from sqlalchemy import Connection

from assay.acts.reasons import need_reason
from assay.store.coordinator import items_taken_out, problem_reports
from assay.store.coordinator.record import By, record


def withdraw_item(connection: Connection, by: By, *names: str) -> None:
    """Take items out of the study: nobody gets them any more, and the report leaves them out. Their judgments stay."""
    need_reason(by, "to take an item out")
    items_taken_out.take_out(connection, by.study_id, *names)
    for name in names:
        record(connection, by, "withdraw item", about=name)


def put_item_back(connection: Connection, by: By, name: str) -> None:
    """Have an item in the study again."""
    items_taken_out.put_back(connection, by.study_id, name)
    record(connection, by, "put item back", about=name)


def close_problem(connection: Connection, by: By, problem_id: str) -> None:
    """Somebody is done with what an annotator found wrong."""
    about = problem_reports.close(connection, by.study_id, problem_id, by.at)
    if about is not None:
        record(connection, by, "close problem", about=about)
