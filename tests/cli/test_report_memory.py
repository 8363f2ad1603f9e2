"""A report makes a great many objects, none of which are in cycles: nobody looks through them."""

import gc
from collections.abc import Iterator

import pytest

from assay.cli.report import _no_search_for_cycles


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    was = gc.isenabled()
    yield
    if not was:
        gc.disable()


def test_cycles_are_searched_for_neither_while_a_report_is_made_nor_in_what_is_left_of_it() -> None:
    with _no_search_for_cycles():
        assert not gc.isenabled()
        made = [[number] for number in range(1000)]
        before = gc.get_freeze_count()
    assert gc.isenabled()
    assert gc.get_freeze_count() >= before + len(made)
    assert not any(each is made[-1] for each in gc.get_objects())
