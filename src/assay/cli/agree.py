"""Measure agreement in judgments from anywhere."""

from pathlib import Path
from typing import Annotated

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
    from assay.ratings.declared import read_declared
    from assay.ratings.from_table import dimensions_of
    from assay.ratings.read import read_table

    if html is not None and not html.parent.is_dir():
        raise AssayError(f"there is no folder {html.parent}", "make it first")
    declared = read_declared(scale or (), level or ())
    columns, parts, judges = (tuple(annotator or ()), tuple(value or ())), tuple(by or ()), tuple(judge or ())
    options = TableOptions(item, *columns, declared, system, cluster, parts, judges, counts, sheet)
    found = dimensions_of(read_table(file, sheet), options)
    notes = list(dict.fromkeys([*found.notes, *(words for each in found.dimensions for words in each.notes)]))
    notes += [f"{name} is left out: {mistake.where}: {mistake.what}" for name, mistake in found.left_out.items()]
    for words in notes:
        note(f"note: {words}.")
    dimensions = [agreement_of(each, every, seed) for each in found.dimensions]
    pooled = [agreement_over_comparisons(each) for each in found.pooled]
    if html is not None:
        from assay.exchange.atomic import atomic_text_file
        from assay.ratings.output import agreement_page

        with atomic_text_file(html) as written:
            written.write(agreement_page(dimensions, pooled, file.name, notes, f", seed {seed}"))
    if as_json:
        without = [{"dimension": name, "why": str(mistake)} for name, mistake in found.left_out.items()]
        more = {"left_out": without, "pooled": [each.as_json("dimension") for each in pooled]}
        beside = {key: listed for key, listed in more.items() if listed}
        print_json({"dimensions": [each.as_json() for each in dimensions], **beside})
        return
    from rich.console import Console

    from assay.ratings.output import print_agreement

    print_agreement(dimensions, pooled, Console(highlight=False, soft_wrap=False, color_system=None))
    if html is not None:
        print(f"\n{html}")
