"""Write a card for each automated judge: what it may be used for, and until when that holds."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.common import Database, Folder, Json, now, open_study, print_json
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.cli.common import OpenStudy


def run(
    where: Folder = Path(),
    judge: Annotated[
        list[str] | None, typer.Option(help="Only this judge. May be given several times. Default: all of them.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The folder to write to. Default: judge-cards in the study's folder.")
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Write nothing: say of the cards in the folder whether they still hold.")
    ] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Write a card for each automated judge, as HTML and JSON: what it may be used for, measured on what, until when.

    A card goes stale when the rubric, the judge's prompt or its model changes, and a year after the last judgment. With
    --verify each card in the folder is compared with the study as it is now; the exit code is 1 where one is stale.
    """
    with open_study(where, database) as at:
        folder = out or at.folder / "judge-cards"
        if verify:
            _verify(at, folder, judge or [], as_json)
            return
        if not folder.absolute().parent.is_dir():
            raise AssayError(f"there is no folder {folder.absolute().parent}", "make it first")
        written = _write(at, folder, judge or [])
    if as_json:
        print_json({"cards": [content for _, content in written]})
        return
    for path, content in written:
        print(content["verdict"]["says"])
        print(f"{path}\n{path.with_suffix('.json')}")


def _write(at: "OpenStudy", folder: Path, names: list[str]) -> list[tuple[Path, dict[str, Any]]]:
    from assay.exchange.atomic import atomic_text_file
    from assay.live.judge_cards import cards_of_judges
    from assay.report.judge_card import card_files, card_json, file_name

    cards = cards_of_judges(at.store, at.study_id, at.study, now())
    if not cards:
        raise AssayError(f"no automated judge has judged {at.study.title}", "`assay import` brings what a judge gave")
    known = [each.judge for each in cards]
    for name in names:
        if name not in known:
            raise AssayError(f"there is no judge {name!r}", f"write one of: {', '.join(known)}")
    folder.mkdir(exist_ok=True)
    chosen = [each for each in cards if not names or each.judge in names]
    for each in card_files(chosen):
        with atomic_text_file(folder / each.name) as file:
            file.write(each.content.decode("utf-8"))
    return [(folder / f"{file_name(each.judge)}.html", card_json(each)) for each in chosen]


def _verify(at: "OpenStudy", folder: Path, names: list[str], as_json: bool) -> None:
    from assay.exchange import as_time
    from assay.report.judge_card import why_stale
    from assay.store.coordinator.judge_runs import run_facts

    found, runs, today = [], at.store.read(run_facts, at.study_id), as_time(now())[:10]
    for path in sorted(folder.glob("*.json")):
        try:
            card = json.loads(path.read_text("utf-8"))
            if names and card["judge"] not in names:
                continue
            reasons = why_stale(card, at.study, runs, today)
        except (ValueError, KeyError, TypeError):
            raise AssayError(f"{path} is no judge card", "take it out of the folder, or write the card again") from None
        found.append({"judge": card["judge"], "file": str(path), "holds": not reasons, "stale": reasons})
    if not found:
        raise AssayError(f"there is no judge card in {folder}", "`assay judge-card` without --verify writes them")
    if as_json:
        print_json({"cards": found})
    for each in [] if as_json else found:
        says = "holds" if each["holds"] else f"is stale: {'; '.join(each['stale'])}"
        print(f"The card of {each['judge']} {says}.")
    if not all(each["holds"] for each in found):
        raise typer.Exit(1)
