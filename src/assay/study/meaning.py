"""What no single part of a study file can see: names that occur twice, and names that do not exist."""

from collections.abc import Iterator, Set
from typing import Any

from pydantic import ValidationError

from assay.study.expression import ExpressionError, names, parse
from assay.study.schema import shown_fields
from assay.study.words import Said, nearest
from assay.study.yaml import Path


def meaning(data: Any, broken: Set[Path]) -> Iterator[Said]:
    """Problems between parts. What is broken already is passed over: one mistake, one message."""
    if not isinstance(data, dict) or not isinstance(data.get("rubric"), list):
        return
    yield from _twice(data["rubric"])
    dimensions = _dimensions(data["rubric"])
    known = [*dimensions, *_fields(data.get("items"))]
    rules = data.get("rules")
    for index, rule in enumerate(rules if isinstance(rules, list) else []):
        at: Path = ("rules", index)
        if not isinstance(rule, dict):
            continue
        required = rule.get("required")
        if isinstance(required, str) and required not in dimensions and (*at, "required") not in broken:
            yield (*at, "required"), f"there is no dimension {required!r}", nearest(required, dimensions)
        for name in _names(rule.get("when")):
            if name not in known:
                what = f"there is neither a dimension nor a shown field {name!r}"
                yield (*at, "when"), what, nearest(name, known)


def _dimensions(rubric: list[Any]) -> list[str]:
    """Every name of a dimension, with capitals or without: that they are wrong in a name is said where it stands.

    An entry without a readable name may be called by any text that stands in it.
    """
    found: list[str] = []
    for entry in rubric:
        name = entry.get("dimension") if isinstance(entry, dict) else None
        found += [name, name.lower()] if isinstance(name, str) else _texts(entry)
    return found


def _fields(items: Any) -> list[str]:
    """Every shown field. A block that is broken may show any that it names."""
    show = items.get("show") if isinstance(items, dict) else None
    found: list[str] = []
    for block in show if isinstance(show, list) else []:
        try:
            found += shown_fields(block)
        except ValidationError:
            found += _texts(block)
    return found


def _texts(part: Any) -> list[str]:
    if isinstance(part, dict):
        part = list(part.values())
    if isinstance(part, list):
        return [text for each in part for text in _texts(each)]
    return [part] if isinstance(part, str) else []


def _names(when: Any) -> list[str]:
    try:
        return list(dict.fromkeys(names(parse(when)))) if isinstance(when, str) else []
    except ExpressionError:
        return []


def _twice(rubric: list[Any]) -> Iterator[Said]:
    seen: set[str] = set()
    for index, entry in enumerate(rubric):
        name = entry.get("dimension") if isinstance(entry, dict) else None
        if isinstance(name, str):
            if name in seen:
                what = f"the dimension {name!r} stands here a second time"
                yield ("rubric", index, "dimension"), what, "give each its own name"
            seen.add(name)
