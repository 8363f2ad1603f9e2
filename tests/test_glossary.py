"""One word for each concept: identifiers use none of the words that the glossary has replaced."""

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

import assay

ROOT = Path(assay.__file__).parent
GLOSSARY = Path(__file__).parent.parent / "docs" / "design" / "glossary.md"


def not_used() -> dict[str, list[str]]:
    """Every word that is not used, with the files that may use it all the same."""
    table = GLOSSARY.read_text("utf-8").split("| not this | but | except |")[1]
    found: dict[str, list[str]] = {}
    for line in table.splitlines()[2:]:
        words, _, except_ = (cell.strip() for cell in line.strip("|").split("|"))
        for word in words.split(","):
            found[word.strip()] = re.findall(r"`([^`]+)`", except_)
    return found


def identifiers(source: str) -> Iterator[tuple[int, str]]:
    """What a module defines or uses by name, with the line; words inside strings are no identifiers."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                yield node.lineno, name
            case ast.alias(name=name, asname=other):
                yield node.lineno, other or name


# Comments, and whatever stands in quotes: the words of a page, and names of events. `${...}` in a template goes along.
NO_CODE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`", re.DOTALL)


def identifiers_of_script(source: str) -> Iterator[tuple[int, str]]:
    """The same of a script of the browser."""
    code = NO_CODE.sub(lambda found: "\n" * found.group().count("\n"), source)
    for line, text in enumerate(code.splitlines(), 1):
        yield from ((line, name) for name in re.findall(r"[A-Za-z_$][\w$]*", text))


def words_of(identifier: str) -> set[str]:
    """The words of an identifier, however they are joined."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", identifier)}


def old_words(name: str, source: str) -> list[str]:
    """The words in one module that the glossary has replaced."""
    banned = {word for word, files in not_used().items() if not any(fnmatch(name, each) for each in files)}
    named = [(1, Path(name).stem), *(identifiers_of_script if name.endswith(".js") else identifiers)(source)]
    return [f"{name}:{line} {each}" for line, each in named if words_of(each) & banned]


def test_the_glossary_says_which_words_are_not_used() -> None:
    assert {"phase", "bundle", "task", "tries", "standing"} <= set(not_used())


def test_identifiers_use_the_words_of_the_glossary() -> None:
    files = [*sorted(ROOT.rglob("*.py")), *sorted(ROOT.rglob("*.js"))]
    modules = [path for path in files if "migrations" not in path.parts]  # these keep their words
    assert {path.suffix for path in modules} == {".py", ".js"}
    found = (old_words(path.relative_to(ROOT).as_posix(), path.read_text("utf-8")) for path in modules)
    assert [each for words in found for each in words] == []


@pytest.mark.parametrize(
    "source",
    [
        "def next_task(): ...",
        "class OldStanding: ...",
        "lastPhase = 1",
        "x.bundle",
        "from a import b as tries",
        "make(task=1)",
    ],
)
def test_an_old_word_is_seen_wherever_it_stands(source: str) -> None:
    assert len(old_words("web/new.py", source)) == 1


def test_an_old_word_is_seen_in_the_name_of_a_module() -> None:
    assert old_words("web/trial.py", "") == ["web/trial.py:1 trial"]


def test_an_old_word_is_seen_in_a_script_and_not_in_what_it_says() -> None:
    source = "/* a\ntrial */\nconst lastTrial = 'trial'; // trial\nsay(`trial`, \"it's a trial\");\n"
    assert old_words("web/static/x.js", source) == ["web/static/x.js:3 lastTrial"]


def test_files_of_tests_and_tools_use_the_words_of_the_glossary() -> None:
    above = GLOSSARY.parent.parent.parent
    files = [path for folder in ("tests", "tools") for path in sorted((above / folder).rglob("*.py"))]
    assert len(files) > 100
    assert [path.name for path in files if words_of(path.stem) & set(not_used())] == []


MAY_CHECK = {
    "cli/check.py",  # `assay check`
    "statistics/comparison/custom_weights.py",  # `check_weights`, which users import
}


def test_only_a_study_file_is_checked() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if re.match("_?check(_|$)", node.name) and "check_in" not in node.name
    }
    assert found == MAY_CHECK


def test_every_exception_is_a_file_that_is_there() -> None:
    for files in not_used().values():
        for each in files:
            assert list(ROOT.glob(each)), each


def classes_named_twice(sources: list[str]) -> set[str]:
    names = [
        node.name
        for source in sources
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    return {name for name in names if names.count(name) > 1}


def test_no_two_classes_have_one_name() -> None:
    assert classes_named_twice(["class Same: ...", "class Same: ...", "class Other: ..."]) == {"Same"}
    assert classes_named_twice([path.read_text("utf-8") for path in ROOT.rglob("*.py")]) == set()
