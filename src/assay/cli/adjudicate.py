"""Values agreed on where people were far apart."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.common import Database, Folder, Json, Reason, Who, by, now, open_study, print_json
from assay.errors import AssayError


def run(
    where: Folder = Path(),
    item: Annotated[str, typer.Option(help="The item that was talked over, by its id.")] = "",
    values: Annotated[
        list[str] | None,
        typer.Option("--value", help="QUESTION=VALUE, once for each question, e.g. safety=4 or coherence.a=3."),
    ] = None,
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
    counts in its place, and --take-back leaves the question open again.
    """
    from assay import acts
    from assay.live import report_data
    from assay.report.adjudication import with_agreed_values

    with open_study(where, database) as at:
        if item:
            answers = dict(map(_read, values or []))
            if take_back and not answers:
                count = at.store.write(acts.take_agreement_back, by(at, reason, who), at.study, item, take_back)
                print(f"{item}: {count} agreed {'value' if count == 1 else 'values'} taken back.")
                return
            if take_back:
                raise AssayError("one thing at a time", "say --value, or --take-back")
            if not answers:
                raise AssayError("no value is given", "--value QUESTION=VALUE, e.g. --value safety=4")
            count = at.store.write(acts.agree_on_answers, by(at, reason, who), at.study, item, answers)
            print(f"{item}: {count} {'value' if count == 1 else 'values'} kept.")
            return
        if at.study.analysis.adjudicate_above is None:
            raise AssayError("the study names no line", "analysis.adjudicate_above in study.yaml, e.g. 1.5")
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


def _read(text: str) -> tuple[str, list[str]]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip() or not value.strip():
        raise AssayError(f"{text!r} is no QUESTION=VALUE", "e.g. --value safety=4")
    return key.strip(), [value.strip()]
