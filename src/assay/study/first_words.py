"""What an item begins with, for a list of items."""

from collections.abc import Mapping
from typing import Any

from assay.study.schema import Study

LONGEST = 90
ENDS = " .,;:!?"


def first_words(study: Study, shown: Mapping[str, Any]) -> str:
    """The first words of an item, of what is shown from the beginning."""
    openings = (" ".join(each.display.opening(shown).split()) for each in study.items.show if not each.after)
    words = next((words for words in openings if words), "")
    if len(words) <= LONGEST:
        return words
    cut = words[:LONGEST]
    whole = cut.rsplit(" ", 1)[0] if " " in cut else cut
    return f"{whole.rstrip(ENDS)}…"
