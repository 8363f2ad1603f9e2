"""Cross-references in a study file: names that are declared twice, and names that nothing declares.

Each part and each kind says by the types of its keys what they refer to (`kinds.Reference`). This module walks the
file along these types. It works on the data as it was read, so that a mistake in one part hides none in another.
"""

import json
import types
import typing
from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from assay.inputs import Input
from assay.kinds import GATES, INPUTS, Reference
from assay.study.explain import MistakeAt
from assay.study.expression import ExpressionError, names, parse, tags_in
from assay.study.schema import shown_fields, study_type
from assay.study.yaml import Path
from assay.suggest import suggest_name


def find_wrong_references(data: Any, broken: Set[Path]) -> Iterator[MistakeAt]:
    """Every name that is declared twice, or referred to and declared nowhere.

    What stands at a path in `broken` is passed over, since its mistake is reported already.
    """
    if not isinstance(data, dict) or not isinstance(data.get("rubric"), list):
        return
    declared = list(_declarations(data))
    yield from _repeated_declarations(data)
    for at, reference, name in _references(study_type(), data, ()):
        known = [each.name for each in declared if each.can_be_meant(reference, at)]
        if name not in known and at not in broken:
            yield MistakeAt(at, reference.missing.format(name=name), _hint(reference, name, known))
    for index, entry in enumerate(data["rubric"]):
        if isinstance(entry, dict):
            yield from _unknown_tags(entry, ("rubric", index, "ask_when"), data["rubric"])
    for index, rule in enumerate(_list(data.get("rules"))):
        if isinstance(rule, dict):
            for key in ("when", "allowed"):
                yield from _unknown_tags(rule, ("rules", index, key), data["rubric"])
            if ("rules", index, "allowed") not in broken:
                yield from _several_limits(rule, ("rules", index, "allowed"), declared)


# What is declared


@dataclass(frozen=True, slots=True)
class _Declaration:
    """A name that other parts can refer to."""

    kind: str
    name: str
    at: Path

    def can_be_meant(self, reference: Reference, at: Path) -> bool:
        """Whether a reference at this path may name it. Derived values are computed one after the other."""
        within = self.at[:1] == at[:1]
        return self.kind in reference.to and (not within or self.at[:2] < at[:2])


def _declarations(data: dict[str, Any]) -> Iterator[_Declaration]:
    for index, entry in enumerate(data["rubric"]):
        name = entry.get("dimension") if isinstance(entry, dict) else None
        # With capitals or without: a wrong letter in a name is reported where the name is declared. An entry without
        # a readable name may be called by any text in it.
        found = [name, name.lower()] if isinstance(name, str) else _texts(entry)
        yield from (_Declaration("dimension", each, ("rubric", index)) for each in found)
    for index, entry in enumerate(_list(data.get("derive"))):
        if isinstance(entry, dict) and isinstance(entry.get("derived"), str):
            yield _Declaration("derived value", entry["derived"], ("derive", index))
    yield from _questions_about_people(data)
    items = data.get("items")
    if not isinstance(items, dict):
        return
    for index, block in enumerate(_list(items.get("show"))):
        yield from (_Declaration("field", name, ("items", "show", index)) for name in _fields_of_block(block))
    for name, entry in items["entries"].items() if isinstance(items.get("entries"), dict) else ():
        yield _Declaration("entries", name, ("items", "entries", name))
        kept = _texts(entry.get("keep")) if isinstance(entry, dict) else []
        yield from (_Declaration("field", each, ("items", "entries", name)) for each in kept)


def _questions_about_people(data: dict[str, Any]) -> Iterator[_Declaration]:
    """The questions of every questionnaire, before work and at its end."""
    asked: list[tuple[Path, Any]] = [(("at_end",), data.get("at_end"))]
    for index, entry in enumerate(_list(data.get("gates"))):
        kinds = [name for name in entry if name in GATES and GATES[name].asks_person] if isinstance(entry, dict) else []
        asked += [(("gates", index, name), entry[name]) for name in kinds]
    for at, part in asked:
        for each in _list(part.get("questions") if isinstance(part, dict) else None):
            if isinstance(each, dict) and isinstance(each.get("question"), str):
                yield _Declaration("question", each["question"], at)


def _fields_of_block(block: Any) -> Iterator[str]:
    """The fields that a block shows. A block that is broken may show any field that it names."""
    try:
        yield from shown_fields(block)
    except ValidationError:
        yield from _texts(block)


def _repeated_declarations(data: dict[str, Any]) -> Iterator[MistakeAt]:
    seen: set[str] = set()
    for part, key, entries in (("rubric", "dimension", data["rubric"]), ("derive", "derived", data.get("derive"))):
        for index, entry in enumerate(_list(entries)):
            name = entry.get(key) if isinstance(entry, dict) else None
            if isinstance(name, str):
                if name in seen:
                    what = f"the {'dimension' if part == 'rubric' else 'name'} {name!r} stands here a second time"
                    yield MistakeAt((part, index, key), what, "give each its own name")
                seen.add(name)


# What is referred to


def _references(
    type_: Any, data: Any, at: Path, mark: Reference | None = None
) -> Iterator[tuple[Path, Reference, str]]:
    """Every reference in the data of a type: the path to it, what it refers to, and the name."""
    origin, arguments = typing.get_origin(type_), typing.get_args(type_)
    if origin is typing.Annotated:
        marks = [each for each in arguments[1:] if isinstance(each, Reference)]
        yield from _references(arguments[0], data, at, next(iter(marks), mark))
    elif origin in (typing.Union, types.UnionType):
        for each in arguments:
            yield from _references(each, data, at, mark)
    elif origin is tuple:
        # One element may be written without the list around it.
        for index, element in enumerate(data) if isinstance(data, list) else ((None, data),):
            yield from _references(arguments[0], element, at if index is None else (*at, index), mark)
    elif origin is dict:
        for key, value in data.items() if isinstance(data, dict) else ():
            yield from _references(arguments[0], key, (*at, key))
            yield from _references(arguments[1], value, (*at, key))
    elif isinstance(type_, type) and issubclass(type_, BaseModel):
        for name, field in type_.model_fields.items() if isinstance(data, dict) else ():
            key = field.alias or name
            if key in data:
                marks = [each for each in field.metadata if isinstance(each, Reference)]
                yield from _references(field.annotation, data[key], (*at, key), next(iter(marks), None))
    elif mark is not None and isinstance(data, str):
        yield from ((at, mark, name) for name in mark.names(data))


def _hint(reference: Reference, name: str, known: list[str]) -> str:
    if name.casefold() in ("yes", "no") and "field" in reference.to:
        return "in expressions the answer yes is 1 and no is 0; texts stand in quotes"
    if reference.listed_in:
        return f"known in {reference.listed_in}: {', '.join(dict.fromkeys(known)) or 'none'}"
    return suggest_name(name, known)


# What rules say of dimensions


def _unknown_tags(part: dict[str, Any], at: Path, rubric: list[Any]) -> Iterator[MistakeAt]:
    """Tags that an expression asks for and that the dimension does not have."""
    text = part.get(str(at[-1]))
    try:
        asked = list(tags_in(parse(text))) if isinstance(text, str) else []
    except ExpressionError:
        return
    for name, tag in asked:
        entry = next((each for each in rubric if isinstance(each, dict) and each.get("dimension") == name), {})
        options = _option_names(entry)
        if options and tag not in options:
            yield MistakeAt(at, f"{name} has no tag {tag!r}", suggest_name(str(tag), options))


def _option_names(entry: dict[str, Any]) -> tuple[str, ...]:
    """The names of a dimension's answers; nothing where they have none, or cannot be read."""
    for kind in INPUTS.keys() & entry.keys():
        try:
            asked: Input = INPUTS[kind].model_validate_json(json.dumps(entry[kind]))
            return asked.option_names()
        except ValidationError:
            return ()
    return ()


def _several_limits(rule: dict[str, Any], at: Path, declared: list[_Declaration]) -> Iterator[MistakeAt]:
    """A rule limits the answers of one dimension."""
    if not isinstance(rule.get("allowed"), str):
        return
    dimensions = {each.name for each in declared if each.kind == "dimension"}
    try:
        about = [name for name in dict.fromkeys(names(parse(rule["allowed"]))) if name in dimensions]
    except ExpressionError:
        about = []
    if len(about) != 1:
        what = "`allowed` speaks of no dimension" if not about else f"`allowed` speaks of {' and '.join(about)}"
        yield MistakeAt(at, what, "write one rule for each dimension that it limits, such as `safety <= 2`")


def _list(part: Any) -> list[Any]:
    return part if isinstance(part, list) else []


def _texts(part: Any) -> list[str]:
    """Every text in a part of the file, at any depth."""
    if isinstance(part, dict):
        part = list(part.values())
    if isinstance(part, list):
        return [text for each in part for text in _texts(each)]
    return [part] if isinstance(part, str) else []
