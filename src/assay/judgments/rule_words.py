"""A rule of the study in words, for whoever answers outside the page: on a sheet, or as an automated judge."""

from assay.study.rules import FollowingValue, Rule


def in_words(rule: Rule) -> str:
    """What a rule asks for, with its message."""
    if rule.required is not None:
        asks = "needs an answer"
    elif rule.value is not None:
        asks = "follows: " + ", ".join(f"{name} is {_as_cell(value)}" for name, value in rule.value.items())
    else:
        asks = f"allowed is {rule.allowed}"
    only = "" if rule.mode == "refuse" else " (a warning only)"
    exactly = f"{asks}, when {rule.when}{only}"
    return f"{rule.message} ({exactly})" if rule.message else f"{exactly}."


def _as_cell(value: FollowingValue) -> str:
    return "; ".join(value) if isinstance(value, tuple) else str(value)
