"""The page decides rules as the server does: the same trees and values, in a real Chromium."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Route, sync_playwright
from tools.browser import QUIET, system_browser

import assay.web
from assay.judgments import ItemRule, Question, broken_rules, fill_in, item_rules, questions_of, settle
from assay.judgments.rules import Answers, answers_by_key, are_done
from assay.model import Slot, Value
from assay.study import Study
from assay.study.evaluate import holds
from assay.study.expression import Tree, parse
from tests.judgments.studies import SHOWN, a_study, note, scale, tags
from tests.study.expressions import random_pairs

pytestmark = pytest.mark.browser

STATIC = Path(assay.web.__file__).parent / "static"
ORIGIN = "http://rules.test/"
DECIDE = """async (pairs) => {
  const { holds } = await import("/expression.js");
  return pairs.map(([tree, values]) => { try { return holds(tree, values); } catch (error) { return String(error); } });
}"""

Pairs = list[tuple[Tree, dict[str, Any]]]


LIMIT = """async (cases) => {
  const { Rules } = await import("/rules.js");
  return cases.map(([rules, key, options, values]) => {
    const found = new Rules(rules);
    return {
      refused: found.broken(key, options, values) ?? null,
      warned: found.broken(key, options, values, false) ?? null,
      closed: found.closed(key, options ?? [], values).get(values[key]) ?? null,
      demanded: found.demand(key, values) ?? null,
      follows: found.follows(key, options, values)?.value ?? null,
    };
  });
}"""
"""What the page makes of one question: whether its answer is closed and why, whether it is needed, what follows."""


ASK = """async (cases) => {
  const { Rules } = await import("/rules.js");
  return cases.map(([rules, given]) => {
    const found = new Rules(rules);
    const values = { ...given };
    for (const key of Object.keys(given)) if (!found.isAsked(key, values)) values[key] = null;
    return [Object.keys(given).filter((key) => found.isAsked(key, values)), [...found.done(values)].sort()];
  });
}"""
"""Which questions the page asks, one after the other, and for which nobody need wait."""


def in_the_browser(script: str, cases: Any) -> list[Any]:
    """What the page's modules say of each case."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=system_browser(), args=QUIET)
        page = browser.new_page()
        for name in ("expression.js", "rules.js"):
            page.route(f"{ORIGIN}{name}", served(name))
        page.route(ORIGIN, lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
        page.goto(ORIGIN)
        # Through JSON, as the rules and answers of a page are.
        found: list[Any] = page.evaluate(script, json.loads(json.dumps(cases)))
        browser.close()
    return found


def served(name: str) -> Callable[[Route], None]:
    return lambda route: route.fulfill(path=STATIC / name, content_type="text/javascript")


@pytest.fixture
def thread() -> Iterator[ThreadPoolExecutor]:
    """A thread of its own: other tests of this process may keep a browser open, which fills the main one."""
    with ThreadPoolExecutor(1) as executor:
        yield executor


def disagreements(thread: ThreadPoolExecutor, pairs: Pairs) -> list[str]:
    found = thread.submit(in_the_browser, DECIDE, pairs).result()
    assert len(found) == len(pairs)
    return [
        f"{tree} of {values}: {holds(tree, values)} here, {there} in the page"
        for (tree, values), there in zip(pairs, found, strict=True)
        if there is not holds(tree, values)
    ]


def test_the_page_and_the_server_decide_every_rule_alike(thread: ThreadPoolExecutor) -> None:
    pairs = random_pairs(seed=20260217, count=600)
    share = sum(holds(tree, values) for tree, values in pairs) / len(pairs)
    assert 0.2 < share < 0.8, "the pairs must try both answers"
    assert disagreements(thread, pairs) == []


def test_the_page_and_the_server_decide_the_awkward_rules_alike(thread: ThreadPoolExecutor) -> None:
    texts = ["a not in [1]", "any(a, b) not in [1]", "all(a, b) in [1]", "a == b", "a", "not a", "a has 1", "a < 1"]
    values: list[dict[str, Any]] = [{}, {"a": None}, {"a": 1}, {"a": 1.0, "b": True}, {"a": [1], "b": [1.0]}]
    values += [{"a": [], "b": []}, {"a": "", "b": ""}, {"a": 0}, {"a": [True], "b": [1]}, {"a": [[]], "b": [[]]}]
    values += [{"a": {}, "b": {}}, {"a": {"x": 1}, "b": {"x": 1}}, {"a": [{}]}]
    assert disagreements(thread, [(parse(text), each) for text in [*texts, "a == a"] for each in values]) == []


def test_a_name_that_every_object_of_a_page_has_is_unanswered_all_the_same(thread: ThreadPoolExecutor) -> None:
    names = ["constructor", "toString", "__proto__"]
    assert disagreements(thread, [(parse(f"answered({name})"), {}) for name in names]) == []


CONDITIONS = ["a == 1", "b >= 2", "t has x", "count(t) >= 1", "answered(a, b)", "empty(t)", "not a == 2", "a == b"]
LIMITS = ["{} <= 2", "{} in [2, 3]", "{} != 1", "{} == 3", "{} >= 2 and not {} == 3"]
LIMITS_OF_TICKS = ["count({}) == 0", "{} has x", "not {} has y", "count({}) >= 2", "{} has x or not {} has y"]


def random_study(rng: Random) -> Study:
    def rule() -> dict[str, Any]:
        name = rng.choice("abct")
        value: Any = rng.choice(["x", ["y"], ["y", "x"]]) if name == "t" else 2
        limits = LIMITS_OF_TICKS if name == "t" else LIMITS
        asks = rng.choice(
            [{"required": name}, {"allowed": rng.choice(limits).format(name, name)}, {"value": {name: value}}]
        )
        mode = rng.choice(["refuse", "refuse", "warn"])
        return {**asks, "when": rng.choice(CONDITIONS), "mode": mode, "message": f"m{rng.randint(0, 9)}"}

    rubric = [*(scale(name, 1, 3) for name in "abc"), tags("t", "x", "y"), note()]
    return a_study(*rubric, rules=[rule() for _ in range(rng.randint(2, 8))])


def test_the_page_closes_the_answers_that_the_server_refuses(thread: ThreadPoolExecutor) -> None:
    rng = Random(20260217)
    cases, expected = [], []
    for _ in range(800):
        study = random_study(rng)
        questions = questions_of(study, SHOWN)
        rules = item_rules(study, questions, SHOWN)
        answers: Answers = {Slot(name): rng.choice([None, 1, 2, 3]) for name in "abc"}
        answers[Slot("t")] = rng.choice([None, ["x"], ["y"], ["x", "y"]])
        values = {slot.key: value for slot, value in answers.items()}
        name = rng.choice("abct")
        options = None if name == "t" else [1, 2, 3]
        cases.append([[rule.as_json() for rule in rules], name, options, values])
        needed = [rule for rule in rules if rule.kind == "required" and rule.refuses and rule.slot.key == name]
        refused = broken_rules(rules, questions, answers, refuses=True).get(name)
        warned = broken_rules(rules, questions, answers, refuses=False).get(name)
        expected.append(
            {
                "refused": refused,
                "warned": warned if values[name] is not None else None,
                "closed": refused if options else None,
                "demanded": next((rule.message for rule in needed if holds(rule.when, values)), None),
                "follows": following(rules, questions, answers, name),
            }
        )
    assert 50 < sum(each["refused"] is not None for each in expected) < 750, "the cases must try both answers"
    found = thread.submit(in_the_browser, LIMIT, cases).result()
    assert [(case, one, other) for case, one, other in zip(cases, found, expected, strict=True) if one != other] == []


def following(rules: tuple[ItemRule, ...], questions: tuple[Question, ...], answers: Answers, name: str) -> Value:
    """What is filled in at a question by the answers as they stand, once its own is taken away."""
    only = [rule for rule in rules if rule.slot.key == name]
    # Whether a rule acts is decided by all answers; another answer of the question itself may be among them.
    held = [replace(rule, when=["value", holds(rule.when, answers_by_key(answers))]) for rule in only]
    return fill_in(held, questions, {**answers, Slot(name): None})[Slot(name)]


def test_the_page_asks_what_the_server_asks(thread: ThreadPoolExecutor) -> None:
    rng = Random(20260217)
    earlier = {
        "b": ["a == 1", "not a == 1", "a >= 2"],
        "c": ["b == 2", "a == 1 and not b == 1", "empty(b)", "text == 1"],
    }
    cases, expected = [], []
    for _ in range(300):
        conditions = {name: {"ask_when": rng.choice(when)} for name, when in earlier.items() if rng.random() < 0.8}
        study = a_study(*(scale(name, 1, 3, **conditions.get(name, {})) for name in "abc"))
        questions = questions_of(study, SHOWN)
        rules = item_rules(study, questions, SHOWN)
        answers: Answers = {Slot(name): rng.choice([None, 1, 2, 3]) for name in "abc"}
        asked = [question.key for question in settle(rules, questions, answers).questions]
        cases.append([[rule.as_json() for rule in rules], answers_by_key(answers)])
        expected.append([asked, sorted(are_done(rules, questions, answers))])
    assert len({tuple(asked) for asked, _ in expected}) == 4, "the cases must try every set of questions"
    found = thread.submit(in_the_browser, ASK, cases).result()
    assert [(case, one, other) for case, one, other in zip(cases, found, expected, strict=True) if one != other] == []
