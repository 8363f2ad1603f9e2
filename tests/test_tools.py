"""Every measuring tool runs to its end, if only on the smallest study there is, and says so when it cannot."""

import ast
import re
import socket
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tools import crowd, faults, heavy_work, mutate, next_item_of_templates, originals, potato
from tools.bench import Measured, measured
from tools.day_growth import Look, Size, growth_not_explained, rows_not_explained, settled_hour
from tools.day_people import Done
from tools.processes import Failed, server

from assay.live.child import MOST_HERE
from assay.store import open_store
from assay.store.tables import metadata
from assay.study.templates import template_names
from tests.conftest import T0, make_bench
from tests.inviting import invite
from tests.servers import assay

ROOT = Path(__file__).parent.parent
IN_A_BROWSER = ["next_item", "next_item_of_templates"]
TOOLS = [
    "bench",
    "peer",
    "bench_statistics",
    "bench_live_agreement",
    "bench_export",
    "bench_import",
    "bench_report",
    *IN_A_BROWSER,
]
BY_HAND = ["several_servers", "long_day", "kills", "power_loss", "attack", "heavy_work", "crowd"]
"""Before a release (tools/promises.py): they take long."""
TRIED_ELSEWHERE = {"kills": "test_durability.py", "power_loss": "test_power_loss.py", "attack": "test_attack.py"}
LATER = pytest.mark.thorough("tools that are run by hand")
BROWSER = pytest.mark.browser
NO_PEER = potato.missing()
MARKS = {**dict.fromkeys(IN_A_BROWSER, BROWSER), "peer": pytest.mark.skipif(bool(NO_PEER), reason=NO_PEER)}
REST = [name for name in template_names() if name != "route-planning"]
OTHERS = pytest.mark.thorough("on other templates")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize(
    "tool",
    [
        *(pytest.param(name, marks=MARKS.get(name, ())) for name in TOOLS),
        *(pytest.param(name, marks=LATER) for name in BY_HAND if name not in TRIED_ELSEWHERE),
    ],
)
def test_a_tool_measures_the_smallest_there_is(tool: str) -> None:
    done = run("-m", f"tools.{tool}", "--smallest")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\d (ms|MB|s)\b|\d times|pairs/s", done.stdout), "it prints figures"


DAY = Size(annotators=5, items=100, hours=2, speed=60, more_memory=0.05, most_memory=200, more_a_submission=1.25)


def day(**last: float) -> list[str]:
    """What is wrong with a day of two hours, of which the last ended like this."""
    first = Look(hour=1, submitted=100, memory=100, handles=30, threads=5, data=2, log=4)
    after = replace(first, **{"hour": 2, "submitted": 200, "data": 3, **last})
    return growth_not_explained([first, after], before=1, size=DAY)


def test_a_long_day_says_what_has_grown_beyond_what_was_judged() -> None:
    assert day(memory=104, data=3.2) == []
    assert day(memory=106) == ["memory grew from 100.0 to 106.0 MB after the hour 1"]
    assert day(memory=201)[1:] == ["the server took 201.0 MB"]
    assert day(data=3.3) == ["a submission took 10,000 bytes in the first hour, and 13,000 later"]
    assert day(handles=61) == ["open files 30, then 61; threads 5, then 5"]
    assert day(log=65) == ["the database's log grew from 4.0 to 65.0 MB"]


def test_memory_settles_when_the_coordinators_figures_are_computed_elsewhere() -> None:
    look = Look(hour=1, submitted=100, memory=100, handles=30, threads=5, data=2, log=4)
    hours = [look, replace(look, hour=2, submitted=MOST_HERE + 1), replace(look, hour=3, submitted=9000)]
    assert settled_hour(hours).hour == 3
    assert settled_hour(hours[:2]).hour == 1


def test_a_long_day_finds_rows_that_nobody_has_made() -> None:
    before = dict.fromkeys(metadata.tables, 0)
    done = Done(submitted=10, problems=1)
    after = {**before, "submission": 10, "judgment": 50, "problem": 1, "assignment": 11}
    assert rows_not_explained(before, after, done, DAY) == []
    found = rows_not_explained(before, {**after, "submission": 9, "message": 1, "action": 2}, done, DAY)
    assert found == [
        "submission: 9 rows more, 10 expected",
        "action: 2 rows more, 1 expected",
        "message: 1 rows more, 0 expected",
    ]


@pytest.mark.browser
@pytest.mark.layout
def test_items_that_fit_are_counted() -> None:
    done = run("-m", "tools.fit", "--smallest")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"1366x768: 2 of 2 items fit \(100%\)", done.stdout)


@pytest.mark.browser
@pytest.mark.layout
@LATER
def test_pictures_are_taken(tmp_path: Path) -> None:
    done = run("-m", "tools.pictures", "--look", str(tmp_path), "--only", "dialog-pairs")
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(list(tmp_path.glob("*.png"))) == 4 * 3 * 2


def test_make_bench_runs_the_tools_that_are_tried_here() -> None:
    recipe = re.search(r"^bench:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert recipe
    assert sorted(re.findall(r"-m tools\.(\w+)", recipe[1])) == sorted(TOOLS)
    assert recipe[1].count("\n") == len(TOOLS)


@pytest.mark.parametrize("name", ["route-planning", *(pytest.param(name, marks=OTHERS) for name in REST)])
def test_what_a_study_takes_in_comes_out_again(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Its commands are forked from the loaded program: starting it a dozen times takes longer than what they do.
    monkeypatch.setattr(originals, "run", assay)
    monkeypatch.setattr(sys, "argv", ["originals", "--smallest", "--only", name])
    ended, said = originals.main(), capsys.readouterr().out
    assert ended == 0, said
    assert "Everything came out as it went in." in said
    assert f"{name:15} export" in said


def test_files_that_are_not_there_are_said(tmp_path: Path) -> None:
    (tmp_path / "empathy").mkdir()
    done = run("-m", "tools.originals", str(tmp_path))
    assert done.returncode == 1
    assert "there is no pilot_samples.csv or items.csv" in done.stdout


@pytest.mark.parametrize("way", [("-m", "tools.originals"), ("tools/originals.py",)])
def test_a_folder_without_a_study_is_no_success(way: tuple[str, ...], tmp_path: Path) -> None:
    for folder, said in (("missing", "there is no folder"), (".", "holds no study")):
        done = run(*way, str(tmp_path / folder))
        assert done.returncode == 1, done.stdout
        assert said in done.stdout, done.stdout + done.stderr
        assert "Everything" not in done.stdout


@pytest.mark.parametrize("name", ["in-car", pytest.param("trajectories", marks=OTHERS)])
def test_a_study_whose_files_hold_no_judgments_is_compared_with_what_bots_said(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(originals, "run", assay)
    monkeypatch.setattr(sys, "argv", ["originals", "--smallest", "--only", name])
    ended, said = originals.main(), capsys.readouterr().out
    assert ended == 0, said
    assert re.search(r"taken in again: all \d{3} answers are the same", said), said


def test_an_answer_that_is_lost_on_the_way_back_is_said() -> None:
    then = {("i1", "ana", "coherence"): "3", ("i2", "ana", "coherence"): "4"}
    assert originals.compare_answers(then, then, "answers") == "all 2 answers are the same"
    for now in ({}, {**then, ("i1", "ana", "coherence"): "5"}, {**then, ("i3", "ana", "coherence"): "5"}):
        with pytest.raises(Failed, match="missing"):
            originals.compare_answers(then, now, "answers")
    with pytest.raises(Failed, match="there is nothing to compare"):
        originals.compare_answers({}, {}, "answers")


def test_mutants_are_tried_with_tests_that_there_are() -> None:
    """Of a test that is not there pytest says that it failed, and the mutant would count as caught."""
    tests = {f"statistics/{name}" for named in mutate.TESTS.values() for name in named}
    tests |= {name for named in mutate.ELSEWHERE.values() for name in named.split()}
    assert [name for name in sorted(tests) if not (ROOT / "tests" / f"{name}.py").exists()] == []
    modules = {path.stem for path in (ROOT / "src" / "assay" / "statistics").rglob("*.py")}
    assert sorted(set(mutate.TESTS) - modules) == []


@pytest.mark.thorough("it breaks a formula and runs its tests")
def test_mutants_of_a_formula_are_caught() -> None:
    done = run("-m", "tools.mutate", "wilson", "--each", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "1 of 1 mutants caught"


@pytest.mark.thorough("it runs the tests of a formula")
def test_a_mutant_that_ends_by_time_is_not_counted_as_caught() -> None:
    done = run("-m", "tools.mutate", "wilson", "--each", "1", "--longest", "0.01")
    assert "    line " in done.stdout
    assert "ended by time: " in done.stdout
    assert done.stdout.splitlines()[-1] == "0 of 1 mutants caught, 1 ended by time"


@pytest.mark.thorough("it runs tests that have nothing to do with a module")
def test_no_mutant_is_tried_with_tests_that_do_not_use_its_module() -> None:
    done = run("-m", "tools.mutate", "erasures", "--of", "acts", "--tests", "test_markdown_text")
    assert done.returncode == 1
    assert "erasures.py: its tests pass although every function of it fails" in done.stdout
    assert done.stdout.splitlines()[-1] == "0 of 0 mutants caught"


def test_each_condition_of_a_statement_is_left_out_once() -> None:
    """What the store decides stands in its statements as often as in an `if`."""
    text = "DUE = Prepared(select(a).where(a.id == 1, or_(a.late, a.away.is_(None))).order_by(a.id.desc()))"
    found = {ast.unparse(broken) for _, _, broken in mutate.mutants(ast.parse(text), decisions=True)}
    true = "__import__('sqlalchemy').true()"
    where = "where(a.id == 1, or_(a.late, a.away.is_(None))).order_by(a.id.desc())"
    others = [
        where.replace("a.id == 1", true),
        where.replace("or_(a.late, a.away.is_(None))", true),
        where.replace("a.id == 1", "a.id != 1"),
        where.replace("a.id == 1", "a.id == 2"),
        where.replace("or_(", "__import__('sqlalchemy').and_("),
        where.replace("is_(", "is_not("),
        where.replace("desc()", "asc()"),
    ]
    assert found == {f"DUE = Prepared(select(a).{each})" for each in others}
    assert mutate.mutants(ast.parse(text)) == [], "formulas have none"


def test_gates_that_do_not_open_are_said_and_the_server_is_ended(tmp_path: Path) -> None:
    store = open_store(tmp_path / "assay.db")
    study_id = make_bench(store, tmp_path / "made", whole=True).study_id
    [(_, token)] = store.write(invite, study_id, ["ana"], T0)
    store.close()
    (tmp_path / "assay.db").rename(tmp_path / "made" / "assay.db")
    with pytest.raises(Failed, match="the gates do not open"), server(tmp_path / "made") as address:
        measured(address, [token], 1)
    where = urlsplit(address)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((str(where.hostname), int(where.port or 0)), timeout=5)


def test_a_server_that_does_not_start_is_said_with_its_reason(tmp_path: Path) -> None:
    with pytest.raises(Failed, match=r"ended at once\n.*study\.yaml: there is no such file"), server(tmp_path):
        pass


def test_a_tool_that_would_wait_for_ever_gives_up_and_says_where() -> None:
    done = run("-c", "import threading, tools.processes as p; p.end_loudly(threading.Event().wait, 1)")
    assert done.returncode == 1
    assert "failed: not done after 1 s (at threading.py:" in done.stderr


def test_a_template_whose_next_item_comes_late_is_named_with_its_figure() -> None:
    assert next_item_of_templates.missed({"empathy": 61.4, "in-car": 100.0}) == []
    assert next_item_of_templates.missed({"empathy": 61.4, "in-car": 131.6}) == ["in-car 132 ms"]


@pytest.mark.parametrize(
    ("save", "looks", "said"),
    [
        (0.19, [100.0] * 50, []),
        (0.21, [100.0] * 50, ["a save takes 210 ms"]),
        (0.19, [100.0] * 40 + [106.0] * 10, ["memory grew from 100 to 106 MB"]),
    ],
    ids=["neither", "a long wait", "memory that grows"],
)
def test_of_a_crowd_long_waits_and_memory_that_grows_are_faults(
    save: float, looks: list[float], said: list[str]
) -> None:
    memory = crowd.Memory(0, 600)
    memory.looks = looks
    assert crowd.faults(Measured(0, [0.01] * 100, [save] * 100), memory, crowd.WHOLE) == said


def test_heavy_work_that_is_not_done_is_no_measurement() -> None:
    nowhere = heavy_work.Place("http://127.0.0.1:1", "", "", rows=1)
    done: list[int] = []
    ends = pytest.raises(Failed, match="report: who asked for it ended with 1, after 0 answers")
    with ends, heavy_work.beside("report", nowhere, done):
        pass
    with heavy_work.beside("nothing", nowhere, done):
        assert done == []


def test_faults_begin_when_everybody_is_at_work() -> None:
    outcome, done = faults.Outcome(), list[str]()
    acts = {"a server is killed": lambda: done.append("killed")}
    thread = threading.Thread(target=faults.one_after_another, args=(acts, 0, outcome), daemon=True)
    thread.start()
    thread.join(0.2)
    assert done == []
    outcome.all_in.set()
    thread.join(10)
    assert (done, outcome.broken, outcome.share) == (["killed"], "", 1.0)


@pytest.mark.parametrize("failure", [Failed("it goes on"), subprocess.TimeoutExpired("serve", 30), OSError()])
def test_a_fault_that_cannot_be_made_is_no_good_run(failure: Exception) -> None:
    def act() -> None:
        raise failure

    outcome, after = faults.Outcome(), list[str]()
    outcome.all_in.set()
    faults.one_after_another({"leave": act, "start": lambda: after.append("started")}, 0, outcome)
    assert outcome.broken == (str(failure) or type(failure).__name__)
    assert after == []
