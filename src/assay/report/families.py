"""The families of tests: scores and preferences of one comparison are looked at together, and corrected together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from assay.report.data import Data
from assay.report.margins import correct_margins
from assay.report.preferences import PreferenceFamily, preference_family
from assay.report.system_comparison import comparisons_of, correct_p_values, numeric_dimensions
from assay.report.system_scores import SystemFamily, system_family
from assay.study.analysis import ComparisonSettings


@dataclass(frozen=True, slots=True)
class ComparisonFamily:
    """One comparison that the study asks for: what is found on scores, and on preferences."""

    comparison: ComparisonSettings
    systems: SystemFamily | None
    preferences: PreferenceFamily | None


def families_of(data: Data) -> Sequence[ComparisonFamily]:
    """Every comparison that the study asks for, its p-values corrected over scores and preferences alike."""
    found: Sequence[ComparisonFamily] = data.once(
        "families", lambda: [_family(data, each) for each in comparisons_of(data)]
    )
    return found


def _family(data: Data, comparison: ComparisonSettings) -> ComparisonFamily:
    systems = system_family(data, comparison, numeric_dimensions(data))
    preferences = preference_family(data, comparison)
    scores = [pair.p for row in systems.dimensions for pair in row.pairs] if systems else []
    choices = [pair.p for row in preferences.dimensions for pair in row.pairs] if preferences else []
    tests = sum(p is not None for p in (*scores, *choices))
    corrected = iter(correct_p_values([*scores, *choices], comparison.correction))
    of_scores = [pair.margin for row in systems.dimensions for pair in row.pairs] if systems else []
    of_choices = [pair.margin for row in preferences.dimensions for pair in row.pairs] if preferences else []
    decided, margin_tests = correct_margins([*of_scores, *of_choices], comparison.correction)
    margins = iter(decided)
    if systems:
        rows = [
            replace(row, pairs=[replace(pair, p_corrected=next(corrected), margin=next(margins)) for pair in row.pairs])
            for row in systems.dimensions
        ]
        systems = replace(systems, dimensions=rows, tests=tests, margin_tests=margin_tests)
    if preferences:
        asked = [
            replace(row, pairs=[replace(pair, p_corrected=next(corrected), margin=next(margins)) for pair in row.pairs])
            for row in preferences.dimensions
        ]
        preferences = replace(preferences, dimensions=asked, tests=tests, margin_tests=margin_tests)
    return ComparisonFamily(comparison, systems, preferences)
