"""The recipes of docs/deploy.md, run as they stand there, with a real nginx; only addresses and paths are replaced."""

import http.client
import json
import os
import re
import shlex
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tools.deploy_doc import copy_command, proxy_of_several, settings_of
from tools.nginx import PACKAGE, nginx

from tests.servers import Server, assay, prepared

DOC = (Path(__file__).parent.parent / "docs" / "deploy.md").read_text("utf-8")
NAME = "study.example.org"
PROXY = "127.0.0.2"
"""The proxy has another address than the server, as if it ran on another machine."""
needs_nginx = pytest.mark.skipif(
    nginx() is None and "CI" not in os.environ, reason=f"recipes are run with nginx: apt-get install {PACKAGE}"
)


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", DOC, re.M | re.S)


def options(command: str | list[str], where: str = "my-study") -> list[str]:
    """What a recipe gives to `assay serve`, for a server on this machine."""
    words = shlex.split(command) if isinstance(command, str) else command
    at = next(index for index, word in enumerate(words) if word.endswith(where))
    given = ["127.0.0.1" if word == "0.0.0.0" else PROXY if word == "10.0.0.5" else word for word in words[at + 1 :]]
    assert words[at - 2].endswith("assay")
    assert words[at - 1] == "serve"
    return given


SERVE = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("assay serve")]
ALONE, WITH_TLS, ONE_OF_SEVERAL = SERVE


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate of its own, and its key, as study.pem and study.key in a folder."""
    folder = tmp_path / "ssl"
    folder.mkdir()
    made = ["-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={NAME}", "-days", "2"]
    files = ["-keyout", str(folder / "study.key"), "-out", str(folder / "study.pem")]
    subprocess.run(["openssl", "req", *made, *files], check=True, capture_output=True)
    return folder


def free_port() -> int:
    with socket.socket() as found:
        found.bind((PROXY, 0))
        return int(found.getsockname()[1])


@contextmanager
def proxy(recipe: str, certificate: Path, servers: dict[str, int]) -> Iterator[tuple[int, Path]]:
    """Nginx with a recipe; gives its port and the log that it writes."""
    folder, port, program = certificate.parent, free_port(), nginx()
    assert program is not None, f"apt-get install {PACKAGE}"
    places = {"listen 443 ssl": f"listen {PROXY}:{port} ssl", "/etc/ssl/": f"{certificate}/"}
    places |= {"/var/log/nginx/": f"{folder}/"}
    places |= {address: f"127.0.0.1:{server}" for address, server in servers.items()}
    for old, new in places.items():
        assert old in recipe
        recipe = recipe.replace(old, new)
    # The server sees a proxy at another address than its own.
    recipe = recipe.replace("proxy_http_version", f"proxy_bind {PROXY};\n        proxy_http_version")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    head = f"daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
    (folder / "nginx.conf").write_text(f"{head}http {{\n{paths}access_log {folder}/all.log;\n{recipe}\n}}\n")
    process = subprocess.Popen([program, "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "error.log"])
    try:
        for _ in range(200):
            try:
                socket.create_connection((PROXY, port), 1).close()
                break
            except ConnectionRefusedError:
                assert process.poll() is None, (folder / "error.log").read_text()
                time.sleep(0.05)
        yield port, folder / "assay.log"
    finally:
        process.terminate()
        process.wait(20)


class Browser:
    """Somebody who comes by TLS, wherever the name leads."""

    def __init__(self, address: str, port: int) -> None:
        self.address, self.port, self.cookie = address, port, ""

    def ask(self, method: str, path: str, form: str | None = None) -> http.client.HTTPResponse:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection(self.address, self.port, timeout=30, context=context)
        headers = {"Host": NAME, "Cookie": self.cookie, "Origin": f"https://{NAME}"}
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, path, form, headers)
        answer = connection.getresponse()
        self.text = answer.read().decode()
        connection.close()
        return answer

    def enter(self, link: str) -> None:
        """Open a personal link: the session that comes of it is good over TLS alone."""
        token = link.rsplit("/", 1)[1]
        assert self.ask("GET", f"/join/{token}").status == 200, self.text
        answer = self.ask("POST", "/join", f"token={token}")
        assert answer.status == 303, self.text
        given = answer.getheader("set-cookie") or ""
        assert given.startswith("__Host-assay-")
        assert "; Secure" in given
        assert answer.getheader("strict-transport-security")
        self.cookie = given.split(";")[0]
        assert self.ask("GET", answer.getheader("location") or "").status == 200


def link_of(folder: Path, *more: str) -> str:
    address = f"https://{NAME}"
    [made] = json.loads(assay("invite", folder, "--name", "ana", "--address", address, "--json", *more))
    assert made["link"].startswith(address)
    return str(made["link"])


@needs_nginx
def test_the_recipe_for_one_machine_works_and_keeps_links_out_of_the_log(tmp_path: Path, certificate: Path) -> None:
    folder = prepared(tmp_path / "my-study", 3)
    # The proxy is on another address of this machine: only this differs from a proxy beside the server.
    given = [*options(ALONE), "--trusted-proxy", PROXY]
    server = Server(folder, None, 0, *given)
    try:
        assert server.coordinator
        with proxy(blocks("nginx")[0], certificate, {"127.0.0.1:8000": server.port}) as (port, log):
            Browser(PROXY, port).enter(link_of(folder))
            Browser(PROXY, port).enter(server.coordinator)
        logged = log.read_text()
        assert "GET /judge/empathy" in logged
        assert "/join" not in logged
        # Whoever comes past the proxy gets no page, and no cookie without Secure.
        past = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        past.request("GET", "/", headers={"Host": NAME})
        assert past.getresponse().status == 421
        past.close()
    finally:
        server.kill()


@needs_nginx
def test_a_proxy_that_is_not_trusted_is_answered_nothing_and_named_in_the_log(
    tmp_path: Path, certificate: Path
) -> None:
    folder = prepared(tmp_path / "my-study", 3)
    server = Server(folder, None, 0, *options(ALONE))
    with proxy(blocks("nginx")[0], certificate, {"127.0.0.1:8000": server.port}) as (port, _):
        answer = Browser(PROXY, port).ask("GET", "/")
        assert answer.status == 421
        assert answer.getheader("set-cookie") is None
    server.process.send_signal(signal.SIGINT)
    assert server.process.stdout is not None
    said = server.process.stdout.read()
    server.kill()
    assert f"a request came from {PROXY} by http and not https" in said
    assert "--trusted-proxy" in said


@needs_nginx
def test_the_recipe_for_several_servers_works(
    tmp_path: Path, certificate: Path, new_postgres: Callable[[], str]
) -> None:
    folder, database = prepared(tmp_path / "my-study", 3), new_postgres()
    servers = [Server(folder, database, 0, *options(ONE_OF_SEVERAL)) for _ in range(2)]
    try:
        assert [bool(each.coordinator) for each in servers] == [True, False], "one link, at the first start"
        ports = dict(zip(("10.0.0.11:8000", "10.0.0.12:8000"), (each.port for each in servers), strict=True))
        with proxy(blocks("nginx")[1], certificate, ports) as (port, log):
            ana = Browser(PROXY, port)
            ana.enter(link_of(folder, "--database", database))
            for _ in range(4):
                assert ana.ask("GET", "/judge/empathy").status == 200
        assert "/join" not in log.read_text()
    finally:
        for each in servers:
            each.kill()


def test_the_recipe_without_a_proxy_works(tmp_path: Path, certificate: Path) -> None:
    folder = prepared(tmp_path / "my-study", 3)
    places = {"cert.pem": str(certificate / "study.pem"), "key.pem": str(certificate / "study.key")}
    server = Server(folder, None, 0, *(places.get(word, word) for word in options(WITH_TLS)))
    try:
        Browser("127.0.0.1", server.port).enter(link_of(folder))
    finally:
        server.kill()


def test_the_service_the_container_and_the_nightly_copy_are_commands_that_run(tmp_path: Path) -> None:
    folder = prepared(tmp_path / "my-study", 3)
    [service] = re.findall(r"^ExecStart=(.*)$", DOC, re.M)
    [container] = re.findall(r"^CMD (\[.*\])$", DOC, re.M)
    for given in (options(service), options(json.loads(container))):
        server = Server(folder, None, 0, *given)
        live = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        live.request("GET", "/health")
        assert live.getresponse().status == 200
        live.close()
        server.kill()
    [nightly] = re.findall(r"^15 3 \* \* \* assay (.*)$", DOC, re.M)
    words = shlex.split(nightly)
    assert words[0].endswith("assay")
    kept = int(words[words.index("--keep") + 1])
    (folder / "backups").mkdir()
    for day in range(kept):
        (folder / "backups" / f"assay-20250101-0000{day:02}.backup").touch()
    (folder / "backups" / "assay-by-hand.backup").touch()
    assay(*(str(folder) if word.endswith("my-study") else word for word in words[1:]))
    names = sorted(each.name for each in (folder / "backups").iterdir())
    assert len(names) == kept + 1
    assert "assay-20250101-000000.backup" not in names
    assert "assay-by-hand.backup" in names


def test_the_tools_try_the_recipes_of_the_page() -> None:
    recipe = proxy_of_several(8080, [8001, 8002, 8003], Path("/tmp/here"))
    assert len(re.findall(r"server 127\.0\.0\.1:800[123] max_fails=1 fail_timeout=2s;", recipe)) == 3
    assert "10.0.0." not in recipe
    assert "listen 127.0.0.1:8080;" in recipe
    alone, with_standby = settings_of("postgresql.conf")
    assert (alone["max_wal_senders"], with_standby) == ("4", {"synchronous_standby_names": "standby"})
    assert copy_command(Path("/tmp/copy"), 5433)[:4] == [
        "-D",
        "/tmp/copy",
        "-d",
        "host=127.0.0.1 port=5433 user=assay application_name=standby",
    ]
