"""The scale of the judgments in a table: as declared, else taken from the values, with a note that says so."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from assay.errors import AssayError
from assay.model import Level
from assay.statistics import Scale, read_scale
from assay.statistics.frames import number_of
from assay.suggest import closest_name

LONGEST_FILLED = 100
"""Whole numbers that span no more than this are taken as a scale with every point between."""
MOST_VALUES = 2_000
"""Coefficients compare each value with each, so that there cannot be any number of them."""


@dataclass
class ScaleOfTexts:
    """A scale, the index on it of each text that occurs (-1 for none of its values), and what was assumed."""

    scale: Scale
    codes: list[int]
    notes: list[str] = field(default_factory=list)
    ordered: bool = True
    """Whether the order of the values is known: of words without a declared scale it is not."""
    lookup: dict[str, int] = field(default_factory=dict)
    """The indices by text."""


def label_of(text: str) -> str:
    """A value normalised: without white space around it, true and false in one spelling.

    Spreadsheets write TRUE, Python True and JSON true.

    >>> label_of(" TRUE "), label_of("True"), label_of("Yes")
    ('true', 'true', 'Yes')
    """
    text = text.strip()
    return text.lower() if text.lower() in ("true", "false") else text


class MixedValues(Exception):
    """Why no scale can be taken from the values, what to do, and the text that stands out."""


def scale_of(texts: Sequence[str], declared: str | None, level: Level | None, name: str) -> ScaleOfTexts:
    """The scale for the texts that occur in one dimension."""
    numbers = [number_of(text) for text in texts]
    if declared is not None:
        return _read_declared(texts, numbers, declared, level)
    words = [text for text, number in zip(texts, numbers, strict=True) if number is None]
    if level in ("interval", "ratio") and words:
        raise MixedValues(f"{_quote(words[0])} is not a number, and the level is {level}", "correct it", words[0])
    if level == "ordinal" and words:
        what = f"{_quote(words[0])} is a word, and no order of words is known"
        raise MixedValues(what, "declare the values in order: --scale low,middle,high", words[0])
    if words and len(words) < len(texts) and level is None:
        what = f"{_quote(words[0])} is not a number as {_quote(next(t for t in texts if t not in words))} is"
        raise MixedValues(what, "correct it, or leave it empty; if both are labels, say --level nominal", words[0])
    values: list[Hashable] = [*dict.fromkeys(texts)]
    if not words:
        values = [*sorted({number for number in numbers if number is not None})]
    if len(values) > MOST_VALUES:
        what = f"{name} has {len(values):,} different values, more than {MOST_VALUES:,}"
        hint = "round them; if it is a text, name the column of the judgments with --value"
        raise MixedValues(what, hint, texts[0])
    notes = []
    if level is None:
        level = "nominal" if words else "ordinal"
        kind = "words" if words else "numbers"
        notes.append(f"{name}: the level is taken to be {level}, because the values are {kind} (say --level)")
    values, how = _fill_range(values) if not words else (values, "the values that occur")
    scale = _make_scale(tuple(values), level)
    notes.append(f"{name}: the scale is taken to be {scale}: {how}. A value that nobody gave may be missing (--scale)")
    notes += [f"{name}: {said}" for said in alike_but_for_case(texts, "values")] if words else []
    known = {value: index for index, value in enumerate(scale.categories)}
    codes = [known[text if words else number] for text, number in zip(texts, numbers, strict=True)]
    return ScaleOfTexts(scale, codes, notes, ordered=not words)


def alike_but_for_case(texts: Sequence[str], what: str) -> list[str]:
    """What to say of texts that differ only in capital letters."""
    written: dict[str, list[str]] = {}
    for text in dict.fromkeys(texts):
        written.setdefault(text.casefold(), []).append(text)
    alike = [" and ".join(map(_quote, each)) for each in written.values() if len(each) > 1]
    return [f"{each} are taken as different {what}: write them alike if they are the same" for each in alike]


def _fill_range(values: list[Hashable]) -> tuple[list[Hashable], str]:
    """Every whole number from the lowest to the highest, where these are few."""
    whole = [value for value in values if isinstance(value, int)]
    if len(whole) == len(values) and whole and whole[-1] - whole[0] <= LONGEST_FILLED:
        return list(range(whole[0], whole[-1] + 1)), "every whole number from the lowest to the highest that occurs"
    return values, "the values that occur"


def _read_declared(
    texts: Sequence[str], numbers: Sequence[int | float | None], declared: str, level: Level | None
) -> ScaleOfTexts:
    try:
        categories = read_scale(declared)
    except ValueError as error:
        raise AssayError(str(error), "write --scale 1-5, --scale no,yes or --scale 0,0.5,1") from None
    numeric = not any(isinstance(value, str) for value in categories)
    notes = []
    if level is None:
        level = "ordinal" if numeric else "nominal"
        kind = "numbers" if numeric else "words"
        notes.append(f"the level is taken to be {level}, because the scale is of {kind} (say --level)")
    given = numbers if numeric else texts
    if numeric and level in ("interval", "ratio"):
        # Between the ends of an interval scale any number may stand.
        ends = sorted(float(value) for value in categories)  # type: ignore[arg-type]
        between = {n for n in numbers if n is not None and ends[0] <= n <= ends[-1]} - set(categories)
        if between and len(between) <= MOST_VALUES:
            falling = float(categories[0]) > float(categories[-1])  # type: ignore[arg-type]
            categories = tuple(sorted({*categories, *between}, key=float, reverse=falling))  # type: ignore[arg-type]
            notes.append(f"{len(between)} values between those of the scale are taken as points of it")
    scale = _make_scale(categories, level)
    known = {label_of(v) if isinstance(v, str) else v: index for index, v in enumerate(scale.categories)}
    return ScaleOfTexts(scale, [known.get(value, -1) for value in given], notes)


def _make_scale(categories: tuple[Hashable, ...], level: Level) -> Scale:
    try:
        return Scale(categories, level)
    except ValueError as error:
        raise AssayError(str(error), "give other values with --scale, or another --level") from None


def hint_for(text: str, scale: Scale) -> str:
    """What to do about a value that is not on the scale."""
    meant = closest_name(text, [str(value) for value in scale.categories])
    return f"did you mean {meant!r}?" if meant else "correct it, leave it empty, or declare another --scale"


def _quote(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")
