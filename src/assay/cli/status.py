"""Show how the work goes and what is doubtful."""

from pathlib import Path
from typing import Any

from assay.cli.common import Database, Folder, Json, now, open_study, plural, print_json


def run(where: Folder = Path(), database: Database = None, as_json: Json = False) -> None:
    """Show how far everybody is, who waits for the coordinator, and every flag with its reason and evidence."""
    with open_study(where, database) as at:
        found = gather_status(at.store, at.study_id, at.study, now())
    if as_json:
        print_json(found)
        return
    print(f"{found['study']} is {found['state']}: {found['finished']:,} of {found['items']:,} items are finished.")
    if found["people_part"]:
        print(found["people_part"])
    if found["stop"] is not None:
        print(found["stop"]["says"])
    if found["judgments"]["wanted"]:
        print(found["judgments"]["says"])
    if found["pilot"] is not None:
        pilot = found["pilot"]
        print(
            f"Pilot {pilot['round']}: {pilot['finished']:,} of {pilot['items']:,} items are finished; "
            f"verdict so far: {pilot['verdict']}."
        )
    _say_people(found["annotators"])
    _say_agreement(found["agreement"], found["pooled"])
    for each in found["waiting"]:
        print(f"Waiting for you: {each['annotator']} at the gate {each['gate']}, after {each['attempts']} attempts.")
    for each in found["held"]:
        print(each["says"])
    if found["adjudicate"]:
        print(f"To be talked over: {plural(found['adjudicate'], 'question')}.")
    _say_flags(found["flags"])


def gather_status(store: Any, study_id: int, study: Any, at: int) -> dict[str, Any]:
    """The numbers of a study at this moment, ready for JSON."""
    from assay import acts
    from assay.live.report_data import gather
    from assay.live.stopping import stop_as_json
    from assay.live.work_plan import work_plan
    from assay.report import adjudication
    from assay.store.coordinator import studies, study_status

    # First of all: whom the study's rules exclude is left out of everything else.
    raised = acts.refresh_flags(store, study_id, study, at)
    acts.follow_stop_rule(store, study_id, study, at, at_once=True)
    counts = store.read(study_status.item_counts, study_id)
    plan = work_plan(store, study_id, study, at)
    return {
        "study": study.study,
        "state": store.read(studies.state, study_id),
        "items": counts.items,
        "finished": counts.finished,
        "judges_alone": counts.judges_alone,
        "people_part": plan.people_part,
        "judgments": {
            "wanted": plan.forecast.judgments,
            "taken": plan.work.taken_places,
            "from_files": plan.from_files,
            "left": plan.judgments_left,
            "says": plan.what_is_there(),
        },
        "stop": stop_as_json(store, study_id, study),
        "pilot": _pilot(store, study_id, study, at),
        "annotators": _people(store, study_id, study),
        **_agreement(store, study_id, study, at),
        "waiting": _who_waits(store, study_id),
        "held": [each.as_json() for each in plan.held],
        "adjudicate": len(adjudication.open_questions(gather(store, study_id, study, at))),
        "flags": [_flag(each) for each in raised],
    }


def _pilot(store: Any, study_id: int, study: Any, at: int) -> dict[str, Any] | None:
    """The pilot that is under way, with its verdict so far."""
    from assay.live.pilot import current_pilot
    from assay.store.coordinator import pilots

    pilot = current_pilot(store, study_id, study, at)
    return None if pilot is None else {"round": store.read(pilots.under_way, study_id), **pilot.as_json()}


def _people(store: Any, study_id: int, study: Any) -> list[dict[str, Any]]:
    """How far everybody is."""
    from assay.store.annotator.names import names_apart
    from assay.store.coordinator import study_status

    called = store.read(names_apart, study_id)
    return [
        {
            "annotator": row.annotator,
            "state": "left" if row.left else row.state,
            "excluded": row.excluded,
            "excluded_by_rule": row.by_rule,
            "simulated": row.simulated,
            "given": row.given,
            "submitted": row.submitted,
            "declined": row.declined,
            "active_minutes": None if row.active_ms is None else round(row.active_ms / 60_000, 1),
            "from_files": row.from_files,
            "name": called.get(row.annotator, ""),
        }
        for row in store.read(study_status.progress, study_id, study.gate_versions)
    ]


def _who_waits(store: Any, study_id: int) -> list[dict[str, Any]]:
    """Who stands at a gate and waits for the coordinator."""
    from assay.store.coordinator import gates

    return [
        {"annotator": each.annotator, "gate": each.gate, "attempts": len(each.attempts)}
        for each in store.read(gates.waiting_annotators, study_id)
    ]


def _flag(each: Any) -> dict[str, Any]:
    return {
        "annotator": each.annotator,
        "monitor": each.monitor,
        "state": each.state,
        "reason": each.reason,
        "evidence": each.evidence,
        "items": list(each.items),
    }


def _agreement(store: Any, study_id: int, study: Any, at: int) -> dict[str, list[dict[str, Any]]]:
    """Agreement up to this moment: everything is computed again where it is older."""
    from assay.live.agreement import compute, is_stale
    from assay.live.agreement_rows import agreement_rows

    if is_stale(store, study_id, study):
        compute(store, study_id, study, at)
    return agreement_rows(store, study_id, study)


def _say_agreement(topics: list[dict[str, Any]], pooled: list[dict[str, Any]]) -> None:
    """A line for each dimension and each comparison; after the comparisons, one for all of them together."""
    from assay.in_words import interval, number

    if not any(row["n_items"] for row in topics):
        return
    print("Agreement so far:")
    order = [row["dimension"] for row in topics]
    rows = sorted([*topics, *pooled], key=lambda row: order.index(row["dimension"]))
    width = max(len(row["title"]) for row in rows)
    for row in rows:
        value = f"{number(row['value'])} {interval(row['ci'])}".strip()
        said = f"undefined, {row['undefined']}" if row["value"] is None else value
        when = f" (as of {row['as_of'][:16].replace('T', ' ')} UTC)" if row["as_of"] else ""
        how = ", each taken in both directions" if "comparisons" in row else ""
        print(f"  {row['title']:<{width}}  {row['called']} {said}, {row['rests_on']} judged by two or more{how}{when}")


def _say_people(rows: list[dict[str, Any]]) -> None:
    if not rows:
        print("Nobody is invited yet. `assay invite` makes personal links.")
        return
    labels = {row["annotator"]: f"{row['annotator']}  {row['name']}".strip() for row in rows}
    width = max(map(len, labels.values()))
    for row in rows:
        by_rule = f"left out {row['excluded_by_rule']}" if row["excluded_by_rule"] else ""
        said = (row["state"] if row["state"] != "active" else "", "excluded" * row["excluded"], by_rule)
        files = row["from_files"]
        brought = "from files" if files and files == row["submitted"] else f"{files:,} from files" if files else ""
        beside = [name for name in (*said, "simulated" * row["simulated"], brought) if name]
        more = f"  ({', '.join(beside)})" if beside else ""
        minutes = "" if row["active_minutes"] is None else f"  {row['active_minutes']:>7,.1f} min"
        what = _submissions(row["submitted"])
        print(f"  {labels[row['annotator']]:<{width}}  {row['submitted']:>6,} {what}{minutes}{more}")


def _submissions(count: int) -> str:
    """What people submitted, second passes and controls among it: there may be more of it than items."""
    return "submission" if count == 1 else "submissions"


def _say_flags(flags: list[dict[str, Any]]) -> None:
    is_open = [each for each in flags if each["state"] == "open"]
    print(f"Flags: {len(is_open):,} open, {len(flags) - len(is_open):,} dismissed or over.")
    for each in is_open:
        print(f"  {each['annotator']}, {each['monitor'].replace('_', ' ')}: {each['reason']}")
        if each["items"]:
            more = "" if len(each["items"]) <= 8 else f" and {len(each['items']) - 8:,} more"
            print(f"    items: {', '.join(each['items'][:8])}{more}")
    if is_open:
        print("A flag is a doubt. `assay annotator NAME message|pause|exclude|dismiss` deals with it, with a reason.")
