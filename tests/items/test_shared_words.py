"""Runs of words that a guide and an item share."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.items.shared_words import SharedWords, words_of

TEXTS = st.lists(st.sampled_from(["a", "B", "c,", "\N{LATIN SMALL LETTER E WITH ACUTE}"]), max_size=14).map(" ".join)


@given(text=st.text())
def test_words_are_those_of_the_pattern(text: str) -> None:
    for each in (text, text.encode("ascii", "ignore").decode()):
        assert words_of(each) == re.findall(r"\w+", each.casefold())


@pytest.mark.parametrize("run", [2, 3, 8])
@given(guide=st.lists(TEXTS, max_size=2), text=TEXTS)
def test_a_run_is_found_wherever_it_stands(run: int, guide: list[str], text: str) -> None:
    def runs(text: str) -> set[tuple[str, ...]]:
        words = words_of(text)
        return {tuple(words[start : start + run]) for start in range(len(words) - run + 1)}

    shared = runs(text) & {each for one in guide for each in runs(one)}
    assert SharedWords(guide, run).stand_in(text) == bool(shared)
