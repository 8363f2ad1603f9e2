"""Make, list and revoke tokens for scripts."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.common import Database, Folder, Json, by, now, open_study, print_json
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.cli.common import OpenStudy


def run(
    where: Folder = Path(),
    name: Annotated[str, typer.Option(help="What the token is for; what it does is recorded under this name.")] = "",
    scopes: Annotated[
        list[str] | None, typer.Option("--scope", help="read, manage, judge or export; give it once for each.")
    ] = None,
    days: Annotated[int, typer.Option(help="For how many days it is good, at most 366.")] = 90,
    annotator: Annotated[
        str, typer.Option(help="With --scope judge: the only annotator that it may act for.", metavar="NAME")
    ] = "",
    revoke: Annotated[str, typer.Option(help="The name of a token that is to be good no longer.", metavar="NAME")] = "",
    listing: Annotated[bool, typer.Option("--list", help="List the tokens of the study.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Make a token for scripts, list tokens, or revoke one. A token is shown once and kept only as a hash.

    read: progress, items, judgments, flags, report. manage: take items in, invite, pause, deal with flags and gates.
    judge: act for annotators, seeing only what they see. export: take judgments out. docs/api.md says how to use it.
    """
    from assay import acts

    if not name and not revoke and not listing:
        raise AssayError("nothing is asked for", "--name N --scope read makes a token, --list lists them")
    with open_study(where, database) as at:
        if revoke:
            at.store.write(acts.revoke_token, by(at, "", ""), revoke)
            print_json({"revoked": revoke}) if as_json else print(f"{revoke} is good no longer.")
        if name:
            secret = at.store.write(acts.make_token, by(at, "", ""), name, scopes or [], days=days, only=annotator)
            if as_json:
                print_json({"name": name, "scopes": sorted(set(scopes or [])), "token": secret, "days": days})
            else:
                print(secret)
                print(f"\nGood for {days} days. Keep it like a password: it cannot be shown again.")
        if listing:
            found = _list_tokens(at)
            print_json(found) if as_json else print("\n".join(_line(each) for each in found) or "There are none.")


def _list_tokens(at: "OpenStudy") -> list[dict[str, Any]]:
    from assay.exchange import as_time
    from assay.store.coordinator import tokens

    def state(each: tokens.Listed) -> str:
        return "revoked" if each.revoked_at is not None else "expired" if each.expires_at <= now() else "good"

    return [
        {
            "name": each.name,
            "scopes": list(each.scopes),
            "annotator": each.annotator or None,
            "created_at": as_time(each.created_at),
            "expires_at": as_time(each.expires_at),
            "state": state(each),
        }
        for each in at.store.read(tokens.list_tokens, at.study_id)
    ]


def _line(each: dict[str, Any]) -> str:
    only = f" for {each['annotator']}" if each["annotator"] else ""
    return f"{each['name']}: {', '.join(each['scopes'])}{only}; {each['state']}, until {each['expires_at'][:10]}"
