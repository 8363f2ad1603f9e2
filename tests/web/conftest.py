"""The pages are tried on SQLite: what they ask of a database is tried on both by the tests of the store and templates.

On both come those whose matter is what several requests do to one another.
"""

from pathlib import Path

import pytest

ON_BOTH = ("test_submissions.py", "test_ahead.py", "test_manage.py", "test_api_once.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the other database out where it is not the matter: the whole run stays under ten minutes."""
    items[:] = [item for item in items if not _is_left_out(item)]


def _is_left_out(item: pytest.Item) -> bool:
    other = getattr(item, "callspec", None) is not None and "postgresql" in item.name
    return other and item.path.parent == Path(__file__).parent and item.path.name not in ON_BOTH
