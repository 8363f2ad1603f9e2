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
            case ast.arg(arg=name) | ast.Name(id=name) | ast.Attribute(attr=name):
                yield node.lineno, name
            case ast.alias(name=name, asname=other):
                yield node.lineno, other or name


def words_of(identifier: str) -> set[str]:
    """The words of an identifier, however they are joined."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", identifier)}


def old_words(name: str, source: str) -> list[str]:
    """The words in one module that the glossary has replaced."""
    banned = {word for word, files in not_used().items() if not any(fnmatch(name, each) for each in files)}
    named = [(1, Path(name).stem), *identifiers(source)]
    return [f"{name}:{line} {each}" for line, each in named if words_of(each) & banned]


def test_the_glossary_says_which_words_are_not_used() -> None:
    assert {"phase", "bundle", "task", "tries", "standing"} <= set(not_used())


def test_identifiers_use_the_words_of_the_glossary() -> None:
    modules = [path for path in sorted(ROOT.rglob("*.py")) if "migrations" not in path.parts]  # these keep their words
    assert modules
    found = (old_words(path.relative_to(ROOT).as_posix(), path.read_text("utf-8")) for path in modules)
    assert [each for words in found for each in words] == []


@pytest.mark.parametrize(
    "source",
    ["def next_task(): ...", "class OldStanding: ...", "lastPhase = 1", "x.bundle", "from a import b as tries"],
)
def test_an_old_word_is_seen_wherever_it_stands(source: str) -> None:
    assert len(old_words("web/new.py", source)) == 1


def test_an_old_word_is_seen_in_the_name_of_a_module() -> None:
    assert old_words("web/trial.py", "") == ["web/trial.py:1 trial"]


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
