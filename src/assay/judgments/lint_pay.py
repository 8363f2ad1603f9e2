"""Warns where people would get less for an hour of work than the study wants, by the time that an item should take."""

from collections.abc import Iterator
from math import ceil

from assay.judgments.warnings import LintWarning
from assay.study.schema import Study


def pay_warnings(study: Study, words: float) -> Iterator[LintWarning]:
    """That pay is below its floor, where items have so many words on average."""
    pay, seconds = study.pay, study.seconds_for(words)
    rate = None if pay is None else pay.rate_for(seconds)
    if pay is None or pay.floor is None or rate is None or rate >= pay.floor:
        return
    what = f"at the expected time an hour brings {pay.say(rate)}, below the floor of {pay.say(pay.floor)}"
    least = ceil(pay.floor * seconds / 36) / 100
    hint = f"pay {pay.say(least)} or more for each item; pace.expect says how long one takes"
    yield LintWarning(("pay", "per_item"), what, hint)
