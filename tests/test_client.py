"""The client for scripts, against a real server."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from getpass import getuser
from pathlib import Path
from typing import Any

import httpx2
import pandas
import pytest

from assay import client as client_module
from assay.client import ApiError, Client
from assay.notebook import open_notebook
from tests.conftest import Bench
from tests.servers import Annotator, Server, assay, links, prepared, running
from tests.web.scripts import ANSWERS, new_token


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Server, str]]:
    """A study on a server, with a token that is good for everything."""
    folder = prepared(tmp_path_factory.mktemp("client") / "study", items=6)
    assay("import", folder)
    scopes = [part for scope in ("read", "manage", "judge", "export") for part in ("--scope", scope)]
    token = json.loads(assay("token", folder, "--name", "nightly", *scopes, "--json"))["token"]
    server = Server(folder)
    yield folder, server, token
    server.kill()


def test_a_script_does_everything_that_a_study_needs(served: tuple[Path, Server, str], tmp_path: Path) -> None:
    folder, server, token = served
    person = Annotator(server.port)
    [link] = links(folder, 1)
    person.enter(link)
    with Client(f"http://127.0.0.1:{server.port}/", token) as client:
        assert client.studies()[0]["items"] == 6
        row = {"eval_id": "new", "user_statement": "a", "response": "b", "sample_id": "s", "model_tag": "m"}
        assert client.add_items("empathy", [row])["added"] == 1
        assert [each["item"] for each in client.items("empathy")] == [*(f"i{n}" for n in range(6)), "new"]
        assert client.invite("empathy", "zoe")["zoe"].startswith(f"http://127.0.0.1:{server.port}/join/")
        assert client.set_annotator("empathy", "zoe", state="released", reason="no time")["state"] == "released"
        client.message("empathy", "zoe", "Thank you.")
        judged = 0
        while tasks := client.assignments("empathy", "a1", ahead=2):
            for task in tasks:
                assert "reply" in json.dumps(task["shown"]) or "b" in task["shown"]["response"]
                assert client.submit("empathy", "a1", task, ANSWERS, active_ms=4000)["submission"]
                judged += 1
        assert judged == 7
        lines = list(client.judgments("empathy"))
        assert len(lines) == 7 * 5
        assert all(0 <= line["active_seconds"] <= 4 for line in lines), "and never more than has passed"
        assert client.flags("empathy") is not None
        assert client.report("empathy")["overview"]["submissions"] == 7
        path = client.export("empathy", "csv", tmp_path / "out.csv")
        assert path.read_text("utf-8").count("\n") >= 35
        assert (tmp_path / "out.csv.dictionary.csv").read_text("utf-8").startswith("file,column,of,")
        assert client.set_state("empathy", "closed", "done")["state"] == "closed"
        assert {each["by"] for each in client.actions("empathy")} == {"token nightly", getuser()}
        client.set_state("empathy", "open")


def test_what_the_server_refuses_is_said_in_its_words(served: tuple[Path, Server, str]) -> None:
    _, server, token = served
    with Client(f"http://127.0.0.1:{server.port}", token) as client:
        with pytest.raises(ApiError, match=r"404: address: there is nothing here"):
            client.study("nothing")
        with pytest.raises(ApiError, match="the id is empty") as caught:
            client.add_items(
                "empathy", [dict.fromkeys(("eval_id", "user_statement", "response", "sample_id", "model_tag"), "")]
            )
        assert caught.value.status == 422
        assert caught.value.problems[0]["where"].startswith("items.jsonl: row 1")
        with pytest.raises(ApiError, match="404"):
            list(client.judgments("nothing"))
        with pytest.raises(ApiError, match="404"):
            client.export("empathy", "nothing", Path("out"))
    with Client(f"http://127.0.0.1:{server.port}", "wrong") as client, pytest.raises(ApiError, match="401"):
        client.studies()


class Unreliable(httpx2.BaseTransport):
    """A connection that loses the first answers, after the server has done what was asked."""

    def __init__(self, inner: httpx2.BaseTransport, lost: int) -> None:
        self.inner, self.lost = inner, lost
        self.keys: list[str] = []

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        self.keys.append(request.headers.get("Idempotency-Key", ""))
        answer = self.inner.handle_request(request)
        if self.lost > 0:
            self.lost -= 1
            raise httpx2.ReadError("the connection was lost")
        return answer


def test_a_lost_answer_is_asked_for_again_under_the_same_key_and_nothing_is_done_twice(
    sqlite_bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "FIRST_WAIT", 0)
    inside: Any = sqlite_bench.client()._transport
    unreliable = Unreliable(inside, lost=2)
    sqlite_bench.link("zoe")
    with Client("http://testserver", new_token(sqlite_bench), transport=unreliable) as client:
        client.message("empathy", "zoe", "Hello.")
        assert len(unreliable.keys) == 3
        assert len(set(unreliable.keys)) == 1
        assert unreliable.keys[0]
        assert [each["what"] for each in client.actions("empathy")] == ["message"]
        unreliable.lost = 1
        with pytest.raises(ApiError, match="no answer came"):
            client.invite("empathy", count=1)  # a link is a secret: it is not kept, so it cannot be sent again
        assert len(unreliable.keys) == 5


def test_tokens_are_listed_and_revoked(served: tuple[Path, Server, str]) -> None:
    folder, server, _ = served
    made = assay("token", folder, "--name", "short", "--scope", "read", "--days", "1")
    with Client(f"http://127.0.0.1:{server.port}", made.split()[0]) as client:
        assert client.study("empathy")["study"] == "empathy"
        assert "short: read; good" in assay("token", folder, "--list")
        assert "is good no longer" in assay("token", folder, "--revoke", "short")
        assert "short: read; revoked" in assay("token", folder, "--list")
        with pytest.raises(ApiError, match="401"):
            client.study("empathy")
    assert "there is a token 'short' already" in assay("token", folder, "--name", "short", "--scope", "read", expect=1)
    assert "there is no scope 'write'" in assay("token", folder, "--name", "b", "--scope", "write", expect=1)
    assert "no scope is named" in assay("token", folder, "--name", "b", expect=1)
    assert "nobody in this study" in assay(
        "token", folder, "--name", "b", "--scope", "judge", "--annotator", "nobody", expect=1
    )


def test_the_script_in_the_documentation_prints_what_stands_there(tmp_path: Path) -> None:
    page = (Path(__file__).parent.parent / "docs" / "api.md").read_text("utf-8")
    script = re.search(r"^\*\*`nightly.py`\*\*\n\n```python\n(.*?)^```", page, re.M | re.S)
    said = re.search(r"^```text\n(.*?)^```", page, re.M | re.S)
    assert script
    assert said
    folder = prepared(tmp_path / "study")
    assay("import", folder)
    token = json.loads(assay("token", folder, "--name", "n", "--scope", "read", "--scope", "manage", "--json"))["token"]
    (tmp_path / "nightly.py").write_text(script[1], "utf-8")
    with running(folder) as server:
        environment = {**os.environ, "ASSAY_URL": f"http://127.0.0.1:{server.port}", "ASSAY_TOKEN": token}
        run = [sys.executable, tmp_path / "nightly.py"]
        done = subprocess.run(run, env=environment, capture_output=True, text=True)
    assert done.stdout == said[1], done.stderr


def test_a_study_on_a_server_opens_in_a_notebook_as_its_folder_does(tmp_path: Path) -> None:
    folder = prepared(tmp_path / "study", items=6)
    assay("import", folder)
    scopes = [part for scope in ("read", "judge", "export") for part in ("--scope", scope)]
    token = json.loads(assay("token", folder, "--name", "n", *scopes, "--json"))["token"]
    with running(folder) as server:
        address = f"http://127.0.0.1:{server.port}"
        [link] = links(folder, 1)
        Annotator(server.port).enter(link)
        with Client(address, token) as client:
            for task in client.assignments("empathy", "a1", ahead=3):
                client.submit("empathy", "a1", task, ANSWERS, active_ms=4000)
        there, here = open_notebook(address, token, "", ""), open_notebook(str(folder), "", "", "")
        assert len(here.judgments) > 0
        for name in ("judgments", "items", "annotators", "agreed"):
            pandas.testing.assert_frame_equal(getattr(there, name), getattr(here, name), obj=name)
        assert there.report["overview"] == here.report["overview"]
        assert set(there.figures) == set(here.figures)
        assert all(each._repr_svg_().startswith("<svg") for each in there.figures.values())
        there.close()
