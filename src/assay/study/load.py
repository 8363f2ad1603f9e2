"""Loads a study file: from YAML to types. Every mistake is listed, each with line, column and a hint."""

import json
import os
from collections.abc import Callable, Set
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from assay.errors import Mistake, StudyMistakes
from assay.study import yaml
from assay.study.explain import MistakeAt, explain, keys_at
from assay.study.references import find_wrong_references
from assay.study.schema import Study, study_type
from assay.suggest import closest_name

FILE = "study.yaml"

ANY = "*"
"""Stands for the key that an unknown one was meant to be, where none is like it."""


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
    study, broken, mistakes = _read_valid_parts(tree, folder)
    if wrong := list(find_wrong_references(tree.data, broken)):
        mistakes += wrong
        # Read without them, the study fits together.
        study, _, _ = _read_valid_parts(tree, folder, broken | {each.at for each in wrong})
    placed = (yaml.PositionedMistake(tree.position(each.at), each.what, each.hint) for each in mistakes)
    return study, sorted(dict.fromkeys([*tree.mistakes, *placed]), key=lambda each: each.position)


def _read_valid_parts(
    tree: yaml.Tree, folder: Path, left_out: Set[yaml.Path] = frozenset()
) -> tuple[Study | None, Set[yaml.Path], list[MistakeAt]]:
    """Read the study. Where parts are invalid, leave them out and read it again, so that the rest is validated too."""
    mistakes: list[MistakeAt] = []
    left_out = {*tree.broken, *left_out}
    explained: set[yaml.Path] = set(left_out)
    while True:
        kept = _DataWithout(tree.data, left_out)
        try:
            text = json.dumps(kept.data, ensure_ascii=False)
            return study_type().model_validate_json(text, context={"folder": folder}), left_out, mistakes
        except ValidationError as error:
            complaints = [_ValidationError(kept, each) for each in error.errors(include_url=False)]
        explained.update(*(complaint.explained_paths for complaint in complaints))
        mistakes += [explain(each.error, each.at) for each in complaints if not each.follows_from(explained)]
        parts = _innermost({complaint.part(left_out) for complaint in complaints})
        if parts == {()}:
            return None, left_out, mistakes
        left_out |= parts
        explained |= parts


def _innermost(parts: set[yaml.Path]) -> set[yaml.Path]:
    """The paths that are not the beginning of another one."""
    return parts - {part[:end] for part in parts for end in range(len(part))}


class _DataWithout:
    """A copy of the data of a file without some parts, and the way back from a path in the copy to that in the file."""

    def __init__(self, whole: Any, left_out: Set[yaml.Path]) -> None:
        self.whole = whole
        self.left_out = left_out
        self.indexes: dict[yaml.Path, list[int]] = {}
        self.data = self._copy(whole, ())

    def _copy(self, part: Any, at: yaml.Path) -> Any:
        if isinstance(part, dict):
            kept = [key for key in part if (*at, key) not in self.left_out]
            return {key: self._copy(part[key], (*at, key)) for key in kept}
        if isinstance(part, list):
            self.indexes[at] = [index for index in range(len(part)) if (*at, index) not in self.left_out]
            return [self._copy(part[index], (*at, index)) for index in self.indexes[at]]
        return part

    def path_in_file(self, loc: yaml.Path) -> tuple[yaml.Path, Any]:
        """The path in the file, and the value there. Keys that a short form leaves out are passed over."""
        path: yaml.Path = ()
        part = self.whole
        for step in loc:
            if isinstance(part, list) and isinstance(step, int):
                step = self.indexes[path][step]
            elif not (isinstance(part, dict) and step in part):
                continue
            part = part[step]
            path = (*path, step)
        return path, part


class _ValidationError:
    """One of pydantic's errors, with its path in the file."""

    def __init__(self, kept: _DataWithout, error: Any) -> None:
        self.error = error
        self.kind: str = error["type"]
        self.needs: tuple[str, ...] = (error.get("ctx") or {}).get("needs", ())
        missing = error["loc"][-1:] if self.kind == "missing" else ()
        at, self.value = kept.path_in_file(error["loc"][: len(error["loc"]) - len(missing)])
        self.at: yaml.Path = (*at, *missing)

    @property
    def explained_paths(self) -> set[yaml.Path]:
        """The key that an unknown one was probably meant to be: that it is missing need not be reported as well."""
        if self.kind != "extra_forbidden":
            return set()
        return {(*self.at[:-1], closest_name(str(self.at[-1]), keys_at(self.at[:-1])) or ANY)}

    def follows_from(self, explained: Set[yaml.Path]) -> bool:
        """Whether it is a consequence of a mistake that is reported already."""
        if self.kind == "missing":
            return self.at in explained
        if self.kind == "too_short":
            return bool(self.value)
        return any((*self.at, key) in explained for key in (*self.needs, *([ANY] if self.needs else [])))

    def part(self, left_out: Set[yaml.Path]) -> yaml.Path:
        """The smallest part that has to be left out for the rest to be valid."""
        part = self.at[:-1] if self.kind == "missing" else self.at
        while part in left_out:
            part = part[:-1]
        return part
