"""Several automated judges as one: a study whose items were shared out among them still gets one answer."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property

from assay.frozen_json import fields_of
from assay.model import Judgment
from assay.report.judge_agreement import JudgeOnDimension, judge_on
from assay.report.judged_dimension import JudgedDimension, Rows
from assay.study.schema import Study

ALL = "all judges"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgesTogether(JudgeOnDimension):
    """Several judges on one dimension, as if they were one: `judge` is what they are called together."""

    judges: list[str]
    n_judgments: int
    """How many of their judgments are compared with people's: more than items, where several judged the same."""


@dataclass(frozen=True)
class FamilyOnDimension(JudgedDimension):
    """A dimension as a family of judges answered it. Each judgment of a judge is a unit of its own."""

    of: JudgedDimension
    unit_of: Mapping[str, str]
    """What each of their judgments is about."""

    @cached_property
    def groups(self) -> dict[str, str]:
        """The group of each unit: what was judged, or the group of that."""
        clustered = self.of.clusters is not None
        return {name: self.of.groups[unit] if clustered else unit for name, unit in self.unit_of.items()}

    @cached_property
    def clusters(self) -> dict[str, str] | None:
        """The groups, for clustered intervals; also where two judges judged the same. None: all are independent."""
        several = len(set(self.unit_of.values())) < len(self.unit_of)
        return self.groups if several or self.of.clusters is not None else None

    @cached_property
    def judgment_of(self) -> dict[str, Judgment]:
        """The judgment of each unit."""
        return {_name(each): each for each in self.of.judged if _name(each) in self.unit_of}

    def count(self, units: Collection[str]) -> int:
        """How many different things these judgments are about."""
        return len({self.unit_of[each] for each in units})


def families_of(study: Study, judges: Sequence[str]) -> dict[str, list[str]]:
    """Which judges are reported together, by name: the families that the study declares, and all of them."""
    found = {
        name: [judge for judge in judges if any(fnmatchcase(judge, each) for each in patterns)]
        for name, patterns in study.items.families.items()
    }
    found = {name: of_family for name, of_family in found.items() if len(of_family) > 1}
    if len(judges) > 1 and list(judges) not in found.values():
        found[ALL] = list(judges)
    return found


def family_on(dimension: JudgedDimension, name: str, judges: Collection[str]) -> FamilyOnDimension:
    """A dimension as some of its judges answered it together."""
    judged = [each for each in dimension.judged if each.annotator in judges]
    by_unit: dict[str, list[str]] = defaultdict(list)
    for each in judged:
        by_unit[each.unit].append(_name(each))

    def beside(rows: Rows) -> Rows:
        return [(unit_by, who, value) for unit, who, value in rows for unit_by in by_unit.get(unit, ())]

    def of_family(rows: Rows) -> Rows:
        return [(f"{unit} by {who}", name, value) for unit, who, value in rows if who in judges]

    return FamilyOnDimension(
        data=dimension.data,
        name=dimension.name,
        title=dimension.title,
        judged=[replace(each, annotator=name) for each in judged],
        values=of_family(dimension.values),
        people=beside(dimension.people),
        scale=dimension.scale,
        is_number=dimension.is_number,
        runs=[
            replace(each, unit=f"{each.unit} by {each.judge}", judge=name)
            for each in dimension.runs
            if each.judge in judges
        ],
        truth=beside(dimension.truth),
        of=dimension,
        unit_of={unit_by: unit for unit, names in by_unit.items() for unit_by in names},
    )


def judges_together(dimension: JudgedDimension, name: str, judges: Sequence[str]) -> JudgesTogether:
    """Everything of some judges as one, on one dimension."""
    family = family_on(dimension, name, judges)
    n_judgments = sum(unit in family.means for unit in family.values_of(name))
    return JudgesTogether(
        **fields_of(judge_on(family, name, each_batch=False)), judges=list(judges), n_judgments=n_judgments
    )


def _name(judgment: Judgment) -> str:
    return f"{judgment.unit} by {judgment.annotator}"
