"""The small language of rules: parsed once into a JSON tree. `evaluate.py` evaluates it, and the page the same tree.

    any(emotion, safety) in [1, 5]      edge has crisis and not safety == 1      empty(response)      count(faults) >= 2

`count(faults)` is how many ticks or marks there are, `count(omission of faults)` how many of one kind. Names are
dimensions, shown fields and, for an entry of a list, what is kept of it. There is no way to reach anything else: no
attributes, no calls but the named ones, no Python. A comparison with something unanswered is false, `!=` and `not in`
included. `implied(general, goal == 1)` is true for an entry that another entry names in its field `general`, where the
condition holds for that other one.
"""

import re
from collections.abc import Iterator
from functools import reduce
from typing import Any

Tree = list[Any]

TOKEN = re.compile(
    r"""\s*(?:(?P<number>-?\d+(?:\.\d+)?)|(?P<string>"[^"]*"|'[^']*')|(?P<name>[^\W\d][\w-]*)"""
    r"""|(?P<op><=|>=|==|!=|<|>|\(|\)|\[|\]|,))"""
)
QUANTIFIERS = {"any", "all"}
COMPARISONS = {"==", "!=", "<", "<=", ">", ">=", "in", "has"}
CALLS = {"any", "all", "answered", "empty", "count"}
WORDS = {"and", "or", "not", "in", "has", "any", "all", "answered", "true", "false"}
MOST_LENGTH = 2000
MOST_DEPTH = 50
LARGEST_NUMBER = 2**53
"""JavaScript, whose numbers are all floating, is exact up to here."""


class ExpressionError(ValueError):
    """What is wrong in an expression, and at which character (from 0)."""

    def __init__(self, what: str, at: int) -> None:
        super().__init__(what)
        self.what = what
        self.at = at


def parse(text: str) -> Tree:
    """Turn an expression into its tree.

    >>> parse("any(a, b) in [1, 5]")
    ['in', ['any', ['name', 'a'], ['name', 'b']], ['list', 1, 5]]
    """
    if len(text) > MOST_LENGTH:
        raise ExpressionError(f"longer than {MOST_LENGTH} characters", MOST_LENGTH)
    return _Parser(text).whole()


def names(tree: Any) -> Iterator[str]:
    """Every name in an expression."""
    if isinstance(tree, list):
        if tree and tree[0] == "name":
            yield tree[1]
        else:
            for part in tree[1:]:
                yield from names(part)


def tags_in(tree: Any) -> Iterator[tuple[str, Any]]:
    """Every tag in an expression, with the name of its dimension or field."""
    if isinstance(tree, list) and tree:
        if tree[0] == "has" and tree[1][0] == "name":
            yield tree[1][1], tree[2][1]
        if tree[0] == "of":
            yield tree[1][1], tree[2]
        for part in tree[1:]:
            yield from tags_in(part)


class _Parser:
    """Recursive descent: or, and, not, comparison, term."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(self._tokens())
        self.next = 0
        self.depth = 0

    def _tokens(self) -> Iterator[tuple[str, str, int]]:
        at = 0
        while self.text[at:].strip():
            match = TOKEN.match(self.text, at)
            if match is None:
                rest = len(self.text) - len(self.text[at:].lstrip())
                raise ExpressionError(f"cannot read {self.text[rest:][:12]!r}", rest)
            kind = str(match.lastgroup)
            yield kind, match[kind], match.start(kind)
            at = match.end()

    def peek(self) -> str:
        return self.tokens[self.next][1] if self.next < len(self.tokens) else ""

    def take(self, wanted: str = "") -> tuple[str, str, int]:
        if self.next >= len(self.tokens):
            raise ExpressionError(f"{wanted or 'something'} is missing at the end", len(self.text))
        token = self.tokens[self.next]
        if wanted and token[1] != wanted:
            raise ExpressionError(f"{wanted!r} expected, not {token[1]!r}", token[2])
        self.next += 1
        return token

    def whole(self) -> Tree:
        tree = self.either()
        if self.next < len(self.tokens):
            _, text, at = self.tokens[self.next]
            raise ExpressionError(f"{text!r} was not expected here", at)
        return tree

    def either(self) -> Tree:
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise ExpressionError("nested too deeply", self.tokens[self.next - 1][2])
        tree = self.both()
        while self.peek() == "or":
            self.take()
            tree = ["or", tree, self.both()]
        self.depth -= 1
        return tree

    def both(self) -> Tree:
        tree = self.negation()
        while self.peek() == "and":
            self.take()
            tree = ["and", tree, self.negation()]
        return tree

    def negation(self) -> Tree:
        negated = False
        while self.peek() == "not":
            self.take()
            negated = not negated
        tree = self.comparison()
        return ["not", tree] if negated else tree

    def comparison(self) -> Tree:
        left = self.term()
        negated = self.peek() == "not"
        if negated:
            at = self.take()[2]
            if self.peek() != "in":
                raise ExpressionError("after 'not' only 'in' can follow here", at)
        if self.peek() in COMPARISONS:
            op = self.take()[1]
            right = self.right_side(op)
            return _not_in(left, right) if negated else [op, left, right]
        if left[0] in QUANTIFIERS:
            raise ExpressionError(f"{left[0]}(...) needs a comparison after it", len(self.text))
        return left

    def right_side(self, op: str) -> Tree:
        if op == "has":
            # What stands after `has` is a tag, never the name of another answer.
            return ["value", self.literal()]
        if self.peek() in QUANTIFIERS:
            _, text, at = self.take()
            raise ExpressionError(f"{text}(...) can only stand on the left of a comparison", at)
        return self.term()

    def term(self) -> Tree:
        kind, text, at = self.take()
        if kind == "number":
            return ["value", _number(text, at)]
        if kind == "string":
            return ["value", text[1:-1]]
        if text == "(":
            tree = self.either()
            self.take(")")
            return tree
        if text == "[":
            return ["list", *(self.literal() for _ in self.until("]"))]
        if text in CALLS and (text in WORDS or self.peek() == "("):
            self.take("(")
            part = self.what_is_counted if text == "count" else self.name
            return [text, *(part() for _ in self.until(")"))]
        if text == "implied" and self.peek() == "(":
            self.take("(")
            link = self.name()
            self.take(",")
            condition = self.either()
            self.take(")")
            return [text, link, condition]
        if text in ("true", "false"):
            return ["value", text == "true"]
        if kind == "name" and text not in WORDS:
            return ["name", text]
        raise ExpressionError(f"{text!r} was not expected here", at)

    def until(self, end: str) -> Iterator[None]:
        yield None
        while self.peek() == ",":
            self.take()
            yield None
        self.take(end)

    def literal(self) -> Any:
        kind, text, at = self.take()
        if kind == "number":
            return _number(text, at)
        if kind == "string":
            return text[1:-1]
        if kind == "name" and text not in WORDS:
            return text
        raise ExpressionError(f"a number or text expected, not {text!r}", at)

    def what_is_counted(self) -> Tree:
        """The argument of `count`: a name, or a kind of its ticks or marks with `of`."""
        after = self.tokens[self.next + 1][1] if self.next + 1 < len(self.tokens) else ""
        if after != "of":
            return self.name()
        what = self.literal()
        self.take("of")
        return ["of", self.name(), what]

    def name(self) -> Tree:
        kind, text, at = self.take()
        if kind != "name" or text in WORDS:
            raise ExpressionError(f"a name expected, not {text!r}", at)
        return ["name", text]


def _number(text: str, at: int) -> int | float:
    number = float(text) if "." in text else int(text)
    if abs(number) > LARGEST_NUMBER:
        raise ExpressionError("the number is too large", at)
    return number


def _not_in(left: Tree, right: Tree) -> Tree:
    """`not in`, for each name on its own. It is false for an unanswered question, as every comparison is."""
    if left[0] not in QUANTIFIERS:
        tree: Tree = ["not", ["in", left, right]]
        named = [side for side in (left, right) if side[0] == "name"]
        return ["and", ["answered", *named], tree] if named else tree
    first, *rest = (_not_in(part, right) for part in left[1:])
    join = "or" if left[0] == "any" else "and"
    return reduce(lambda tree, part: [join, tree, part], rest, first)
