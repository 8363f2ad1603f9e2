"""Make personal links."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.common import Database, Folder, Json, Reason, Who, by, note, now, open_study, print_json
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.cli.common import OpenStudy
    from assay.store.coordinator.record import By

HERE = "http://127.0.0.1:8000"


def run(
    where: Folder = Path(),
    names: Annotated[
        list[str] | None,
        typer.Option("--name", help="A name, once for each person. It is kept apart: the data have a drawn pseudonym."),
    ] = None,
    pseudonyms: Annotated[
        list[str] | None,
        typer.Option("--pseudonym", help="A pseudonym that stands in the data as it is; once for each person."),
    ] = None,
    count: Annotated[int, typer.Option(help="How many annotators to name by themselves: a1, a2, ...", min=0)] = 0,
    coordinator: Annotated[
        bool, typer.Option(help="Make a link to the coordinator's page. Earlier ones without a name end.")
    ] = False,
    keep_earlier: Annotated[
        bool, typer.Option("--keep-earlier", help="With --coordinator: the earlier links stay good.")
    ] = False,
    viewers: Annotated[
        list[str] | None, typer.Option("--viewer", help="Somebody who sees everything and changes nothing; once each.")
    ] = None,
    revoke: Annotated[
        list[str] | None, typer.Option("--revoke", help="Have all links of this annotator end at once; once each.")
    ] = None,
    replace: Annotated[
        list[str] | None,
        typer.Option(
            "--replace", help="Make a new link for this annotator, whose earlier ones end at once; once each."
        ),
    ] = None,
    anybody: Annotated[
        bool,
        typer.Option("--open", help="Make one link under which anybody can enrol; the study says so under assignment."),
    ] = False,
    plan: Annotated[bool, typer.Option("--plan", help="Only show what each would get; make no links.")] = False,
    address: Annotated[str, typer.Option(help="Where the server is reached.", envvar="ASSAY_ADDRESS")] = HERE,
    reason: Reason = "",
    who: Who = "",
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Make personal links, after showing the plan: items, people, and what each will get in how many minutes.

    Each link is shown once and kept only as a hash; a person asked again gets one more link. Names are kept apart from
    judgments: exports and reports have a pseudonym, which is printed beside the name; commands take either.
    """
    from assay import acts
    from assay.live.work_plan import work_plan
    from assay.store.annotator.names import names_apart

    if not any((names, pseudonyms, count, coordinator, viewers, revoke, replace, anybody, plan)):
        raise AssayError("nobody is named", "say --count 2, or --name ana --name ben, --open or --coordinator")
    with open_study(where, database) as at:
        aliases = pseudonyms or []
        wanted = at.store.read(acts.choose_names, at.study_id, [*(names or []), *aliases], count)
        forecast = work_plan(at.store, at.study_id, at.study, now(), wanted)
        if plan:
            print_json(forecast.as_json()) if as_json else print("\n".join(forecast.sentences()))
            return
        if wanted or anybody:
            note("\n".join(forecast.sentences()) + "\n")
        acting = by(at, reason, who)
        _revoke(at, acting, revoke or [])
        links = at.store.write(acts.invite, acting, names or [], count, pseudonyms=aliases)
        links += at.store.write(acts.replace_links, acting, replace) if replace else []
        if coordinator and not keep_earlier:
            links.append(("(coordinator)", _replace_coordinators_link(at, acting)))
        others = [
            *([("coordinator", "", "(coordinator)")] if coordinator and keep_earlier else []),
            *(("viewer", name, f"{name} (viewer)") for name in viewers or []),
            *([("anybody", "", "(anybody)")] if anybody else []),
        ]
        links += [
            (label, at.store.write(acts.invite_other, acting, at.study, role, name)) for role, name, label in others
        ]
        known = {name: pseudonym for pseudonym, name in at.store.read(names_apart, at.study_id).items()}
        found = [(label, known.get(label, ""), f"{address.rstrip('/')}/join/{token}") for label, token in links]
    if as_json:
        print_json([{"name": name, "link": link, "pseudonym": alias or name} for name, alias, link in found])
    elif found:
        _say_links(found, address, to_one=bool(wanted or replace or coordinator))


def _revoke(at: "OpenStudy", acting: "By", names: list[str]) -> None:
    """Have all links of some annotators end, and say how many they were."""
    from assay import acts

    for name in names:
        ended = at.store.write(acts.revoke_links, acting, name)
        note(f"{name}: {ended} {'link has' if ended == 1 else 'links have'} ended.")


def _replace_coordinators_link(at: "OpenStudy", acting: "By") -> str:
    """A new link to the coordinator's page; what becomes of the earlier ones is said."""
    from assay import acts

    token, earlier = at.store.write(acts.replace_coordinators_link, acting, at.study)
    for each in earlier:
        made = datetime.fromtimestamp(each.created_at / 1000, UTC).strftime("%Y-%m-%d %H:%M")
        state = "stays good" if each.name else "has ended, with whoever came by it"
        note(f"The coordinator's link of {made} {f'for {each.name} ' if each.name else ''}{state}.")
    return str(token)


def _say_links(found: list[tuple[str, str, str]], address: str, *, to_one: bool) -> None:
    """Each link beside whom it is for, and what to do with them."""
    shown = [(f"{name}  {alias}".strip(), link) for name, alias, link in found]
    width = max(len(label) for label, _ in shown)
    for label, link in shown:
        print(f"{label:<{width}}  {link}")
    sent = "Send each person their own link. It is" if to_one else "Send it to everybody. It is"
    print(f"\n{sent} good for 30 days and cannot be shown again.")
    if address == HERE:
        print(f"It leads to {address}: if the server is reached elsewhere, say where with --address.")
