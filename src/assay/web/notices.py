"""Telling notices: by mail or to a webhook, as the server's own file says. Off where there is no such file.

The file is TOML, and no part of a study: whoever runs the server writes it.
"""

import asyncio
import json
import logging
import smtplib
import tomllib
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from assay.errors import AssayError
from assay.live.notices import Notice, due_notices, mark_sent, take_back
from assay.store import Backend
from assay.web.keep_on import keep_on

EVERY = 300.0
"""Seconds between two looks."""
PATIENCE = 20
"""The timeout in seconds for a mail server or webhook to answer."""
KEYS = {
    "webhook": {"address"},
    "mail": {"host", "port", "from", "to", "user", "password_file", "tls"},
}


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Refuses redirects of a webhook, which would send notices to an address that nobody configured."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """Follow nothing."""


@dataclass(frozen=True)
class Notifier:
    """Where notices go."""

    webhook: str = ""
    host: str = ""
    port: int = 587
    sender: str = ""
    to: tuple[str, ...] = ()
    user: str = ""
    password: str = ""
    tls: bool = True

    def send(self, notice: Notice, address: str) -> None:
        """Send a notice; raises OSError where that fails."""
        if self.webhook:
            self._post(notice, address)
        if self.host:
            self._mail(notice, address)

    def _post(self, notice: Notice, address: str) -> None:
        told = {"study": notice.study, "kind": notice.kind, "says": notice.says, "address": address}
        request = urllib.request.Request(
            self.webhook, json.dumps(told).encode(), {"Content-Type": "application/json"}, method="POST"
        )
        with urllib.request.build_opener(_NoRedirects).open(request, timeout=PATIENCE):
            pass

    def _mail(self, notice: Notice, address: str) -> None:
        message = EmailMessage()
        message["Subject"] = f"{notice.study}: {notice.says}"
        message["From"], message["To"] = self.sender, ", ".join(self.to)
        message.set_content(f"{notice.study}: {notice.says}.\n\n{address}\n")
        try:
            with smtplib.SMTP(self.host, self.port, timeout=PATIENCE) as server:
                if self.tls:
                    server.starttls()
                if self.user:
                    server.login(self.user, self.password)
                server.send_message(message)
        except smtplib.SMTPException as error:
            raise OSError(str(error)) from None


def read_notifier(file: Path) -> Notifier:
    """The notifier that a file configures; raises AssayError where the file is wrong."""
    try:
        said = tomllib.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise AssayError(f"{file} cannot be read ({error})", "see docs/deploy.md: Notices") from None
    for table, entries in said.items():
        odd = sorted(set(entries) - KEYS.get(table, set())) if isinstance(entries, dict) else [table]
        if table not in KEYS or odd:
            name = f"{table}.{odd[0]}" if table in KEYS else table
            raise AssayError(f"{file}: there is no {name!r}", f"tables are {', '.join(sorted(KEYS))}")
    webhook = str(said.get("webhook", {}).get("address", ""))
    if webhook and (urlsplit(webhook).scheme not in ("http", "https") or not urlsplit(webhook).netloc):
        raise AssayError(f"{file}: {webhook!r} is no address of a webhook", "such as https://chat.example.org/hook")
    mail = said.get("mail", {})
    to = mail.get("to", [])
    to = [to] if isinstance(to, str) else to
    if mail and not (mail.get("host") and mail.get("from") and to):
        raise AssayError(f"{file}: mail needs host, from and to", "add what is missing")
    if not webhook and not mail:
        raise AssayError(f"{file} names neither a webhook nor mail", "add [webhook] or [mail], or leave the file out")
    return Notifier(
        webhook=webhook,
        host=str(mail.get("host", "")),
        port=int(mail.get("port", 587)),
        sender=str(mail.get("from", "")),
        to=tuple(map(str, to)),
        user=str(mail.get("user", "")),
        password=_password(file, mail.get("password_file", "")),
        tls=bool(mail.get("tls", True)),
    )


def _password(file: Path, name: str) -> str:
    if not name:
        return ""
    try:
        return (file.parent / name).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise AssayError(f"{file}: the file of the password cannot be read ({error})", "name a text file") from None


def tell_once(store: Backend, notifier: Notifier, address: str, now: int) -> int:
    """Send all notices that are due; returns how many were sent. A failed one is retried the next time."""
    told = 0
    for study_id, notice in due_notices(store, now):
        if not store.write(mark_sent, study_id, notice, now):
            continue
        try:
            notifier.send(notice, f"{address}/coordinate/{notice.study}" if address else "")
            told += 1
        except (OSError, ValueError) as error:
            store.write(take_back, study_id, notice, now)
            logging.getLogger("assay").warning("a notice could not be sent: %s", error)
    return told


async def keep_telling(store: Backend, notifier: Notifier, address: str, clock: Callable[[], int]) -> None:
    """Send due notices for as long as the server runs."""
    while True:
        with keep_on("telling notices"):
            await asyncio.to_thread(tell_once, store, notifier, address, clock())
        await asyncio.sleep(EVERY)
