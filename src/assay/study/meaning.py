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
    fields = _fields(data.get("items"))
    rules = data.get("rules")
    for index, rule in enumerate(rules if isinstance(rules, list) else []):
        at: Path = ("rules", index)
        if not isinstance(rule, dict):
            continue
        required = rule.get("required")
        if isinstance(required, str) and required not in dimensions and (*at, "required") not in broken:
            yield (*at, "required"), f"there is no dimension {required!r}", nearest(required, dimensions)
        if fields is not None:
            known = [*dimensions, *fields]
            for name in _names(rule.get("when")):
                if name not in known:
                    what = f"there is neither a dimension nor a shown field {name!r}"
                    yield (*at, "when"), what, nearest(name, known)


def _dimensions(rubric: list[Any]) -> list[str]:
    """Every name of a dimension. An entry without a readable name may be called by any text that stands in it."""
    found: list[str] = []
    for entry in rubric:
        written = entry if isinstance(entry, dict) else {"dimension": entry}
        name = written.get("dimension")
        found += [name] if isinstance(name, str) else [text for text in written.values() if isinstance(text, str)]
    return found


def _fields(items: Any) -> list[str] | None:
    """The shown fields, or None where a block is broken and so might show any."""
    try:
        return [name for block in items["show"] for name in shown_fields(block)]
    except (ValidationError, TypeError, KeyError):
        return None


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
