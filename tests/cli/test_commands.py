"""The command line, as a person or a script uses it: in processes of its own."""

import csv
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assay.cli import build, main
from tests.servers import ASSAY, Server, assay, command, prepared


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return prepared(tmp_path / "study", whole=True)


def test_a_study_goes_from_init_to_report_and_export(folder: Path) -> None:
    assert "no problems" in assay("check", folder)
    assert "48 items taken in" in assay("import", folder)
    assert "48 were there already" in assay("import", folder)
    assert json.loads(assay("simulate", folder, "--annotators", "2", "--json"))["submitted"] == 100, (
        "the 40 items of the pilot, and ten of them again"
    )
    assert "weighted kappa" in assay("report", folder, "--paper", folder / "paper")
    written = json.loads((folder / "paper" / "contents.txt").read_text("utf-8"))["files"]
    assert {"paper.tex", "methods.bib", "figures/agreement-1col.pdf", "figures/agreement-1col.png"} <= set(written)
    (folder / "paper" / "mine.tex").write_text("mine", "utf-8")
    assert "paper" in assay("report", folder, "--paper", folder / "paper", expect=1), "it holds something of mine"
    numbers = json.loads((folder / "report.json").read_text())
    assert numbers["overview"]["submissions"] == 80
    page = (folder / "report.html").read_text()
    assert "://" not in page.replace("http://www.w3.org/2000/svg", ""), "the report needs nothing from elsewhere"
    assert page.count("<script") == 1, "the one that its policy allows by hash"
    assay("export", folder)
    assay("export", folder, "--format", "jsonl", "--out", folder / "out.jsonl")
    with (folder / "judgments.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    lines = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    assert len(rows) == len(lines) == numbers["overview"]["judgments_stored"]
    work = [row for row in rows if row["source"] == "work"]
    assert len([row for row in work if row["pass"] == "1"]) == numbers["overview"]["judgments"]
    assert len({row["item"] for row in work}) == 40
    assert {row["system"] for row in work} == {"plain-lm", "tuned-lm", "guided-lm"}
    hashes = {line["study_hash"] for line in lines}
    assert hashes == {numbers["study_hash"]}
    assert all(line["submitted_at"].endswith("Z") and line["revision"] == 1 for line in lines)


def test_invite_makes_links_that_differ_and_are_not_stored(folder: Path) -> None:
    first = json.loads(assay("invite", folder, "--count", "2", "--coordinator", "--json"))
    again = json.loads(assay("invite", folder, "--name", "a1", "--json"))
    tokens = [each["link"].rsplit("/", 1)[1] for each in first + again]
    assert [each["name"] for each in first] == ["a1", "a2", "(coordinator)"]
    assert len(set(tokens)) == 4
    assert min(map(len, tokens)) >= 32
    stored = (folder / "assay.db").read_bytes() + (
        (folder / "assay.db-wal").read_bytes() if (folder / "assay.db-wal").exists() else b""
    )
    assert not any(token.encode() in stored for token in tokens)


def test_problems_in_a_study_file_end_with_exit_code_2_and_their_places(folder: Path) -> None:
    study = folder / "study.yaml"
    study.write_text(study.read_text().replace("order: random", "order: randon").replace("seed:", "sead:"))
    lines = study.read_text().splitlines()
    seed, order = lines.index(next(line for line in lines if line.startswith("sead:"))), lines.index("  order: randon")
    said = assay("check", folder, expect=2).splitlines()
    assert said[:4] == [
        f"{study}:{seed + 1}:1: unknown key 'sead'",
        "  hint: did you mean 'seed'?",
        f"{study}:{order + 1}:3: there is no order 'randon'",
        "  hint: write one of: fixed, random",
    ]
    assert said[-1] == "2 problems."
    found = command("check", folder, "--json")
    assert found.returncode == 2
    places = [each["where"] for each in json.loads(found.stdout)["problems"]]
    assert places == [f"{study}:{seed + 1}:1", f"{study}:{order + 1}:3"]


def test_wrong_items_are_listed_and_nothing_is_taken_in(folder: Path) -> None:
    items = folder / "items.csv"
    items.write_text("eval_id,user_statement,response,sample_id,model_tag\n1,a,b,c,d\n1,a,other,c,d\n,a,b,c,d\n3,a\n")
    said = assay("import", folder, expect=2)
    for words in ("row 3", "already in row 2", "row 4", "the id is empty", "row 5", "2 cells, the header 5"):
        assert words in said
    items.write_text("eval_id,user_statement,response,sample_id,model_tag\n1,a,b,c,d\n")
    assert "1 item taken in" in assay("import", folder)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["init", "nothing", "x"], "there is no template"),
        (["check", "missing"], "no such file"),
        (["export", ".", "--format", "pdf"], "there is no format"),
        (["invite", "."], "nobody is named"),
        (["simulate", "."], "no items yet"),
    ],
)
def test_mistakes_are_said_in_words_without_a_traceback(folder: Path, arguments: list[str], words: str) -> None:
    done = command(*arguments, cwd=folder)
    assert done.returncode in (1, 2)
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_init_does_not_write_over_anything(folder: Path) -> None:
    assert "not empty" in assay("init", "empathy", folder, expect=1)


def test_a_port_in_use_is_said_in_words(folder: Path) -> None:
    assay("import", folder)
    server = Server(folder)
    said = assay("serve", folder, "--port", str(server.port), expect=1)
    server.kill()
    assert "cannot listen" in said
    assert "--port" in said


def test_a_changed_study_waits_for_publish_once_work_has_begun(folder: Path) -> None:
    assay("import", folder)
    assay("simulate", folder, "--items", "1")
    study = folder / "study.yaml"
    study.write_text(study.read_text().replace("title: Overall", "title: All in all"))
    done = command("report", folder)
    assert "assay publish" in done.stderr
    assert "All in all" not in (folder / "report.html").read_text()
    first = assay("publish", folder, "--dry-run")
    assert 'overall: title is "All in all", before "Overall"' in first
    assert "nothing was changed" in first
    assert "no minor change" in assay("publish", folder, "--minor", "--dry-run", expect=1), "as without --dry-run"
    assert "no minor change" in assay("publish", folder, "--minor", expect=1)
    assert "is in force (2 so far)" in assay("publish", folder, "--reason", "a better heading")
    assay("simulate", folder, "--items", "1", "--prefix", "late")
    assay("report", folder)
    report = json.loads((folder / "report.json").read_text())
    assert len(report["methods"]["study_versions"]) == 2
    assert "All in all" in (folder / "report.html").read_text()


def test_a_study_under_another_name_is_said_to_be_new(folder: Path) -> None:
    assay("import", folder)
    study = folder / "study.yaml"
    study.write_text(study.read_text().replace("study: empathy", "study: empathy-2"))
    done = command("publish", folder, "--dry-run")
    assert "empathy-2 is a new study in this store; what was judged before stays with empathy." in done.stderr
    assert "empathy-2 is a new study" in command("status", folder).stderr
    assert "is a new study" not in command("status", folder).stderr


def test_every_command_has_help_with_its_options(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = [command.name for command in build().registered_commands]
    assert {"init", "check", "import", "invite", "serve", "simulate", "report", "export", "demo"} <= set(commands)
    for name in commands:
        monkeypatch.setattr(sys, "argv", ["assay", name, "--help"])
        with pytest.raises(SystemExit, match="0"):
            main()
        text = capsys.readouterr().out
        assert "Usage" in text
        assert len(text.splitlines()) > 5


def test_help_needs_no_heavy_imports() -> None:
    # What makes it slow is what it loads; the time itself is measured by `make bench`.
    script = "import sys, assay.cli; assay.cli.build(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout.split()
    assert not {"starlette", "sqlalchemy", "numpy", "pydantic", "jinja2", "alembic", "uvicorn", "rich"} & set(loaded)


def test_the_demo_serves_two_links_that_work(tmp_path: Path) -> None:
    import re

    from tests.servers import Annotator

    process = subprocess.Popen(
        [*ASSAY, "demo", "--folder", str(tmp_path / "demo"), "--port", "0"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    printed = ""
    deadline = time.monotonic() + 60
    while "Stop with Ctrl-C" not in printed and time.monotonic() < deadline:
        printed += process.stdout.readline()
    links = re.findall(r"http://127\.0\.0\.1:(\d+)(/join/\S+)", printed)
    assert len(links) == 2, printed
    person = Annotator(int(links[0][0]))
    person.enter(links[0][1])
    assert "/submit/" in person.page()
    watcher = Annotator(int(links[1][0]))
    watcher.ask("POST", "/join", {"token": links[1][1].rsplit("/", 1)[1]})
    assert "bot1" in watcher.ask("GET", "/coordinate/empathy")[1]
    assert (tmp_path / "demo" / "report.html").exists()
    process.terminate()
    process.wait(20)
    process.stdout.close()
