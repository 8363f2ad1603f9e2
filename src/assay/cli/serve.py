"""Start the server."""

from pathlib import Path
from socket import gethostname
from typing import Annotated

import typer

from assay.cli.common import Database, Folder, by, open_study
from assay.errors import AssayError

LEAST_SECRET = 16


def run(
    where: Folder = Path(),
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes a free one.", min=0, max=65535)] = 8000,
    database: Database = None,
    tls_cert: Annotated[Path | None, typer.Option(help="A TLS certificate, to serve https.")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="The certificate's key.")] = None,
    behind_proxy: Annotated[
        bool, typer.Option(help="A proxy stands in front: believe its X-Forwarded headers.")
    ] = False,
    metrics_token_file: Annotated[
        Path | None, typer.Option(help="A file with a secret: whoever sends it may read GET /metrics.")
    ] = None,
) -> None:
    """Start the server: every study in the store is served. Stop it with Ctrl-C; nothing is lost."""
    from assay import acts
    from assay.server import listen, serve

    token_for_metrics = _secret_in(metrics_token_file) if metrics_token_file else ""
    with open_study(where, database) as at:
        socket = listen(host, port)
        scheme = "https" if tls_cert else "http"
        # An address that means "all of this machine's" leads nowhere from elsewhere; its name may.
        name = gethostname() if host in ("0.0.0.0", "::") else host
        address = f"{scheme}://{name}:{socket.getsockname()[1]}"
        token = at.store.write(acts.invite_other, by(at, "", ""), at.study, "coordinator")
        print(f"{at.study.title}\n")
        print(f"  coordinator:  {address}/join/{token}")
        print(f"  data:         {at.store.description}")
        print(f"  annotators:   assay invite {where} --count 2 --address {address}")
        if host not in ("127.0.0.1", "::1", "localhost") and not tls_cert and not behind_proxy:
            print("\n  Others can reach this address, and without TLS what they answer can be read on the way.")
            print("  Put a proxy with TLS in front (--behind-proxy), or give --tls-cert and --tls-key.")
        print("\nStop with Ctrl-C.", flush=True)
        serve(
            at.store,
            socket,
            tls_cert=tls_cert,
            tls_key=tls_key,
            behind_proxy=behind_proxy,
            metrics_token=token_for_metrics,
        )


def _secret_in(file: Path) -> str:
    """The secret that a file holds."""
    try:
        found = file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise AssayError(f"{file} cannot be read ({error})", "name a text file with the secret") from None
    if len(found) < LEAST_SECRET or not found.isascii() or not found.isprintable():
        raise AssayError(f"{file} holds no secret that can be used", f"write {LEAST_SECRET} characters or more")
    return found
