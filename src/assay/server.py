"""Running the application: a socket, a server, and a clean end."""

import errno
import gc
import socket as sockets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.store import Backend

if TYPE_CHECKING:
    from assay.web.notices import Notifier

LOGS = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"()": "assay.store.engine.failures.WithoutValues"}},
    "handlers": {"errors": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "loggers": {"uvicorn": {"handlers": ["errors"], "propagate": False}},
    "root": {"handlers": ["errors"], "level": "WARNING"},
}
"""Errors go to standard error, and nothing else is logged."""


def listen(host: str, port: int, *, or_any: bool = False) -> sockets.socket:
    """A listening socket, opened before anything is printed, so that a busy port is reported at once."""
    family = sockets.AF_INET6 if ":" in host else sockets.AF_INET
    found = sockets.socket(family, sockets.SOCK_STREAM)
    found.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
    except OSError as error:
        found.close()
        if or_any and error.errno == errno.EADDRINUSE:
            return listen(host, 0)
        raise AssayError(f"cannot listen on {host}:{port} ({error.strerror})", "choose another with --port") from None
    found.listen(1024)
    return found


def serve(
    store: Backend,
    socket: sockets.socket,
    *,
    tls_cert: Path | None = None,
    tls_key: Path | None = None,
    trusted_proxies: Sequence[str] = (),
    public_address: str = "",
    metrics_token: str = "",
    notifier: "Notifier | None" = None,
    enrolments_per_minute: int | None = None,
) -> None:
    """Answer requests until told to stop; requests under way are finished first.

    The forwarded headers of a trusted proxy are believed: client address and scheme. With a public address, requests
    to other hosts are refused. A notifier tells a coordinator what needs them.
    """
    from assay.web import create_app
    from assay.web.rate_limits import Limit, RateLimits

    store.limit_waiting()
    limits = RateLimits()
    if enrolments_per_minute is not None:
        limits.enrolments = Limit(enrolments_per_minute)
    run_app(
        create_app(store, public_address=public_address, metrics_token=metrics_token, notifier=notifier, limits=limits),
        socket,
        proxy_headers=bool(trusted_proxies),
        forwarded_allow_ips=list(trusted_proxies),
        ssl_certfile=tls_cert,
        ssl_keyfile=tls_key,
    )
    print("\nStopped. Everything that was submitted is saved.")


def run_app(app: Any, socket: sockets.socket, **settings: Any) -> None:
    """Run an application until Ctrl-C or a signal ends it."""
    import uvicorn

    from assay.connections import Careful, room_for_connections

    Careful.most_connections = room_for_connections()
    config = uvicorn.Config(
        app,
        log_config=LOGS,
        log_level="warning",
        access_log=False,  # addresses carry personal links: they are not logged
        server_header=False,
        http=Careful,
        timeout_graceful_shutdown=10,
        **{"proxy_headers": False, **settings},
    )
    # Loaded modules stay in memory: keep them out of every later garbage collection.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[socket])
