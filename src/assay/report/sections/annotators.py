"""Whether each annotator says the same again, and how each differs from the others."""

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from assay.report.annotators import about_annotators, in_words
from assay.report.charts import number, signed
from assay.report.data import TOO_FEW, Data
from assay.report.section import Section
from assay.report.wording import estimate_in_words, share_in_words

MOST_SAID = 4
"""So many differences stand in a sentence; all of them are in the tables."""


SMALL = 0.005
"""A difference that is printed as 0."""


class Annotators(Section[dict[str, Any]]):
    """Whether each annotator says the same again, and how each differs from the others."""

    kind: ClassVar[str] = "annotators"
    rank: ClassVar[int] = 28
    title: ClassVar[str] = "Is each annotator consistent, and like the others?"
    figures: ClassVar[tuple[str, ...]] = ("duplicates", "leniency", "drift")

    def numbers(self, data: Data) -> dict[str, Any]:
        if not data.that_count:
            return {"false_discoveries": None, "tests": {}, "dimensions": [], "halo": [], "differ": []}
        return about_annotators(data)

    def lines(self, numbers: dict[str, Any]) -> list[str]:
        rows = [row for row in numbers["dimensions"] if row["annotators"]]
        if not rows:
            return []
        return [*_again(rows), *_known(rows), *_differ(numbers, rows), *_narrow(rows), *_halo(numbers["halo"])]


def _again(rows: Sequence[dict[str, Any]]) -> list[str]:
    """How often the same was said again: the dimension with the least, and the one with the most."""
    twice = [row for row in rows if row["with_themselves"]["exact"]["value"] is not None]
    if not twice:
        return ["No item came to the same person twice: whether people would say the same again is not known."]
    ranked = sorted(twice, key=lambda row: row["with_themselves"]["exact"]["value"])
    ends = ranked[:1] if len(ranked) == 1 else [ranked[0], ranked[-1]]
    shares = " to ".join(f"{share_in_words(row['with_themselves']['exact'])} ({row['title']})" for row in ends)
    counts = sorted({row["with_themselves"]["exact"]["n"] for row in twice})
    n = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    line = f"Judged again by the same person, the value was the same in {shares} of {n} second judgments"
    both = [
        (own["value"], others["value"])
        for row in twice
        for own, others in [(row["with_themselves"]["kappa_with_self"], row["with_each_other"]["kappa"])]
        if own["value"] is not None and others["value"] is not None
    ]
    close = [row["with_themselves"]["within_one"]["value"] for row in twice]
    close = [value for value in close if value is not None]
    if close:
        least, most = (f"{100 * value:.0f}" for value in (min(close), max(close)))
        line += f", and within one point in {least if least == most else f'{least} to {most}'} %"
    if both:
        line += f"; kappa with oneself {_range([own for own, _ in both])}, "
        line += f"with others {_range([others for _, others in both])}"
    few = any(row["with_themselves"]["exact"]["too_few"] for row in twice)
    return [line + (f" (fewer than {TOO_FEW} items: too few to say)." if few else ".")]


def _known(rows: Sequence[dict[str, Any]]) -> list[str]:
    """How far practice lay from what was agreed beforehand: the ends, and who is farthest above or below."""
    found = [(row["title"], each) for row in rows for each in row["annotators"] if each["bias"]["value"] is not None]
    if not found:
        return []
    away = [each["absolute_error"]["value"] for _, each in found]
    title, most = max(found, key=lambda pair: abs(pair[1]["bias"]["value"]))
    n = max(each["bias"]["n"] for _, each in found)
    line = f"Calibration: in practice, values lay {_range(away)} points away from those agreed beforehand (mean, over "
    line += f"annotators and dimensions; n up to {n} items)"
    if abs(most["bias"]["value"]) >= SMALL:
        line += f"; farthest to one side: {most['annotator']} on {title}, {signed(most['bias']['value'])} points"
    return [f"{line}{_few(n)}."]


def _narrow(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Compression: who uses least of a scale, beside the others on the same items."""
    found = [
        (row["title"], each)
        for row in rows
        for each in row["annotators"]
        if row["level"] != "nominal" and each["spread"]["value"] is not None
    ]
    if not found:
        return []
    title, least = min(found, key=lambda pair: pair[1]["spread"]["value"])
    return [
        f"Scale use: the narrowest is {least['annotator']} on {title}, {estimate_in_words(least['spread'])} times as "
        f"spread out as the others on the same {least['spread']['n']} items{_few(least['spread']['n'])}."
    ]


def _halo(found: Sequence[dict[str, Any]]) -> list[str]:
    """How far dimensions go together beyond what is in the items: the most."""
    known = [each for each in found if each["value"] is not None]
    if not known:
        return []
    most = max(known, key=lambda each: each["value"])
    return [
        f"Halo: beyond what is in the items, the dimensions of {most['annotator']} go together most, "
        f"{estimate_in_words(most)} (a correlation; 0 is none), n = {most['n']} items{_few(most['n'])}."
    ]


def _few(n: int) -> str:
    return f" (fewer than {TOO_FEW} items: too few to say)" if n < TOO_FEW else ""


def _range(values: Sequence[float]) -> str:
    low, high = number(min(values)), number(max(values))
    return low if low == high else f"{low} to {high}"


def _differ(numbers: dict[str, Any], rows: Sequence[dict[str, Any]]) -> list[str]:
    """Who differs from the others beyond chance, after correction for everybody who was looked at."""
    tests = {name: count for name, count in numbers["tests"].items() if count}
    people = {each["annotator"] for row in rows for each in row["annotators"]}
    if len(people) < 2 or all(row["level"] == "nominal" for row in rows):
        return []
    if not tests:
        return [
            f"Whether an annotator differs from the others cannot be said: nobody shares {TOO_FEW} items with them."
        ]
    counted = ", ".join(f"{count} of {name}" for name, count in tests.items())
    how = f"Benjamini and Hochberg, {100 * numbers['false_discoveries']:.0f} % false discoveries; tests: {counted}"
    found = [each for each in numbers["differ"] if len(people) > 2 or not _mirrored(each)]
    if not found:
        return [f"No annotator differs from the others beyond chance ({how})."]
    said = [
        f"{each['annotator']}, {each['title']}: {in_words(each)}, n = {each['n']}"
        for each in sorted(found, key=lambda each: (round(each["p_adjusted"], 6), -_size(each)))[:MOST_SAID]
    ]
    more = f"; and {len(found) - MOST_SAID} more" if len(found) > MOST_SAID else ""
    line = f"Beyond chance ({how}): {'; '.join(said)}{more}."
    return [line + (" Of two annotators nothing says which of them is right." if len(people) == 2 else "")]


def _size(found: dict[str, Any]) -> float:
    """How large a difference is; a ratio is as large as its logarithm."""
    if found["name"] == "spread":
        return abs(math.log(found["value"])) if found["value"] else math.inf
    return abs(float(found["value"]))


def _mirrored(found: dict[str, Any]) -> bool:
    """Of two annotators the one is above where the other is below: one of the two is enough."""
    return bool(found["value"] < (1 if found["name"] == "spread" else 0))
