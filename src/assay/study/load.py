"""Loading a study: YAML to types, every problem at once, each with its place in the file and a hint."""

import json
import os
from collections.abc import Set
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from assay.errors import Problem, StudyProblems
from assay.study import yaml
from assay.study.meaning import meaning
from assay.study.schema import Study, study_type
from assay.study.words import Said, keys_at, near, say

FILE = "study.yaml"

# Each pass leaves out more; the depth of a study file bounds how far a mistake can spread upwards.
MOST_PASSES = 20


def find(where: Path) -> Path:
    """The study file that a folder or a path means."""
    return where / FILE if os.path.isdir(where) else where


def load(where: Path) -> Study:
    """Read a study file, or raise StudyProblems with everything that is wrong in it."""
    study, problems = check(where)
    if problems or study is None:
        raise StudyProblems(problems)
    return study


def study_from_document(document: str) -> Study:
    """The study that `Study.document` wrote, as the store keeps it."""
    return study_type().model_validate_json(document)


def check(where: Path) -> tuple[Study | None, list[Problem]]:
    """Read a study file and list every problem. The study is there, as far as it could be read, to be looked into."""
    path = find(where)
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        hint = f"go to the study's folder or name it; `assay init empathy DIR` writes a new {FILE}"
        return None, [Problem(str(path), "there is no such file", hint)]
    except OSError as error:
        return None, [Problem(str(path), f"the file cannot be read ({error.strerror})", "look at its permissions")]
    study, found = _check_content(content, path.parent)
    return study, [Problem(f"{path}:{line}:{column}", what, hint) for (line, column), what, hint in found]


def _check_content(content: bytes, folder: Path) -> tuple[Study | None, list[tuple[yaml.Place, str, str]]]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8")
        byte = len(content) - len(error.object) + error.start
        return None, [(yaml.place_in(before, len(before)), f"byte {byte} is not UTF-8", "save the file as UTF-8")]
    tree = yaml.read(text)
    if tree.data is None:
        return None, tree.problems
    study, broken, said = _as_far_as_it_goes(tree, folder)
    said += meaning(tree.data, broken)
    found = [*tree.problems, *((tree.place(at), what, hint) for at, what, hint in said)]
    return study, sorted(dict.fromkeys(found), key=lambda each: each[0])


def _as_far_as_it_goes(tree: yaml.Tree, folder: Path) -> tuple[Study | None, Set[yaml.Path], list[Said]]:
    """Read the study; where parts are wrong, read it again without them, so that the rest can be looked at too."""
    said: list[Said] = []
    left_out = set(tree.broken)
    for _ in range(MOST_PASSES):
        text = json.dumps(_without(tree.data, left_out), ensure_ascii=False)
        try:
            return study_type().model_validate_json(text, context={"folder": folder}), left_out, said
        except ValidationError as error:
            complaints = [_Complaint(tree.data, each, left_out) for each in error.errors(include_url=False)]
        misspelt = {complaint.meant for complaint in complaints} | left_out
        for complaint in complaints:
            if not complaint.follows_from(misspelt):
                said.append(say(complaint.error, complaint.at))
            left_out.add(complaint.part(left_out))
        if () in left_out:
            break
    return None, left_out, said


class _Complaint:
    """One of pydantic's errors, at the place that it has in the file."""

    def __init__(self, data: Any, error: Any, left_out: Set[yaml.Path]) -> None:
        self.error = error
        self.kind: str = error["type"]
        self.needs: tuple[str, ...] = (error.get("ctx") or {}).get("needs", ())
        if self.kind == "missing":
            self.at = (*_written(data, error["loc"][:-1], left_out), error["loc"][-1])
        else:
            self.at = _written(data, error["loc"], left_out)
            self.empty = not _at(data, self.at)

    @property
    def meant(self) -> yaml.Path | None:
        """The known key that stands in the file under an unknown name."""
        if self.kind != "extra_forbidden":
            return None
        meant = near(str(self.at[-1]), keys_at(self.at[:-1]))
        return (*self.at[:-1], meant) if meant else None

    def follows_from(self, broken: Set[yaml.Path | None]) -> bool:
        """Whether it is only there because something else is wrong, which is said already."""
        if self.kind == "missing":
            return self.at in broken
        if self.kind == "too_short":
            return not self.empty
        return any((*self.at, key) in broken for key in self.needs)

    def part(self, left_out: Set[yaml.Path]) -> yaml.Path:
        """The smallest part without which the rest may stand."""
        part = self.at[:-1] if self.kind == "missing" else self.at
        while part and part in left_out:
            part = part[:-1]
        return part


def _at(data: Any, path: yaml.Path) -> Any:
    for part in path:
        data = data[part]
    return data


def _written(data: Any, loc: yaml.Path, left_out: Set[yaml.Path]) -> yaml.Path:
    """The path in the file of a path in what was kept. Parts that a short form leaves out are not in the file."""
    path: yaml.Path = ()
    for part in loc:
        if isinstance(data, dict) and part in data:
            path = (*path, part)
            data = data[part]
        elif isinstance(data, list) and isinstance(part, int):
            part = [index for index in range(len(data)) if (*path, index) not in left_out][part]
            path = (*path, part)
            data = data[part]
    return path


def _without(data: Any, left_out: Set[yaml.Path], at: yaml.Path = ()) -> Any:
    """The data less the parts left out."""
    if isinstance(data, dict):
        kept = {key: value for key, value in data.items() if (*at, key) not in left_out}
        return {key: _without(value, left_out, (*at, key)) for key, value in kept.items()}
    if isinstance(data, list):
        return [
            _without(value, left_out, (*at, index)) for index, value in enumerate(data) if (*at, index) not in left_out
        ]
    return data
