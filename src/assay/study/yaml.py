"""Reads YAML safely, with the line and column of every key: no tags, no alias bombs, no duplicate keys."""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.reader import ReaderError

Path = tuple[str | int, ...]
Position = tuple[int, int]

# Far above any study, far below what hurts: what an alias stands for is counted as often as it is used.
MOST_CHARACTERS = 200_000
MOST_UNFOLDED = 2 * MOST_CHARACTERS
MOST_DEPTH = 40

TAG = "tag:yaml.org,2002:"
SCALARS = {"str", "int", "float", "bool", "null", "timestamp", "value", "merge"}
MERGE = f"{TAG}merge"
TRUTH = {"true": True, "yes": True, "on": True, "y": True, "false": False, "no": False, "off": False, "n": False}
NOTHING = {"", "~", "null"}


class PositionedMistake(NamedTuple):
    """A mistake at a line and column: what is wrong, and what to do."""

    position: Position
    what: str
    hint: str


@dataclass
class Tree:
    """Plain data with the line and column (from 1) of every key and value. Keys are texts, as in JSON."""

    data: Any = None
    positions: dict[Path, Position] = field(default_factory=dict)
    mistakes: list[PositionedMistake] = field(default_factory=list)
    broken: set[Path] = field(default_factory=set)
    """The parts that could not be read. Their mistakes are listed already."""

    def position(self, path: Path) -> Position:
        """The position of a key, or of the nearest part around it that is in the file."""
        while path and path not in self.positions:
            path = path[:-1]
        return self.positions.get(path, (1, 1))


class _Unreadable(Exception):
    """Why nothing of the file can be read, and where."""

    def __init__(self, position: Position, what: str, hint: str) -> None:
        super().__init__(what)
        self.mistake = PositionedMistake(position, what, hint)


def read(text: str) -> Tree:
    """Read a YAML text into plain data with positions. Mistakes are collected, and the rest is read all the same."""
    tree = Tree()
    try:
        node = _compose(text)
        if node is not None:
            tree.data = _NodeReader(tree).value(node, (), 0)
    except _Unreadable as error:
        return Tree(mistakes=[error.mistake])
    if tree.data is None and not tree.mistakes:
        hint = "begin with `assay init empathy DIR` for a working study"
        tree.mistakes.append(PositionedMistake((1, 1), "the file is empty", hint))
    return tree


def position_in(text: str, index: int) -> Position:
    """The line and column, from 1, of a character."""
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)


NOT_YAML = [
    # What the parser says, whether the mistake is where the part begins, what it means, and what to do.
    ("unexpected end of stream", True, "a quotation mark is opened here and not closed", "close it"),
    (
        "cannot start any token",
        False,
        "{sign} cannot stand here",
        "quote the text; for indentation use spaces, no tabs",
    ),
    (
        "mapping values are not allowed",
        False,
        "a colon is not expected here",
        "put a blank after the colon of the line above, indent alike, or quote a text that holds a colon",
    ),
    ("expected ',' or ']'", True, "a list is opened by [ here and not closed", "close it by ]"),
    ("expected ',' or '}'", True, "keys are opened by { here and not closed", "close them by }"),
    (
        "expected <block end>",
        False,
        "this does not belong to what stands above it",
        "indent it like its neighbours; a quotation mark within quotes is written twice",
    ),
    ("could not find expected ':'", True, "a key has no colon", "write key: value, with a blank after the colon"),
    ("undefined alias", False, "this alias was never given", "mark what it stands for with &name before"),
]


def _unreadable(error: MarkedYAMLError) -> _Unreadable:
    """The error of the parser, in words for somebody who does not know its terms."""
    complaint = " ".join(str(part) for part in (error.context, error.problem) if part)
    where, what = error.problem_mark or error.context_mark, f"this is not YAML: {complaint}"
    hint = "look at the indentation, quotes and colons here"
    for sign, at_start, words, advice in NOT_YAML:
        if sign in str(error.problem):
            shown = re.search(r"character ('.*?')", complaint)
            what, hint = words.replace("{sign}", _sign_in_words(shown[1]) if shown else ""), advice
            where = error.context_mark if at_start and error.context_mark else where
            break
    return _Unreadable((where.line + 1, where.column + 1) if where else (1, 1), what, hint)


def _sign_in_words(sign: str) -> str:
    return "a tab" if "\\t" in sign or "\t" in sign else sign


@lru_cache(maxsize=8)  # one command reads a study file several times, and this is most of its time
def _compose(text: str) -> Node | None:
    if len(text) > MOST_CHARACTERS:
        position = position_in(text, MOST_CHARACTERS)
        raise _Unreadable(
            position, f"the file is longer than {MOST_CHARACTERS:,} characters", "move texts to guide files"
        )
    yaml = YAML(typ="safe", pure=True)
    yaml.composer.warn_double_anchors = False
    try:
        node: Node | None = yaml.compose(text)
    except MarkedYAMLError as error:
        raise _unreadable(error) from None
    except ReaderError as error:
        position = position_in(text, error.position)
        what = f"the character U+{error.character:04X} cannot stand in YAML"
        raise _Unreadable(position, what, "remove it; it may be invisible") from None
    except RecursionError:
        raise _Unreadable((1, 1), "the file is nested too deeply", "a study has about ten levels") from None
    except ValueError as error:
        raise _Unreadable((1, 1), f"this is not YAML: {error}", "look at the numbers after backslashes") from None
    return node


def _start(node: Node) -> Position:
    return node.start_mark.line + 1, node.start_mark.column + 1


class _NodeReader:
    """Walks the nodes once. An alias is the same node again: every visit is counted, which stops an alias bomb."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.unfolded = 0

    def value(self, node: Node, path: Path, depth: int) -> Any:
        position = _start(node)
        self.unfolded += 1 + (len(node.value) if isinstance(node, ScalarNode) else 0)
        if self.unfolded > MOST_UNFOLDED:
            hint = "write repeated parts out, or use fewer and flatter aliases"
            raise _Unreadable(position, "the file expands to too much", hint)
        if depth > MOST_DEPTH:
            raise _Unreadable(
                position, "nested too deeply, or an alias that holds itself", "a study has about ten levels"
            )
        self.tree.positions.setdefault(path, position)
        if isinstance(node, MappingNode):
            self.refuse_tag(node, "map")
            return self.mapping(node, path, depth)
        if isinstance(node, SequenceNode):
            self.refuse_tag(node, "seq")
            return [self.value(part, (*path, index), depth + 1) for index, part in enumerate(node.value)]
        return self.scalar(node, path)

    def mapping(self, node: MappingNode, path: Path, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            position = _start(key_node)
            if not isinstance(key_node, ScalarNode):
                self.mistake(position, "a key must be a plain word or number", "quote the key")
                continue
            if str(key_node.tag) == MERGE:
                self.mistake(position, "keys are not merged with << here", "write the keys out")
                continue
            key = self.key(key_node, path)
            if key in found:
                line, column = self.tree.positions[(*path, key)]
                what = f"the key {key!r} stands here a second time (first in line {line}, column {column})"
                self.mistake(position, what, "keep one of them")
                continue
            self.tree.positions[(*path, key)] = position
            found[key] = self.value(value_node, (*path, key), depth + 1)
        return found

    def key(self, node: ScalarNode, path: Path) -> str:
        """A key is told apart by its text; a number is the same number however it is written."""
        value = self.scalar(node, (*path, str(node.value)))
        return str(value) if isinstance(value, str) or type(value) is int else str(node.value)

    def scalar(self, node: Node, path: Path) -> Any:
        kind = str(node.tag).removeprefix(TAG)
        if kind not in SCALARS:
            self.refuse_tag(node)
            self.tree.broken.add(path)
            return None
        try:
            # Two escapes for one character, as JSON writes it, are that character.
            text = str(node.value).encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError:
            self.mistake(_start(node), "the text holds half of a character (a lone surrogate)", "remove it")
            self.tree.broken.add(path)
            return None
        if "\0" in text:
            self.mistake(_start(node), "the text holds a NUL character", "remove it")
            self.tree.broken.add(path)
            return None
        return _plain_value(text, kind)

    def refuse_tag(self, node: Node, expected: str = "") -> None:
        if str(node.tag) != TAG + expected:
            name = str(node.tag).replace(TAG, "!!")[:40]
            self.mistake(_start(node), f"tags such as {name} are not read", "remove the tag")

    def mistake(self, position: Position, what: str, hint: str) -> None:
        self.tree.mistakes.append(PositionedMistake(position, what, hint))


def _plain_value(text: str, kind: str) -> Any:
    """The value that a plain word stands for; the word itself where it does not fit its kind."""
    if kind == "null":
        return None if text.lower() in NOTHING else text
    if kind == "bool":
        return TRUTH.get(text.lower(), text)
    number = text.replace("_", "")
    try:
        if kind == "int":
            return int(number, 10 if number.lstrip("+-").isdecimal() else 0)
        if kind == "float":
            return float(number)
    except ValueError:
        pass
    return text
