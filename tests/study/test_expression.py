"""The language of rules: what it says, how it ties, what it refuses and where."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.study.evaluate import holds
from assay.study.expression import MOST_DEPTH, MOST_LENGTH, ExpressionError, Tree, names, parse
from tests.examples import examples
from tests.study.expressions import json_values, printed, trees, values_of_names

A, B, C = ["name", "a"], ["name", "b"], ["name", "c"]


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a == 1", ["==", A, ["value", 1]]),
        ("a==1", ["==", A, ["value", 1]]),
        ("a<-1.5", ["<", A, ["value", -1.5]]),
        ("a == 'it is'", ["==", A, ["value", "it is"]]),
        ('a == "it\'s"', ["==", A, ["value", "it's"]]),
        ("a == b", ["==", A, B]),
        ("a == true", ["==", A, ["value", True]]),
        ("a in [1, 'x', y]", ["in", A, ["list", 1, "x", "y"]]),
        ("a has b", ["has", A, ["value", "b"]]),
        ("a has 'two words'", ["has", A, ["value", "two words"]]),
        ("answered(a, b)", ["answered", A, B]),
        ("any(a, b) > 3", [">", ["any", A, B], ["value", 3]]),
        ("all(a, b) != 3", ["!=", ["all", A, B], ["value", 3]]),
        ("any(a, b) has x", ["has", ["any", A, B], ["value", "x"]]),
        ("a or b and c", ["or", A, ["and", B, C]]),
        ("a and b or c", ["or", ["and", A, B], C]),
        ("(a or b) and c", ["and", ["or", A, B], C]),
        ("a or b or c", ["or", ["or", A, B], C]),
        ("a or (b or c)", ["or", A, ["or", B, C]]),
        ("not a and b", ["and", ["not", A], B]),
        ("not a == 1", ["not", ["==", A, ["value", 1]]]),
        ("not not a", A),
        ("not (a or b)", ["not", ["or", A, B]]),
        ("(a or b) == true", ["==", ["or", A, B], ["value", True]]),
        ("((a))", A),
        ("note-2 == 1", ["==", ["name", "note-2"], ["value", 1]]),
        ("a not in [1]", ["and", ["answered", A], ["not", ["in", A, ["list", 1]]]]),
        ("inner == 1", ["==", ["name", "inner"], ["value", 1]]),
        ("count(a, b) > 1", [">", ["count", A, B], ["value", 1]]),
        ("count(x of a) > 1", [">", ["count", ["of", A, "x"]], ["value", 1]]),
        ("count('two words' of a, b) > 1", [">", ["count", ["of", A, "two words"], B], ["value", 1]]),
        ("count(of) == of", ["==", ["count", ["name", "of"]], ["name", "of"]]),
        ("count(of of of) > 1", [">", ["count", ["of", ["name", "of"], "of"]], ["value", 1]]),
    ],
)
def test_a_rule_is_read_into_its_tree(text: str, tree: Tree) -> None:
    assert parse(text) == tree


@pytest.mark.parametrize(
    ("text", "what", "at"),
    [
        ("", "something is missing at the end", 0),
        ("   ", "something is missing at the end", 3),
        ("a ==", "something is missing at the end", 4),
        ("a == 1 b", "'b' was not expected here", 7),
        ("a = 1", "cannot read '= 1'", 2),
        ("a == 'x", 'cannot read "\'x"', 5),
        ("a.b == 1", "cannot read '.b == 1'", 1),
        ("__import__('os')", "'(' was not expected here", 10),
        ("a in [1, 5", "] is missing at the end", 10),
        ("a in []", "a number or text expected, not ']'", 6),
        ("a in [1,]", "a number or text expected, not ']'", 8),
        ("a in [b == 1]", "']' expected, not '=='", 8),
        ("(a == 1", ") is missing at the end", 7),
        ("a == 1)", "')' was not expected here", 6),
        ("a not == 1", "after 'not' only 'in' can follow here", 2),
        ("a and and b", "'and' was not expected here", 6),
        ("any(a, b)", "any(...) needs a comparison after it", 9),
        ("any a == 1", "'(' expected, not 'a'", 4),
        ("any(1) == 1", "a name expected, not '1'", 4),
        ("any() == 1", "a name expected, not ')'", 4),
        ("answered(and)", "a name expected, not 'and'", 9),
        ("1 == any(a)", "any(...) can only stand on the left of a comparison", 5),
        ("a in all(b)", "all(...) can only stand on the left of a comparison", 5),
        ("a not in any(b)", "any(...) can only stand on the left of a comparison", 9),
        ("a has [1]", "a number or text expected, not '['", 6),
        ("count(x of) > 1", "a name expected, not ')'", 10),
        ("count(x y) > 1", "')' expected, not 'y'", 8),
        ("answered(x of a)", "')' expected, not 'of'", 11),
        ("a has not", "a number or text expected, not 'not'", 6),
        ("a == 9007199254740993", "the number is too large", 5),
        (f"a == {'9' * 400}.5", "the number is too large", 5),
        ("a == 1 == 1", "'==' was not expected here", 7),
        ("a == b == c", "'==' was not expected here", 7),
        ("(" * (MOST_DEPTH + 1), "nested too deeply", MOST_DEPTH - 1),
        ("a " * MOST_LENGTH, f"longer than {MOST_LENGTH} characters", MOST_LENGTH),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(text: str, what: str, at: int) -> None:
    with pytest.raises(ExpressionError) as raised:
        parse(text)
    assert (raised.value.what, raised.value.at) == (what, at)


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("a == 1", {"a": 1}, True),
        ("a == 1", {"a": 1.0}, True),
        ("a == 1", {"a": True}, False),
        ("a == 1", {"a": "1"}, False),
        ("a == 1", {"a": [1]}, False),
        ("a != 1", {"a": 2}, True),
        ("a != 1", {"a": "1"}, True),
        ("a < 2", {"a": 1}, True),
        ("a < 2", {"a": "1"}, False),
        ("a < 2", {"a": True}, False),
        ("a >= 2", {"a": 2}, True),
        ("a == b", {"a": ["x"], "b": ["x"]}, True),
        ("a == b", {"a": [1], "b": [True]}, False),
        ("a == b", {"a": {"x": 1}, "b": {"x": 1}}, False),
        ("a == a", {"a": {"x": 1}}, True),
        ("a in [1, 5]", {"a": 5}, True),
        ("a in [1, 5]", {"a": 3}, False),
        ("a not in [1, 5]", {"a": 3}, True),
        ("a not in [1, 5]", {"a": 5}, False),
        ("a in b", {"a": "x", "b": ["x", "y"]}, True),
        ("a in b", {"a": "x", "b": "xyz"}, False),
        ("a has x", {"a": ["x", "y"]}, True),
        ("a has x", {"a": ["x @3"]}, True),
        ("a has x", {"a": ["x@3", "xx @3"]}, False),
        ("count(x of a) == 2", {"a": ["x", "y", "x @3"]}, True),
        ("count(x of a, y of a) == 3", {"a": ["x", "y", "x @3", "z"]}, True),
        ("count(x of a) == 0", {}, True),
        ("count(x of a) == 0", {"a": "x"}, True),
        ("count(1 of a) == 2", {"a": [1, 1.0, "1", True]}, True),
        ("a has x", {"a": ["y"]}, False),
        ("a has x", {"a": "x"}, False),
        ("a has x", {"a": ["y"], "x": "y"}, False),
        ("any(a, b) in [1, 5]", {"a": 3, "b": 5}, True),
        ("any(a, b) in [1, 5]", {"a": 3, "b": 3}, False),
        ("all(a, b) in [1, 5]", {"a": 1, "b": 5}, True),
        ("all(a, b) in [1, 5]", {"a": 1, "b": 3}, False),
        ("any(a, b) not in [1, 5]", {"a": 1, "b": 3}, True),
        ("any(a, b) not in [1, 5]", {"a": 1, "b": 5}, False),
        ("all(a, b) not in [1, 5]", {"a": 2, "b": 3}, True),
        ("all(a, b) not in [1, 5]", {"a": 1, "b": 3}, False),
        ("answered(a, b)", {"a": 0, "b": ""}, True),
        ("answered(a, b)", {"a": 0, "b": None}, False),
        ("a", {"a": "x"}, True),
        ("a", {"a": ""}, False),
        ("a", {"a": 0}, False),
        ("a", {"a": []}, False),
        ("(a == 1 or b == 1) == true", {"a": 1}, True),
        ("a == 1 and not b == 1 or c == 1", {"a": 1, "b": 1, "c": 1}, True),
    ],
)
def test_a_rule_holds_as_it_reads(text: str, values: dict[str, Any], expected: bool) -> None:
    assert holds(parse(text), values) is expected


@pytest.mark.parametrize("op", ["==", "!=", "<", "<=", ">", ">=", "in", "not in"])
@pytest.mark.parametrize("values", [{}, {"a": None, "b": None}, {"a": 1}, {"b": 1}, {"a": 1, "b": None}])
def test_a_comparison_with_something_unanswered_is_false(op: str, values: dict[str, Any]) -> None:
    assert not holds(parse(f"a {op} b"), values)


@pytest.mark.parametrize("quantifier", ["any", "all"])
@pytest.mark.parametrize("op", ["== 1", "!= 1", "in [1]", "not in [1]", "has x"])
def test_a_comparison_of_several_unanswered_is_false(quantifier: str, op: str) -> None:
    assert not holds(parse(f"{quantifier}(a, b) {op}"), {})


def test_the_names_of_a_rule_are_those_of_answers_and_fields_alone() -> None:
    tree = parse("any(a, b) in [name, x] and (c has name or not answered(d)) and e not in f")
    assert sorted(set(names(tree))) == ["a", "b", "c", "d", "e", "f"]


@settings(max_examples=examples(300), deadline=None)
@given(trees)
def test_a_tree_comes_back_from_its_text(tree: Tree) -> None:
    text = printed(tree)
    if len(text) <= MOST_LENGTH:
        assert parse(text) == tree


TOKENS = ["a", "b", "any", "all", "answered", "not", "in", "has", "and", "or", "(", ")", "[", "]", ",", "==", "<", "1"]
TOKENS += ["'x'", '"', "true", "-", "1.5", ".", " ", "=", "\x00", "é", "٣"]


@settings(max_examples=examples(500), deadline=None)
@given(
    st.text(max_size=60) | st.lists(st.sampled_from(TOKENS), max_size=25).map(" ".join),
    st.dictionaries(st.sampled_from("ab"), json_values),
)
def test_any_text_is_a_rule_that_can_be_decided_or_is_refused_in_words(text: str, values: dict[str, Any]) -> None:
    found = parsed_or_refused(text)
    if isinstance(found, ExpressionError):
        assert found.what
        assert 0 <= found.at <= len(text)
    else:
        assert isinstance(holds(found, values), bool)
        assert all(isinstance(name, str) for name in names(found))


def parsed_or_refused(text: str) -> Tree | ExpressionError:
    try:
        return parse(text)
    except ExpressionError as error:
        return error


@settings(max_examples=examples(300), deadline=None)
@given(trees, values_of_names)
def test_every_tree_can_be_decided_for_any_values(tree: Tree, values: dict[str, Any]) -> None:
    assert isinstance(holds(tree, values), bool)


@pytest.mark.parametrize(
    "text", ["a or " * 399 + "a", '""or' * 499 + '""', "not " * 499 + "a", "(" * 49 + "a" + ")" * 49]
)
def test_the_longest_rules_can_be_decided(text: str) -> None:
    tree = parse(text)
    assert holds(tree, {"a": True}) is (text[0] != '"' and not text.startswith("not"))
    assert list(names(tree))[:1] == ([] if text[0] == '"' else ["a"])
