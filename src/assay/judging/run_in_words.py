"""What a run will take, and how it went, in sentences."""

from collections.abc import Iterator

from assay.in_words import many
from assay.judging.estimate import RunEstimate
from assay.judging.order_effect import OrderEffect
from assay.judging.run_tally import RunTally

ASK_AFRESH = "Where another model answers there by now, give the judge a `version` in the file: it is asked afresh."


def money_in_words(amount: float) -> str:
    """An amount in the currency of the prices; small ones with more digits."""
    return f"{amount:,.2f}" if amount >= 1 else f"{amount:.4f}"


def estimate_in_words(each: RunEstimate) -> str:
    """What is left to be asked of a judge, and what it may cost."""
    tokens = f"about {each.tokens.sent:,.0f} tokens sent and {each.tokens.received:,.0f} received"
    money = f", cost about {money_in_words(each.money)}" if each.money is not None else ""
    left = f"{many(each.requests, 'request')} to send for {many(each.passes, 'judged item')}"
    return f"{each.judge}: {left}, {tokens}{money}."


def run_in_words(tally: RunTally) -> Iterator[str]:
    """What a run took, and what is odd about it."""
    money = f", cost {money_in_words(tally.money)}" if tally.money else ""
    yield f"{many(tally.requests, 'request')} sent: {tally.tokens.all:,.0f} tokens{money}."
    for judge in dict.fromkeys(name for name, _ in tally.models):
        models = {model: n for (name, model), n in tally.models.items() if name == judge and model}
        if len(models) > 1:
            listed = ", ".join(f"{model} ({n:,})" for model, n in models.items())
            yield f"Warning: {judge} answered as more than one model: {listed}."
    for (judge, earlier), n in tally.taken_over.items():
        yield f"{judge}: {many(n, 'answer')} taken from {earlier}, which was asked the very same. {ASK_AFRESH}"
    if tally.unable:
        without = f"{many(tally.unable, 'judged item')} without an answer that the rules allow"
        yield f"{without}: stored as unable; what was said is in judged/passes.jsonl."


def order_in_words(judge: str, found: OrderEffect) -> str:
    """Whether a judge says the same with sides swapped."""
    same = f"{found.same:,} of {many(found.both, 'preference')} stayed the same with sides swapped"
    left = f"; left was chosen {found.left:,} of {found.decided:,} times" if found.decided else ""
    return f"{judge}: {same}{left}."
