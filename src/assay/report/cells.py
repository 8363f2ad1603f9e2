"""What stands in a cell of a table: tables have thousands of them, for which a template's own macros take long."""

from collections.abc import Callable, Sequence
from numbers import Number
from typing import Any

from markupsafe import Markup, escape

from assay.in_words import NOTHING, count, interval, number, with_sign


def measure(one: Any, digits: int = 2, mark: bool = False) -> Markup:
    """An estimate with its interval, or a dash with the reason why there is none.

    >>> from assay.model import Estimate
    >>> measure(Estimate("mean", 0.5, (0.25, 0.75)))
    Markup('0.50 <span class="ci">[0.25, 0.75]</span>')
    """
    if one.value is None:
        return _dash(one)
    beyond = '<strong title="beyond chance after correction">*</strong>' if mark else ""
    return Markup(number(one.value, digits) + beyond + (_behind(interval(one.ci, digits)) if one.ci else ""))


def share_measured(one: Any) -> Markup:
    """The same of a share, in per cent.

    >>> from assay.model import Estimate
    >>> share_measured(Estimate("yes", 0.5, (0.25, 0.75)))
    Markup('50 % <span class="ci">[25, 75]</span>')
    """
    if one.value is None:
        return _dash(one)
    ends = _behind(f"[{100 * one.ci[0]:.0f}, {100 * one.ci[1]:.0f}]") if one.ci else ""
    return Markup(f"{100 * one.value:.0f} %{ends}")


def difference_measured(one: Any, digits: int = 2, share: bool = False) -> Markup:
    """A difference with its sign; one of shares (a net win rate too) in per cent. A CSV file has its plain number.

    >>> from assay.model import Estimate
    >>> difference_measured(Estimate("net", -0.5, (-0.75, 0.25)), share=True)
    Markup('<span data-csv="−0.50 [−0.75, 0.25]">−50 % <span class="ci">[−75, 25]</span></span>')
    """
    if one.value is None:
        return _dash(one)
    plain = f"{number(one.value, digits)} {interval(one.ci, digits)}"
    if share:
        ends = one.ci and interval([100 * each for each in one.ci], 0)
        shown = f"{with_sign(100 * one.value, 0)} %{_behind(ends) if ends else ''}"
    else:
        shown = with_sign(one.value, digits) + (_behind(interval(one.ci, digits)) if one.ci else "")
    return Markup(f'<span data-csv="{plain}">{shown}</span>')


def cell(value: Any, link: Callable[[Sequence[str], str], str] | None, names: int) -> Markup:
    """A value of a figure's table: a number, a text, or the first of several items, with `link` each to its page.

    >>> cell(1234, None, 2), cell(["a", "b", "<c>"], None, 2), cell(None, None, 2)
    (Markup('1,234'), Markup('a, b, …'), Markup('–'))
    """
    if value is None:
        return Markup(NOTHING)
    if isinstance(value, int) and not isinstance(value, bool):
        return Markup(count(value))
    if isinstance(value, str | Number):
        return escape(value).strip()
    shown = [Markup('<a href="{}">{}</a>').format(link([each], ""), each) if link else each for each in value[:names]]
    return (Markup(", ").join(shown) + (", …" if len(value) > names else "")).strip()


def _dash(one: Any) -> Markup:
    return Markup(f'<span class="none" title="{escape(one.undefined)}">{NOTHING}</span>')


def _behind(text: str) -> str:
    return f' <span class="ci">{text}</span>'
