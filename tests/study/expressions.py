"""Random rules: trees as the parser makes them, a printer back to text, and values to hold them against."""

from random import Random
from typing import Any

from hypothesis import strategies as st

from assay.study.expression import COMPARISONS, LARGEST_NUMBER, WORDS, Tree

NAMES = ["a", "b", "warmth", "note-2", "häufig", "_x"]
ORDERED = sorted(COMPARISONS)


def is_plain_name(text: str) -> bool:
    return text not in WORDS


texts = st.text(st.characters(codec="utf-8"), max_size=6).filter(lambda text: not ('"' in text and "'" in text))
floats = st.floats(-1000, 1000, allow_nan=False).map(lambda number: round(number, 3))
numbers = st.integers(-LARGEST_NUMBER, LARGEST_NUMBER) | floats
literals = numbers | texts
names = (st.sampled_from(NAMES) | st.from_regex(r"[a-z][a-z0-9_-]{0,5}", fullmatch=True)).filter(is_plain_name)
named = names.map(lambda name: ["name", name])
value_terms = st.builds(lambda value: ["value", value], literals | st.booleans())
list_terms = st.lists(literals, min_size=1, max_size=4).map(lambda found: ["list", *found])
quantified = st.builds(
    lambda word, found: [word, *found], st.sampled_from(["any", "all"]), st.lists(named, min_size=1, max_size=3)
)
called = st.builds(
    lambda word, found: [word, *found],
    st.sampled_from(["answered", "empty", "count"]),
    st.lists(named, min_size=1, max_size=3),
)
counted = st.lists(named | st.builds(lambda name, what: ["of", name, what], named, literals), min_size=1, max_size=3)
simple = named | value_terms | list_terms | called | counted.map(lambda found: ["count", *found])


def larger(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    plain = st.sampled_from([op for op in ORDERED if op != "has"])
    return (
        st.builds(lambda op, left, right: [op, left, right], plain, simple | inner | quantified, simple | inner)
        | st.builds(lambda left, tag: ["has", left, ["value", tag]], simple | inner | quantified, literals)
        | st.builds(lambda word, left, right: [word, left, right], st.sampled_from(["and", "or"]), inner, inner)
        | inner.map(negation)
    )


def negation(tree: Tree) -> Tree:
    # `not not a` is read as `a`: a tree never has one negation right inside another.
    return tree if tree[0] == "not" else ["not", tree]


trees = st.recursive(simple, larger, max_leaves=8)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | floats | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=5,
)
values_of_names = st.dictionaries(names, json_values, max_size=6)


def printed(tree: Tree) -> str:
    """The text of a tree, with no more brackets than it needs on the outside."""
    op, *parts = tree
    if op in ("and", "or"):
        return f"{operand(parts[0], op)} {op} {operand(parts[1], op, right=True)}"
    if op == "not":
        return f"not {printed(parts[0]) if parts[0][0] not in ('and', 'or') else bracketed(parts[0])}"
    if op == "has":
        return f"{term(parts[0])} has {literal(parts[1][1])}"
    if op in COMPARISONS:
        return f"{term(parts[0])} {op} {term(parts[1])}"
    return term(tree)


def operand(tree: Tree, outer: str, right: bool = False) -> str:
    """One side of `and` or `or`: bracketed where the grammar would otherwise tie it differently."""
    needs = tree[0] == "or" if outer == "and" else False
    return bracketed(tree) if needs or (right and tree[0] == outer) else printed(tree)


def term(tree: Tree) -> str:
    op, *parts = tree
    if op == "value":
        return {True: "true", False: "false"}[parts[0]] if isinstance(parts[0], bool) else literal(parts[0])
    if op == "list":
        return f"[{', '.join(map(literal, parts))}]"
    if op == "name":
        return str(parts[0])
    if op in ("any", "all", "answered", "empty", "count"):
        return f"{op}({', '.join(map(counted_part, parts))})"
    return bracketed(tree)


def counted_part(tree: Tree) -> str:
    return f"{literal(tree[2])} of {tree[1][1]}" if tree[0] == "of" else str(tree[1])


def bracketed(tree: Tree) -> str:
    return f"({printed(tree)})"


def literal(value: Any) -> str:
    if not isinstance(value, str):
        return f"{value:f}" if isinstance(value, float) else str(value)
    quote = "'" if '"' in value else '"'
    return f"{quote}{value}{quote}"


def random_pairs(seed: int, count: int) -> list[tuple[Tree, dict[str, Any]]]:
    """Trees with values, the same for the same seed; values are near to what the trees ask for, so that some hold."""
    rng = Random(seed)
    return [(random_tree(rng, rng.randint(0, 4)), random_values(rng)) for _ in range(count)]


SCALARS: list[Any] = [0, 1, 2, 5, -1, 1.0, 1.5, 0.0, "", "1", "crisis", "a", "é", True, False]


def random_tree(rng: Random, depth: int) -> Tree:
    if depth == 0:
        return rng.choice([random_name(rng), ["value", rng.choice(SCALARS)], random_list(rng), random_call(rng)])
    op = rng.choice(["and", "or", "or", "or", "not", "not", "not", *ORDERED])
    if op == "not":
        return negation(random_tree(rng, depth - 1))
    if op in ("and", "or"):
        return [op, random_tree(rng, depth - 1), random_tree(rng, depth - 1)]
    left = [rng.choice(["any", "all"]), *(random_name(rng) for _ in range(rng.randint(1, 3)))]
    left = rng.choice([left, random_name(rng), random_tree(rng, 0), random_tree(rng, depth - 1)])
    if op == "has":
        return [op, left, ["value", rng.choice(SCALARS)]]
    return [
        op,
        left,
        random_list(rng) if op == "in" else rng.choice([random_tree(rng, 0), random_tree(rng, depth - 1)]),
    ]


def random_name(rng: Random) -> Tree:
    return ["name", rng.choice(["a", "b", "c", "d", "missing"])]


def random_list(rng: Random) -> Tree:
    return ["list", *rng.choices(SCALARS, k=rng.randint(1, 4))]


def random_call(rng: Random) -> Tree:
    names = [random_name(rng) for _ in range(rng.randint(1, 2))]
    if rng.random() < 0.3:
        return ["count", *(["of", name, rng.choice(SCALARS[:-2])] for name in names)]
    return [rng.choice(["answered", "empty", "count"]), *names]


def random_values(rng: Random) -> dict[str, Any]:
    lists: list[Any] = [[], ["crisis"], [1, "1"], ["a", "crisis"], [True], [1], [[1]], [None], {}, {"x": 1}]
    lists += [["crisis", "crisis @3", "a"], ["a @1", "a @1"], ["1 @1"]]
    return {name: rng.choice([*SCALARS, *lists, None]) for name in "abcd" if rng.random() < 0.8}
