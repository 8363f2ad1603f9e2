"""Loading a study: from YAML to types. Every mistake is listed, each with its place in the file and a hint."""

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
"""Stands for whatever an unknown key was meant to be, where no known one is like it."""


def find(where: Path) -> Path:
    """The study file that a folder or a path means."""
    return where / FILE if os.path.isdir(where) else where


def folder_of(where: Path) -> Path:
    """The folder that a study's path means."""
    return where if where.is_dir() else where.parent


def load(where: Path) -> Study:
    """Read a study file, or raise StudyMistakes with everything that is wrong in it."""
    study, mistakes = check(where)
    if mistakes or study is None:
        raise StudyMistakes(mistakes)
    return study


def study_from_document(document: str) -> Study:
    """The study that `Study.document` wrote, as the store keeps it."""
    return study_type().model_validate_json(document)


def check(where: Path) -> tuple[Study | None, list[Mistake]]:
    """Read a study file and list every mistake. The study is returned as far as it could be read."""
    path = find(where)
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        hint = f"go to the study's folder or name it; `assay init empathy DIR` writes a new {FILE}"
        return None, [Mistake(str(path), "there is no such file", hint)]
    except OSError as error:
        return None, [Mistake(str(path), f"the file cannot be read ({error.strerror})", "look at its permissions")]
    study, found = _check_content(content, path.parent)
    return study, [Mistake(f"{path}:{line}:{column}", what, hint) for (line, column), what, hint in found]


def places(where: Path) -> Callable[[yaml.Path], str]:
    """Where in the study file each of its parts stands, as file, line and column."""
    path = find(where)
    tree = yaml.read(path.read_text("utf-8-sig"))

    def place(at: yaml.Path) -> str:
        line, column = tree.place(at)
        return f"{path}:{line}:{column}"

    return place


def place_of_text(where: Path, part: str, text: str) -> str | None:
    """Where a text stands in one part of the study file, as file, line and column; the first time, if more often."""
    path = find(where)
    tree = yaml.read(path.read_text("utf-8-sig"))
    for at, (line, column) in tree.places.items():
        if at[:1] == (part,) and _at(tree.data, at) == text:
            return f"{path}:{line}:{column}"
    return None


def _at(data: Any, path: yaml.Path) -> Any:
    for step in path:
        if not isinstance(data, dict | list):
            return None
        data = data[step]  # type: ignore[index]
    return data


def _check_content(content: bytes, folder: Path) -> tuple[Study | None, list[tuple[yaml.Place, str, str]]]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8")
        byte = len(content) - len(error.object) + error.start
        return None, [(yaml.place_in(before, len(before)), f"byte {byte} is not UTF-8", "save the file as UTF-8")]
    tree = yaml.read(text)
    if tree.data is None:
        return None, tree.mistakes
    study, broken, said = _as_far_as_it_goes(tree, folder)
    if wrong := list(find_wrong_references(tree.data, broken)):
        said += wrong
        # Without them the rest fits together.
        study, _, _ = _as_far_as_it_goes(tree, folder, broken | {each.at for each in wrong})
    found = [*tree.mistakes, *((tree.place(at), what, hint) for at, what, hint in said)]
    return study, sorted(dict.fromkeys(found), key=lambda each: each[0])


def _as_far_as_it_goes(
    tree: yaml.Tree, folder: Path, left_out: Set[yaml.Path] = frozenset()
) -> tuple[Study | None, Set[yaml.Path], list[MistakeAt]]:
    """Read the study; where parts are wrong, read it again without them, so that the rest can be looked at too."""
    said: list[MistakeAt] = []
    left_out = {*tree.broken, *left_out}
    explained: set[yaml.Path] = set(left_out)
    while True:
        kept = _Kept(tree.data, left_out)
        try:
            text = json.dumps(kept.data, ensure_ascii=False)
            return study_type().model_validate_json(text, context={"folder": folder}), left_out, said
        except ValidationError as error:
            complaints = [_Complaint(kept, each) for each in error.errors(include_url=False)]
        explained.update(*(complaint.explains for complaint in complaints))
        said += [explain(each.error, each.at) for each in complaints if not each.follows_from(explained)]
        parts = _smallest({complaint.part(left_out) for complaint in complaints})
        if parts == {()}:
            return None, left_out, said
        left_out |= parts
        explained |= parts


def _smallest(parts: set[yaml.Path]) -> set[yaml.Path]:
    """The parts that have no other one within them."""
    return parts - {part[:end] for part in parts for end in range(len(part))}


class _Kept:
    """The data of a file less the parts left out, and the way back from a place in it to the place in the file."""

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

    def written(self, loc: yaml.Path) -> tuple[yaml.Path, Any]:
        """What stands in the file at a place, and where. Keys that a short form leaves out are passed over."""
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


class _Complaint:
    """One of pydantic's errors, at the place that it has in the file."""

    def __init__(self, kept: _Kept, error: Any) -> None:
        self.error = error
        self.kind: str = error["type"]
        self.needs: tuple[str, ...] = (error.get("ctx") or {}).get("needs", ())
        missing = error["loc"][-1:] if self.kind == "missing" else ()
        at, self.value = kept.written(error["loc"][: len(error["loc"]) - len(missing)])
        self.at: yaml.Path = (*at, *missing)

    @property
    def explains(self) -> set[yaml.Path]:
        """The key that an unknown one was probably meant to be: whoever misses that one need not say so."""
        if self.kind != "extra_forbidden":
            return set()
        return {(*self.at[:-1], closest_name(str(self.at[-1]), keys_at(self.at[:-1])) or ANY)}

    def follows_from(self, explained: Set[yaml.Path]) -> bool:
        """Whether it is only there because something else is wrong, which is said already."""
        if self.kind == "missing":
            return self.at in explained
        if self.kind == "too_short":
            return bool(self.value)
        return any((*self.at, key) in explained for key in (*self.needs, *([ANY] if self.needs else [])))

    def part(self, left_out: Set[yaml.Path]) -> yaml.Path:
        """The smallest part without which the rest may stand."""
        part = self.at[:-1] if self.kind == "missing" else self.at
        while part in left_out:
            part = part[:-1]
        return part
