"""Upkeep of a whole store, across both halves: restoring and verifying it, counts, the list of erasures, dry runs."""
