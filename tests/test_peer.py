"""What stands between a peer and its figure: that it is there, that it is asked rightly, that it kept what it took.

The run of the tool with Potato itself is in test_tools.py, and skipped where Potato is not installed.
"""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tools import peer, potato
from tools.bench import SCORES
from tools.processes import Failed

ROOT = Path(__file__).parent.parent
PACKAGES = "lib/python3.11/site-packages"


def test_a_peer_that_is_not_installed_is_said_and_does_not_end_the_bench(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tools.peer", "--environment", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert "No peer is measured: potato-annotation" in done.stdout
    assert "python -m tools.peer --install" in done.stdout


def test_only_the_versions_that_are_named_are_measured(tmp_path: Path) -> None:
    for name, version in potato.VERSIONS.items():
        assert potato.missing(tmp_path)
        (tmp_path / PACKAGES / f"{name.replace('-', '_')}-{version}.dist-info").mkdir(parents=True)
    assert potato.missing(tmp_path) == ""
    kept = next((tmp_path / PACKAGES).glob("potato*"))
    kept.rename(kept.with_name("potato_annotation-1.0.dist-info"))
    assert "are not installed" in potato.missing(tmp_path)


def test_a_server_of_the_peer_that_ends_is_said_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    for name in ("potato", "gunicorn"):
        (tmp_path / "bin" / name).write_text("#!/bin/sh\necho no such project; exit 3\n")
        (tmp_path / "bin" / name).chmod(0o755)
    for served_by in potato.SERVED_BY:
        started = potato.potato(tmp_path, served_by, tmp_path)
        with pytest.raises(Failed, match=r"Potato ended at once\nno such project"), started as served:
            served.wait_until_ready()


async def ask_twice(said: str, closes: bool) -> int:
    """How many connections an annotator opens for two questions to a server that says and does this after each."""
    connections: set[asyncio.Task[None] | None] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.add(asyncio.current_task())
        while await reader.readline():
            await reader.readuntil(b"\r\n\r\n")
            writer.write(f"HTTP/1.1 200 OK\r\nConnection: {said}\r\nContent-Length: 2\r\n\r\nok".encode())
            if said == "close":
                await asyncio.sleep(0.1)  # whoever asks again meanwhile gets no answer
            if closes:
                break
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    annotator = potato.Annotator(server.sockets[0].getsockname()[1], "ana")
    for _ in range(2):
        assert (await annotator.ask("GET", "/annotate"))[2] == b"ok"
        if said != "close":
            await asyncio.sleep(0.1)
    await annotator.leave()
    server.close()
    await asyncio.wait(filter(None, connections))
    return len(connections)


@pytest.mark.parametrize(
    ("said", "closes", "opened"), [("keep-alive", False, 1), ("close", True, 2), ("keep-alive", True, 2)]
)
def test_an_annotator_keeps_a_connection_as_long_as_the_server_does(said: str, closes: bool, opened: int) -> None:
    assert asyncio.run(ask_twice(said, closes)) == opened


def keep(folder: Path, answers: dict[str, dict[str, str]]) -> None:
    """Write an annotator's file as Potato does."""
    file = folder / potato.ANSWERS / "ana" / "user_state.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    labels = {
        item: [[{"schema": scale, "name": score}, score] for scale, score in scores.items()]
        for item, scores in answers.items()
    }
    file.write_text(json.dumps({"instance_id_to_label_to_value": labels}), "utf-8")


def test_what_a_peer_acknowledged_and_did_not_keep_is_said(tmp_path: Path) -> None:
    ana = potato.Annotator(1, "ana")
    ana.judged = {"i1", "i2"}
    assert potato.not_on_disk(tmp_path, [ana]) == ["ana i1", "ana i2"]
    keep(tmp_path, {"i1": SCORES, "i2": {**SCORES, "overall": "1"}})
    assert potato.not_on_disk(tmp_path, [ana]) == ["ana i2"]
    keep(tmp_path, {"i1": SCORES, "i2": {scale: SCORES[scale] for scale in list(SCORES)[1:]}})
    assert potato.not_on_disk(tmp_path, [ana]) == ["ana i2"]
    keep(tmp_path, {"i1": SCORES, "i2": SCORES, "i3": SCORES})
    assert potato.not_on_disk(tmp_path, [ana]) == []


def test_the_faster_way_to_serve_the_peer_is_compared(capsys: pytest.CaptureFixture[str]) -> None:
    rates = {peer.OWN: 1000.0, potato.SERVED_BY[0]: 10.0, potato.SERVED_BY[1]: 25.0}
    peer.show({name: peer.Side([rate], [0.001], [0.002]) for name, rate in rates.items()}, peer.SMALLEST)
    assert f"40 times the pairs/s of Potato by {potato.SERVED_BY[1]}" in capsys.readouterr().out
