"""How far annotators agree, dimension by dimension, with intervals and the study's own threshold."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, ClassVar

from assay.model import Coefficient
from assay.report.charts import interval, number
from assay.report.data import TOO_FEW, Data
from assay.report.section import Section
from assay.report.wording import many
from assay.statistics import title_of

INSTEAD = "krippendorff_alpha_nominal"
"""What is shown first where the study's coefficient does not apply, such as an ordinal one on yes and no."""


class Agreement(Section[dict[str, Any]]):
    """How far annotators agree, dimension by dimension, with intervals and the study's own threshold."""

    kind: ClassVar[str] = "agreement"
    rank: ClassVar[int] = 20
    title: ClassVar[str] = "Do the annotators agree?"
    figures: ClassVar[tuple[str, ...]] = ("agreement", "confusion")

    def numbers(self, data: Data) -> dict[str, Any]:
        wanted = data.study.analysis.agreement
        return {
            "coefficient": wanted.coefficient,
            "at_least": wanted.at_least,
            "clustered_by_group": data.study.items.group is not None,
            "dimensions": [
                {
                    "dimension": name,
                    "title": data.study.dimension(name).heading,
                    "of": data.study.dimension(name).scope.of,
                    "n_items": found[0].n_items if found else 0,
                    "n_whole_items": _whole(data, name),
                    "n_ratings": found[0].n_ratings if found else 0,
                    "n_annotators": found[0].n_annotators if found else 0,
                    "too_few": (found[0].n_items if found else 0) < TOO_FEW,
                    "main": _main(wanted.coefficient, [each.name for each in found]),
                    "how": _how(wanted.coefficient, found),
                    "coefficients": [_as_json(coefficient) for coefficient in found],
                }
                for name, found in data.agreement.items()
            ],
        }

    def lines(self, numbers: dict[str, Any]) -> list[str]:
        return [self._line(dimension, numbers) for dimension in numbers["dimensions"]]

    @staticmethod
    def _line(dimension: dict[str, Any], numbers: dict[str, Any]) -> str:
        found = {each["name"]: each for each in dimension["coefficients"]}
        main = found.get(dimension["main"] or "")
        if main is None:
            return f"{dimension['title']}: {title_of(numbers['coefficient'])} does not apply to this scale."
        said = (
            f"undefined ({main['undefined']})"
            if main["value"] is None
            else f"{number(main['value'])} {interval(main['ci'])}".strip()
        )
        line = f"{dimension['title']}: {title_of(main['name'])} {said}"
        line += f", {many(dimension['n_annotators'])}, {_of(dimension)}"
        near = found.get("within_one_agreement")
        if near and near["value"] is not None:
            line += f"; {100 * near['value']:.0f} % within one point"
        if main["value"] is not None and numbers["at_least"] is not None:
            line += (
                f"; the study asks for at least {number(numbers['at_least'])}: {_verdict(main, numbers['at_least'])}"
            )
        if dimension["too_few"]:
            line += f" (fewer than {TOO_FEW} items: too few to say)"
        return line + "."


def _main(wanted: str, found: Sequence[str]) -> str | None:
    """The coefficient that is shown first: the study's, or where it does not apply one for words."""
    return next((name for name in (wanted, INSTEAD) if name in found), None)


PARTS = {"side": "sides", "entries": "entries"}


def _of(dimension: dict[str, Any]) -> str:
    """What was judged: items, or their sides or entries."""
    whole = many(dimension["n_whole_items"], "item")
    part = PARTS.get(dimension["of"])
    return f"{dimension['n_items']} {part} of {whole}" if part else many(dimension["n_items"], "item")


def _whole(data: Data, name: str) -> int:
    """How many items two people or more judged on a dimension."""
    who: dict[str, set[str]] = defaultdict(set)
    for each in data.that_count:
        if each.dimension == name and each.value is not None and data.on_this_scale(each):
            who[each.item].add(each.annotator)
    return sum(len(people) > 1 for people in who.values())


def _how(wanted: str, found: Sequence[Coefficient]) -> str:
    """How the interval of the coefficient that is shown first was made."""
    main = _main(wanted, [each.name for each in found])
    return next((each.method for each in found if each.name == main), "")


def _verdict(coefficient: dict[str, Any], at_least: float) -> str:
    """Whether the threshold is reached, as far as the interval lets one say."""
    low, high = coefficient["ci"] or (coefficient["value"], coefficient["value"])
    if low >= at_least:
        return "met"
    return "not met" if high < at_least else "undecided, the interval contains it"


def _as_json(coefficient: Coefficient) -> dict[str, Any]:
    return {
        "name": coefficient.name,
        "title": title_of(coefficient.name),
        "value": coefficient.value,
        "ci": None if coefficient.ci is None else list(coefficient.ci),
        "method": coefficient.method,
        "undefined": coefficient.undefined,
    }
