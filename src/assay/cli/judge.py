"""Let automated judges judge the items."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from dataclasses import replace as replaced
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from assay.cli.common import (
    Database,
    Folder,
    Json,
    OpenStudy,
    Reason,
    Who,
    by,
    note,
    now,
    open_study,
    plural,
    print_json,
)
from assay.errors import AssayError, Interrupted

if TYPE_CHECKING:
    from assay.judges import Prompt
    from assay.judging.estimate import RunEstimate
    from assay.judging.judges_file import JudgeEntry, JudgesFile
    from assay.judging.order_effect import OrderEffect
    from assay.judging.passes import JudgedItem
    from assay.judging.run import JudgeAtWork, JudgeRun
    from assay.judging.run_tally import RunTally
    from assay.live.judge_tuning import TunedOn
    from assay.store.coordinator.record import By

FILE = "judges.yaml"
STOPPING = "\nStopping after the answers that are under way; Ctrl-C again does not wait for them."
MOST_FAILURES_SAID = 5
TuneOn = Literal["calibration", "people"]


def run(
    where: Folder = Path(),
    with_: Annotated[
        Path | None, typer.Option("--with", help="The file of judges. Default: judges.yaml in the study's folder.")
    ] = None,
    judge: Annotated[
        list[str] | None, typer.Option("--judge", help="Only the judge of this name; repeatable. Default: all.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=0, help="Only so many items, by lot. Default: all.")] = 0,
    show: Annotated[str, typer.Option("--show", help="Print what a judge is asked of this item, and stop.")] = "",
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Say what is left to be asked and what it may cost, and stop.")
    ] = False,
    tune: Annotated[
        bool,
        typer.Option(
            "--tune", help="Compare the judges, and prompts, on items that the report says nothing of judges from."
        ),
    ] = False,
    on: Annotated[
        TuneOn | None,
        typer.Option(
            "--on",
            help="With --tune: items of calibration and practice, whose answers are known; or people's answers to a "
            "part of the items. Default: calibration, where the study has one.",
        ),
    ] = None,
    prompt: Annotated[
        list[str] | None,
        typer.Option("--prompt", help="With --tune: also ask each judge with this prompt; repeatable.", metavar="FILE"),
    ] = None,
    share: Annotated[
        float | None,
        typer.Option(
            "--share",
            min=0.01,
            max=0.9,
            help="With --tune --on people: the part of the items to draw, once. Default: 0.2.",
        ),
    ] = None,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="New answers stand in the place of a judge's earlier ones; with --reason."),
    ] = False,
    reason: Reason = "",
    who: Who = "",
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Let automated judges judge the items, by the rubric that people read.

    Every answer is kept in the folder `judged` of the study before it is used: after Ctrl-C, or whatever ends the
    program, the same command goes on and pays for nothing twice. Judgments come into the study as an import.

    With --tune nothing comes into the study: judges, and each with other prompts, are compared on items with known
    answers, or on a part of the items that is drawn once by lot; the report leaves it out where it is about judges.
    """
    from assay.judging.answer_log import AnswerLog
    from assay.judging.estimate import estimate as estimate_of
    from assay.live.judge_tuning import choose_items, variants_at_work
    from assay.live.judges_at_work import judged_items

    if not tune and (on or prompt or share is not None):
        raise AssayError("--on, --prompt and --share say how judges are tuned", "write --tune, too")
    with open_study(where, database) as at:
        path = with_ or at.folder / FILE
        file = _file(at, path, required=not show)
        if show:
            _show(at, file, judged_items(at.store, at.study_id), judge, show, as_json)
            return
        entries = _entries_by_name(file, judge)
        tuned_on = None
        if tune:
            tuned_on = choose_items(at.store, at.study_id, at.study, at.folder, entries, on, share, now())
        with AnswerLog(at.folder) as log:
            if tuned_on is None:
                working = _judges_at_work(at, entries, limit)
            else:
                working = variants_at_work(at.study, at.folder, entries, tuned_on, prompt or (), limit)
            found = [estimate_of(at.study, each, log) for each in working]
            if estimate:
                _say_estimate(found, as_json)
                return
            with _alone(at):
                if tuned_on is not None:
                    _tune(at, working, tuned_on, log, file, by(at, reason, who), as_json)
                    return
                _refuse_what_cannot_be_stored(at, working, log, replace, reason)
                if not as_json:
                    _say_estimate(found, as_json=False)
                tally = _carry_out(at, working, log, file)
                _take_in(at, tally, path, replace, reason, who, as_json)


@contextmanager
def _alone(at: OpenStudy) -> Iterator[None]:
    """Hold the lock on judge runs in this study: a second run, from another folder, would pay for the same answers."""
    from assay.store.coordinator.judge_runs import JUDGES

    with at.store.alone(JUDGES, at.study_id) as is_alone:
        if not is_alone:
            what = "judges are being run in this study from another folder, on the same database"
            raise AssayError(what, "let that run end; what it has judged by then is in the study")
        yield


def _file(at: OpenStudy, path: Path, *, required: bool) -> "JudgesFile | None":
    """The judges; None where there is no such file, and none is needed to show a prompt."""
    from assay.judging.judges_file import load_judges

    if not path.exists() and not path.is_absolute():
        path = at.folder / path
    return load_judges(path, at.folder) if required or path.exists() else None


def _entries_by_name(file: "JudgesFile | None", names: Sequence[str] | None) -> "list[JudgeEntry]":
    assert file is not None
    known = [each.judge for each in file.judges]
    if unknown := [name for name in names or () if name not in known]:
        raise AssayError(f"the file has no judge {unknown[0]!r}", f"it has: {', '.join(known)}")
    return [each for each in file.judges if not names or each.judge in names]


def _judges_at_work(at: OpenStudy, entries: "Sequence[JudgeEntry]", limit: int = 0) -> "list[JudgeAtWork]":
    """The judges with all that they are asked."""
    from assay.live.judges_at_work import at_work, judged_items, pictures_of_items

    items, pictures = judged_items(at.store, at.study_id), pictures_of_items(at.store, at.study_id)
    found = [at_work(at.study, at.folder, entry, items, pictures) for entry in entries]
    return [_first_items(each, limit) for each in found]


def _first_items(judge: "JudgeAtWork", limit: int) -> "JudgeAtWork":
    first = set(list(dict.fromkeys(each.item for each in judge.passes))[:limit])
    return replaced(judge, passes=[each for each in judge.passes if each.item in first]) if limit else judge


def _tune(
    at: OpenStudy,
    working: "Sequence[JudgeAtWork]",
    on: "TunedOn",
    log: Any,
    file: "JudgesFile | None",
    acting: "By",
    as_json: bool,
) -> None:
    """Ask the variants, and say which one answers most like people. Nothing of it comes into the study."""
    from assay import acts
    from assay.frozen_json import to_json
    from assay.judging.run_in_words import run_in_words
    from assay.judging.variants import answers_of, cost_of_answers
    from assay.report.judge_tuning import VariantCost, in_lines, tuning_table

    if on.part is not None:
        at.store.write(acts.draw_tuning_part, acting, on.part)
    tally = _carry_out(at, working, log, file)
    given = {each.entry.judge: answers_of(at.study, tally, each.entry.judge) for each in working}
    costs = {each.entry.judge: VariantCost(*cost_of_answers(each, tally, log)) for each in working}
    found = tuning_table(at.study, on.truth, given, costs)
    if as_json:
        asked = sorted(each.name for each in on.items)
        part = {"part": to_json(on.part), "part_items": on.part_items}
        print_json({**part, "asked": asked, **to_json(found), **tally.as_json()})
    else:
        print("\n".join([*run_in_words(tally), *(in_lines(found) if found.items else ())]))
    _say_what_is_left(tally)


def _show(
    at: OpenStudy,
    file: "JudgesFile | None",
    items: "Sequence[JudgedItem]",
    names: Sequence[str] | None,
    name: str,
    as_json: bool,
) -> None:
    """Print what a judge is asked of an item: every request, as if its answers could be taken at once."""
    from assay.judging.ask_item import prompts_expected
    from assay.judging.judges_file import judges_type
    from assay.judging.run import prompt_hash
    from assay.suggest import suggest_name

    known = [each.name for each in items]
    if name not in known:
        raise AssayError(f"there is no item {name!r}", suggest_name(name, known))
    plain = judges_type().model_validate_json('{"judges": [{"judge": "judge", "command": ["judge"]}]}')
    entry = _entries_by_name(file or plain, names)[0]
    [working] = _judges_at_work(at, [entry])
    planned = next((each for each in working.passes if each.item == name), None)
    if planned is None:
        raise AssayError(f"nothing is asked of {name!r}", "it has none of the entries that are judged")
    prompts = list(prompts_expected(at.study, working.maker_of(planned), planned.shown, planned.repeat))
    if as_json:
        requests = [{"prompt": prompt_hash(each), **working.request(each)} for each in prompts]
        print_json({**requests[0], "requests": requests})
        return
    for number, prompt in enumerate(prompts, 1):
        if len(prompts) > 1:
            names = [each.dimension for each in at.study.rubric]
            asked = dict.fromkeys(key.split(".")[0] for key in prompt.schema["properties"])
            about = ", ".join(name for name in names if name in asked)
            print(f"=== Request {number} of {len(prompts)}: {about} ===\n")
        print("\n".join((*_lines(prompt), *([""] if number < len(prompts) else []))))


def _lines(prompt: "Prompt") -> Iterator[str]:
    yield from (prompt.system, "") if prompt.system else ()
    for part in prompt.parts:
        yield part if isinstance(part, str) else f"({part.media_type}, {len(part.read()):,} bytes)"


def _say_estimate(found: "Sequence[RunEstimate]", as_json: bool) -> None:
    from assay.judging.run_in_words import estimate_in_words

    if as_json:
        print_json([each.as_json() for each in found])
        return
    for each in found:
        print(estimate_in_words(each))


def _refuse_what_cannot_be_stored(
    at: OpenStudy, working: "Sequence[JudgeAtWork]", log: Any, replace: bool, reason: str
) -> None:
    """Say beforehand what would be refused after everything was paid for."""
    from assay.acts.imports import refuse_where_removed
    from assay.acts.reasons import need_reason
    from assay.judging.estimate import refuse_other_answers
    from assay.store.coordinator.items_for_judges import is_person, items_of_judge
    from assay.store.coordinator.judge_runs import run_facts

    at.store.read(refuse_where_removed, at.study_id)
    if replace:
        need_reason(by(at, reason, ""), "to replace judgments")
    runs = at.store.read(run_facts, at.study_id)
    for each in working:
        name = each.entry.judge
        if at.store.read(is_person, at.study_id, name):
            raise AssayError(f"an annotator is called {name!r}", "give the judge another name")
        if not replace:
            facts = runs.get(name)
            stored = at.store.read(items_of_judge, at.study_id, name)
            refuse_other_answers(at.study, each, log, stored, facts.prompts if facts is not None else ())


def _carry_out(at: OpenStudy, working: "Sequence[JudgeAtWork]", log: Any, file: "JudgesFile | None") -> "RunTally":
    from assay.judging.foreground import run_until_stopped
    from assay.judging.run import JudgeRun

    assert file is not None
    run = JudgeRun(at.study, working, log, file.budget, at.folder, os.environ)
    with _progress(run) as look:
        return run_until_stopped(run, look, lambda: note(STOPPING))


@contextmanager
def _progress(run: "JudgeRun") -> Iterator[Callable[[], None]]:
    """A progress bar with the cost, on a terminal; silence elsewhere."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from assay.judging.run_in_words import money_in_words

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=sys.__stderr__), transient=True) as bar:
        line = bar.add_task("Judging", total=run.tally.passes)

        def look() -> None:
            tally = run.tally
            said = f"{tally.tokens.all:,.0f} tokens, cost {money_in_words(tally.money)}"
            bar.update(line, completed=tally.done, description=f"Judging ({said})")

        yield look


def _take_in(at: OpenStudy, tally: "RunTally", file: Path, replace: bool, reason: str, who: str, as_json: bool) -> None:
    """Take what came out into the study, and say how it went."""
    from assay import acts
    from assay.judging.run_in_words import ASK_AFRESH, order_in_words, run_in_words

    judged = list(tally.judgments(at.study))
    acting = by(at, reason, who)
    taken = at.store.write(acts.take_in_judged, acting, at.study, judged, file.name, replace=replace)
    done = taken.judgments
    acts.look_at_what_came(at.store, judged=done.submissions)
    if as_json:
        said = {"judged": done.submissions, "judged_known": done.known, "judged_replaced": done.replaced}
        orders = {name: asdict(each) for name, each in _orders(at, tally).items()}
        print_json({"import": taken.number, **said, **tally.as_json(), "orders": orders})
    else:
        print("\n".join(run_in_words(tally)))
        for name, each in _orders(at, tally).items():
            print(order_in_words(name, each))
        if replace and not tally.requests:
            print(f"Nothing was asked: every answer was kept from before. {ASK_AFRESH}")
        known = f", {done.known:,} were there already" if done.known else ""
        print(f"{plural(done.submissions, 'judged item')} taken in{known}.")
    _say_what_is_left(tally)


def _orders(at: OpenStudy, tally: "RunTally") -> "dict[str, OrderEffect]":
    """Of each judge that was asked in both orders, whether that mattered."""
    from assay.judging.order_effect import order_effect

    found = {name: order_effect(at.study, verdicts.values()) for name, verdicts in tally.verdicts.items()}
    return {name: each for name, each in found.items() if each.both}


def _say_what_is_left(tally: "RunTally") -> None:
    """End with an error where not everything was judged."""
    for judge, item, why in tally.failures[:MOST_FAILURES_SAID]:
        note(f"{judge}, item {item}: {why}")
    again = "the same command goes on from here; answers that are there are not asked for again"
    left = f"{plural(tally.passes - tally.done, 'judged item')} left"
    if tally.interrupted:
        raise Interrupted(f"stopped, {left}", again)
    if tally.stopped:
        raise AssayError(f"{tally.stopped}; {left}", again)
    if tally.silent:
        said = "; ".join(f"{judge} does not answer: {why}" for judge, why in tally.silent.items())
        raise AssayError(f"{said}; {left}", again)
    if tally.failures:
        raise AssayError(f"{plural(len(tally.failures), 'judged item')} without an answer", again)
