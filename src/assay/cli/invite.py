"""Make personal links."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.common import Database, Folder, Json, Who, by, note, now, open_study, print_json
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.cli.common import OpenStudy


HERE = "http://127.0.0.1:8000"


def run(
    where: Folder = Path(),
    names: Annotated[
        list[str] | None, typer.Option("--name", help="A pseudonym; give it once for each person.")
    ] = None,
    count: Annotated[int, typer.Option(help="How many annotators to name by themselves: a1, a2, ...", min=0)] = 0,
    coordinator: Annotated[bool, typer.Option(help="Make a link to the coordinator's page as well.")] = False,
    viewers: Annotated[
        list[str] | None, typer.Option("--viewer", help="Somebody who sees everything and changes nothing; once each.")
    ] = None,
    revoke: Annotated[
        list[str] | None, typer.Option("--revoke", help="Have all links of this annotator end at once; once each.")
    ] = None,
    anybody: Annotated[
        bool,
        typer.Option("--open", help="Make one link under which anybody can enrol; the study says so under assignment."),
    ] = False,
    plan: Annotated[bool, typer.Option("--plan", help="Only show what each would get; make no links.")] = False,
    address: Annotated[str, typer.Option(help="Where the server is reached.", envvar="ASSAY_ADDRESS")] = HERE,
    who: Who = "",
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Make personal links, after showing the plan: items, people, and what each will get in how many minutes.

    Each link is shown once and kept only as a hash; a person asked again gets one more link.
    """
    from assay import acts

    if not any((names, count, coordinator, viewers, revoke, anybody, plan)):
        raise AssayError("nobody is named", "say --count 2, or --name ana --name ben, --open or --coordinator")
    with open_study(where, database) as at:
        wanted = at.store.read(acts.choose_names, at.study_id, names or [], count)
        forecast = _plan(at, wanted)
        if plan:
            print_json(forecast) if as_json else print("\n".join(_sentences(forecast)))
            return
        if wanted or anybody:
            note("\n".join(_sentences(forecast)) + "\n")
        acting = by(at, "", who)
        for name in revoke or []:
            ended = at.store.write(acts.revoke_links, acting, name)
            note(f"{name}: {ended} {'link has' if ended == 1 else 'links have'} ended.")
        links = at.store.write(acts.invite, acting, wanted)
        others = [
            *([("coordinator", "", "(coordinator)")] if coordinator else []),
            *(("viewer", name, f"{name} (viewer)") for name in viewers or []),
            *([("anybody", "", "(anybody)")] if anybody else []),
        ]
        links += [
            (label, at.store.write(acts.invite_other, acting, at.study, role, name)) for role, name, label in others
        ]
        found = [(label, f"{address.rstrip('/')}/join/{token}") for label, token in links]
    if as_json:
        print_json([{"name": name, "link": link} for name, link in found])
        return
    if not found:
        return
    width = max(len(name) for name, _ in found)
    for name, link in found:
        print(f"{name:<{width}}  {link}")
    sent = "Send each person their own link. It is" if wanted or coordinator else "Send it to everybody. It is"
    print(f"\n{sent} good for 30 days and cannot be shown again.")
    if address == HERE:
        print(f"It leads to {address}: if the server is reached elsewhere, say where with --address.")


def _plan(at: "OpenStudy", wanted: list[str]) -> dict[str, Any]:
    """How much work there is, and what each of these people will get."""
    from assay.store.annotator.workload import workload
    from assay.store.coordinator import study_status
    from assay.store.coordinator.held_places import held_places

    work = at.store.read(workload, at.study_id)
    known = {row.annotator for row in at.store.read(study_status.progress, at.study_id)}
    among = work.annotators + len(set(wanted) - known)
    forecast = work.forecast(at.study, wanted[0] if wanted else "", among=among)
    share = forecast.share
    counts = at.store.read(study_status.item_counts, at.study_id)
    return {
        "items": work.items,
        "items_in_all": counts.items,
        "finished": counts.finished,
        "taken": work.taken,
        "held": [
            {
                "annotator": each.annotator,
                "why": each.why,
                "open": each.open,
                "judged": each.judged,
                "says": each.in_words(),
            }
            for each in at.store.read(held_places, at.study_id, now())
        ],
        "per_item": at.study.assignment.per_item,
        "overlap": share.block,
        "judgments": forecast.judgments,
        "annotators": among,
        "each": {
            "items": share.different_items,
            "duplicates": share.duplicates,
            "controls": len(share.control_positions),
            "practice": forecast.practice,
            "minutes": forecast.minutes,
        },
        "nobody_for": forecast.shortfall,
    }


def _sentences(plan: dict[str, Any]) -> list[str]:
    """The plan in sentences."""
    each, people = plan["each"], plan["annotators"]
    more = [
        f"{each[name]} {what}"
        for name, what in (
            ("duplicates", "that come a second time"),
            ("controls", "with a known answer"),
            ("practice", "for practice first"),
        )
        if each[name]
    ]
    held = plan["items_in_all"] - plan["items"]
    lines = [
        f"Plan: {plan['items']} items x {plan['per_item']} annotators"
        + (f", {plan['overlap']} of them by more," if plan["overlap"] else "")
        + f" = {plan['judgments']} item judgments"
        + (f", shared by {plan['annotators']} {'person' if plan['annotators'] == 1 else 'people'}." if people else ".")
    ]
    if held:
        lines.append(f"  {held} more items open after the pilot.")
    if people:
        lines.append(
            f"  Each gets about {', '.join([str(each['items']) + ' items', *more])}: {each['minutes']} minutes."
        )
    if plan["finished"]:
        lines.append(f"  {plan['finished']} items are finished; new people get what is left.")
    lines += [f"  {each['says']}" for each in plan["held"]]
    if people and plan["nobody_for"]:
        lines.append(f"  For {plan['nobody_for']} of these judgments there is nobody yet: invite more people.")
    return lines
