"""The campaigns of tools/attack.py: their smallest run finds nothing, and each of them can find something."""

import re
import subprocess
import sys
from base64 import b64encode
from pathlib import Path
from random import Random

import pytest
from tools.attack import CAMPAIGNS, carry_out
from tools.attack_content import hits, unsafe_parts
from tools.attack_files import read, spoiled
from tools.attack_scene import LOOPBACK, MARK, PAYLOADS, Scene

ROOT = Path(__file__).parent.parent


@pytest.mark.thorough("a tool that is run by hand; tests/web tries each of these attacks by itself")
def test_the_smallest_run_of_every_campaign_finds_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.attack", "--smallest"], cwd=ROOT, capture_output=True, text=True, timeout=500
    )
    assert done.returncode == 0, done.stdout + done.stderr
    said = re.findall(r"^(\w+) +([\d,]+) tried", done.stdout, re.M)
    tried = {name: int(count.replace(",", "")) for name, count in said}
    assert set(tried) == set(CAMPAIGNS)
    assert tried["access"] > 400
    assert tried["csrf"] > 150
    assert tried["xss"] > 80
    assert tried["canaries"] > 40
    assert "stopped" not in done.stdout


def test_a_campaign_that_is_stopped_before_its_end_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = Scene("", Path(), None, None, 0, {})  # type: ignore[arg-type]
    monkeypatch.setitem(CAMPAIGNS, "files", lambda found, size: iter([(1000, []), (1, ["a finding of its end"])]))
    [stopped] = carry_out(scene, ["files"], 1, seconds=-1).values()
    assert (str(stopped), stopped.wrong) == ("1,000 (stopped after -1 s)", [])
    [whole] = carry_out(scene, ["files"], 1, seconds=60).values()
    assert (str(whole), whole.wrong) == ("1,001", ["a finding of its end"])
    first, second, _ = capsys.readouterr().out.splitlines()
    assert "stopped after" in first
    assert "stopped" not in second


AS_HTML = [each for each in PAYLOADS if not any(sign in each for sign in ("{", "&", "]("))]


@pytest.mark.parametrize("payload", AS_HTML)
def test_a_payload_that_a_page_does_not_escape_is_found(payload: str) -> None:
    assert unsafe_parts(f"<p>{payload}</p><textarea>{payload}</textarea>")


@pytest.mark.parametrize(
    "page", [f"<a href='javascript:{MARK}()'>", f"<p on{MARK}=1>", f"<script>var a = '{MARK}'</script>"]
)
def test_what_would_run_in_another_way_is_found(page: str) -> None:
    assert unsafe_parts(page)


def test_a_payload_that_is_text_is_no_finding() -> None:
    assert unsafe_parts(f"<p title='&lt;{MARK}&gt;'>&lt;{MARK}&gt; {MARK}</p>") == []
    assert unsafe_parts(f'<script type="application/json">"{MARK}"</script>') == []


def test_a_hidden_word_is_found_however_it_is_written() -> None:
    word = "canary0123456789abcdef"
    for form in (word, word[::-1], word.upper(), word.encode().hex(), b64encode(b"ab" + word.encode()).decode()):
        assert hits({"system": word}, f"<p>{form}</p>".encode()) == ["system"]
    assert hits({"system": word}, b"<p>nothing of it</p>") == []


def test_a_reader_that_stumbles_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumbles(_: Path) -> None:
        raise KeyError("x")

    monkeypatch.setattr("tools.attack_files.load_with_mistakes", stumbles)
    assert read(tmp_path) == "KeyError: 'x'"
    assert spoiled(b"study: x\n" * 20, Random(1)) != b"study: x\n" * 20


def test_campaigns_reach_this_machine_alone() -> None:
    assert set(LOOPBACK) == {"127.0.0.1", "::1", "localhost"}
    options = (ROOT / "tools" / "attack.py").read_text("utf-8")
    assert "--address" not in options
    assert "--host" not in options
