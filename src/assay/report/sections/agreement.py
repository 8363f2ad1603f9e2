"""How far annotators agree, dimension by dimension, with intervals and the study's own threshold."""

from typing import Any, ClassVar

from assay.model import Coefficient
from assay.report import TOO_FEW, Data, Section
from assay.report.charts import interval, number
from assay.statistics import title_of

INSTEAD = "krippendorff_alpha_nominal"
"""What is shown first where the study's coefficient does not apply, such as an ordinal one on yes and no."""


class Agreement(Section):
    """How far annotators agree, dimension by dimension, with intervals and the study's own threshold."""

    kind: ClassVar[str] = "agreement"
    rank: ClassVar[int] = 20
    title: ClassVar[str] = "Do the annotators agree?"

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
                    "n_items": found[0].n_items if found else 0,
                    "n_ratings": found[0].n_ratings if found else 0,
                    "n_annotators": found[0].n_annotators if found else 0,
                    "too_few": (found[0].n_items if found else 0) < TOO_FEW,
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
        main = found.get(numbers["coefficient"]) or found.get(INSTEAD)
        if main is None:
            return f"{dimension['title']}: {title_of(numbers['coefficient'])} does not apply to this scale."
        said = (
            f"undefined ({main['undefined']})"
            if main["value"] is None
            else f"{number(main['value'])} {interval(main['ci'])}".strip()
        )
        line = f"{dimension['title']}: {title_of(main['name'])} {said}"
        line += f", {dimension['n_annotators']} annotators, {dimension['n_items']} items"
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
