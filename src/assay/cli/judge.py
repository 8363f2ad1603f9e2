"""Let automated judges judge the items."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.common import Database, Folder, Json, OpenStudy, Reason, Who, by, note, open_study, plural, print_json
from assay.errors import AssayError, Interrupted

if TYPE_CHECKING:
    from assay.judges import Prompt
    from assay.judging.estimate import RunEstimate
    from assay.judging.judges_file import JudgeEntry, JudgesFile
    from assay.judging.order_effect import OrderEffect
    from assay.judging.passes import JudgedItem
    from assay.judging.run import JudgeAtWork, JudgeRun, RunTally

FILE = "judges.yaml"
STOPPING = "\nStopping after the answers that are under way; Ctrl-C again does not wait for them."
MOST_FAILURES_SAID = 5


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
    """
    from assay.judging.answer_log import AnswerLog
    from assay.judging.estimate import estimate as estimate_of

    with open_study(where, database) as at:
        path = with_ or at.folder / FILE
        file = _file(at, path, required=not show)
        items = _items(at)
        if show:
            _show(at, file, items, judge, show, as_json)
            return
        with AnswerLog(at.folder) as log:
            working = [_at_work(at, entry, items, limit) for entry in _chosen(file, judge)]
            found = [estimate_of(at.study, each, log) for each in working]
            if estimate:
                _say_estimate(found, as_json)
                return
            _refuse_what_cannot_be_stored(at, working, log, replace, reason)
            if not as_json:
                _say_estimate(found, as_json=False)
            tally = _carry_out(at, working, log, file)
            _take_in(at, tally, path, replace, reason, who, as_json)


def _file(at: OpenStudy, path: Path, *, required: bool) -> "JudgesFile | None":
    """The judges; None where there is no such file, and none is needed to show a prompt."""
    from assay.judging.judges_file import load_judges

    if not path.exists() and not path.is_absolute():
        path = at.folder / path
    return load_judges(path, at.folder) if required or path.exists() else None


def _items(at: OpenStudy) -> "list[JudgedItem]":
    from assay.judging.passes import JudgedItem
    from assay.store.coordinator.judged_items import items_shown

    items = [JudgedItem(*each) for each in at.store.read(items_shown, at.study_id)]
    if not items:
        raise AssayError("there are no items to judge", "`assay import` takes them in")
    return items


def _chosen(file: "JudgesFile | None", names: Sequence[str] | None) -> "list[JudgeEntry]":
    assert file is not None
    known = [each.judge for each in file.judges]
    if unknown := [name for name in names or () if name not in known]:
        raise AssayError(f"the file has no judge {unknown[0]!r}", f"it has: {', '.join(known)}")
    return [each for each in file.judges if not names or each.judge in names]


def _at_work(at: OpenStudy, entry: "JudgeEntry", items: "Sequence[JudgedItem]", limit: int) -> "JudgeAtWork":
    """A judge with all that it is asked. The pictures of an item are read when they are sent."""
    from assay.judges import PromptPicture
    from assay.judging.passes import PlannedPass, picture_hashes, planned_passes, worked_examples
    from assay.judging.prompt import PromptMaker
    from assay.judging.run import JudgeAtWork
    from assay.store.annotator.assignments import picture_of
    from assay.store.coordinator.judged_items import media_types

    def content(hash_: str) -> bytes:
        found = at.store.read(picture_of, at.study_id, hash_)
        assert found is not None
        return found[1]

    known = at.store.read(media_types, at.study_id) if entry.kind.can_see else {}
    examples, of_examples = worked_examples(at.study, entry, at.folder, items)

    def maker_of(planned: "PlannedPass") -> "PromptMaker":
        pictures = dict(of_examples)
        for hash_ in picture_hashes(planned.shown):
            if hash_ in known:
                pictures[hash_] = PromptPicture(hash_, known[hash_], partial(content, hash_))
        return PromptMaker(at.study, entry, examples, pictures)

    passes = planned_passes(at.study, entry, items)
    if limit:
        first = set(list(dict.fromkeys(each.item for each in passes))[:limit])
        passes = [each for each in passes if each.item in first]
    return JudgeAtWork(entry, passes, maker_of, entry.kind.identity(at.folder))


def _show(
    at: OpenStudy,
    file: "JudgesFile | None",
    items: "Sequence[JudgedItem]",
    names: Sequence[str] | None,
    name: str,
    as_json: bool,
) -> None:
    """Print what a judge is asked first of an item."""
    from assay.judging.judges_file import judges_type
    from assay.judging.run import prompt_hash
    from assay.judging.talk import first_prompt

    if name not in {each.name for each in items}:
        raise AssayError(f"there is no item {name!r}", "`assay export --what items` lists them")
    plain = judges_type().model_validate_json('{"judges": [{"judge": "judge", "command": ["judge"]}]}')
    entry = _chosen(file or plain, names)[0]
    working = _at_work(at, entry, items, 0)
    planned = next((each for each in working.passes if each.item == name), None)
    if planned is None:
        raise AssayError(f"nothing is asked of {name!r}", "it has none of the entries that are judged")
    prompt = first_prompt(at.study, working.maker_of(planned), planned.shown, planned.repeat)
    if as_json:
        print_json({"prompt": prompt_hash(prompt), **working.request(prompt)})
        return
    print("\n".join(_lines(prompt)))


def _lines(prompt: "Prompt") -> Iterator[str]:
    yield from (prompt.system, "") if prompt.system else ()
    for part in prompt.parts:
        yield part if isinstance(part, str) else f"({part.media_type}, {len(part.read()):,} bytes)"


def _say_estimate(found: "Sequence[RunEstimate]", as_json: bool) -> None:
    if as_json:
        print_json([each.as_json() for each in found])
        return
    for each in found:
        tokens = f"about {each.tokens.sent:,.0f} tokens sent and {each.tokens.received:,.0f} received"
        money = f", cost about {_money(each.money)}" if each.money is not None else ""
        left = f"{plural(each.requests, 'request')} to send for {plural(each.passes, 'judged item')}"
        print(f"{each.judge}: {left}, {tokens}{money}.")


def _money(amount: float) -> str:
    """An amount in the currency of the prices; small ones with more digits."""
    return f"{amount:,.2f}" if amount >= 1 else f"{amount:.4f}"


def _refuse_what_cannot_be_stored(
    at: OpenStudy, working: "Sequence[JudgeAtWork]", log: Any, replace: bool, reason: str
) -> None:
    """Say beforehand what would be refused after everything was paid for."""
    from assay.acts.reasons import need_reason
    from assay.judging.estimate import refuse_other_answers
    from assay.store.coordinator.judged_items import is_person, judged_by

    if replace:
        need_reason(by(at, reason, ""), "to replace judgments")
    for each in working:
        name = each.entry.judge
        if at.store.read(is_person, at.study_id, name):
            raise AssayError(f"an annotator is called {name!r}", "give the judge another name")
        if not replace:
            refuse_other_answers(at.study, each, log, at.store.read(judged_by, at.study_id, name))


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

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=sys.__stderr__), transient=True) as bar:
        line = bar.add_task("Judging", total=run.tally.passes)

        def look() -> None:
            tally = run.tally
            said = f"{tally.tokens.all:,.0f} tokens, cost {_money(tally.money)}"
            bar.update(line, completed=tally.done, description=f"Judging ({said})")

        yield look


def _take_in(at: OpenStudy, tally: "RunTally", file: Path, replace: bool, reason: str, who: str, as_json: bool) -> None:
    """Take what came out into the study, and say how it went."""
    from assay import acts

    judged = list(tally.judgments(at.study))
    acting = by(at, reason, who)
    taken = at.store.write(acts.take_in_judged, acting, at.study, judged, file.name, replace=replace)
    done = taken.judgments
    if as_json:
        said = {"judged": done.submissions, "judged_known": done.known, "judged_replaced": done.replaced}
        orders = {name: asdict(each) for name, each in _orders(at, tally).items()}
        print_json({"import": taken.number, **said, **tally.as_json(), "orders": orders})
    else:
        _say(tally)
        for name, each in _orders(at, tally).items():
            same = f"{each.same:,} of {plural(each.both, 'preference')} stayed the same with sides swapped"
            left = f"; left was chosen {each.left:,} of {each.decided:,} times" if each.decided else ""
            print(f"{name}: {same}{left}.")
        known = f", {done.known:,} were there already" if done.known else ""
        print(f"{plural(done.submissions, 'judged item')} taken in{known}.")
    _say_what_is_left(tally)


def _orders(at: OpenStudy, tally: "RunTally") -> "dict[str, OrderEffect]":
    """Of each judge that was asked in both orders, whether that mattered."""
    from assay.judging.order_effect import order_effect

    found = {name: order_effect(at.study, verdicts.values()) for name, verdicts in tally.verdicts.items()}
    return {name: each for name, each in found.items() if each.both}


def _say(tally: "RunTally") -> None:
    money = f", cost {_money(tally.money)}" if tally.money else ""
    print(f"{plural(tally.requests, 'request')} sent: {tally.tokens.all:,.0f} tokens{money}.")
    for judge in dict.fromkeys(name for name, _ in tally.models):
        models = {model: n for (name, model), n in tally.models.items() if name == judge and model}
        if len(models) > 1:
            listed = ", ".join(f"{model} ({n:,})" for model, n in models.items())
            print(f"Warning: {judge} answered as more than one model: {listed}.")
    if tally.unable:
        kept = "what was said is in judged/passes.jsonl"
        print(
            f"{plural(tally.unable, 'judged item')} without an answer that the rules allow: stored as unable; {kept}."
        )


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
