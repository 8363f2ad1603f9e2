"""Numbers as people read them, on every page, in the report and on the command line: written here and nowhere else."""

import re
from datetime import UTC, datetime

NOTHING = "–"
GLUED = re.compile(
    r" (?:(?<=\d )(?=%)|(?<=\bn )(?=(?:=|up to) \d)|(?<=\bn = )(?=\d)|(?<=\bn up )(?=to \d)|(?<=n up to )(?=\d)"
    r"|(?<=\d, )(?=[−+]?[\d,.]+\](?![^<>]*>)))"
)
"""Blanks at which no line may break: before a per cent sign, around n, and between the ends of an interval
that is read: what a tag holds for a file stays as it is."""


def keep_numbers_on_line(text: str) -> str:
    """The same text or page, in which a number stays on the line of what belongs to it.

    >>> keep_numbers_on_line("24 % of n = 12, n up to 3: [−0.50, 0.25] points").replace("\u00a0", "_")
    '24_% of n_=_12, n_up_to_3: [−0.50,_0.25] points'
    >>> keep_numbers_on_line('<b data-csv="[1, 2]">[1, 2]</b>').replace("\u00a0", "_")
    '<b data-csv="[1, 2]">[1,_2]</b>'
    """
    return GLUED.sub("\u00a0", text)


def count(n: int) -> str:
    """How many, with a comma for thousands.

    >>> count(7), count(1484)
    ('7', '1,484')
    """
    return f"{n:,}".replace("-", "−")


def many(n: int, what: str = "annotator", several: str = "") -> str:
    """A count with its noun, singular or plural.

    >>> many(1), many(3, "item"), many(2000, "entry", "entries")
    ('1 annotator', '3 items', '2,000 entries')
    """
    return f"{count(n)} {what if n == 1 else several or what + 's'}"


def number(value: float | None, digits: int = 2) -> str:
    """A number with a real minus sign; a dash where there is none.

    >>> number(-0.254), number(1484.5, 1), number(None), number(-0.001)
    ('−0.25', '1,484.5', '–', '0.00')
    """
    return NOTHING if value is None else f"{round(value, digits) + 0.0:,.{digits}f}".replace("-", "−")


def with_sign(value: float | None, digits: int = 2) -> str:
    """A difference with its sign.

    >>> with_sign(0.25), with_sign(-0.25), with_sign(0.001)
    ('+0.25', '−0.25', '0.00')
    """
    if value is None:
        return NOTHING
    rounded = round(value, digits) + 0.0
    return ("+" if rounded > 0 else "") + number(rounded, digits)


def about(value: float) -> str:
    """A number of any size with three figures, and never as a power of ten.

    >>> about(1480.0), about(0.5), about(3), about(0.01234), about(0.00001), about(-1234567.8)
    ('1,480', '0.5', '3', '0.0123', '0.00001', '−1,234,568')
    """
    if abs(value) >= 100 or value == int(value):
        return count(round(value))
    found = f"{value:.3g}"
    if "e" in found:
        found = f"{value:.12f}".rstrip("0")
    return found.replace("-", "−")


def share(value: float | None) -> str:
    """A share in per cent; what is nearly all or nearly nothing is not said to be all or nothing.

    >>> share(0.5), share(239 / 240), share(1.0), share(0.001), share(0.0), share(None)
    ('50 %', '> 99 %', '100 %', '< 1 %', '0 %', '–')
    """
    if value is None:
        return NOTHING
    if 0.995 <= value < 1:
        return "> 99 %"
    return "< 1 %" if 0 < value < 0.005 else f"{100 * value:.0f} %"


def of_whole(part: int, whole: int) -> str:
    """A part of a whole, with its share.

    >>> of_whole(239, 240), of_whole(1, 4)
    ('239 of 240 (> 99 %)', '1 of 4 (25 %)')
    """
    percent = f" ({share(part / whole)})" if whole else ""
    return f"{some_of(part, whole)}{percent}"


def some_of(part: int, whole: int) -> str:
    """A part of a whole, without its share.

    >>> some_of(239, 2400)
    '239 of 2,400'
    """
    return f"{count(part)} of {count(whole)}"


def interval(ci: tuple[float, float] | list[float] | None, digits: int = 2) -> str:
    """A confidence interval.

    >>> interval((-0.5, 0.25)), interval(None)
    ('[−0.50, 0.25]', '')
    """
    return "" if ci is None else f"[{number(ci[0], digits)}, {number(ci[1], digits)}]"


def p_value(p: float | None) -> str:
    """A p-value in a cell of a table: never 0, however small.

    >>> p_value(0.03125), p_value(0.00004), p_value(None)
    ('0.0312', '< 0.0001', '–')
    """
    return "< 0.0001" if p is not None and p < 0.0001 else number(p, 4)


def join_with_and(parts: list[str]) -> str:
    """Some texts in a row, as a sentence has them.

    >>> join_with_and(["a"]), join_with_and(["a", "b"]), join_with_and(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""


def duration(milliseconds: int) -> str:
    """How long, in the largest unit that fits.

    >>> duration(40_000), duration(61_000), duration(7_200_000), duration(200_000_000)
    ('40 seconds', '1 minute', '2 hours', '2 days')
    """
    seconds = max(0, milliseconds // 1000)
    sizes = ((86_400, "day"), (3_600, "hour"), (60, "minute"))
    size, name = next(((size, name) for size, name in sizes if seconds >= size), (1, "second"))
    return many(seconds // size, name)


def age(milliseconds: int) -> str:
    """How long ago.

    >>> age(61_000)
    '1 minute ago'
    """
    return f"{duration(milliseconds)} ago"


def minutes(milliseconds: int | None) -> str:
    """A length of time in minutes, with hours from 90 minutes on.

    >>> minutes(90_000), minutes(7_800_000), minutes(None)
    ('1.5 min', '2 h 10 min', '–')
    """
    if milliseconds is None:
        return NOTHING
    whole = milliseconds / 60_000
    return f"{whole:.1f} min" if whole < 90 else f"{count(int(whole // 60))} h {whole % 60:.0f} min"


def moment(at: int | None) -> str:
    """A time of a day, in UTC.

    >>> moment(1_800_000_000_000), moment(None)
    ('2027-01-15 08:00', '–')
    """
    return NOTHING if at is None else f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M}"


def day(at: float) -> str:
    """A day without its year.

    >>> day(1_800_000_000_000)
    '15 Jan'
    """
    return f"{datetime.fromtimestamp(at / 1000, UTC):%d %b}".lstrip("0")
