"""What biases an automated judge: system, length, its own family of models, position, and its own earlier version."""

import re
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from statistics import fmean
from typing import Any

from assay.model import Estimate, Judgment
from assay.report.data import TOO_FEW, Data
from assay.report.judged_dimension import JudgedDimension
from assay.report.shown_differences import is_shown
from assay.report.system_comparison import correct_p_values
from assay.statistics.estimate import IntervalEstimate, difference_of_means, mean_of, slope_of

WORDS = 100
"""Bias by length is given for this many more words."""
LEFT_AND_RIGHT = "left − right"
_VERSION = re.compile(r"[-_.@ ]?v?\d[\w.\-]*$")


@dataclass(frozen=True, slots=True)
class JudgeBias:
    """One bias of a judge: its difference from people there − its difference from them elsewhere."""

    dimension: str
    kind: str
    """`system`, `length`, `family`, `position` or `version`."""
    of: str
    """Which system, family or version; of a position, what of scores by side, and nothing of choices."""
    estimate: Estimate
    p_corrected: float | None = None
    """Corrected by Holm for everything that was looked at of this judge."""

    @property
    def is_shown(self) -> bool:
        """Whether the bias is significant after correction."""
        return is_shown(self.p_corrected)

    def in_words(self, title: str) -> str:
        """What it says, in a sentence."""
        value = f"{self.estimate.value:+.2f}".replace("-", "−")
        return {
            "system": f"{title}: {value} points on {self.of} beside the other systems",
            "length": f"{title}: {value} points for {WORDS} words more",
            "family": f"{title}: {value} points on {self.of}, of its own family of models, beside the others",
            "position": f"{title}: {value} points for the left one beside the right one"
            if self.of
            else f"{title}: {100 * (0.5 + (self.estimate.value or 0)):.0f} % for the left where it chose a side",
            "version": f"{title}: {value} points beside {self.of}",
        }[self.kind]


def biases_of(dimensions: Sequence[JudgedDimension], judge: str) -> list[JudgeBias]:
    """Every bias that there are enough items to test, with p-values corrected over all of them."""
    found = [bias for each in dimensions for bias in _biases(each, judge)]
    corrected = correct_p_values([each.estimate.p for each in found], "holm")
    return [replace(each, p_corrected=p) for each, p in zip(found, corrected, strict=True)]


def _biases(dimension: JudgedDimension, judge: str) -> list[JudgeBias]:
    found = _position(dimension, judge)
    if dimension.has_mean:
        # Over all runs: where both orders were asked, the side is independent of the system.
        own = dimension.over_runs(judge, dimension.scale_positions)
        apart = {unit: value - dimension.means[unit] for unit, value in own.items() if unit in dimension.means}
        apart = {unit: value for unit, value in apart.items() if unit in dimension.judgment_of}
        found += _position_of_scores(dimension, judge)
        found += [*_systems(dimension, judge, apart), *_length(dimension, apart), *_versions(dimension, judge)]
    return found


def _systems(dimension: JudgedDimension, judge: str, apart: Mapping[str, float]) -> list[JudgeBias]:
    by_system: dict[str, dict[Hashable, list[float]]] = defaultdict(lambda: defaultdict(list))
    for unit, value in apart.items():
        by_system[dimension.judgment_of[unit].system][dimension.groups[unit]].append(value)
    means = {name: [fmean(each) for each in groups.values()] for name, groups in by_system.items() if name}
    found = []
    for name in sorted(means) if len(means) > 1 else []:
        rest = [value for other, values in means.items() if other != name for value in values]
        # With two systems, one bias is the other with its sign reversed.
        if len(means) > 2 or name == min(means):
            found += _bias(dimension, "system", name, difference_of_means(means[name], rest), means[name], rest)
    family = own_family(dimension.data, judge, list(means))
    if family and len(family) < len(means):
        inside = [value for name in family for value in means[name]]
        rest = [value for name, values in means.items() if name not in family for value in values]
        found += _bias(dimension, "family", ", ".join(family), difference_of_means(inside, rest), inside, rest)
    return found


def own_family(data: Data | None, judge: str, systems: Sequence[str]) -> list[str]:
    """The systems of a judge's own family: by the patterns that the study declares, or whose names begin alike.

    A judge is known by its own name and by those of its models, as their servers gave them.

    >>> own_family(None, "gpt-4o-mini", ["gpt-4o", "claude-3"])
    ['gpt-4o']
    """
    names = [judge] if data is None else [judge, *data.judge_models.get(judge, ())]
    declared = () if data is None else data.study.items.families.values()
    mine = [
        pattern
        for patterns in declared
        if any(fnmatchcase(name, each) for each in patterns for name in names)
        for pattern in patterns
        if pattern != "*"
    ]
    if mine:
        return sorted(name for name in systems if any(fnmatchcase(name, pattern) for pattern in mine))
    words = {_first_word(name) for name in names}
    return sorted(name for name in systems if len(_first_word(name)) > 2 and _first_word(name) in words)


def _first_word(name: str) -> str:
    """The word that a name begins with; what stands before a slash says where a model comes from."""
    return re.split(r"[^a-z]", name.lower().rpartition("/")[2], maxsplit=1)[0]


def _length(dimension: JudgedDimension, apart: Mapping[str, float]) -> list[JudgeBias]:
    """How a judge's difference from people changes with the number of words to read."""
    if dimension.data.work is None:
        return []
    facts = dimension.data.work.items
    units = [unit for unit in apart if dimension.judgment_of[unit].item in facts]
    words = [facts[dimension.judgment_of[unit].item].words / WORDS for unit in units]
    values = [apart[unit] for unit in units]
    return _bias(dimension, "length", "", slope_of(words, values), values)


def _versions(dimension: JudgedDimension, judge: str) -> list[JudgeBias]:
    """A judge beside others that are called alike but for a version, or whose models are, on what both judged."""
    found, own = [], dimension.values_of(judge)
    for other in dimension.judges:
        if is_earlier_version(dimension.data, other, judge):
            theirs = dimension.values_of(other)
            position = dimension.scale_positions
            shared = [unit for unit in own if unit in theirs]
            moved = [position.get(own[unit], own[unit]) - position.get(theirs[unit], theirs[unit]) for unit in shared]
            found += _bias(dimension, "version", other, mean_of(moved), moved)
    return found


def is_earlier_version(data: Data, one: str, other: str) -> bool:
    """Whether a judge is an earlier version of another one: by their names, or by those of their models."""
    before, after = (data.judge_models.get(each, ()) for each in (one, other))
    if before and after and max(before) != min(after):
        return max(before) < min(after) and is_version_of(max(before), min(after))
    return one < other and is_version_of(one, other)


def is_version_of(one: str, other: str) -> bool:
    """Whether two judges are called alike but for what says a version.

    >>> is_version_of("judge-2026-05-01", "judge-2025-11-20"), is_version_of("judge-a", "judge-b")
    (True, False)
    """
    stems = {_VERSION.sub("", each) for each in (one, other)}
    return len(stems) == 1 and stems != {""}


def _position(dimension: JudgedDimension, judge: str) -> list[JudgeBias]:
    """How often a judge chose the left one beyond half of the time, where it is known what stood there."""
    data = dimension.data
    given = [each for each in [*data.by_judges, *data.by_judges_again] if _is_choice(each, dimension.name, judge)]
    by_item: dict[str, list[float]] = defaultdict(list)
    for each in given:
        by_item[each.item].append(float(each.value == each.left))
    beyond = [fmean(each) - 0.5 for each in by_item.values()]
    return _bias(dimension, "position", "", mean_of(beyond), beyond)


def _position_of_scores(dimension: JudgedDimension, judge: str) -> list[JudgeBias]:
    """How much more a judge gives the left candidate than the right one, beyond what people give these two."""
    by_run: dict[tuple[str, int], dict[bool, float]] = defaultdict(dict)
    for run in dimension.runs:
        of = dimension.judgment_of.get(run.unit)
        if run.judge == judge and run.unit in dimension.means and run.left and of and of.candidate and not of.entry:
            value = dimension.scale_positions.get(run.value, run.value)
            by_run[of.item, run.pass_][of.system == run.left] = value - dimension.means[run.unit]
    by_item: dict[str, list[float]] = defaultdict(list)
    for (item, _), apart in by_run.items():
        if len(apart) > 1:
            by_item[item].append(apart[True] - apart[False])
    more = [fmean(each) for each in by_item.values()]
    return _bias(dimension, "position", LEFT_AND_RIGHT, mean_of(more), more)


def _is_choice(judgment: Judgment, dimension: str, judge: str) -> bool:
    asked = judgment.annotator == judge and judgment.dimension == dimension
    return asked and bool(judgment.left) and judgment.value in judgment.systems


def _bias(
    dimension: JudgedDimension, kind: str, of: str, found: IntervalEstimate | None, *samples: Sequence[Any]
) -> list[JudgeBias]:
    """One bias as a list; empty where there are too few items."""
    if found is None or min(map(len, samples)) < TOO_FEW:
        return []
    method = "Student's interval" if len(samples) == 1 else "Welch's interval"
    estimate = Estimate("bias", found.value, (found.low, found.high), found.n, method, found.p)
    return [JudgeBias(dimension.name, kind, of, estimate)]
