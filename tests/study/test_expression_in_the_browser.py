"""The page decides rules as the server does: the same trees and values, in a real Chromium."""

import json
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

import assay.web
from assay.study.expression import Tree, holds, parse
from tests.study.expressions import random_pairs

pytestmark = pytest.mark.browser

RULES = Path(assay.web.__file__).parent / "static" / "rules.js"
ORIGIN = "http://rules.test/"
BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DECIDE = """async (pairs) => {
  const { holds } = await import("/rules.js");
  return pairs.map(([tree, values]) => { try { return holds(tree, values); } catch (error) { return String(error); } });
}"""

Pairs = list[tuple[Tree, dict[str, Any]]]


def decided_in_the_browser(pairs: Pairs) -> list[Any]:
    """What rules.js says of each pair."""
    executable = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=QUIET)
        page = browser.new_page()
        page.route(f"{ORIGIN}rules.js", lambda route: route.fulfill(path=RULES, content_type="text/javascript"))
        page.route(ORIGIN, lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
        page.goto(ORIGIN)
        # Through JSON, as the rules and answers of a page are.
        found: list[Any] = page.evaluate(DECIDE, json.loads(json.dumps(pairs)))
        browser.close()
    return found


@pytest.fixture
def thread() -> Iterator[ThreadPoolExecutor]:
    """A thread of its own: other tests of this process may keep a browser open, which fills the main one."""
    with ThreadPoolExecutor(1) as executor:
        yield executor


def disagreements(thread: ThreadPoolExecutor, pairs: Pairs) -> list[str]:
    found = thread.submit(decided_in_the_browser, pairs).result()
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
