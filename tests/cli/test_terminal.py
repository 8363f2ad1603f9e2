"""What a study is called, or holds, does not steer the terminal of whoever looks at it."""

import os
import pty
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.servers import assay, command, prepared

ESCAPE = "\x1b]0;owned\x07\x1b[31m"


def on_a_terminal(*arguments: str | Path) -> str:
    """What a command shows on a terminal of its own."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([sys.executable, "-m", "assay", *map(str, arguments)], stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    with suppress(OSError):  # the end of a terminal
        while part := os.read(ours, 65536):
            shown += part
    os.close(ours)
    process.wait(60)
    return shown.decode()


def test_no_escape_sequence_reaches_a_terminal(tmp_path: Path) -> None:
    folder = prepared(tmp_path / "study", 3)
    study = folder / "study.yaml"
    lines = study.read_text("utf-8").splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("title:"))
    lines[at] = 'title: "Hello \\e]0;owned\\a\\e[31m"'
    study.write_text("\n".join(lines), "utf-8")
    items = folder / "items.csv"
    items.write_text(items.read_text("utf-8").replace("i1,", f"{ESCAPE}i1,").replace("i2,", f"{ESCAPE}i2,,"), "utf-8")
    for arguments in (("check", folder), ("import", folder), ("status", folder), ("import", f"/nowhere/{ESCAPE}")):
        shown = on_a_terminal(*arguments)
        assert len(shown) > 20
        assert "\x1b]" not in shown
        assert "\x07" not in shown
        assert "\x1b[31m" not in shown


@pytest.mark.parametrize("source", ["../secret.csv", "/etc/passwd", "link.csv"])
def test_items_are_read_from_the_studys_folder_unless_another_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    folder = prepared(tmp_path / "study", 3)
    secret = tmp_path / "secret.csv"
    secret.write_text((folder / "items.csv").read_text())
    (folder / "link.csv").symlink_to(secret)
    study = folder / "study.yaml"
    study.write_text(study.read_text("utf-8").replace("source: items.csv", f"source: {source}"), "utf-8")
    for name in ("check", "import"):
        done = command(name, folder)
        assert done.returncode != 0
        assert "lies outside the study's folder" in done.stdout + done.stderr
    if source != "/etc/passwd":
        assay("import", folder, "--items", secret, "--join", folder / "mapping.json")
        done = subprocess.run(
            [sys.executable, "-m", "assay", "check", str(folder)],
            env={**os.environ, "ASSAY_ALLOW_OUTSIDE": str(tmp_path)},
            capture_output=True,
            text=True,
        )
        assert "lies outside" not in done.stdout + done.stderr
