"""How numbers stand in a sentence of the report."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from assay.in_words import many as many
from assay.model import Estimate
from assay.report.charts import interval, number, with_sign
from assay.report.data import TOO_FEW

MOST_NAMES = 4
CORRECTIONS = {"holm": "Holm", "bonferroni": "Bonferroni", "none": ""}


@dataclass(frozen=True, slots=True)
class Undefined:
    """Why there are no numbers, in words."""

    undefined: str


def estimate_in_words(estimate: Estimate, digits: int = 2) -> str:
    """An estimate with its interval, or with the reason why there is none."""
    if estimate.value is None:
        return f"undefined ({estimate.undefined})"
    return f"{number(estimate.value, digits)} {interval(estimate.ci, digits)}".strip()


def difference_in_words(difference: Estimate, as_share: bool = False) -> str:
    """A difference with its sign and its interval; of shares, and as a net win rate, in per cent.

    >>> difference_in_words(Estimate("d", 1.0, (0.25, 1.75))), difference_in_words(Estimate("d", 0.0))
    ('+1.00 [0.25, 1.75]', '0.00')
    >>> difference_in_words(Estimate("d", -0.2, (-0.5, 0.1)), as_share=True)
    '−20 % [−50, 10]'
    """
    if difference.value is None:
        return f"undefined ({difference.undefined})"
    times, digits, unit = (100, 0, " %") if as_share else (1, 2, "")
    between = None if difference.ci is None else (times * difference.ci[0], times * difference.ci[1])
    return f"{with_sign(times * difference.value, digits)}{unit} {interval(between, digits)}".strip()


def share_in_words(share: Estimate) -> str:
    """A share with its interval, or with the reason why there is none.

    >>> share_in_words(Estimate("wins", 0.5, (0.25, 0.75)))
    '50 % [25, 75]'
    """
    if share.value is None:
        return f"undefined ({share.undefined})"
    between = f" [{100 * share.ci[0]:.0f}, {100 * share.ci[1]:.0f}]" if share.ci else ""
    return f"{100 * share.value:.0f} %{between}"


def p_in_words(p: float | None) -> str:
    """A p-value.

    >>> p_in_words(0.0312), p_in_words(0.00001), p_in_words(None)
    ('p = 0.031', 'p < 0.001', 'no p-value')
    """
    if p is None:
        return "no p-value"
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def p_with_correction_in_words(p: float | None, p_corrected: float | None, correction: str, tests: int) -> str:
    """A p-value by itself, and corrected for the other tests of its family."""
    how = CORRECTIONS[correction]
    if not how or p is None or p_corrected is None or tests < 2:
        return p_in_words(p)
    return f"{p_in_words(p)}, corrected {p_in_words(p_corrected)} ({how}, {tests} tests)"


def some_names(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are.

    >>> some_names(["ana", "ben"]), some_names([f"a{place}" for place in range(30)])
    ('ana, ben', 'a0, a1, a2, a3 and 26 more')
    """
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


def too_few_to_say(n: int, things: str = "items") -> str:
    """The warning behind a number that rests on few things; empty where they are enough."""
    return f" (fewer than {TOO_FEW} {things}: too few to say)" if n < TOO_FEW else ""


def range_in_words(values: list[float]) -> str:
    """The lowest and the highest of some values.

    >>> range_in_words([0.5, 0.25]), range_in_words([0.501, 0.502])
    ('0.25 to 0.50', '0.50')
    """
    low, high = number(min(values)), number(max(values))
    return low if low == high else f"{low} to {high}"


def list_in_words(names: Sequence[str]) -> str:
    """Some names in a sentence.

    >>> list_in_words(["a"]), list_in_words(["a", "b"]), list_in_words(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def tuning_items_in_words(count: int) -> str:
    """The items that are left out where something is said of judges.

    >>> tuning_items_in_words(1), tuning_items_in_words(20)
    ('1 item that was drawn by lot to tune judges on', '20 items that were drawn by lot to tune judges on')
    """
    return f"{many(count, 'item')} that {'was' if count == 1 else 'were'} drawn by lot to tune judges on"


def days_in_words(times: Sequence[int]) -> str:
    """From which day to which some things happened, in UTC; empty where no time is known.

    >>> days_in_words([0, 90_000_000]), days_in_words([0]), days_in_words([])
    ('1 January 1970 to 2 January 1970', '1 January 1970', '')
    """
    days = [f"{datetime.fromtimestamp(at / 1000, UTC):%d %B %Y}".lstrip("0") for at in _ends(times)]
    return " to ".join(dict.fromkeys(days))


def _ends(times: Sequence[int]) -> list[int]:
    return [min(times), max(times)] if times else []
