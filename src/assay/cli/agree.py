"""Measure agreement in judgments from anywhere."""

import csv
from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.common import Json, note, print_json
from assay.errors import AssayError


def run(
    file: Annotated[
        Path, typer.Argument(help="A table of judgments: CSV, TSV, JSONL, JSON, XLSX or Parquet.", metavar="FILE")
    ],
    item: Annotated[str | None, typer.Option(help="The column that names what was judged.", metavar="COLUMN")] = None,
    annotator: Annotated[
        list[str] | None,
        typer.Option(
            help="The column that names who judged. Several times: a column of judgments for each annotator.",
            metavar="COLUMN",
        ),
    ] = None,
    value: Annotated[
        list[str] | None,
        typer.Option(help="The column with the judgments. Several times: one dimension each.", metavar="COLUMN"),
    ] = None,
    scale: Annotated[
        list[str] | None,
        typer.Option(
            help="The legal values in order: 1-5, or a list such as no,yes; of one dimension: warmth=1-5. Default: "
            "from the values."
        ),
    ] = None,
    level: Annotated[
        list[str] | None,
        typer.Option(
            help="nominal, ordinal, interval or ratio; of one dimension: warmth=ordinal. Default: numbers ordinal, "
            "words nominal."
        ),
    ] = None,
    system: Annotated[
        str | None,
        typer.Option(help="The column that names the system: agreement for each, beside the whole.", metavar="COLUMN"),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(help="The column that says what items share, such as the prompt.", metavar="COLUMN"),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            help="A column that splits the judgments, such as the language: agreement within each of its values, "
            "beside the whole. May be given several times.",
            metavar="COLUMN",
        ),
    ] = None,
    judge: Annotated[
        list[str] | None,
        typer.Option(help="An annotator that is an automated judge. May be given several times.", metavar="NAME"),
    ] = None,
    counts: Annotated[
        bool, typer.Option("--counts", help="The table has a column for each category: how many gave it to the item.")
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="Every coefficient, whatever the level.")] = False,
    pairwise: Annotated[
        bool, typer.Option("--pairwise", help="Kappa and Spearman's correlation of each pair of annotators.")
    ] = False,
    errors: Annotated[bool, typer.Option("--errors", help="The standard error of each coefficient.")] = False,
    weights: Annotated[
        str | None,
        typer.Option(
            help="How far each two values agree, from 0 to 1, as rows: 1,0.5,0;0.5,1,0.5;0,0.5,1. Adds coefficients "
            "with these weights.",
            metavar="ROWS",
        ),
    ] = None,
    alt_test: Annotated[
        float | None,
        typer.Option(
            help="Test whether each --judge may take the place of people (Calderon et al. 2025), with this epsilon: "
            "0.2 where people are experts, 0.15 skilled, 0.1 a crowd.",
            metavar="EPSILON",
            min=0,
            max=1,
        ),
    ] = None,
    models: Annotated[
        bool,
        typer.Option(
            "--models", help="How competent annotators are, and what items most probably are: Dawid-Skene and MACE."
        ),
    ] = False,
    labels: Annotated[
        Path | None,
        typer.Option(help="Write what each item most probably is to a CSV file (turns --models on).", metavar="PATH"),
    ] = None,
    sheet: Annotated[str, typer.Option(help="The sheet of a workbook. Default: the first.")] = "",
    seed: Annotated[int, typer.Option(help="The seed of the bootstrap.", min=0)] = 0,
    html: Annotated[
        Path | None, typer.Option(help="Write a page that needs nothing from elsewhere.", metavar="PATH")
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure agreement in judgments from anywhere: every coefficient that fits, with intervals. Needs no study.

    The table is long (a row for each judgment: item, annotator, value) or wide (a row for each item, a column for each
    annotator). Columns are found by their usual names or named by options. Dimensions are never pooled. What is assumed
    (the scale, the level) is said on standard error: declare it, because a value that nobody gave is still a value.
    Automated judges (--judge) never enter the agreement of people; they are compared with them beside it. What
    `assay export` writes gives the numbers of the report without options: keep its dictionary beside it.
    """
    from assay.ratings.agreement import agreement_of, agreement_over_comparisons
    from assay.ratings.columns import TableOptions
    from assay.ratings.extra_results import FurtherQuestions, labels_table, read_weights
    from assay.ratings.from_table import dimensions_of
    from assay.ratings.read import read_table
    from assay.ratings.scale_declarations import read_declared

    for path in (html, labels):
        if path is not None and not path.parent.is_dir():
            raise AssayError(f"there is no folder {path.parent}", "make it first")
    own_weights = None if weights is None else read_weights(weights)
    asked = FurtherQuestions(pairwise, errors, own_weights, alt_test, models or labels is not None)
    declared = read_declared(scale or (), level or ())
    columns, parts, judges = (tuple(annotator or ()), tuple(value or ())), tuple(by or ()), tuple(judge or ())
    options = TableOptions(item, *columns, declared, system, cluster, parts, judges, counts, sheet)
    found = dimensions_of(read_table(file, sheet), options)
    notes = list(dict.fromkeys([*found.notes, *(words for each in found.dimensions for words in each.notes)]))
    notes += [f"{name} is left out: {mistake.where}: {mistake.what}" for name, mistake in found.left_out.items()]
    for words in notes:
        note(f"note: {words}.")
    dimensions = [agreement_of(each, every, seed, asked) for each in found.dimensions]
    pooled = [agreement_over_comparisons(each) for each in found.pooled]
    if html is not None:
        from assay.exchange.atomic import atomic_text_file
        from assay.ratings.output import agreement_page

        with atomic_text_file(html) as written:
            written.write(agreement_page(dimensions, pooled, file.name, notes, f", seed {seed}"))
    if labels is not None:
        write_labels(labels, labels_table([(each.title, each.answers) for each in dimensions]))
    if as_json:
        without = [{"dimension": name, "why": str(mistake)} for name, mistake in found.left_out.items()]
        runs = [{"judge": name, "runs": most, "counts": "first"} for name, most in found.runs_of_judges.items()]
        more = {"left_out": without, "pooled": [each.as_json("dimension") for each in pooled], "judge_runs": runs}
        beside = {key: listed for key, listed in more.items() if listed}
        print_json({"dimensions": [each.as_json() for each in dimensions], **beside})
        return
    from rich.console import Console

    from assay.ratings.output import print_agreement

    print_agreement(dimensions, pooled, Console(highlight=False, soft_wrap=False, color_system=None))
    for path in filter(None, (html, labels)):
        print(f"\n{path}")


def write_labels(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write the most probable category of each item as CSV."""
    from assay.exchange.atomic import atomic_text_file
    from assay.files.formulas import harmless_text

    columns = ("dimension", "item", "majority", "dawid_skene", "dawid_skene_p", "competence", "competence_p")
    with atomic_text_file(path) as written:
        table = csv.DictWriter(written, columns, lineterminator="\n")
        table.writeheader()
        for row in rows:
            cells = {key: "" if value is None else value for key, value in row.items()}
            table.writerow({key: harmless_text(each) if isinstance(each, str) else each for key, each in cells.items()})
