"""Plan how many items and annotators a study takes."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.common import Database, Json, now, open_study, print_json
from assay.errors import AssayError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console

    from assay.live.work_plan import WorkPlan
    from assay.report.planning import Basis, SizePlan
    from assay.report.power_plan import PowerPlan, StatedTest
    from assay.statistics.comparison.power import PlannedTest

ITEMS = (50, 100, 200, 400)
ANNOTATORS = (2, 3, 5)


def run(
    where: Annotated[
        Path | None,
        typer.Argument(
            help="A study with a pilot's judgments, or an export of it. Left out: from stated values.",
            metavar="[STUDY]",
        ),
    ] = None,
    alpha: Annotated[
        float | None, typer.Option(help="The agreement that is expected (Krippendorff's alpha).", min=-1, max=1)
    ] = None,
    between: Annotated[
        float | None,
        typer.Option(help="The variance over items of the true difference of two systems.", min=0),
    ] = None,
    within: Annotated[
        float | None,
        typer.Option(help="The variance over annotators of one item's difference.", min=0),
    ] = None,
    items: Annotated[
        list[int] | None, typer.Option(help="A number of items, several times. Default: 50, 100, 200, 400.", min=2)
    ] = None,
    annotators: Annotated[
        list[int] | None,
        typer.Option(help="A number of annotators of an item, several times. Default: 2, 3, 5.", min=1, max=100),
    ] = None,
    dimension: Annotated[
        list[str] | None, typer.Option(help="Only this dimension of the study. May be given several times.")
    ] = None,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Beside the formulas, simulate studies of each size.")
    ] = False,
    equivalence: Annotated[
        bool, typer.Option("--equivalence", help="Also the margin within which equal systems are shown to be equal.")
    ] = False,
    see: Annotated[
        float | None,
        typer.Option(help="The difference that is to be seen: how many items it takes, with an interval.", min=0),
    ] = None,
    margin: Annotated[
        float | None,
        typer.Option(help="The margin within which systems are to be shown to lie: how many items it takes.", min=0),
    ] = None,
    show: Annotated[str | None, typer.Option(help="What the margin is for: equivalence or non_inferiority.")] = None,
    systems: Annotated[int | None, typer.Option(help="How many systems are compared, each with each.", min=2)] = None,
    questions: Annotated[int | None, typer.Option(help="How many dimensions are tested together.", min=1)] = None,
    correction: Annotated[str | None, typer.Option(help="holm, bonferroni or none.")] = None,
    per_group: Annotated[float | None, typer.Option(help="How many items share a source.", min=1)] = None,
    alike: Annotated[
        float | None, typer.Option(help="The correlation of the differences of items of one source.", min=0, max=1)
    ] = None,
    others: Annotated[
        float | None,
        typer.Option(help="For annotators like these: the variance over them of a difference.", min=0),
    ] = None,
    ties: Annotated[float | None, typer.Option(help="Preferences: the share of tied items.", min=0, max=0.99)] = None,
    shares: Annotated[
        str | None,
        typer.Option(help="The share of each value of the scale, as 0.1,0.2,0.7: for floors and ceilings."),
    ] = None,
    judge: Annotated[
        bool,
        typer.Option(
            "--judge", help="With a judge on all items: how many people must judge for an interval of --width."
        ),
    ] = False,
    width: Annotated[
        float | None, typer.Option(help="With --judge: the wanted width of a 95 % interval, from end to end.", min=0)
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of the simulation.", min=0)] = 0,
    html: Annotated[
        Path | None, typer.Option(help="Write a page with charts that needs nothing from elsewhere.", metavar="PATH")
    ] = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Plan a study: how wide agreement's interval is, and which difference is detected, for n items with k annotators.

    From a pilot (the judgments that a study has), or from stated values: --alpha for agreement; --between and --within
    for the difference of two systems, whose variance on one item with k annotators is between + within / k. The
    detectable difference is found with a power of 0.8, in a two-sided test at 0.05.

    With --judge, from a pilot that people and automated judges judged: how many items people must judge for an interval
    of --width where judges judge all of them, beside how many it takes without a judge.
    """
    if judge or width is not None:
        _with_judge(where, judge, width, items or [], dimension or [], database, as_json)
        return
    from assay.report.planning import page, plan
    from assay.report.power_plan import power_plans

    if html is not None and not html.parent.is_dir():
        raise AssayError(f"there is no folder {html.parent}", "make it first")
    if show not in (None, "equivalence", "non_inferiority"):
        raise AssayError(f"--show takes what a margin is for, not {show!r}", "write equivalence or non_inferiority")
    stated = _test_from_options(
        see, systems, questions, correction, per_group, alike, others, ties, shares, margin, show
    )
    title, found, work, tests = _bases(where, alpha, between, within, dimension or [], database, stated)
    sizes, people = sorted(set(items or ITEMS)), sorted(set(annotators or ANNOTATORS))
    plans = [plan(each, sizes, people, simulate, seed) for each in found]
    powers = power_plans(found, tests, stated, sizes, people, from_study=where is not None)
    if html is not None:
        from assay.exchange.atomic import atomic_text_file

        with atomic_text_file(html) as file:
            file.write(page(plans, title))
    if as_json:
        made = [
            {**each.as_json(), "by_the_test": power.as_json() if power else None}
            for each, power in zip(plans, powers, strict=True)
        ]
        told = {"from": title, "plans": made}
        print_json(told if work is None else {**told, "work": work.as_json()})
        return
    if work is not None:
        print("\n".join(work.sentences()))
    for each, power in zip(plans, powers, strict=True):
        _say(each, simulate, equivalence)
        if power is not None:
            _say_power(power)
    if html is not None:
        print(f"\n{html}")


def _with_judge(
    where: Path | None,
    judge: bool,
    width: float | None,
    items: "Sequence[int]",
    names: "Sequence[str]",
    database: str | None,
    as_json: bool,
) -> None:
    """How many items people must judge where judges judge all."""
    from assay.frozen_json import to_json
    from assay.live.report_data import gather
    from assay.report.judge_plan import in_lines, judge_plan

    if not judge or not width:
        raise AssayError("--judge and --width belong together", "write `assay plan STUDY --judge --width 0.2`")
    if where is None or (where.is_file() and where.suffix not in (".yaml", ".yml")):
        raise AssayError("--judge plans from a study with a pilot", "name its folder")
    with open_study(where, database) as at:
        data = gather(at.store, at.study_id, at.study, now())
    sizes: list[int | None] = [*sorted(set(items))] or [None]
    found = [row for size in sizes for row in judge_plan(data, width, size) if not names or row.dimension in names]
    if not found:
        hint = "a pilot takes judgments of people and of a judge on the same items; `assay import` brings a judge's"
        raise AssayError(f"{at.study.title} has nothing that people and a judge both judged", hint)
    if as_json:
        print_json({"from": at.study.title, "width": width, "plans": to_json(found)})
        return
    print("\n".join(in_lines(found, width)))


def _bases(
    where: Path | None,
    alpha: float | None,
    between: float | None,
    within: float | None,
    names: "Sequence[str]",
    database: str | None,
    stated: "StatedTest",
) -> "tuple[str, list[Basis], WorkPlan | None, Mapping[str, PlannedTest]]":
    from assay.report.planning import STATED, basis_from_values

    if (between is None) != (within is None):
        raise AssayError("--between and --within are two parts of one variance", "state both of them")
    if alpha is not None or between is not None or ((stated.ties is not None or stated.shares) and where is None):
        if where is not None:
            raise AssayError("a study and stated values cannot be planned from together", "leave one of them out")
        return STATED, [basis_from_values(alpha, between, within)], None, {}
    if where is None:
        raise AssayError(
            "there is nothing to plan from",
            "name a study with a pilot's judgments, or state values: --alpha 0.6 --between 1.0 --within 0.8",
        )
    if where.is_file() and where.suffix not in (".yaml", ".yml"):
        return _of_export(where, names)
    title, found, work, tests = _of_study(where, names, database)
    if not found:
        raise AssayError(
            f"{title} has no judgments to plan from",
            "state values: --alpha 0.6 --between 1.0 --within 0.8; or judge a pilot first",
        )
    return title, found, work, tests


def _test_from_options(
    see: float | None,
    systems: int | None,
    questions: int | None,
    correction: str | None,
    per_group: float | None,
    alike: float | None,
    others: float | None,
    ties: float | None,
    shares: str | None,
    margin: float | None,
    show: str | None,
) -> "StatedTest":
    from assay.report.power_plan import StatedTest, shares_from_text

    if correction not in (None, "holm", "bonferroni", "none"):
        raise AssayError(f"there is no correction {correction!r}", "write holm, bonferroni or none")
    found = None if shares is None else shares_from_text(shares)
    return StatedTest(systems, questions, correction, per_group, alike, others, ties, found, see, margin, show)


def _of_export(
    where: Path, names: "Sequence[str]"
) -> "tuple[str, list[Basis], WorkPlan | None, Mapping[str, PlannedTest]]":
    from assay.report.plan_from_export import bases_from_export

    found, tests = bases_from_export(where)
    known = [each.title for each in found]
    for name in names:
        if name not in known:
            raise AssayError(f"{where.name} has no dimension {name!r}", f"write one of: {', '.join(known)}")
    return where.name, [each for each in found if not names or each.title in names], None, tests


def _of_study(
    where: Path, names: "Sequence[str]", database: str | None
) -> "tuple[str, list[Basis], WorkPlan, Mapping[str, PlannedTest]]":
    from assay.live.report_data import gather
    from assay.live.work_plan import work_plan
    from assay.report.planning import bases_from_study
    from assay.report.power_plan import planned_tests

    with open_study(where, database) as at:
        study = at.study
        known = {each.dimension: each.heading for each in study.scored_dimensions}
        known |= {each.derived: each.heading for each in study.derive}
        for name in names:
            if name not in known:
                raise AssayError(f"{study.study} has no dimension {name!r}", f"write one of: {', '.join(known)}")
        data = gather(at.store, at.study_id, study, now())
        work = work_plan(at.store, at.study_id, study, now())
    wanted = {known[name] for name in names}
    found = [each for each in bases_from_study(data) if not wanted or each.title in wanted]
    return study.title, found, work, planned_tests(data)


def _say(found: "SizePlan", simulate: bool, equivalence: bool) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from assay.report.charts import number
    from assay.report.planning import POWER

    console, parts = Console(highlight=False, soft_wrap=False, color_system=None), found.basis.components
    console.print(Text(f"\n{found.basis.title}", style="bold"))
    if found.basis.rho is not None:
        console.print(Text(found.basis.agreement))
    if parts is not None:
        source = f"; {parts.n_items} shared items or groups, {parts.method}" if parts.n_items else ""
        console.print(Text(f"variance between items {number(parts.between)}, within {number(parts.within)}{source}"))
        console.print(Text(f"difference: the least that is seen with a probability of {POWER:g}"))
        if equivalence:
            told = "margin: the least within which two systems that are alike are shown to be so"
            console.print(Text(f"{told}, with the same probability"))
    for note in found.notes:
        console.print(Text(f"note: {note}"))
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    more = [["± simulated"], ["power"]] if simulate else [[], []]
    for name in [
        "items",
        "annotators",
        "judgments",
        "± agreement",
        *more[0],
        "difference",
        *more[1],
        *(["margin"] if equivalence else []),
    ]:
        table.add_column(name, justify="right", no_wrap=True)
    for cell in found.cells:
        near = [number(cell.half_width), *([number(cell.simulated_half_width)] if simulate else [])]
        apart = [number(cell.difference), *([number(cell.simulated_power)] if simulate else [])]
        apart += [number(cell.margin)] if equivalence else []
        table.add_row(f"{cell.n_items:,}", str(cell.k), f"{cell.judgments:,}", *near, *apart)
    console.print(table)
    if found.sizes:
        _say_variance(found, console)


def _say_variance(found: "SizePlan", console: "Console") -> None:
    """Print the variance components of the pilot, and the coefficients and errors that each size would reach."""
    from rich.table import Table
    from rich.text import Text

    from assay.report.charts import number
    from assay.report.variance import shares_in_words

    console.print(Text(f"variance of a single judgment: {shares_in_words(found.components)}"))
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("items", "annotators", "G", "Phi", "error, these", "error, others"):
        table.add_column(name, justify="right", no_wrap=True)
    for each in found.sizes:
        values = (each.g_item, each.phi_item, each.error, each.error_beyond)
        table.add_row(f"{each.n_items:,}", str(each.k), *map(number, values))
    console.print(table)


def _say_power(found: "PowerPlan") -> None:
    """Print what each size would detect by the test that is made, and how many items it takes."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from assay.report.charts import number

    console = Console(highlight=False, soft_wrap=False, color_system=None)
    console.print(Text(f"by the test that is made: {found.in_words()}"))
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    more = [name for name, asked in (("net win rate", found.ties is not None), ("margin", found.margin)) if asked]
    for name in ("items", "annotators", "difference", *more):
        table.add_column(name, justify="right", no_wrap=True)
    for cell in found.cells:
        apart = {"net win rate": cell.net, "margin": cell.margin}
        table.add_row(
            f"{cell.n_items:,}", str(cell.k), number(cell.difference), *(number(apart[name]) for name in more)
        )
    console.print(table)
    for line in found.items_in_words():
        console.print(Text(line))
