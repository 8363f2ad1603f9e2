"""Look at a pilot, and decide about it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.common import Database, Folder, Json, Reason, Who, by, note, now, open_study, print_json
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.report.pilot_verdict import PilotOutcome
    from assay.study import Study


def run(
    where: Folder = Path(),
    decide: Annotated[
        bool, typer.Option("--decide", help="Record what it shows; if every dimension is `go`, open the main part.")
    ] = False,
    open_: Annotated[
        bool, typer.Option("--open", help="Open the main part whatever it shows; needs --reason.")
    ] = False,
    again: Annotated[bool, typer.Option("--again", help="Begin the next pilot, with fresh items.")] = False,
    reason: Reason = "",
    who: Who = "",
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Show the agreement that a pilot has reached on each dimension, and decide whether the main part opens.

    Without an option it only shows. A pilot that is not finished, or a dimension without data, is never passed.
    """
    from assay import acts
    from assay.live.hourly_rates import rates_of
    from assay.live.pilot import current_pilot
    from assay.store.coordinator import pilots

    if decide + open_ + again > 1:
        raise AssayError("only one of --decide, --open and --again can be done at a time", "")
    with open_study(where, database) as at:
        if at.study.analysis.pilot is None:
            raise AssayError(f"{at.study.study} has no pilot", "analysis.pilot in study.yaml asks for one")
        acting = by(at, reason, who)
        if again:
            note(f"Pilot {at.store.write(acts.begin_next_pilot, acting)} begins.")
        if decide or open_:
            found = acts.decide_pilot(at.store, acting, at.study, open_by_hand=open_)
        else:
            found = current_pilot(at.store, at.study_id, at.study, now())
        rounds = at.store.read(pilots.decisions, at.study_id)
        hour = at.store.read(rates_of, at.study_id, at.study)
        under_way = at.store.read(pilots.under_way, at.study_id)
    if as_json:
        known = [{"round": each.round, "opened": each.opened, "reason": each.reason, **each.result} for each in rounds]
        print_json({"under_way": under_way, "now": found.as_json() if found else None, "recorded": known})
        return
    if found is not None:
        print(f"Pilot: {found.finished:,} of {found.items:,} items have all their judgments.")
        _say(found, at.study)
        if hour.pay is not None:
            print("\n".join(hour.sentences()))
    if not under_way:
        last = [each for each in rounds if each.opened]
        why = f" by {last[-1].by}{': ' + last[-1].reason if last[-1].reason else ''}" if last else ""
        print(f"The main part is open{why}.")
    elif found is not None and not found.passed:
        print("The main part stays closed.")


def _say(found: "PilotOutcome", study: "Study") -> None:
    from assay.statistics import title_of

    asked = study.analysis.pilot
    assert asked is not None
    shown = {each.coefficient.name: title_of(each.coefficient.name) for each in found.dimensions}
    name = next(iter(shown.values())) if len(shown) == 1 else title_of(study.analysis.agreement.coefficient)
    names = [each.title if each.system else study.dimension(each.dimension).heading for each in found.dimensions]
    width = max(map(len, names))
    print(f"{name}; go from {asked.go:g}, revise from {asked.revise:g}, below that rewrite")
    for called, each in zip(names, found.dimensions, strict=True):
        value = each.coefficient.value
        number = f"{value:6.2f}" if value is not None else "     –"
        ci = each.coefficient.ci
        interval = f" [{ci[0]:.2f}, {ci[1]:.2f}]" if ci else ", no interval" if value is not None else ""
        interval += f", {shown[each.coefficient.name]}" if len(shown) > 1 else ""
        why = f" ({each.coefficient.undefined})" if value is None else ""
        print(f"  {called:<{width}} {number}{interval}, {each.rests_on}  {each.verdict}{why}")
    print(f"Verdict: {found.verdict}. {found.what_decides}")
    if found.caution:
        print(f"Caution: {found.caution}")
