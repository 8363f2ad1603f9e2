"""The file of judges: every mistake with its place and what to do."""

from pathlib import Path

import pytest

from assay.errors import StudyMistakes
from assay.judging.judges_file import JudgesFile, load_judges
from assay.kinds import JUDGES
from tests.judging.conftest import Command, write_judges

GOOD = """\
judges:
  - judge: robot
    openai: {address: "http://localhost:1/v1", model: m}
    price: {input: 1, output: 2}
budget: {money: 3}
"""


def load(folder: Path, text: str) -> JudgesFile:
    path = folder / "judges.yaml"
    path.write_text(text, "utf-8")
    return load_judges(path, folder)


def mistakes(folder: Path, text: str) -> list[tuple[str, str, str]]:
    """Each as (line:column, what, what to do)."""
    with pytest.raises(StudyMistakes) as refused:
        load(folder, text)
    path = f"{folder / 'judges.yaml'}:"
    return [(each.where.removeprefix(path), each.what, each.hint) for each in refused.value.mistakes]


def test_a_file_that_is_right_is_read(tmp_path: Path) -> None:
    found = load(tmp_path, GOOD)
    assert found.judges[0].judge == "robot"
    assert found.judges[0].kind.kind == "openai"
    assert found.budget.money == 3


@pytest.mark.parametrize(
    ("old", "new", "where", "what", "hint"),
    [
        ("model: m", "modle: m", "3:48", "unknown key 'modle'", "did you mean 'model'?"),
        ("judge: robot", "judge: My Robot", "2:5", "'My Robot' is not a name", "a name has small letters"),
        ("budget:", "buget:", "5:1", "unknown key 'buget'", "did you mean 'budget'?"),
        ("http://localhost:1/v1", "localhost", "3:14", '"localhost" is no address', "with https://"),
        ("http://", "http://me:word@", "3:14", "the address holds a name or a password", "environment variable"),
        ("model: m", "model: m, key: sk-abc", "3:58", "not the name of an environment variable", "never the key"),
        ("model: m", "model: m, temperature: 9", "3:58", "9 is too large", "write 2"),
        ("    price: {input: 1, output: 2}\n", "", "2:5", "'robot' has no price", "price: {input: ..., output: ...}"),
        (
            "judge: robot",
            "judge: robot\n    http: {address: 'http://x'}",
            "2:5",
            "http and openai stand together",
            "one",
        ),
        ("input: 1", "input: -1", "4:13", "-1 is too small", "write 0"),
        ("money: 3", "money: 0", "5:10", "0 is too small", "more than 0"),
        ("judge: robot", "judge: robot\n    examples: cal-1", "3:5", "a list is expected", "after a dash"),
        ("judge: robot", "judge: robot\n    prompt: none.md", "3:5", "there is no file none.md", "study.yaml"),
    ],
)
def test_a_mistake_is_said_with_its_place_and_what_to_do(
    tmp_path: Path, old: str, new: str, where: str, what: str, hint: str
) -> None:
    assert old in GOOD
    [found] = mistakes(tmp_path, GOOD.replace(old, new))
    assert found[0] == where
    assert what in found[1]
    assert hint in found[2]


def test_all_mistakes_are_said_at_once(tmp_path: Path) -> None:
    text = GOOD.replace("model: m", "modle: m").replace("money: 3", "mony: 3")
    assert [each[1] for each in mistakes(tmp_path, text)] == ["unknown key 'modle'", "unknown key 'mony'"]


def test_two_judges_of_one_name_are_refused(tmp_path: Path) -> None:
    text = "judges:\n  - {judge: a, command: [cat]}\n  - {judge: a, command: [dog]}\n"
    [(where, what, _)] = mistakes(tmp_path, text)
    assert where == "3:6"
    assert what == "two judges are called 'a'"


@pytest.mark.parametrize("text", ["", "judges: []\n", "- a\n", "judges: [", "judges: {a: 1}\n", "\x00"])
def test_what_is_no_such_file_is_refused_in_words(tmp_path: Path, text: str) -> None:
    assert mistakes(tmp_path, text)


@pytest.mark.parametrize("text", ["{rubric} {item}", "{item} {answers} {system}", "{answers}"])
def test_a_prompt_of_ones_own_needs_its_places_and_knows_no_others(tmp_path: Path, text: str) -> None:
    (tmp_path / "own.md").write_text(text, "utf-8")
    [found] = mistakes(tmp_path, GOOD.replace("judge: robot", "judge: robot\n    prompt: own.md"))
    assert found[0] == "3:5"
    assert "the prompt has" in found[1]


@pytest.mark.parametrize("kind", JUDGES)
def test_every_kind_is_read_from_its_example_with_every_key(kind: str) -> None:
    made = JUDGES[kind].model_validate(JUDGES[kind].example, strict=False)
    assert made.model_fields_set == set(JUDGES[kind].model_fields)
    assert all(field.description for field in JUDGES[kind].model_fields.values())


def test_no_other_command_reads_the_file(study: Path, run: Command) -> None:
    """It may name programs: only `assay judge` runs them."""
    trap = study / "ran"
    write_judges(study, f"{{judge: robot, command: [touch, '{trap}']}}", "{nonsense")
    for arguments in (["check"], ["import"], ["publish"], ["status"], ["report"], ["simulate"]):
        assert run(*arguments, study).code == 0, arguments
    assert not trap.exists()


def test_a_file_that_is_not_there_is_said_to(study: Path, run: Command) -> None:
    done = run("judge", study, "--with", "robots.yaml")
    assert done.code == 2
    assert "robots.yaml: there is no such file" in done.err
