"""Published cases of comparisons, and ways to make preferences."""

import json
from pathlib import Path

from assay.statistics.comparison.preferences import Preference

CASES = {case["name"]: case for case in json.loads((Path(__file__).parent / "comparisons.json").read_text("utf-8"))}


def played(games):
    """Preferences from (winner, loser, times) or (one, other, times, "tie"), each on an item of its own."""
    preferences = []
    for one, other, times, *tie in games:
        for _ in range(times):
            preferences.append(Preference(len(preferences), one, other, "tie" if tie else "left"))
    return preferences


def effect(comparison, name):
    return next(each for each in comparison.effects if each.name == name)


def test_of(comparison, name):
    return next(each for each in comparison.tests if each.name == name)


test_of.__test__ = False
