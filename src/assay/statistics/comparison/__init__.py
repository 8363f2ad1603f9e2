"""Comparisons: systems, preferences, judges against people, and plans for studies that are to show a difference.

Functions on plain lists and mappings, imported by whoever asks: looking up a coefficient of agreement does not pay for
them. Each gives an `Estimate`, with a value and its interval or the reason why there is none.
"""
