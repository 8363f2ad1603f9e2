"""Take items in."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.common import Database, Folder, Json

KEPT_BYTES = 100_000_000
"""Item files up to this size are kept in memory between the plan and the writing."""


def run(
    where: Folder = Path(),
    file: Annotated[Path | None, typer.Option("--items", help="Another file than the study's own.")] = None,
    join: Annotated[
        Path | None, typer.Option("--join", help="Another file than the one that items.join names.")
    ] = None,
    with_judgments: Annotated[
        bool, typer.Option("--with-judgments", help="Take in people's judgments that stand in the item file, too.")
    ] = False,
    sheet: Annotated[
        list[Path] | None, typer.Option("--sheet", help="A sheet with judgments of items that are in; repeatable.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the plan and stop.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Take items in: a plan first, then all of them, or none and a list of what is wrong.

    The same file a second time changes nothing. Judgments by automated judges come in with the items that carry them.
    """
    import gc
    import threading
    from collections.abc import Iterable, Iterator

    from sqlalchemy import Connection

    from assay.cli.common import note, now, opened, plural, print_json, progress
    from assay.errors import Interrupted
    from assay.items.existing import Given, Named, read_sheet
    from assay.items.intake import Intake, read_items
    from assay.items.survey import Survey
    from assay.store import given, items

    # Hundreds of thousands of small objects, none of them in a circle: nothing is gained by looking for circles.
    gc.disable()
    with opened(where, database) as at:
        path = file or at.folder / at.study.items.source
        survey = Survey(at.study)
        taken: list[tuple[Named, Given]] = []
        stopped = threading.Event()

        # A file of ordinary size is read once and kept until it is written; a large one is read a second time.
        kept: list[Intake] | None = [] if path.is_file() and path.stat().st_size <= KEPT_BYTES else None

        def read(what: str, total: int | None, intakes: Iterable[Intake]) -> Iterator[Intake]:
            with progress(what, total) as show:
                for number, intake in enumerate(intakes, start=1):
                    show(number)
                    yield intake

        def keeping_judgments() -> Iterator[Intake]:
            intakes = read_items(at.study, path, join) if kept is None else kept
            for intake in read("Taking in", survey.rows, intakes):
                if stopped.is_set():
                    raise Interrupted("stopped")
                taken.extend((intake.name, each) for each in intake.given if each.judge or with_judgments)
                yield intake

        if not sheet or file:
            for intake in read("Reading", None, read_items(at.study, path, join)):
                survey.add(intake)
                if kept is not None:
                    kept.append(intake)
            if not as_json:
                print(f"{path.name}:")
                for line in survey.lines():
                    print(f"  {line}")
                for warning in survey.warnings():
                    note(f"  warning:   {warning}")
        for each in sheet or ():
            taken.extend(read_sheet(at.study, each))
        if dry_run:
            if as_json:
                print_json({"plan": survey.as_json()})
            else:
                if sheet:
                    who = sorted({each.annotator for _, each in taken})
                    print(f"{plural(len(taken), 'judged item')} by {', '.join(who) or 'nobody'} in the sheet.")
                print("Nothing was taken in (--dry-run).")
            return

        def all_of_it(connection: Connection) -> tuple[items.Imported, given.Taken]:
            intakes = keeping_judgments() if not sheet or file else iter(())
            added = items.add(connection, at.study_id, intakes, at.study.seed)
            return added, given.add(connection, at.study_id, at.study, taken, now())

        try:
            done, judged = at.store.write(all_of_it)
        except KeyboardInterrupt:
            stopped.set()  # the writing thread finds it at the next row, and takes everything back
            raise Interrupted("stopped", "nothing was taken in") from None
        if as_json:
            found = {"added": done.added, "known": done.known, "duplicates": done.duplicates}
            print_json({**found, "judged": judged.submissions, "plan": survey.as_json()})
            return
        if not sheet or file:
            known = f", {done.known:,} were there already" if done.known else ""
            print(f"{plural(done.added, 'item')} taken in{known}.")
        if judged.submissions or judged.known or sheet:
            who = [*sorted(judged.annotators), *(f"{name} (judge)" for name in sorted(judged.judges))]
            known = f", {judged.known:,} were there already" if judged.known else ""
            print(
                f"{plural(judged.submissions, 'judged item')} taken in{known}: {', '.join(who) or 'no score is there'}."
            )
        if judged.elsewhere:
            print(f"{plural(judged.elsewhere, 'judged item')} of the sheet not in the store: left out.")
        people = sum(count for (_, judge), count in survey.given.items() if not judge)
        if people and not with_judgments:
            print(f"{plural(people, 'item')} judged by people: that stayed outside; --with-judgments takes it in.")
