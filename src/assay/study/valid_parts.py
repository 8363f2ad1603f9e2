"""Reads a YAML file into a type, as far as it is valid: every mistake is found at once, each with its place."""

import json
from collections.abc import Set
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from assay.study import yaml
from assay.study.explain import MistakeAt, explain, keys_at
from assay.suggest import closest_name

T = TypeVar("T", bound=BaseModel)

ANY = "*"
"""Stands for the key that an unknown one was meant to be, where none is like it."""


def read_valid_parts(
    model: type[T], tree: yaml.Tree, folder: Path, left_out: Set[yaml.Path] = frozenset()
) -> tuple[T | None, Set[yaml.Path], list[MistakeAt]]:
    """Read the file. Where parts are invalid, leave them out and read it again, so that the rest is validated too.

    Returns what could be read, the parts that were left out, and every mistake.
    """
    mistakes: list[MistakeAt] = []
    left_out = {*tree.broken, *left_out}
    explained: set[yaml.Path] = set(left_out)
    while True:
        kept = _DataWithout(tree.data, left_out)
        try:
            text = json.dumps(kept.data, ensure_ascii=False)
            return model.model_validate_json(text, context={"folder": folder}), left_out, mistakes
        except ValidationError as error:
            complaints = [_ValidationError(model, kept, each) for each in error.errors(include_url=False)]
        explained.update(*(complaint.explained_paths for complaint in complaints))
        mistakes += [explain(each.error, each.at, model) for each in complaints if not each.follows_from(explained)]
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

    def __init__(self, model: type[BaseModel], kept: _DataWithout, error: Any) -> None:
        self.model = model
        self.error = error
        self.kind: str = error["type"]
        self.needs: tuple[str, ...] = (error.get("ctx") or {}).get("needs", ())
        missing = error["loc"][-1:] if self.kind == "missing" else ()
        at, self.value = kept.path_in_file(error["loc"][: len(error["loc"]) - len(missing)])
        self.at: yaml.Path = (*at, *missing)

    @property
    def explained_paths(self) -> set[yaml.Path]:
        """Paths of missing keys that this unknown key was probably meant to be: these need not be reported as well."""
        if self.kind != "extra_forbidden":
            return set()
        return {(*self.at[:-1], closest_name(str(self.at[-1]), keys_at(self.at[:-1], self.model)) or ANY)}

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
