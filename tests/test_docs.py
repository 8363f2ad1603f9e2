"""What is not documented fails here, and so does a page whose commands or files do not work."""

import csv
import importlib.util
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import typing
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import urlopen

import pytest

from assay.cli import build
from assay.judging.judges_file import judges_type
from assay.kinds import FAMILIES, INPUTS, Settings
from assay.markdown_file import MarkdownFile
from assay.study.field_types import OneKind
from assay.study.schema import study_type
from assay.study.templates import HERE, template_names
from assay.study.yaml import read
from assay.web.static_files import scripts
from assay.words import ENGLISH
from tests import servers

ROOT = Path(__file__).parent.parent
spec = importlib.util.spec_from_file_location("reference", ROOT / "tools" / "reference.py")
assert spec is not None
assert spec.loader is not None
reference = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reference)

PAGES = reference.pages()
PAGE_OF = {"statistic": "statistics.md", "judge": "judges-file.md"}
"""The page that a kind stands on, where it is not that of the study file."""
WRITTEN = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]
every_template = pytest.mark.parametrize("name", template_names())


# The reference


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_reference_page_says_what_the_code_says(name: str) -> None:
    written = (ROOT / "docs" / name).read_text("utf-8")
    assert written == PAGES[name], "run `make docs` and commit what it writes"


@pytest.mark.parametrize(("family", "kind"), [(name, kind) for name, family in FAMILIES.items() for kind in family])
def test_every_kind_is_in_the_reference(family: str, kind: str) -> None:
    page = PAGES[PAGE_OF.get(family, "study-file.md")]
    headed = ("input", "display", "gate", "derivation", "monitor", "judge")
    assert (f"\n#### {family.capitalize()} `{kind}`\n" if family in headed else f"`{kind}`") in page


@pytest.mark.parametrize(
    ("family", "name"),
    [(family, name) for family, kinds in FAMILIES.items() for name, kind in kinds.items() if hasattr(kind, "example")],
)
def test_the_reference_shows_each_kind_by_an_example_that_can_be_copied(family: str, name: str) -> None:
    page = PAGES[PAGE_OF.get(family, "study-file.md")]
    part = page.split(f"\n#### {family.capitalize()} `{name}`\n")[1].split("\n#### ")[0]
    found = re.search(r"```yaml\n(.*?)```", part, re.S)
    assert found
    assert read(found[1]).data == {name: FAMILIES[family][name].example}


def test_every_module_is_in_the_list_of_modules() -> None:
    source = ROOT / "src" / "assay"
    files = [*source.rglob("*.py"), *source.rglob("*.js")]
    listed = set(re.findall(r"^- `([^`]+)`", PAGES["design/modules.md"], re.M))
    assert {path.name for path in files if "versions" not in path.parts and path.read_text("utf-8")} <= listed


def test_every_command_is_in_the_reference() -> None:
    for command in build().registered_commands:
        assert f"## `assay {command.name}`" in PAGES["commands.md"]


@pytest.mark.parametrize("name", ["study-file.md", "judges-file.md"])
def test_every_key_of_a_file_has_words(name: str) -> None:
    empty = [line for line in PAGES[name].splitlines() if re.fullmatch(r"\| `.*\|\s*\|", line)]
    assert empty == []


def settings_in(annotation: Any) -> Iterator[type[Settings]]:
    if isinstance(annotation, type) and issubclass(annotation, Settings) and annotation is not MarkdownFile:
        yield annotation
    for part in typing.get_args(annotation):
        yield from settings_in(part)


def all_settings(model: type[Settings], seen: dict[type[Settings], None]) -> None:
    if model not in seen:
        seen[model] = None
        for field in model.model_fields.values():
            for inner in settings_in(field.annotation):
                all_settings(inner, seen)


@pytest.mark.parametrize(
    ("name", "model", "parts"), [("study-file.md", study_type(), 30), ("judges-file.md", judges_type(), 8)]
)
def test_every_key_of_every_part_of_a_file_stands_in_a_table_of_its_reference(
    name: str, model: type[Settings], parts: int
) -> None:
    found: dict[type[Settings], None] = {}
    all_settings(model, found)
    tables = [
        set(re.findall(r"^\| `([^`]+)` \|", table, re.M)) for table in re.findall(r"(?:^\|.*\n)+", PAGES[name], re.M)
    ]
    assert len(found) > parts
    for model in found:
        kinds = set(model._kind_keys()) if issubclass(model, OneKind) else set()
        kinds |= set(FAMILIES["monitor"]) if model.__name__ == "Monitors" else set()
        keys = {field.alias or name for name, field in model.model_fields.items()} - kinds
        assert not keys or keys in tables, f"{model.__name__}: {', '.join(sorted(keys))}"


# Every page


def test_the_readme_is_short_and_names_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert len(readme.splitlines()) < 120
    assert "make demo" in readme
    assert "make test" in readme


def without_code(page: Path) -> str:
    return re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S)


def anchors(page: Path) -> list[str]:
    return [reference.slug(heading) for heading in re.findall(r"^#+ (.+)$", without_code(page), re.M)]


def test_no_page_has_marks_of_a_merge() -> None:
    for page in [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")]:
        assert not re.search(r"^(<{7} |={7}$|>{7} )", page.read_text("utf-8"), re.M), page.name


def test_links_between_pages_lead_somewhere() -> None:
    for page in WRITTEN:
        for target, anchor in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", without_code(page)):
            if "://" not in target:
                there = page.parent / target if target else page
                assert there.exists(), f"{page.name}: {target}"
                assert not anchor or anchors(there).count(anchor) == 1, f"{page.name}: {target}#{anchor}"


def test_every_line_of_the_acceptance_list_names_tests_that_exist() -> None:
    page = (ROOT / "docs/design/acceptance.md").read_text("utf-8")
    lines = re.findall(r"^\| (\d+) \| .+ \| (.+) \|$", page, re.MULTILINE)
    assert [int(number) for number, _ in lines] == list(range(1, 41))
    named = {tuple(each) for _, shown in lines for each in re.findall(r"`(\S+): (test_\w+)`", shown)}
    assert len(named) > 60
    known = {file: (ROOT / "tests" / file).read_text("utf-8") for file, _ in named}
    assert {(file, test) for file, test in named if f"def {test}(" not in known[file]} == set()


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page not in reached:
            reached.add(page)
            targets = re.findall(r"\]\(([^)#:]+\.md)[^)]*\)", without_code(page))
            waiting += [(page.parent / target).resolve() for target in targets]
    assert {page for page in WRITTEN if page not in reached} == set()


def test_pages_name_only_commands_that_exist() -> None:
    known = {command.name for command in build().registered_commands}
    for page in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]:
        for word in re.findall(r"(?:^|`|bin/)assay ([a-z]+(?:-[a-z]+)*)", page.read_text("utf-8"), re.M):
            assert word in known | {"is"}, f"{page.name}: assay {word}"


def test_pages_name_only_options_that_exist() -> None:
    group = reference.typer.main.get_command(build())
    known = {name: {word for each in command.params for word in each.opts} for name, command in group.commands.items()}
    for page in [*WRITTEN, *HERE.glob("*/study.yaml"), *HERE.glob("*/guide/*.md")]:
        for command, rest in re.findall(r"\bassay ([a-z]+(?:-[a-z]+)*)\b([^`\n#;:]*)", page.read_text("utf-8")):
            for option in re.findall(r"(?<=\s)--[a-z-]+", rest):
                assert option in {*known.get(command, ()), "--help"}, (
                    f"{page.relative_to(ROOT)}: assay {command} {option}"
                )


def test_ci_runs_the_readmes_test_command_and_nothing_else() -> None:
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    commands = [line for line in lines if line and not line.startswith(("#", "set ", "cd "))]
    assert commands == ["make test"]


# Templates


@every_template
def test_every_template_is_documented_listed_and_named_by_init(name: str) -> None:
    page = (ROOT / "docs" / "templates" / f"{name}.md").read_text("utf-8")
    assert page.startswith(f"# Template `{name}`")
    assert 60 <= len(page.splitlines()) <= 160
    assert f"({name}.md)" in (ROOT / "docs" / "templates" / "README.md").read_text("utf-8")
    assert f"(docs/templates/{name}.md)" in (ROOT / "README.md").read_text("utf-8")
    init = reference.typer.main.get_command(build()).commands["init"]
    assert f"{name} (" in init.help


@every_template
def test_what_a_templates_page_says_is_shown_by_a_test_is_there(name: str) -> None:
    page = (ROOT / "docs" / "templates" / f"{name}.md").read_text("utf-8")
    for named in re.findall(r"`((?:[a-z]+/)*test_\w+\.py)`", page):
        assert (ROOT / "tests" / named).is_file(), named
    for named in re.findall(r"`(guide/[\w-]+\.md)`", page):
        assert (HERE / name / named).is_file(), named


# Pages that are followed: their files written, their commands run, what they say is printed compared with what is


class Block(NamedTuple):
    """One block of a page: a file, commands, or what they print."""

    language: str
    text: str
    file: str


BLOCK = re.compile(r"(?:^\*\*`(?P<file>[^`]+)`\*\*\n\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.M | re.S)


class Reader:
    """Somebody who does what a page says, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.printed = ""
        self.ran: list[str] = []
        tools = folder / ".bin"
        tools.mkdir()
        (tools / "assay").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m assay "$@"\n')
        (tools / "assay").chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "PYTHONUNBUFFERED": "1"}
        self.environment.pop("ASSAY_DATABASE", None)

    def follow(self, page: Path) -> None:
        """Do all of it, in order."""
        for found in BLOCK.finditer(page.read_text("utf-8")):
            block = Block(found["language"], found["text"], found["file"] or "")
            if block.file:
                self.write(self.folder / block.file, block.text)
            elif block.language == "sh":
                self.printed = ""
                for line in block.text.splitlines():
                    self.run(line)
            elif block.language == "text":
                self.compare(block.text)

    def write(self, path: Path, text: str) -> None:
        """A new file; of one that is there, the parts that the block has."""
        if not path.exists():
            path.write_text(text, "utf-8")
            return
        known, new = parts_of(path.read_text("utf-8")), parts_of(text)
        apart = {*new, list(known)[-1]}
        parts = [part.rstrip("\n") + "\n\n" if key in apart else part for key, part in {**known, **new}.items()]
        path.write_text("".join(parts).rstrip("\n") + "\n", "utf-8")

    def run(self, line: str) -> None:
        """One command; a server is started, looked at and stopped."""
        command, _, remark = line.partition("#")
        command = command.strip().replace(".venv/bin/assay", "assay")
        code = re.search(r"exit code (\d)", remark)
        self.ran.append(command)
        if re.match(r"assay (serve|preview)\b", command):
            self.look_at(command)
            return
        if command.startswith("assay ") and not set(command) & set("|>&;$*"):
            done = servers.command(*shlex.split(command)[1:], cwd=self.folder)
        else:
            words = ["sh", "-c", command]
            done = subprocess.run(words, cwd=self.folder, env=self.environment, capture_output=True, text=True)
        self.printed += done.stdout + done.stderr
        assert done.returncode == (int(code[1]) if code else 0), f"{command}\n{self.printed}"

    def look_at(self, command: str) -> None:
        words = [*command.replace("assay", sys.executable + " -m assay", 1).split(), "--port", "0"]
        process = subprocess.Popen(
            words,
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert process.stdout is not None
        try:
            said = ""
            for line in process.stdout:
                said += line
                if "Ctrl-C" in line:
                    break
            found = re.search(r"http://127\.0\.0\.1:\d+/\S*", said)
            assert found, f"{command}\n{said}"
            with urlopen(found[0], timeout=30) as answer:
                assert answer.status == 200
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 0
        finally:
            process.kill()
            process.wait()
            process.stdout.close()

    def compare(self, text: str) -> None:
        """Whether the commands before printed this; three dots stand for anything."""
        wanted = ".*?".join(re.escape(part) for part in text.rstrip("\n").split("..."))
        assert re.search(wanted, self.printed, re.S), f"{text}\nis not what was printed:\n{self.printed}"


def parts_of(text: str) -> dict[str, str]:
    """The parts of a study file by their keys; what stands before the first one has none."""
    starts = [0, *(found.start() for found in re.finditer(r"^[a-z]+:", text, re.M)), len(text)]
    found = {}
    for start, end in pairwise(starts):
        if part := text[start:end]:
            key = re.match(r"[a-z]+:", part)
            found[key[0] if key else ""] = part
    return found


def test_the_tutorial_can_be_followed_word_for_word(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    reader.follow(ROOT / "docs" / "tutorial.md")
    said = " ".join(reader.ran)
    for command in ("check", "preview", "import", "invite", "serve", "simulate", "report", "export", "publish"):
        assert f"assay {command}" in said
    assert (tmp_path / "explain" / "report.html").is_file()
    assert (tmp_path / "explain" / "judgments.csv").read_text().count("overall") > 0


def test_the_readme_can_be_followed(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    for found in BLOCK.finditer((ROOT / "README.md").read_text("utf-8")):
        for line in found["text"].splitlines():
            if "assay" in line:
                reader.run(line)
    assert len(reader.ran) >= 5


def test_the_steps_for_each_template_can_be_followed(tmp_path: Path) -> None:
    Reader(tmp_path).follow(ROOT / "docs" / "templates" / "README.md")


@every_template
def test_data_in_its_original_format_comes_in_as_the_templates_page_says(name: str, tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    ORIGINALS[name](HERE / name, tmp_path)
    reader.follow(ROOT / "docs" / "templates" / f"{name}.md")
    assert "taken in" in reader.printed
    assert any("--items" in command and "--dry-run" not in command for command in reader.ran)


# The formats that the documents' own projects use, filled with the templates' samples


def in_car(template: Path, folder: Path) -> None:
    """Folders of logs, without what only the samples have: the name of a more general goal."""
    shutil.copytree(template / "logs", folder / "To_annotate")
    for file in (folder / "To_annotate").rglob("*.json"):
        log = json.loads(file.read_text("utf-8"))
        for target in log["targets"].values():
            target.pop("general", None)
        file.write_text(json.dumps(log), "utf-8")


def route_planning(template: Path, folder: Path) -> None:
    """One sheet that holds items and scores; another one of the same items by somebody else."""
    rows = rows_of(template / "existing.csv")
    header = (
        "item_id,annotator_id,prompt,response,coherence,relevance,instruction_following,safety_compliance,fluency,notes"
    )
    assert list(rows[0]) == header.split(",")
    write_csv(folder / "annotation_template.csv", rows)
    write_csv(
        folder / "filled_a04.csv", [{**row, "annotator_id": "a04"} for row in rows if row["annotator_id"] == "a01"]
    )


def dialog_pairs(template: Path, folder: Path) -> None:
    """Dialogues with their labels, under other names of systems."""
    text = (template / "dialogues.json").read_text("utf-8").replace("Linnet", "SysOne").replace("Heron", "SysTwo")
    (folder / "human_annotation.json").write_text(text, "utf-8")


def empathy(template: Path, folder: Path) -> None:
    """A context sheet, a mapping with a duplicate in it, two filled sheets, an automated judge's file."""
    rows = rows_of(template / "items.csv")
    known = json.loads((template / "mapping.json").read_text("utf-8"))
    rows.append({**rows[0], "eval_id": "dup_1"})
    known.append({**known[0], "eval_id": "dup_1", "is_duplicate_of": rows[0]["eval_id"]})
    write_csv(folder / "pilot_samples.csv", rows)
    (folder / "_pilot_mapping.json").write_text(json.dumps(known), "utf-8")
    scores = dict.fromkeys(("emotion", "validation", "helpfulness", "safety", "overall"), "3")
    for who in ("R1", "R2"):
        filled = [{"eval_id": row["eval_id"], "annotator_id": who, **scores, "notes": ""} for row in rows]
        write_csv(folder / f"pilot_annotation_{who}.csv", filled)
    given = {"scores": dict.fromkeys(("emotion", "validation", "helpfulness", "safety"), 3), "overall": 3}
    judged = [
        {"sample_id": each["sample_id"], "model": each["model_tag"], "judge_model": "m-9", "repeat_idx": run, **given}
        for each in known[:5]
        for run in range(3)
    ]
    lines = "".join(f"{json.dumps(each)}\n" for each in judged)
    (folder / "empathy_chain_judge.jsonl").write_text(lines, "utf-8")


def trajectories(template: Path, folder: Path) -> None:
    """The prepared samples, with the pictures beside them, and a session's log about one of them."""
    shutil.copytree(template / "images", folder / "images")
    shutil.copyfile(template / "samples.json", folder / "human_eval_data.json")
    [first, *_] = json.loads((template / "samples.json").read_text("utf-8"))["samples"]
    scores = dict.fromkeys(("coherence", "efficiency", "thoroughness"), 3) | {"correctness": True}
    record = {
        **{"annotation_id": "1f0c", "sample_id": first["sample_id"], "annotator_id": "kim"},
        **{"left_model": first["model_b_name"], "right_model": first["model_a_name"]},
        **{f"{side}_{name}": value for side in ("left", "right") for name, value in scores.items()},
        **{"preference": "equal", "confidence": 2, "comments": None, "time_spent_seconds": 99.5},
    }
    (folder / "results").mkdir()
    (folder / "results" / "session_1f0c.jsonl").write_text(json.dumps(record) + "\n", "utf-8")


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_csv(path: Path, rows: list[dict[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


ORIGINALS = {
    "in-car": in_car,
    "route-planning": route_planning,
    "dialog-pairs": dialog_pairs,
    "empathy": empathy,
    "trajectories": trajectories,
}


def keys_of_script(file: Path) -> set[str]:
    """The letters that the script of a kind answers to."""
    parts = re.findall(r"\bkeys: {([^}]*)}", file.read_text("utf-8"))
    return {letter.upper() for part in parts for letter in re.findall(r"(\w):", part)}


def test_every_key_and_every_word_of_the_status_line_is_explained() -> None:
    page = (ROOT / "docs" / "annotating.md").read_text("utf-8")
    keys = (ROOT / "src/assay/web/static/keys.js").read_text("utf-8")
    letters = set(re.findall(r'case "([A-Z?])":', keys))
    letters |= {str(kind.shortcut.keys[0]) for kind in INPUTS.values() if kind.shortcut}
    letters |= {key for file in scripts().values() for key in keys_of_script(file)}
    assert {"J", "N", "Z"} <= letters
    assert {letter for letter in letters if f"`{letter}`" not in page} == set()
    texts = ENGLISH.texts.items()
    said = {key: text.replace("{number}", "3") for key, text in texts if key.startswith("status.")}
    assert len(said) > 5
    words = {
        key: re.split(r"\{n\} \w+ |: your|\{computed\}", text)[-1 if "{n}" in text else 0] for key, text in said.items()
    }
    assert {key for key, text in words.items() if text not in page} == set()
