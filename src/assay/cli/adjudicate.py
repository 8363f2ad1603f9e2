"""Values agreed on where people were far apart."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.common import Database, Folder, Json, OpenStudy, Reason, Who, by, now, open_study, plural, print_json
from assay.errors import AssayError

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from assay.model import Value
    from assay.store.coordinator.record import By


def run(
    where: Folder = Path(),
    item: Annotated[str, typer.Option(help="The item that was talked over, by its id.")] = "",
    values: Annotated[
        list[str] | None,
        typer.Option("--value", help="QUESTION=VALUE, once for each question, e.g. safety=4 or coherence.a=3."),
    ] = None,
    majority: Annotated[
        bool,
        typer.Option("--majority", help="What more than half of the people gave, for each question still open."),
    ] = False,
    take_back: Annotated[
        list[str] | None,
        typer.Option("--take-back", help="QUESTION: its agreed value counts no more; once for each question."),
    ] = None,
    reason: Reason = "",
    who: Who = "",
    database: Database = None,
    as_json: Json = False,
) -> None:
    """List the questions that people were far apart on, or keep the values that were agreed on for an item.

    Without --item every question is listed whose standard deviation is above `analysis.adjudicate_above`, the widest
    first, without who said what. An agreed value stands beside the judgments and changes none of them. A newer one
    counts in its place, and --take-back leaves the question open again. With --majority the open questions of an item
    get the value that more than half of the people gave, and its reason says so; without such a value one stays open.
    """
    from assay.acts.adjudications import need_line
    from assay.live import report_data
    from assay.report.adjudication import with_agreed_values

    with open_study(where, database) as at:
        if item:
            print(f"{item}: {_settle(at, by(at, reason, who), item, values or [], take_back or [], majority)}.")
            return
        need_line(at.study)
        data = report_data.gather(at.store, at.study_id, at.study, now())
    found = with_agreed_values(data)
    if as_json:
        print_json(
            [
                {
                    "item": each.item,
                    "question": each.key,
                    "values": list(each.values),
                    "standard_deviation": each.spread,
                    "agreed": agreed.value if agreed else None,
                }
                for each, agreed in found
            ]
        )
        return
    for each, agreed in found:
        said = ", ".join(f"{value:g}" for value in each.values)
        settled = f"agreed: {agreed.value}" if agreed else "not yet agreed"
        print(f"{each.item}  {each.key}  {said}  (standard deviation {each.spread:.2f})  {settled}")
    if not found:
        print("Nobody is that far apart.")


def _settle(at: OpenStudy, by: "By", item: str, values: list[str], take_back: list[str], majority: bool) -> str:
    """Keep values of an item, or take some back, and say what was done."""
    from assay import acts
    from assay.live import report_data
    from assay.report.adjudication import adjudication_queue

    answers = dict(map(_read, values))
    if take_back and (answers or majority):
        raise AssayError("one thing at a time", "say --value and --majority, or --take-back")
    if take_back:
        count = at.store.write(acts.take_agreement_back, by, at.study, item, take_back)
        return f"{plural(count, 'agreed value')} taken back"
    if not answers and not majority:
        raise AssayError("no value is given", "--value QUESTION=VALUE, e.g. --value safety=4, or --majority")
    apart = adjudication_queue(report_data.gather(at.store, at.study_id, at.study, by.at)) if majority else []

    def act(connection: "Connection") -> tuple[int, "dict[str, Value]"]:
        count = acts.agree_on_answers(connection, by, at.study, item, answers)
        most = acts.agree_with_majority(connection, by, at.study, item, apart) if majority else {}
        return count, most

    count, most = at.store.write(act)
    listed = ", ".join(f"{key}={value}" for key, value in most.items())
    said = f"; as most said: {listed or 'none'}" if majority else ""
    return f"{plural(count + len(most), 'value')} kept{said}"


def _read(text: str) -> tuple[str, list[str]]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip() or not value.strip():
        raise AssayError(f"{text!r} is no QUESTION=VALUE", "e.g. --value safety=4")
    return key.strip(), [value.strip()]
