"""Fill a study with simulated annotators."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.common import Database, Folder, Json, now, open_study, print_json, progress
from assay.errors import AssayError


def run(
    where: Folder = Path(),
    annotators: Annotated[int, typer.Option(help="How many.", min=1, max=10_000)] = 2,
    items: Annotated[int | None, typer.Option(help="Each stops after so many items.", min=0)] = None,
    skill: Annotated[float, typer.Option(help="1 sees what is there, 0 guesses.", min=0, max=1)] = 0.8,
    bias: Annotated[float, typer.Option(help="Too high or too low, in shares of the scale.", min=-1, max=1)] = 0.0,
    speed: Annotated[float, typer.Option(help="2 is twice as fast as an ordinary reader.", min=0.01, max=100)] = 1.0,
    prefix: Annotated[str, typer.Option(help="Their names: bot1, bot2, ...")] = "bot",
    seed: Annotated[int | None, typer.Option(help="Another seed than the study's.")] = None,
    anyway: Annotated[bool, typer.Option("--anyway", help="Even where people have judged already.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Fill a study with simulated annotators who go through the real pages. The same seed gives the same judgments."""
    from assay.bots import Character
    from assay.live.hourly_rates import rates_of
    from assay.simulate import simulate

    with open_study(where, database) as at:
        from assay.store.coordinator import study_status

        counts = at.store.read(study_status.item_counts, at.study_id)
        if not counts.items:
            raise AssayError("the study has no items yet", f"assay import {where}")
        if not anyway and at.store.read(study_status.people_have_worked, at.study_id):
            hint = "try bots on a copy of the study's folder, without its assay.db; --anyway does it here all the same"
            raise AssayError("people have judged items of this study: bots would take places and mix with them", hint)
        characters = [Character(f"{prefix}{number}", skill, bias, speed, items) for number in range(1, annotators + 1)]
        places = counts.items * min(at.study.assignment.annotators_of_item(annotators), annotators)
        with progress("Judging", min(places, annotators * items) if items is not None else places) as show:
            done = simulate(
                at.store,
                at.study.study,
                characters,
                seed=at.study.seed if seed is None else seed,
                start=now() - 6 * 60 * 60 * 1000,
                progress=show,
            )
        hour = at.store.read(rates_of, at.study_id, at.study)
    if as_json:
        print_json({"annotators": [character.name for character in characters], "submitted": done})
    else:
        print(f"{annotators} simulated annotators submitted {done:,} items.")
        if not done:
            print("Nothing was left for them: every item has its annotators, or these have judged all of it before.")
        if hour.pay is not None:
            print("\n".join(hour.sentences()))
