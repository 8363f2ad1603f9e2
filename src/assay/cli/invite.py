"""Make personal links."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.common import Database, Folder, Json


def run(
    where: Folder = Path(),
    names: Annotated[
        list[str] | None, typer.Option("--name", help="A pseudonym; give it once for each person.")
    ] = None,
    count: Annotated[int, typer.Option(help="How many annotators to name by themselves: a1, a2, ...", min=0)] = 0,
    coordinator: Annotated[bool, typer.Option(help="Make a link to the coordinator's page as well.")] = False,
    address: Annotated[
        str, typer.Option(help="Where the server is reached.", envvar="ASSAY_ADDRESS")
    ] = "http://127.0.0.1:8000",
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Make personal links. Each is shown once and kept only as a hash; a person asked again gets one more link."""
    from assay.cli.common import now, opened, print_json
    from assay.errors import AssayError
    from assay.store import people

    wanted = [people.check_name(name) for name in names or []]
    if not wanted and not count and not coordinator:
        raise AssayError("nobody is named", "say --count 2, or --name ana --name ben, or --coordinator")
    with opened(where, database) as at:
        wanted += at.store.read(people.next_names, at.study_id, count)
        links = at.store.write(people.invite, at.study_id, list(dict.fromkeys(wanted)), now())
        found = [(name, f"{address.rstrip('/')}/join/{token}") for name, token in links]
        if coordinator:
            token = at.store.write(people.invite_coordinator, at.study_id, now())
            found.append(("(coordinator)", f"{address.rstrip('/')}/join/{token}"))
    if as_json:
        print_json([{"name": name, "link": link} for name, link in found])
        return
    width = max(len(name) for name, _ in found)
    for name, link in found:
        print(f"{name:<{width}}  {link}")
    print("\nSend each person their own link. It is good for 30 days and cannot be shown again.")
