"""How `tools/mutate.py` breaks a statement to the database: a condition left out, one turned round, an order lost.

What an annotator's side may lose is decided there as often as in an `if`.
"""

import ast
from collections.abc import Callable, Iterator
from functools import partial

JOINED = {"and_": "or_", "or_": "and_"}
TURNED = {"is_": "is_not", "is_not": "is_"}
CONDITIONS = ("where", "and_")


def broken_statements(node: ast.AST) -> Iterator[Callable[[ast.Call], str]]:
    """Functions that break one call within a statement, and say what they did."""
    if not isinstance(node, ast.Call):
        return
    called = _called(node)
    if called in JOINED and len(node.args) > 1:
        yield join_otherwise
    if called in TURNED:
        yield turn_condition
    if called in CONDITIONS:
        yield from (partial(leave_out_condition, place=place) for place in range(len(node.args)))
    if called == "desc":
        yield lose_order


def join_otherwise(node: ast.Call) -> str:
    return _call_instead(node, JOINED[_called(node)])


def turn_condition(node: ast.Call) -> str:
    return _call_instead(node, TURNED[_called(node)])


def lose_order(node: ast.Call) -> str:
    return _call_instead(node, "asc")


def leave_out_condition(node: ast.Call, *, place: int) -> str:
    words = f"condition left out: {ast.unparse(node.args[place])[:60]}"
    node.args[place] = ast.parse("__import__('sqlalchemy').true()", mode="eval").body
    return words


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _call_instead(node: ast.Call, name: str) -> str:
    before = _called(node)
    if isinstance(node.func, ast.Attribute):
        node.func.attr = name
    else:
        node.func = ast.parse(f"__import__('sqlalchemy').{name}", mode="eval").body
    return f"{before} to {name}"
