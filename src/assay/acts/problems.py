"""Problems with items: an annotator reports one. A coordinator closes it in `items`."""

from sqlalchemy import Connection

from assay.store.annotator import problems
from assay.store.annotator.sessions import Annotator


def report_problem(connection: Connection, annotator: Annotator, item: str, report: str, words: str, now: int) -> None:
    """Somebody says what is wrong with an item, by its public id. Under one id of a report it is kept once."""
    problems.report_problem(connection, annotator.id, item, report, words, now)
