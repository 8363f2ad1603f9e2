"""How much the tests try: enough for each change, and more in `make thorough`."""

import os

from hypothesis import Phase

THOROUGH = bool(os.environ.get("ASSAY_THOROUGH"))


def examples(many: int) -> int:
    """How many examples a property is tried on: all in a thorough run, a quarter of them otherwise."""
    return many if THOROUGH else max(10, many // 4)


AS_FOUND = tuple(Phase) if THOROUGH else tuple(each for each in Phase if each not in (Phase.shrink, Phase.explain))
"""For examples that take long, such as walks through a store: a failure is shown as it was found, at once.

A thorough run of the same test makes it smaller first, which may take five minutes.
"""
