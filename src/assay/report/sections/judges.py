"""Whether automated judges say what people say: each of them beside what people reach among themselves."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from assay.model import Judgment
from assay.report import TOO_FEW, Data, Section, scale_of, unit
from assay.report.comparing import DRAWS, as_json, is_number, too_few, value_of

if TYPE_CHECKING:
    from assay.statistics.comparing.judges import JudgeStatistic

OF_COMPUTED = ("spearman", "pearson", "bias", "absolute_bias")
"""What is asked of computed numbers: they have no scale, and being equal to the last digit means nothing."""
NAMES = {"quadratic_kappa": "weighted kappa (quadratic)", "cohen_kappa": "Cohen's kappa", "spearman": "Spearman's rho"}
ROLES = ("with_mean", "with_rest", "people_with_rest", "gap", "with_each", "people_with_each")

Rows = list[tuple[str, str, Any]]


class Judges(Section):
    """Whether automated judges say what people say: each of them beside what people reach among themselves."""

    kind: ClassVar[str] = "judges"
    rank: ClassVar[int] = 26
    title: ClassVar[str] = "Do automated judges say what people say?"

    def numbers(self, data: Data) -> dict[str, Any]:
        if not data.judged:
            return {"warnings": [], "dimensions": []}
        from assay.statistics.comparing.system_level import confounded

        judged = dict.fromkeys((each.annotator, each.item) for each in data.judged)
        found = [*(_asked(data, each.dimension) for each in data.study.scored), *_computed(data)]
        return {
            "warnings": _together(confounded(judged), sorted({judge for judge, _ in judged})),
            "dimensions": [row for row in found if row is not None],
        }

    def lines(self, numbers: dict[str, Any]) -> list[str]:
        lines = [f"Warning: {each}." for each in numbers["warnings"]]
        return lines + [_line(row, each) for row in numbers["dimensions"] for each in row["judges"]]


def _together(warnings: Sequence[str], judges: Sequence[str]) -> list[str]:
    """One warning in the place of many that say the same."""
    pairs = len(judges) * (len(judges) - 1) // 2
    if pairs > 1 and len(warnings) == pairs and all("no item in common" in each for each in warnings):
        return [f"no two of the judges {', '.join(judges)} judged an item in common: what differs may be their items"]
    return list(warnings)


def _line(row: dict[str, Any], found: dict[str, Any]) -> str:
    where = f" ({', '.join(found['batches'])})" if found["batches"] else ""
    line = f"{row['title']}, {found['judge']}{where}: "
    if not found["n"]:
        return line + "no item was judged both by it and by people."
    main = next(each for each in found["statistics"] if each["name"] == found["headline"])
    line += f"{NAMES[main['name']]} with people {value_of(main[found['role']])}, "
    line += f"people among themselves {value_of(main['people_' + found['role']])}"
    bias = next((each["with_mean"] for each in found["statistics"] if each["name"] == "bias"), None)
    if bias is not None and bias["value"] is not None:
        line += f"; judge less people {value_of(bias)}"
    line += f"; n = {found['n']}"
    line += f" in {found['n_units']} {found['unit']}" if found["n_units"] != found["n"] else f" {found['unit']}"
    line += f", {found['n_people']} people"
    return line + too_few(found["n_units"], found["unit"]) + "."


def _asked(data: Data, name: str) -> dict[str, Any] | None:
    """A dimension that people were asked, on its scale."""
    from assay.statistics.table import Scale

    dimension = data.study.dimension(name)
    assert dimension.input.level is not None
    judged = [each for each in data.judged if each.dimension == name and each.value is not None]
    people = [
        each for each in data.counted if each.dimension == name and each.value is not None and data.on_this_scale(each)
    ]
    rows = [(unit(each), each.annotator, data.placed(each, dimension)) for each in people]
    values = [(unit(each), each.annotator, data.placed(each, dimension)) for each in judged]
    scale = Scale(scale_of(dimension), dimension.input.level)
    return _row(data, name, dimension.heading, judged, values, rows, scale) if judged else None


def _computed(data: Data) -> list[dict[str, Any]]:
    """What is computed from answers, of judges and of people alike."""
    from assay.statistics.table import Scale

    rows = []
    for derived in data.study.derive:
        judged = [each for each in data.judged if each.dimension == derived.derived]
        people = [each for each in data.computed if each.dimension == derived.derived]
        given = {each.value for each in [*judged, *people]}
        if not judged:
            continue
        numeric = all(is_number(each) for each in given)
        scale = Scale(tuple(sorted(given, key=float if numeric else str)), "interval" if numeric else "nominal")  # type: ignore[arg-type]
        values, by_people = ([(unit(each), each.annotator, each.value) for each in some] for some in (judged, people))
        only = OF_COMPUTED if numeric else None
        rows.append(_row(data, derived.derived, derived.heading, judged, values, by_people, scale, only))
    return rows


def _row(
    data: Data,
    name: str,
    title: str,
    judged: Sequence[Judgment],
    values: Rows,
    people: Rows,
    scale: Any,
    only: Sequence[str] | None = None,
) -> dict[str, Any]:
    from assay.statistics.comparing.judges import judge_against_people

    headline = "spearman" if only else "cohen_kappa" if scale.level == "nominal" else "quadratic_kappa"
    shared = {unit(each): each.group or each.item for each in [*judged, *data.counted, *data.computed]}
    clustered = data.study.items.group is not None or any(each.entry or each.side for each in judged)
    by_people = {about for about, _, _ in people}
    found = []
    for judge in sorted({each.annotator for each in judged}):
        own = {about: value for about, who, value in values if who == judge}
        report = judge_against_people(own, people, scale, shared if clustered else None, None, data.seed, DRAWS)
        both = own.keys() & by_people
        n_units = len({shared[about] for about in both}) if clustered else len(both)
        statistics = [_as_json(each) for each in report.statistics if only is None or each.name in only]
        main = next(each for each in statistics if each["name"] == headline)
        found.append(
            {
                "judge": judge,
                "batches": sorted({each.batch for each in judged if each.annotator == judge and each.batch}),
                "n": report.n_items,
                "n_shared": report.n_shared,
                "n_people": report.n_people,
                "n_units": n_units,
                "unit": "groups" if data.study.items.group is not None else "items",
                "too_few": n_units < TOO_FEW,
                "headline": headline,
                # Beside each other only what was computed alike: against the rest of the people, or else single ones.
                "role": "with_rest" if main["people_with_rest"]["value"] is not None else "with_each",
                "statistics": statistics,
                "categories": [] if only else list(report.categories),
                "confusion": [] if only else [list(row) for row in report.confusion],
                "reliability_of_people": as_json(report.reliability),
                "correlation_without_their_error": as_json(report.disattenuated),
            }
        )
    return {"dimension": name, "title": title, "judges": found}


def _as_json(statistic: "JudgeStatistic") -> dict[str, Any]:
    return {"name": statistic.name, **{role: as_json(getattr(statistic, role)) for role in ROLES}}
