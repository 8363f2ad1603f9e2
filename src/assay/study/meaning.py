"""What no single part of a study file can see: names that occur twice, and names that do not exist."""

from collections.abc import Iterator, Set
from typing import Any

from pydantic import ValidationError

from assay.kinds import DERIVATIONS
from assay.study.expression import ExpressionError, names, parse
from assay.study.schema import shown_fields
from assay.study.words import Said, nearest
from assay.study.yaml import Path


def meaning(data: Any, broken: Set[Path]) -> Iterator[Said]:
    """Problems between parts. What is broken already is passed over: one mistake, one message."""
    if not isinstance(data, dict) or not isinstance(data.get("rubric"), list):
        return
    yield from _twice(data["rubric"], data.get("derive"))
    dimensions = _dimensions(data["rubric"])
    for place, name in _named_dimensions(data):
        if name not in dimensions and place not in broken:
            yield place, f"there is no dimension {name!r}", nearest(name, dimensions)
    yield from _derived(data, dimensions, broken)
    yield from _compared(data, dimensions, broken)
    known = [*dimensions, *_fields(data.get("items"))]
    for index, rule in enumerate(_list(data.get("rules"))):
        at: Path = ("rules", index)
        for key in ("when", "allowed"):
            for name in _names(rule.get(key)) if isinstance(rule, dict) else []:
                if name not in known:
                    what = f"there is neither a dimension nor a shown field {name!r}"
                    yield (*at, key), what, nearest(name, known)
        if isinstance(rule, dict) and isinstance(rule.get("allowed"), str) and (*at, "allowed") not in broken:
            about = list(dict.fromkeys(name for name in _names(rule["allowed"]) if name in dimensions))
            if len(about) != 1:
                what = "`allowed` speaks of no dimension" if not about else f"`allowed` speaks of {' and '.join(about)}"
                yield (*at, "allowed"), what, "write one rule for each dimension that it limits, such as `safety <= 2`"


def _list(part: Any) -> list[Any]:
    return part if isinstance(part, list) else []


def _named_dimensions(data: dict[str, Any]) -> Iterator[tuple[Path, str]]:
    """Every place that names a dimension."""
    for index, rule in enumerate(_list(data.get("rules"))):
        if isinstance(rule, dict):
            yield from _texts_at(("rules", index, "required"), rule.get("required"))
            for name in rule["value"] if isinstance(rule.get("value"), dict) else ():
                yield ("rules", index, "value", name), name
    items = data.get("items")
    if not isinstance(items, dict):
        return
    for index, block in enumerate(_list(items.get("show"))):
        if isinstance(block, dict):
            yield from _texts_at(("items", "show", index, "after"), block.get("after"))
    for index, existing in enumerate(_list(items.get("judgments"))):
        values = existing.get("values") if isinstance(existing, dict) else None
        for name in values if isinstance(values, dict) else ():
            yield ("items", "judgments", index, "values", name), name


def _texts_at(at: Path, part: Any) -> Iterator[tuple[Path, str]]:
    if isinstance(part, str):
        yield at, part
    for index, text in enumerate(_list(part)):
        if isinstance(text, str):
            yield (*at, index), text


def _derived(data: dict[str, Any], dimensions: list[str], broken: Set[Path]) -> Iterator[Said]:
    """What a derived value is computed from must be there before it."""
    known = list(dimensions)
    for index, entry in enumerate(_list(data.get("derive"))):
        if not isinstance(entry, dict):
            continue
        for at, name in _uses(entry):
            place: Path = ("derive", index, *at)
            if name not in known and not any(place[:end] in broken for end in range(2, len(place) + 1)):
                what = f"there is neither a dimension {name!r} nor a value derived before"
                yield place, what, nearest(name, known)
        if isinstance(entry.get("derived"), str):
            known.append(entry["derived"])


def _compared(data: dict[str, Any], dimensions: list[str], broken: Set[Path]) -> Iterator[Said]:
    """Systems are compared on dimensions, and on what is computed from them."""
    derived = [each.get("derived") for each in _list(data.get("derive")) if isinstance(each, dict)]
    known = [*dimensions, *(name for name in derived if isinstance(name, str))]
    analysis = data.get("analysis")
    for index, comparison in enumerate(_list(analysis.get("compare")) if isinstance(analysis, dict) else []):
        at: Path = ("analysis", "compare", index, "on")
        for place, name in _texts_at(at, comparison.get("on")) if isinstance(comparison, dict) else ():
            if name not in known and not any(place[:end] in broken for end in range(3, len(place) + 1)):
                yield place, f"there is neither a dimension nor a derived value {name!r}", nearest(name, known)


def _uses(entry: dict[str, Any]) -> Iterator[tuple[Path, str]]:
    """The names that a derivation computes from, where its settings hold them: `of`, and the counts of steps."""
    for kind, settings in entry.items():
        if kind not in DERIVATIONS or not isinstance(settings, dict):
            continue
        yield from _of((kind,), settings)
        if isinstance(settings.get("ratio"), dict):
            yield from _of((kind, "ratio"), settings["ratio"])
        for number, step in enumerate(_list(settings.get("steps"))):
            counts = step.get("counts") if isinstance(step, dict) else None
            for name in counts if isinstance(counts, dict) else ():
                yield (kind, "steps", number, "counts", name), name


def _of(at: Path, settings: dict[str, Any]) -> Iterator[tuple[Path, str]]:
    of = settings.get("of")
    if isinstance(of, str):
        yield (*at, "of"), of
    for name in of if isinstance(of, dict) else ():
        yield (*at, "of", name), name


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
    entries = items.get("entries") if isinstance(items, dict) else None
    for entry in entries.values() if isinstance(entries, dict) else ():
        found += _texts(entry.get("keep")) if isinstance(entry, dict) else []
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


def _twice(rubric: list[Any], derive: Any) -> Iterator[Said]:
    seen: set[str] = set()
    for part, key, entries in (("rubric", "dimension", rubric), ("derive", "derived", _list(derive))):
        for index, entry in enumerate(entries):
            name = entry.get(key) if isinstance(entry, dict) else None
            if isinstance(name, str):
                if name in seen:
                    what = f"the {'dimension' if part == 'rubric' else 'name'} {name!r} stands here a second time"
                    yield (part, index, key), what, "give each its own name"
                seen.add(name)
