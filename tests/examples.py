"""How much the tests try: enough for each change, and more in `make thorough`."""

import os

THOROUGH = bool(os.environ.get("ASSAY_THOROUGH"))


def examples(many: int) -> int:
    """How many examples a property is tried on: all in a thorough run, a quarter of them otherwise."""
    return many if THOROUGH else max(10, many // 4)
