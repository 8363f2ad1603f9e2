"""The pages are tried on SQLite: what they ask of a database is tried on both by the tests of the store and templates.

On both come those whose matter is what several requests do to one another, or how rows are changed.
"""

from pathlib import Path

import pytest

ON_BOTH = (
    *("test_submissions.py", "test_ahead.py", "test_manage.py", "test_api_once.py", "test_publishing.py"),
    *("test_nul.py", "test_ways_to_the_database.py"),
)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Leave the other database to a thorough run where it is not the matter: a usual one stays under ten minutes."""
    other = getattr(item, "callspec", None) is not None and "postgresql" in item.name
    if other and item.path.parent == Path(__file__).parent and item.path.name not in ON_BOTH:
        item.add_marker(pytest.mark.thorough("on the other database"))
