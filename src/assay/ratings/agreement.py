"""How far the people in a table agree, dimension by dimension, and how far automated judges agree with them."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from assay.judgments.scales import count_once
from assay.kinds import STATISTICS
from assay.model import Coefficient, Comparison, Level
from assay.ratings.dimension import RatedDimension
from assay.ratings.extra_results import FurtherAnswers, FurtherQuestions, answers_of
from assay.ratings.scale_declarations import LEVELS
from assay.statistics import Ratings, Statistic, agree, headline, statistics_for
from assay.statistics.arrays import np

BESIDE = ("percent_agreement", "cohen_kappa_quadratic", "cohen_kappa")
"""What a judge is compared by, besides the headline: exact agreement, and kappa as far as the level allows."""


@dataclass(frozen=True)
class RatingsAgreement:
    """The coefficients of some ratings, and what the ratings hold."""

    name: str
    n_items: int
    n_shared: int
    """Of these, how many have the two judgments that agreement takes."""
    n_ratings: int
    n_annotators: int
    coefficients: list[Coefficient]
    of: str = "item"
    """What was judged: the item, each side or each entry."""
    items: int | None = None
    """Of sides and entries: how many items two people or more judged."""

    def as_json(self, key: str) -> dict[str, Any]:
        """As JSON holds it."""
        return {
            key: self.name,
            "n_items": self.n_items,
            "n_ratings": self.n_ratings,
            "n_annotators": self.n_annotators,
            "coefficients": [_as_json(each) for each in self.coefficients],
        }


@dataclass(frozen=True)
class JudgeAgreement:
    """An automated judge and one of the people, on the items that both judged."""

    judge: str
    person: str
    n_items: int
    coefficients: list[Coefficient]

    def as_json(self) -> dict[str, Any]:
        """As JSON holds it."""
        found = [_as_json(each) for each in self.coefficients]
        return {"judge": self.judge, "person": self.person, "n_items": self.n_items, "coefficients": found}


@dataclass(frozen=True)
class DimensionResult:
    """All that is found of one dimension."""

    whole: RatingsAgreement
    scale: str
    level: Level
    systems: list[RatingsAgreement] = field(default_factory=list)
    by: dict[str, list[RatingsAgreement]] = field(default_factory=dict)
    """For each column that splits the judgments, the agreement within each of its values."""
    judges: list[JudgeAgreement] = field(default_factory=list)
    comparison: Comparison | None = None
    """Of a preference in an export, the systems that were compared."""
    answers: FurtherAnswers = field(default_factory=FurtherAnswers)
    """What else was asked for."""

    @property
    def title(self) -> str:
        """What it is called: the dimension, and of a preference the comparison."""
        return self.whole.name if self.comparison is None else f"{self.whole.name} ({self.comparison.title})"

    def as_json(self) -> dict[str, Any]:
        """The dimension; with `systems`, `by` and `judges` only where these were asked for."""
        more: dict[str, Any] = {}
        if self.systems:
            more["systems"] = [each.as_json("system") for each in self.systems]
        if self.by:
            more["by"] = {column: [each.as_json("value") for each in parts] for column, parts in self.by.items()}
        if self.judges:
            more["judges"] = [each.as_json() for each in self.judges]
        if self.comparison is not None:
            more |= {"system": self.comparison.system, "against": self.comparison.against}
        return {**self.whole.as_json("dimension"), **more, **self.answers.as_json()}


def agreement_of(
    dimension: RatedDimension, every: bool, seed: int, asked: FurtherQuestions | None = None
) -> DimensionResult:
    """Everything about one dimension, all intervals from the same seed."""

    def of(name: str, ratings: Ratings) -> RatingsAgreement:
        given = np.count_nonzero(ratings.values >= 0, axis=1)
        coefficients = _coefficients(ratings, dimension, every, seed)
        counts = len(given), int((given >= 2).sum()), int(given.sum())
        return RatingsAgreement(name, *counts, len(ratings.annotators), coefficients, dimension.of)

    ratings = dimension.ratings
    return DimensionResult(
        replace(of(dimension.name, ratings), items=dimension.items),
        str(ratings.scale),
        ratings.level,
        [of(system, part) for system, part in dimension.systems.items()],
        {column: [of(name, part) for name, part in parts.items()] for column, parts in dimension.by.items()},
        list(_judges(dimension, seed)),
        dimension.comparison,
        answers_of(dimension, asked or FurtherQuestions(), seed),
    )


def agreement_over_comparisons(dimension: RatedDimension) -> RatingsAgreement:
    """A preference over all its comparisons: values without bootstrap intervals. Every item stands in it twice."""
    given = np.count_nonzero(dimension.ratings.values >= 0, axis=1)
    counts = len(given) // 2, int((given >= 2).sum()) // 2, int(given.sum()) // 2
    found = [count_once(each) for each in agree(dimension.ratings, draws=0)]
    return RatingsAgreement(dimension.name, *counts, len(dimension.ratings.annotators), found)


def _coefficients(ratings: Ratings, dimension: RatedDimension, every: bool, seed: int) -> list[Coefficient]:
    fitting = statistics_for(ratings.level)
    known = [each for each in fitting if dimension.named or not each.by_annotator]
    found = {each.name: each for each in agree(ratings, [each.name for each in known], seed)}
    others = sorted(set(STATISTICS) - {each.name for each in fitting}) if every else []
    for each in fitting:
        if each.name not in found:
            found[each.name] = _undefined_coefficient(
                each, ratings, "a table of counts does not say who gave which value"
            )
    order = [each.name for each in fitting]
    for name in sorted(others, key=lambda name: STATISTICS[name].rank):
        found[name] = _at_another_level(STATISTICS[name], ratings, dimension, seed)
        order.append(name)
    return [found[name] for name in order]


def _at_another_level(statistic: Statistic, ratings: Ratings, dimension: RatedDimension, seed: int) -> Coefficient:
    """A coefficient that is not made for this level, computed as if the values had a level that it is made for."""
    if statistic.by_annotator and not dimension.named:
        return _undefined_coefficient(statistic, ratings, "a table of counts does not say who gave which value")
    if not dimension.ordered:
        return _undefined_coefficient(
            statistic, ratings, "the values are words, and their order is not known: declare it (--scale)"
        )
    why = ""
    for level in LEVELS:
        if level in statistic.levels:
            try:
                (found,) = agree(replace(ratings, level=level), [statistic.name], seed)
            except ValueError as error:
                why = str(error)
            else:
                return replace(found, method="; ".join(filter(None, [f"values taken as {level}", found.method])))
    return _undefined_coefficient(statistic, ratings, why)


def _undefined_coefficient(statistic: Statistic, ratings: Ratings, why: str) -> Coefficient:
    return Coefficient(statistic.name, None, None, "", len(ratings.items), 0, len(ratings.annotators), why)


def _judges(dimension: RatedDimension, seed: int) -> Iterable[JudgeAgreement]:
    everybody = dimension.everybody
    if everybody is None:
        return
    people = set(dimension.ratings.annotators)
    fitting = {each.name for each in statistics_for(everybody.level)}
    beside = next(name for name in BESIDE[1:] if name in fitting)
    names = list(dict.fromkeys([headline(everybody.level), beside, BESIDE[0]]))
    for one, judge in enumerate(everybody.annotators):
        if judge in people:
            continue
        for other, person in enumerate(everybody.annotators):
            if person in people:
                pair = everybody.pair(one, other)
                yield JudgeAgreement(str(judge), str(person), len(pair.items), agree(pair, names, seed))


def _as_json(coefficient: Coefficient) -> dict[str, Any]:
    return {
        "name": coefficient.name,
        "value": coefficient.value,
        "ci": None if coefficient.ci is None else list(coefficient.ci),
        "method": coefficient.method,
        "n_items": coefficient.n_items,
        "n_ratings": coefficient.n_ratings,
        "n_annotators": coefficient.n_annotators,
        "undefined": coefficient.undefined,
    }
