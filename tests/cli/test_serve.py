"""Starting a server: what it prints, the coordinator's link, and what does not fit how it is reached."""

import json
from pathlib import Path

import pytest

from assay.cli.serve import _doubts
from tests.servers import Annotator, Server, assay, command, prepared, running


def opens(server: Server, link: str) -> bool:
    """Whether a coordinator's link is good."""
    who = Annotator(server.port)
    who.ask("POST", "/join", {"token": link.rsplit("/", 1)[1]})
    return who.ask("GET", "/coordinate/empathy")[0] == 200


def test_the_coordinators_link_is_printed_once_and_a_new_one_ends_the_earlier(tmp_path: Path) -> None:
    folder = prepared(tmp_path / "study", 3)
    with running(folder) as server:
        first = server.coordinator
        assert opens(server, first)
    for _ in range(3):
        with running(folder) as server:
            assert server.coordinator == "", "a link is good: no start prints another"
    with running(folder) as server:
        made = command("invite", folder, "--coordinator", "--json")
        [new] = json.loads(made.stdout)
        assert "has ended" in made.stderr, "the earlier one is listed"
        assert opens(server, new["link"])
        assert not opens(server, first)
        [kept] = json.loads(assay("invite", folder, "--coordinator", "--keep-earlier", "--json"))
        assert opens(server, new["link"])
        assert opens(server, kept["link"])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--trusted-proxy", "proxy.example"], "proxy.example is no address of a proxy"),
        (["--trusted-proxy", "0.0.0.0/0"], "0.0.0.0/0 is everybody"),
        (["--trusted-proxy", "*"], "* is no address of a proxy"),
        (["--public-address", "https://study.example.org"], "nothing here speaks TLS"),
        (["--public-address", "study.example.org"], "is no address of a server"),
        (["--public-address", "https://study.example.org/path", "--behind-proxy"], "is no address of a server"),
        (["--public-address", "http://a.example", "--tls-cert", "c", "--tls-key", "k"], "this server speaks TLS"),
    ],
)
def test_a_server_does_not_start_where_it_could_not_be_reached_as_said(
    tmp_path: Path, given: list[str], words: str
) -> None:
    said = assay("serve", tmp_path, "--port", "0", *given, expect=1)
    assert words in said
    assert "hint:" in said


def test_what_may_be_meant_otherwise_is_said_at_the_start() -> None:
    def said(host: str, proxies: list[str], public: str = "https://a.example", tls: bool = False) -> str:
        return "\n".join(_doubts(host, tls=tls, proxies=proxies, public_address=public))

    here = ["127.0.0.1", "::1"]
    assert said("127.0.0.1", here) == said("0.0.0.0", ["10.0.0.5"]) == said("0.0.0.0", [], tls=True) == ""
    assert "--trusted-proxy" in said("0.0.0.0", here)
    assert "without TLS" in said("0.0.0.0", [], "")
    assert "--public-address" in said("0.0.0.0", ["10.0.0.5"], "")
