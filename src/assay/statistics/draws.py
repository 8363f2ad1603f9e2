"""How many draws an interval is made from, and what they start from, unless somebody says otherwise."""

DRAWS = 1000
"""Resamples of a bootstrap; the report, the dashboard and the functions for notebooks all take as many."""
SEED = 0
"""The same for every study and every file, so that numbers come out the same again."""
