"""Start the server."""

from ipaddress import ip_network
from pathlib import Path
from socket import gethostname
from typing import Annotated
from urllib.parse import urlsplit

import typer

from assay.cli.common import Database, Folder, OpenStudy, by, open_study
from assay.errors import AssayError

LEAST_SECRET = 16
HERE = ("127.0.0.1", "::1")
EVERYWHERE = ("0.0.0.0", "::")


def run(
    where: Folder = Path(),
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes a free one.", min=0, max=65535)] = 8000,
    database: Database = None,
    tls_cert: Annotated[Path | None, typer.Option(help="A TLS certificate, to serve https.")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="The certificate's key.")] = None,
    behind_proxy: Annotated[
        bool, typer.Option(help="A proxy on this machine stands in front: believe its X-Forwarded headers.")
    ] = False,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(help="The address, or the network, of a proxy whose X-Forwarded headers are believed; once each."),
    ] = None,
    public_address: Annotated[
        str,
        typer.Option(
            help="Where people reach the server, such as https://study.example.org: links begin with it, and what "
            "comes by another name, or without TLS where it has TLS, is not answered.",
            envvar="ASSAY_PUBLIC_ADDRESS",
        ),
    ] = "",
    metrics_token_file: Annotated[
        Path | None, typer.Option(help="A file with a secret: whoever sends it may read GET /metrics.")
    ] = None,
    enrolments_per_minute: Annotated[
        int,
        typer.Option(help="So many people can enrol within a minute from one address; others have to wait.", min=1),
    ] = 120,
    notices: Annotated[
        Path | None,
        typer.Option(
            help="A TOML file that says where notices go, by mail or to a webhook: nobody works, a pilot is ready, "
            "somebody waits at a gate, the study is done.",
            envvar="ASSAY_NOTICES",
        ),
    ] = None,
) -> None:
    """Start the server: every study in the store is served. Stop it with Ctrl-C; nothing is lost.

    The first start prints a link to the coordinator's page; later ones come from `assay invite --coordinator`.
    """
    from assay import acts
    from assay.server import listen, serve
    from assay.web.notices import read_notifier

    notifier = read_notifier(notices) if notices else None
    token_for_metrics = _secret_in(metrics_token_file) if metrics_token_file else ""
    proxies = [*(HERE if behind_proxy else ()), *map(_proxy, trusted_proxy or ())]
    public_address = _validate_public_address(public_address, tls=tls_cert is not None, proxied=bool(proxies))
    with open_study(where, database) as at:
        at.store.look_for_damage()
        acts.delete_broken_off(at.store)
        socket = listen(host, port)
        scheme = "https" if tls_cert else "http"
        # An address that means "all of this machine's" leads nowhere from elsewhere; its name may.
        name = gethostname() if host in EVERYWHERE else host
        listens = f"{scheme}://{f'[{name}]' if ':' in name else name}:{socket.getsockname()[1]}"
        address = public_address or listens
        print(f"{at.study.title}\n")
        print(f"  listens:      {listens}")
        print(f"  coordinator:  {_coordinators_link(at, where, address)}")
        print(f"  data:         {at.store.description}")
        print(f"  annotators:   assay invite {where} --count 2 --address {address}")
        for warning in _doubts(host, tls=tls_cert is not None, proxies=proxies, public_address=public_address):
            print(f"\n  {warning}")
        print("\nStop with Ctrl-C.", flush=True)
        serve(
            at.store,
            socket,
            tls_cert=tls_cert,
            tls_key=tls_key,
            trusted_proxies=proxies,
            public_address=public_address,
            metrics_token=token_for_metrics,
            notifier=notifier,
            enrolments_per_minute=enrolments_per_minute,
        )


def _coordinators_link(at: OpenStudy, where: Path, address: str) -> str:
    """The first link to the coordinator's page; where there is a good one already, how to get another."""
    from assay import acts

    token = at.store.write(acts.first_coordinators_link, by(at, "", ""), at.study)
    if token is None:
        return f"assay invite {where} --coordinator --address {address}   (an earlier link is still good)"
    return f"{address}/join/{token}"


def _proxy(given: str) -> str:
    """The address or the network of a proxy."""
    try:
        network = ip_network(given)
    except ValueError:
        raise AssayError(f"{given} is no address of a proxy", "such as 10.0.0.5, or a network: 10.0.0.0/24") from None
    if network.prefixlen == 0:
        raise AssayError(f"{given} is everybody: anybody could say who they are", "name the proxy, or its network")
    return given


def _validate_public_address(public_address: str, *, tls: bool, proxied: bool) -> str:
    """The public address. Raises AssayError where it is none, or contradicts how the server is reached."""
    if not public_address:
        return ""
    parts = urlsplit(public_address.rstrip("/"))
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path or parts.query:
        raise AssayError(
            f"{public_address} is no address of a server", "such as https://study.example.org, without a path"
        )
    if parts.scheme == "https" and not tls and not proxied:
        raise AssayError(
            f"nothing here speaks TLS, so nobody can come by {public_address}",
            "name the proxy that does with --trusted-proxy (or --behind-proxy on this machine), or give --tls-cert",
        )
    if parts.scheme == "http" and tls:
        raise AssayError(f"this server speaks TLS, and {public_address} does not", "write https://")
    return public_address.rstrip("/")


def _doubts(host: str, *, tls: bool, proxies: list[str], public_address: str) -> list[str]:
    """Warnings about how the server is reached: what works, and is probably not meant."""
    reached = host not in (*HERE, "localhost")
    found = []
    if reached and not tls and not proxies:
        found.append(
            "Others can reach this address, and without TLS what they answer can be read on the way.\n"
            "  Put a proxy with TLS in front (--trusted-proxy), or give --tls-cert and --tls-key."
        )
    if reached and proxies == [*HERE]:
        found.append(
            "--behind-proxy believes a proxy on this machine alone. If it runs on another machine, or this is a\n"
            "  container, cookies go without Secure and links begin with http: name it with --trusted-proxy."
        )
    if proxies and not public_address:
        found.append(
            "Say --public-address: links then lead there, and a proxy that is not believed is noticed at once."
        )
    return found


def _secret_in(file: Path) -> str:
    """The secret that a file holds."""
    try:
        found = file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise AssayError(f"{file} cannot be read ({error})", "name a text file with the secret") from None
    if len(found) < LEAST_SECRET or not found.isascii() or not found.isprintable():
        raise AssayError(f"{file} holds no secret that can be used", f"write {LEAST_SECRET} characters or more")
    return found
