"""Loads a study file: from YAML to types. Every mistake is listed, each with line, column and a hint."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from assay.errors import Mistake, StudyMistakes
from assay.study import yaml
from assay.study.references import find_wrong_references
from assay.study.schema import Study, study_type
from assay.study.valid_parts import read_valid_parts

FILE = "study.yaml"


def study_file(where: Path) -> Path:
    """The study file of a study, which is given by its folder or by that file."""
    return where / FILE if os.path.isdir(where) else where


def folder_of(where: Path) -> Path:
    """The folder of a study, which is given by its folder or by its study file."""
    return where if where.is_dir() else where.parent


def load(where: Path) -> Study:
    """Read a study file. Raises StudyMistakes with all mistakes in it."""
    study, mistakes = load_with_mistakes(where)
    if mistakes or study is None:
        raise StudyMistakes(mistakes)
    return study


def study_from_document(document: str) -> Study:
    """The study in a document that `Study.document` wrote, as it is in the store."""
    return study_type().model_validate_json(document)


def load_with_mistakes(where: Path) -> tuple[Study | None, list[Mistake]]:
    """Read a study file and list every mistake. The study is returned as far as it could be read."""
    path = study_file(where)
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        hint = f"go to the study's folder or name it; `assay init empathy DIR` writes a new {FILE}"
        return None, [Mistake(str(path), "there is no such file", hint)]
    except OSError as error:
        return None, [Mistake(str(path), f"the file cannot be read ({error.strerror})", "look at its permissions")]
    study, found = _read_content(content, path.parent)
    return study, [Mistake(f"{path}:{line}:{column}", what, hint) for (line, column), what, hint in found]


def locator(where: Path) -> Callable[[yaml.Path], str]:
    """A function from the path of a key to its position, as file:line:column; without a file, to its name."""
    path = study_file(where)
    if not path.is_file():
        return lambda at: ".".join(map(str, at))
    tree = yaml.read(path.read_text("utf-8-sig"))

    def position(at: yaml.Path) -> str:
        line, column = tree.position(at)
        return f"{path}:{line}:{column}"

    return position


def locate_text(where: Path, part: str, text: str) -> str | None:
    """The first position of a text in one part of the study file, as file:line:column."""
    path = study_file(where)
    tree = yaml.read(path.read_text("utf-8-sig"))
    for at, (line, column) in tree.positions.items():
        if at[:1] == (part,) and _value_at(tree.data, at) == text:
            return f"{path}:{line}:{column}"
    return None


def _value_at(data: Any, path: yaml.Path) -> Any:
    for step in path:
        if not isinstance(data, dict | list):
            return None
        data = data[step]  # type: ignore[index]
    return data


def _read_content(content: bytes, folder: Path) -> tuple[Study | None, list[yaml.PositionedMistake]]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8")
        byte = len(content) - len(error.object) + error.start
        position = yaml.position_in(before, len(before))
        return None, [yaml.PositionedMistake(position, f"byte {byte} is not UTF-8", "save the file as UTF-8")]
    tree = yaml.read(text)
    if tree.data is None:
        return None, tree.mistakes
    study, broken, mistakes = read_valid_parts(study_type(), tree, folder)
    if wrong := list(find_wrong_references(tree.data, broken)):
        mistakes += wrong
        # Read without them, the study fits together.
        study, _, _ = read_valid_parts(study_type(), tree, folder, broken | {each.at for each in wrong})
    placed = (yaml.PositionedMistake(tree.position(each.at), each.what, each.hint) for each in mistakes)
    return study, sorted(dict.fromkeys([*tree.mistakes, *placed]), key=lambda each: each.position)
