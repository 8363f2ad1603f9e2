"""The four questions at a glance, for the top of a report: from the numbers of its sections and from nothing else."""

from collections.abc import Callable, Mapping
from typing import Any

from assay.in_words import count, join_with_and, many
from assay.kinds import FIGURES
from assay.report.data import Data
from assay.report.figures import PARTS, FigureData, Nothing
from assay.report.four_tiles import AgreementOn, HowFar, Tile, Verdict, WhatItSays, how_far, how_good, what_it_says
from assay.report.hidden_results import are_hidden

DOUBTFUL = "Is anything doubtful?"


def verdict_of(data: Data, sections: Mapping[str, Any]) -> Verdict:
    """The four tiles, from the numbers of a report."""
    summary = sections["summary"]
    agreement = [
        AgreementOn(each.title, each.coefficient, each.value, each.ci, each.n, each.undecided or "")
        for each in summary.agreement
    ]
    return Verdict(
        (
            _how_far(data, sections["overview"]),
            how_good(agreement, summary.asks_for),
            _doubtful(data, sections["flags"].flags),
            _says(data),
        )
    )


def _how_far(data: Data, overview: Any) -> Tile:
    begun = sum(overview.annotators_per_item.values()) - overview.items_finished
    state = data.fieldwork.state if data.fieldwork else "closed"
    work = HowFar(overview.items, overview.items_finished, max(0, begun), state)
    if state != "open" or overview.items_finished >= overview.items:
        return how_far(work)
    headline = f"{count(work.finished)} of {many(work.items, 'item')}"
    whole = (work.finished / work.items, work.begun / work.items) if work.items else None
    return Tile("moving", PARTS["moving"], headline, "The study is open: more is to come.", bar=whole)


def _doubtful(data: Data, flags: Any) -> Tile:
    people = {each.annotator for each in flags}
    problems = [each for each in (data.fieldwork.problems if data.fieldwork else ()) if each.closed_at is None]
    parts = [f"{many(len(flags), 'flag')} about {many(len(people), 'annotator')}"] if flags else []
    parts += [f"{many(len(problems), 'problem')} with items that nobody has dealt with"] if problems else []
    parts += [f"{many(len(data.excluded), 'annotator')} left out, as the report says"] if data.excluded else []
    if not parts:
        return Tile("who", DOUBTFUL, "Nothing", "No flag, nobody left out, no open problem with an item.", "good")
    sentence = join_with_and(parts)
    return Tile(
        "who", DOUBTFUL, f"{count(len(flags) + len(problems))} to look into", f"{sentence[:1].upper()}{sentence[1:]}."
    )


def comparisons_of(data: Data, make: Callable[[], Any] | None = None) -> Any:
    """The numbers of the figure of comparisons, computed once, or as somebody else has made them."""
    return data.once("comparisons", make or (lambda: FIGURES["comparisons"]().numbers(FigureData(data))))


def _says(data: Data) -> Tile:
    found = comparisons_of(data)
    nothing = isinstance(found, Nothing)
    asked, state = data.study.analysis, data.fieldwork.state if data.fieldwork else "closed"
    why = found.nothing if nothing else ""
    return what_it_says(
        WhatItSays(state, are_hidden(data.study, state), asked.looks == "any", None if nothing else found, why)
    )
