"""What `make test` tries, and what it leaves to `make thorough`: said by a mark, and printed in the summary."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from assay.study.templates import template_names
from tests.examples import THOROUGH


def on_templates(*usual: str, of: Sequence[str] = ()) -> pytest.MarkDecorator:
    """Give a test the `name` of each template, or of those in `of`; a usual run tries the ones that are named first."""
    every = list(of or template_names())
    if unknown := set(usual) - set(every):
        raise ValueError(f"no such template: {', '.join(sorted(unknown))}")
    left = pytest.mark.thorough("on other templates")
    return pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in usual else left) for name in every])


def first_of(usual: Sequence[Any], others: Sequence[Any], why: str) -> list[Any]:
    """Values of a parameter: a usual run tries the first, and a thorough one the others too."""
    return [*usual, *(pytest.param(each, marks=pytest.mark.thorough(why)) for each in others)]


def on_sqlite_first(fixture: str) -> pytest.MarkDecorator:
    """Give a test its database by this fixture: a usual run tries SQLite, and both where rows are the matter."""
    kinds = first_of(["sqlite"], ["postgresql"], "on the other database")
    return pytest.mark.parametrize(fixture, kinds, indirect=True)


class Selection:
    """A pytest plugin: leaves out what is marked `thorough(why)`, and says how much of which file, and why."""

    def __init__(self, thorough: bool = THOROUGH) -> None:
        self.thorough = thorough
        self.left_out: Counter[str] = Counter()

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        if self.thorough:
            return
        marks = [item.get_closest_marker("thorough") for item in items]
        left = [(item, mark) for item, mark in zip(items, marks, strict=True) if mark]
        items[:] = [item for item, mark in zip(items, marks, strict=True) if not mark]
        config.hook.pytest_deselected(items=[item for item, _ in left])
        self.left_out.update(f"{item.nodeid.split('::')[0]} {mark.args[0]}" for item, mark in left)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["left_out"] = dict(self.left_out)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Hear it from a worker. Each of them collects everything, so what one has left out all have."""
        self.left_out |= Counter(getattr(node, "workeroutput", {}).get("left_out", {}))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if not self.left_out:
            return
        terminalreporter.section("left to make thorough")
        for where, count in sorted(self.left_out.items()):
            terminalreporter.line(f"{count:4} {where}")
        terminalreporter.line(
            f"{self.left_out.total():4} in all; and properties are tried on fewer examples (tests/examples.py)"
        )
