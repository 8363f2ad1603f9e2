"""A study whose judgments all came from files: no section speaks of what happens on a page, for nobody saw one."""

import csv
import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

from assay.fieldwork import AnnotatorProgress, Fieldwork
from assay.report.build import Report
from assay.report.sources import Sources
from assay.study import load
from assay.study.templates import HERE, copy_template
from tests.report.known import answers, line, one, report
from tests.selection import first_of
from tests.servers import command as run

TEMPLATES = ("dialog-pairs", "route-planning", "empathy", "trajectories", "in-car")

OF_A_PAGE = (
    *(r"\bpages?\b", r"\bsides?\b", r"\bgates?\b", r"stood on the left", r"\binvited\b", r"the link\b"),
    *("Where do people stop", "What did annotators have to pass", r"\btr(y|ies)\b", "Going back", "unmarked"),
    *("How long did it take", r"\bminutes?\b", r"\bseconds\b", r"\btimes are\b", "too fast", r"[Dd]rift", "session"),
    *(
        "declined",
        "came too late",
        "given to",
        "Half-way",
        "Not begun",
        "another place",
        "was drawn for",
        "sent to them",
        "in the order in which",
        "annotators saw",
    ),
)
"""What can be said only of judgments that were given on a page, as patterns."""

UNIT = re.compile(r"\d+ sides of \d+ items|fewer than \d+ sides")
"""What people agree on in a comparison is called so wherever it is counted."""


def imported(template: str, folder: Path) -> Path:
    """The template with judgments from files and from nowhere else."""
    copy_template(template, folder)
    FILL[template](folder)
    return folder


def _take(folder: Path, *options: str) -> None:
    done = run("import", str(folder), *options)
    assert done.returncode == 0, done.stderr


def _of_their_file(folder: Path) -> None:
    _take(folder, "--with-judgments")


def _of_another_file(folder: Path) -> None:
    _take(folder, "--items", str(folder / "existing.csv"), "--with-judgments")


def _of_sheets(folder: Path) -> None:
    """Two people have scored every reply in a table of their own."""
    _take(folder)
    file = folder / "given.csv"
    names = ("emotion", "validation", "helpfulness", "safety", "overall")
    with (folder / "items.csv").open(encoding="utf-8", newline="") as source:
        rows = list(csv.DictReader(source))
    with file.open("w", encoding="utf-8", newline="") as out:
        sheet = csv.writer(out)
        sheet.writerow(["eval_id", "annotator_id", *names, "notes"])
        for at, row in enumerate(rows):
            for shift, who in enumerate(("ana", "ben")):
                sheet.writerow([row["eval_id"], who, *(1 + (at + shift * (at % 3)) % 5 for _ in names), ""])
    _take(folder, "--sheet", str(file))


def _of_rows(folder: Path) -> None:
    """Each sample has the choice of one person between its candidates, and how sure they were."""
    study, samples = folder / "study.yaml", folder / "samples.json"
    before, _, rest = study.read_text("utf-8").partition("  judgments:")
    where = "  judgments:\n    - annotator: by\n      values: {preference: chosen, confidence: sure}\n  show:\n"
    study.write_text(before + where + rest.partition("  show:\n")[2], "utf-8")
    content = json.loads(samples.read_text("utf-8"))
    for at, row in enumerate(content["samples"]):
        pair = row["model_a_name"], row["model_b_name"]
        row |= {"by": "ana", "chosen": pair[at % 2], "sure": 1 + at % 5}
    samples.write_text(json.dumps(content), "utf-8")
    _take(folder, "--with-judgments")


FILL = {
    "dialog-pairs": _of_their_file,
    "route-planning": _of_another_file,
    "empathy": _of_sheets,
    "trajectories": _of_rows,
    "in-car": _take,
}


USUAL = ("dialog-pairs", "empathy", "route-planning")
OTHERS = [name for name in TEMPLATES if name not in USUAL]


@pytest.fixture(scope="module", params=first_of(USUAL, OTHERS, "on other templates"))
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = imported(request.param, tmp_path_factory.mktemp("files") / request.param)
    done = run("report", str(made))
    assert done.returncode == 0, done.stderr
    (made / "said.txt").write_text(done.stdout, "utf-8")
    return made


def words_of(page: str) -> str:
    """What a reader of a page reads, drawings and tables included."""
    page = re.sub(r"<(style|script).*?</\1>", "", page, flags=re.DOTALL)
    return UNIT.sub("", html.unescape(re.sub(r"<[^>]+>", "\n", page)))


def said_of_a_page(words: str) -> list[str]:
    lines = [line.strip() for line in words.splitlines() if any(re.search(each, line) for each in OF_A_PAGE)]
    return sorted(set(lines))


def numbers(folder: Path) -> Any:
    return json.loads((folder / "report.json").read_text("utf-8"))


def test_a_report_made_only_from_files_says_nothing_of_pages_sides_gates_and_times(folder: Path) -> None:
    assert said_of_a_page(words_of((folder / "report.html").read_text("utf-8"))) == []
    assert said_of_a_page(UNIT.sub("", (folder / "said.txt").read_text("utf-8"))) == []


def test_it_says_where_its_judgments_come_from(folder: Path) -> None:
    said = (folder / "said.txt").read_text("utf-8")
    made = numbers(folder)["overview"]
    assert made["sources"]["page"] == made["sources"]["sheet"] == 0
    if folder.name == "in-car":
        assert made["sources"] == {"page": 0, "sheet": 0, "file": 0, "judges": 16}
        return
    assert made["sources"]["file"] == made["submissions"]
    assert f"{made['submissions']} submissions from files" in said
    assert "From files: " in said


def test_the_status_says_from_files_and_no_minutes(folder: Path) -> None:
    done = run("status", str(folder))
    assert done.returncode == 0, done.stderr
    assert not re.search(r"\d min\b", done.stdout)
    rows = json.loads(run("status", str(folder), "--json").stdout)["annotators"]
    assert all(row["active_minutes"] is None and row["from_files"] == row["submitted"] for row in rows)
    assert done.stdout.count("(from files)") == len(rows)


def test_what_is_not_known_of_somebody_is_no_zero(folder: Path) -> None:
    found = numbers(folder)
    assert set(found["overview"]["minutes"].values()) <= {None}
    assert found["time"]["active_hours"] is None
    assert all(not row["given"] and row["from_files"] for row in found["missing"]["annotators"])


# Some from files, some on the page

PEOPLE = ("ana", "ben")


def mixed() -> Report:
    """Two people on the page and two from a file, on the same thirty items, on which one of each rises by the end."""
    given = []
    for at in range(30):
        for who, source in (("ana", "work"), ("ben", "work"), ("cem", "imported"), ("dea", "imported")):
            value = 1 + (at // 10 if who in ("ana", "cem") else 1 + at % 2)
            about = {"source": source, "active_ms": 30_000 if source == "work" else None, "position": at + 1}
            given += answers(f"i{at}", who, {"emotion": value}, **about)
    people = [AnnotatorProgress(name, 30, 30) for name in PEOPLE]
    people += [
        AnnotatorProgress(name, 30, 30, active_ms=None, from_files=30, elsewhere=True) for name in ("cem", "dea")
    ]
    return report(load(HERE / "empathy"), given, fieldwork=Fieldwork(state="closed", annotators=people))


@pytest.fixture(scope="module")
def both() -> Report:
    return mixed()


def test_a_mixed_study_says_both(both: Report) -> None:
    assert line(both, "Where they come from") == (
        "Where they come from: 60 submissions on the page, 60 submissions from files."
    )
    assert line(both, "Of 60 submissions on sheets or from files no times are known")
    assert line(both, "cem, dea are known from files alone: what they had to pass")
    assert line(both, "Not watched (").endswith("): 60 submissions from files.")
    assert "did not come by the page" in line(both, "From files: 60 submissions")
    page = words_of(both.html())
    assert "holds for the others" in page
    assert "Blinding: annotators saw only" in page


def test_the_rows_of_a_file_are_no_course_of_the_work(both: Report) -> None:
    rows = one(both.numbers()["annotators"]["dimensions"], dimension="emotion")["annotators"]
    drift = {row["annotator"]: row["drift"] for row in rows}
    assert drift["ana"]["value"] is not None
    assert drift["cem"]["value"] is None
    assert "in which order they were given is not known" in drift["cem"]["undefined"]
    assert {row["annotator"] for row in both.numbers()["figures"]["drift"]["all"]} == set(PEOPLE)


def test_nobody_who_is_known_from_a_file_was_given_an_item(both: Report) -> None:
    rows = {row["annotator"]: row for row in both.numbers()["missing"]["annotators"]}
    assert [(rows[who]["given"], rows[who]["from_files"]) for who in ("ana", "cem")] == [(30, 0), (0, 30)]
    assert rows["cem"]["not_begun"] == 0
    assert "What became of everybody's items" in both.html()


def test_one_submission_is_said_in_the_singular() -> None:
    assert Sources(page=0, sheet=1, file=1, judges=0).in_words() == "1 submission on sheets, 1 submission from files"
    assert not Sources(page=0, sheet=0, file=0, judges=0).is_elsewhere, "a study that has not begun is none from files"
