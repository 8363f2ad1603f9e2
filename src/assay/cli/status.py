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
    print(f"{found['study']} is {found['state']}: {found['finished']} of {found['items']} items are finished.")
    if found["pilot"] is not None:
        pilot = found["pilot"]
        print(
            f"Pilot {pilot['round']}: {pilot['finished']} of {pilot['items']} items are finished; "
            f"verdict so far: {pilot['verdict']}."
        )
    _say_people(found["annotators"])
    _say_agreement(found["agreement"])
    for each in found["waiting"]:
        print(f"Waiting for you: {each['annotator']} at the gate {each['gate']}, after {each['attempts']} attempts.")
    for each in found["held"]:
        print(each["says"])
    if found["adjudicate"]:
        print(f"To be talked over: {plural(found['adjudicate'], 'question')}.")
    _say_flags(found["flags"])


def gather_status(store: Any, study_id: int, study: Any, at: int) -> dict[str, Any]:
    """The numbers of a study at this moment, ready for JSON."""
    from assay.live.flags import current_flags
    from assay.live.pilot import current_pilot
    from assay.live.report_data import gather
    from assay.report import adjudication
    from assay.store.coordinator import gates, pilots, studies, study_status
    from assay.store.coordinator.held_places import held_places

    # First of all: whom the study's rules exclude is left out of everything else.
    raised = current_flags(store, study_id, study, at)
    counts = store.read(study_status.item_counts, study_id)
    pilot = current_pilot(store, study_id, study, at)
    return {
        "study": study.study,
        "state": store.read(studies.state, study_id),
        "items": counts.items,
        "finished": counts.finished,
        "pilot": pilot and {"round": store.read(pilots.under_way, study_id), **pilot.as_json()},
        "annotators": [
            {
                "annotator": row.annotator,
                "state": "left" if row.left else row.state,
                "excluded": row.excluded,
                "simulated": row.simulated,
                "given": row.given,
                "submitted": row.submitted,
                "declined": row.declined,
                "active_minutes": None if row.active_ms is None else round(row.active_ms / 60_000, 1),
                "from_files": row.from_files,
            }
            for row in store.read(study_status.progress, study_id, study.gate_versions)
        ],
        "agreement": _agreement(store, study_id, study, at),
        "waiting": [
            {"annotator": each.annotator, "gate": each.gate, "attempts": len(each.attempts)}
            for each in store.read(gates.waiting, study_id)
        ],
        "held": [
            {
                "annotator": each.annotator,
                "why": each.why,
                "open": each.open,
                "judged": each.judged,
                "says": each.in_words(),
            }
            for each in store.read(held_places, study_id, at)
        ],
        "adjudicate": len(adjudication.open_questions(gather(store, study_id, study, at))),
        "flags": [
            {
                "annotator": each.annotator,
                "monitor": each.monitor,
                "state": each.state,
                "reason": each.reason,
                "evidence": each.evidence,
                "items": list(each.items),
            }
            for each in raised
        ],
    }


def _agreement(store: Any, study_id: int, study: Any, at: int) -> list[dict[str, Any]]:
    """The coefficient that the study reports first, for each dimension, up to this moment."""
    from assay.exchange import as_time
    from assay.live.agreement import compute, is_stale, live_agreement
    from assay.statistics import title_of

    if is_stale(store, study_id, study):
        compute(store, study_id, study, at)
    rows = []
    for each in live_agreement(store, study_id, study):
        main = each.first(study.analysis.agreement.coefficient)
        if main is None:
            continue
        rows.append(
            {
                "dimension": each.topic.dimension,
                "system": each.topic.system,
                "against": each.topic.against,
                "title": each.topic.title(study),
                "coefficient": main.name,
                "called": title_of(main.name),
                "value": main.value,
                "ci": main.ci and list(main.ci),
                "undefined": main.undefined,
                "n_items": main.n_items,
                "rests_on": str(each.units(main)),
                "n_annotators": main.n_annotators,
                "as_of": as_time(each.as_of[main.name]) if main.name in each.as_of else None,
            }
        )
    return rows


def _say_agreement(rows: list[dict[str, Any]]) -> None:
    if not any(row["n_items"] for row in rows):
        return
    print("Agreement so far:")
    width = max(len(row["title"]) for row in rows)
    for row in rows:
        ci = f" [{row['ci'][0]:.2f}, {row['ci'][1]:.2f}]" if row["ci"] else ""
        said = f"undefined, {row['undefined']}" if row["value"] is None else f"{row['value']:.2f}{ci}"
        when = f" (as of {row['as_of'][:16].replace('T', ' ')} UTC)" if row["as_of"] else ""
        print(f"  {row['title']:<{width}}  {row['called']} {said}, {row['rests_on']} judged by two or more{when}")


def _say_people(rows: list[dict[str, Any]]) -> None:
    if not rows:
        print("Nobody is invited yet. `assay invite` makes personal links.")
        return
    width = max(len(row["annotator"]) for row in rows)
    for row in rows:
        said = (row["state"] if row["state"] != "active" else "", "excluded" * row["excluded"])
        files = row["from_files"]
        brought = "from files" if files and files == row["submitted"] else f"{files} from files" if files else ""
        beside = [name for name in (*said, "simulated" * row["simulated"], brought) if name]
        more = f"  ({', '.join(beside)})" if beside else ""
        minutes = "" if row["active_minutes"] is None else f"  {row['active_minutes']:>7.1f} min"
        print(f"  {row['annotator']:<{width}}  {row['submitted']:>5} items{minutes}{more}")


def _say_flags(flags: list[dict[str, Any]]) -> None:
    is_open = [each for each in flags if each["state"] == "open"]
    print(f"Flags: {len(is_open)} open, {len(flags) - len(is_open)} dismissed or over.")
    for each in is_open:
        print(f"  {each['annotator']}, {each['monitor'].replace('_', ' ')}: {each['reason']}")
        if each["items"]:
            more = "" if len(each["items"]) <= 8 else f" and {len(each['items']) - 8} more"
            print(f"    items: {', '.join(each['items'][:8])}{more}")
    if is_open:
        print("A flag is a doubt. `assay annotator NAME message|pause|exclude|dismiss` deals with it, with a reason.")
