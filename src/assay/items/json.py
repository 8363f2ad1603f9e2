"""A list of JSON objects, at the top of the file or where the keys of `each` lead."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

from assay.items import Mistakes, Options, Source, text_lines
from assay.suggest import suggest_name

LARGEST = 500_000_000
TWICE = "the key {!r} stands twice"
ENDLESS = "a number has too many digits"
DEEP = "the nesting is too deep"
MOST_DEPTH = 200

Part = str | int
"""A key, or the number of an element, counted from 1."""


class JsonSource(Source):
    """A list of JSON objects. `each` names the keys that lead to it; fields of outer objects are added to each row."""

    kind: ClassVar[str] = "json"
    suffixes: ClassVar[tuple[str, ...]] = (".json",)

    def rows(
        self, path: Path, mistakes: Mistakes, options: Options = Options()
    ) -> Iterator[tuple[int | str, dict[str, Any]]]:
        top = read_json(path, mistakes)
        if options.alone and isinstance(top, dict):
            yield 1, top
        elif top is not None:
            yield from rows_below(top, options.each, mistakes)


def read_json(path: Path, mistakes: Mistakes, file: str = "") -> Any:
    """What a JSON file holds, or None where that is nothing or cannot be taken; `file` is said before each place."""
    if path.stat().st_size > LARGEST:
        hint = "write it as JSON lines, one object a line (.jsonl)"
        mistakes.add("the file is larger than 500 MB", hint, file or None)
        return None
    text = "".join(text_lines(path))
    if not text.strip():
        return None
    try:
        return parse_json(text)
    except InvalidJson as wrong:
        for location, what in _all_mistakes(text, wrong):
            mistakes.add(what, "correct the file at this place", _join_location(file, location))
        return None


class InvalidJson(Exception):
    """Why a text is not taken as JSON, and its line where that is known."""

    def __init__(self, what: str, line: int | None = None) -> None:
        super().__init__(what)
        self.line = line


def parse_json(text: str) -> Any:
    """Read JSON strictly: no key twice, no NaN, no number without end."""
    try:
        return json.loads(text, object_pairs_hook=_refuse_repeated_key, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise InvalidJson(f"this is not JSON: {error.msg} (character {error.colno})", error.lineno) from None
    except RecursionError:
        raise InvalidJson(DEEP, _line_of_depth(text)) from None
    except ValueError:
        raise InvalidJson(ENDLESS) from None


def _refuse_repeated_key(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise InvalidJson(TWICE.format(name))
        found[name] = value
    return found


def _refuse_constant(text: str) -> Any:
    raise InvalidJson(f"{text} is not JSON")


def _line_of_depth(text: str) -> int:
    depth = 0
    for token in re.finditer(r'"(?:[^"\\]++|\\.)*+"|[][{}]', text, re.DOTALL):
        depth += (token[0] in "[{") - (token[0] in "]}")
        if depth > MOST_DEPTH:
            break
    return text.count("\n", 0, token.start()) + 1


def _all_mistakes(text: str, first: InvalidJson) -> list[tuple[str, str]]:
    """Where a text is wrong, and why: the line that the parser stopped at, or the place of each value."""
    if first.line is not None:
        return [(f"line {first.line}", str(first))]
    try:
        top = json.loads(
            text, object_pairs_hook=_mark_repeated_key, parse_constant=_mark_constant, parse_int=_mark_endless_number
        )
    except json.JSONDecodeError as error:
        return [(f"line {error.lineno}", f"this is not JSON: {error.msg} (character {error.colno})")]
    except RecursionError:
        return [(f"line {_line_of_depth(text)}", DEEP)]
    return list(_marked_values(top))


class _InvalidValue(str):
    """Why the value that stood here is wrong."""


class _RepeatedKey(dict[str, Any]):
    """An object with a key that stands twice."""

    name: str


def _mark_repeated_key(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = _RepeatedKey(pairs)
    if len(found) == len(pairs):
        return dict(found)
    names = [name for name, _ in pairs]
    found.name = next(name for index, name in enumerate(names) if name in names[:index])
    return found


def _mark_constant(text: str) -> Any:
    return _InvalidValue(f"{text} is not JSON")


def _mark_endless_number(digits: str) -> Any:
    try:
        return int(digits)
    except ValueError:
        return _InvalidValue(ENDLESS)


def _marked_values(top: Any) -> Iterator[tuple[str, str]]:
    """Every mark with its place, in the order of the file."""
    waiting: list[tuple[tuple[Part, ...], Any]] = [((), top)]
    while waiting:
        parts, value = waiting.pop()
        if isinstance(value, _InvalidValue):
            yield _path_in_words(parts), value
        if isinstance(value, _RepeatedKey):
            yield _path_in_words(parts), TWICE.format(value.name)
        if isinstance(value, dict):
            waiting += [((*parts, key), inner) for key, inner in reversed(value.items())]
        elif isinstance(value, list):
            waiting += [((*parts, number), inner) for number, inner in _number_backwards(value)]


def _number_backwards(values: list[Any]) -> Iterator[tuple[int, Any]]:
    return zip(range(len(values), 0, -1), reversed(values), strict=True)


def rows_below(top: Any, each: str, mistakes: Mistakes, file: str = "") -> Iterator[tuple[int | str, dict[str, Any]]]:
    """The elements of the list that the keys of `each` lead to, with the fields of the objects around them."""
    lacking: list[tuple[int | str, str, str]] = []
    found = False
    Waiting = tuple[Any, list[str], dict[str, Any], tuple[Part, ...]]
    waiting: list[Waiting] = [(top, each.split(".") if each else [], {}, ())]
    while waiting:
        value, keys, outer, parts = waiting.pop()
        if isinstance(value, list) and not keys:
            found = True
            yield from _elements(value, outer, parts, mistakes, file)
        elif isinstance(value, list):
            waiting += [(inner, keys, outer, (*parts, number)) for number, inner in _number_backwards(value)]
        elif not isinstance(value, dict) or not keys:
            mistakes.add(*_why_no_list(value, parts), _location(parts, file))
        elif keys[0] not in value:
            lacking.append((_location(parts, file), keys[0], suggest_name(keys[0], value)))
        else:
            around = {name: inner for name, inner in value.items() if name != keys[0]}
            waiting.append((value[keys[0]], keys[1:], {**outer, **around}, (*parts, keys[0])))
    # A key that is nowhere is one mistake; else each object that lacks it is one.
    for location, key, hint in lacking if found else lacking[:1]:
        mistakes.add(f"there is no key {key!r} here", hint, location)


def _elements(
    values: list[Any], outer: dict[str, Any], parts: tuple[Part, ...], mistakes: Mistakes, file: str
) -> Iterator[tuple[int | str, dict[str, Any]]]:
    for number, value in enumerate(values, start=1):
        location = _location((*parts, number), file)
        if isinstance(value, dict):
            yield location, {**outer, **value}
        else:
            mistakes.add("this is not an object", "a list of objects is expected", location)


def _why_no_list(value: Any, parts: tuple[Part, ...]) -> tuple[str, str]:
    """Why there is no list of rows here, and which lists there are."""
    if not isinstance(value, dict):
        return "this is not a list of objects", "[{...}, {...}]"
    before = "".join(f"{part}." for part in parts if isinstance(part, str))
    lists = [before + name for name, inner in value.items() if _are_objects(inner)]
    hint = "items need a list of objects"
    if len(lists) == 1:
        hint = f"write each: {lists[0]}"
    elif lists:
        hint = f"write each: and one of {', '.join(lists)}"
    return "this is one object, not a list of objects", hint


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def _location(parts: Sequence[Part], file: str) -> int | str:
    """A place as it is printed with a mistake: an element of the top list by its number, all else in words."""
    if not file and len(parts) == 1 and isinstance(parts[0], int):
        return parts[0]
    return _join_location(file, _path_in_words(parts))


def _join_location(file: str, words: str) -> str:
    return f"{file}, {words}" if file and words else file or words


def _path_in_words(parts: Sequence[Part]) -> str:
    """The way to a place: `samples 3`, or `row 2, info 1`."""
    words = ""
    before: Part | None = None
    for part in parts:
        if isinstance(part, int):
            words += f" {part}" if isinstance(before, str) else f"{', ' * bool(words)}row {part}"
        else:
            words += f"{'.' if isinstance(before, str) else ', ' * bool(words)}{part}"
        before = part
    return words
