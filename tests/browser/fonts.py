"""The fonts that a browser of the tests sees: those of one family and no others, whatever the machine has."""

from functools import cache
from pathlib import Path

from tools.fonts import FAMILIES
from tools.fonts import environment as environment_of
from tools.fonts import missing as missing_families

NOT_WIDE = tuple(name for name in FAMILIES if name != "wide")
"""All tests run under the wide family, in which texts need the most room; those that matter most under these too."""


@cache
def missing() -> str:
    """Why layout cannot be tested here; empty where it can."""
    absent = missing_families()
    names, packages = ", ".join(each.name for each in absent), " ".join(each.package for each in absent)
    return f"layout is tested under fonts that are not here ({names}): apt-get install {packages}" if absent else ""


def environment(family: str, folder: Path) -> dict[str, str]:
    """What a browser must find in its environment to see this family alone; it is written into the folder."""
    return environment_of(FAMILIES[family], folder)
