"""What `assay agree` computes besides coefficients where it is asked to: pairs, errors, own weights, tests, models."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.errors import AssayError
from assay.frozen_json import to_json
from assay.model import Coefficient
from assay.ratings.dimension import RatedDimension
from assay.statistics import PairAgreement, Ratings, pairwise, standard_errors
from assay.statistics.comparison.alt_test import AltTest, alt_test
from assay.statistics.comparison.custom_weights import agree_weighted
from assay.statistics.comparison.dawid_skene import DawidSkene, dawid_skene
from assay.statistics.comparison.mace import Competence, mace
from assay.statistics.comparison.rank_agreement import pairwise_spearman

NAMELESS = "a table of counts does not say who gave which value"


@dataclass(frozen=True)
class FurtherQuestions:
    """What is asked for."""

    pairwise: bool = False
    errors: bool = False
    weights: tuple[tuple[float, ...], ...] | None = None
    epsilon: float | None = None
    """The margin of the alternative annotator test; None: it is not made."""
    models: bool = False

    @property
    def by_name(self) -> bool:
        """Whether any of it needs to know who gave which value."""
        return self.pairwise or self.models or self.epsilon is not None


@dataclass(frozen=True)
class Models:
    """The most probable truth by two models of how annotators err."""

    dawid_skene: DawidSkene
    competence: Competence
    majority: dict[Any, Any]
    """The category that most gave to each item; None where two were given equally often."""
    n_labels: dict[Any, int]
    """How many labels each annotator gave."""

    def annotators(self) -> Iterable[tuple[Any, int, float, float]]:
        """Each annotator with the number of labels, the share of them that is right, and the competence."""
        model = self.dawid_skene
        competence = dict(zip(self.competence.annotators, self.competence.competence.tolist(), strict=True))
        for at, name in enumerate(model.annotators):
            right = float(model.prevalence @ model.confusion[at].diagonal())
            yield name, self.n_labels[name], right, competence[name]

    def items(self) -> Iterable[dict[str, Any]]:
        """Each item with what it most probably is by either model, how probable that is, and what most people said."""
        by_competence = dict(zip(self.competence.items, range(len(self.competence.items)), strict=True))
        for at, item in enumerate(self.dawid_skene.items):
            other = by_competence[item]
            yield {
                "item": item,
                "majority": self.majority[item],
                "dawid_skene": self.dawid_skene.labels[at],
                "dawid_skene_p": float(self.dawid_skene.posterior[at].max()),
                "competence": self.competence.labels[other],
                "competence_p": float(self.competence.posterior[other].max()),
            }


@dataclass(frozen=True)
class FurtherAnswers:
    """What was found, of one dimension."""

    pairs: dict[str, list[PairAgreement]] = field(default_factory=dict)
    errors: dict[str, float | None] = field(default_factory=dict)
    weighted: list[Coefficient] = field(default_factory=list)
    alt_tests: dict[str, AltTest] = field(default_factory=dict)
    models: Models | None = None

    def as_json(self) -> dict[str, Any]:
        """Only what was asked for."""
        found: dict[str, Any] = {}
        if self.pairs:
            found["pairs"] = {name: [to_json(pair) for pair in pairs] for name, pairs in self.pairs.items()}
        if self.errors:
            found["standard_errors"] = self.errors
        if self.weighted:
            found["weighted"] = [to_json(each) for each in self.weighted]
        if self.alt_tests:
            found["alt_test"] = [{"judge": judge, **to_json(test)} for judge, test in self.alt_tests.items()]
        if self.models is not None:
            found["models"] = {
                "annotators": [
                    {"annotator": name, "n_labels": n, "right": right, "competence": competence}
                    for name, n, right, competence in self.models.annotators()
                ],
                "differ_from_majority": self.models.dawid_skene.differ_from_majority,
                "without_majority": self.models.dawid_skene.without_majority,
                "warnings": list(self.models.dawid_skene.warnings),
                "items": list(self.models.items()),
            }
        return found


def answers_of(dimension: RatedDimension, asked: FurtherQuestions, seed: int) -> FurtherAnswers:
    """Everything that was asked, of one dimension.

    Raises:
        AssayError: The table does not say who gave which value, or the weights do not fit the scale.
    """
    if asked.by_name and not dimension.named:
        raise AssayError(NAMELESS, "give a table that names annotators, or ask for coefficients only")
    ratings = dimension.ratings
    weighted: list[Coefficient] = []
    if asked.weights is not None:
        try:
            weighted = agree_weighted(ratings, asked.weights, seed)
        except ValueError as error:
            raise AssayError(f"{dimension.name}: {error}", "see --weights in docs/agree.md") from None
    return FurtherAnswers(
        _pairs(ratings, seed) if asked.pairwise else {},
        standard_errors(ratings) if asked.errors else {},
        weighted,
        _alt_tests(dimension, asked.epsilon) if asked.epsilon is not None else {},
        _models(ratings, seed) if asked.models else None,
    )


def _pairs(ratings: Ratings, seed: int) -> dict[str, list[PairAgreement]]:
    kappa = "cohen_kappa" if ratings.level == "nominal" else "cohen_kappa_quadratic"
    found = {kappa: pairwise(ratings, kappa, seed)}
    if ratings.level != "nominal":
        found["spearman"] = pairwise_spearman(ratings)
    return found


def _alt_tests(dimension: RatedDimension, epsilon: float) -> dict[str, AltTest]:
    everybody = dimension.everybody
    if everybody is None:
        raise AssayError("the alternative annotator test needs an automated judge", "name it with --judge")
    people = set(dimension.ratings.annotators)
    nominal = everybody.level == "nominal"
    scale = everybody.scale
    values = {name: at if nominal else float(scale.positions[at]) for at, name in enumerate(scale.categories)}
    rows = [(item, who, values[value]) for item, who, value in everybody.rows()]
    distance = "equal" if nominal else "squared"
    return {
        str(judge): alt_test(
            {item: value for item, who, value in rows if who == judge},
            [row for row in rows if row[1] in people],
            epsilon,
            distance,  # type: ignore[arg-type]
        )
        for judge in everybody.annotators
        if judge not in people
    }


def _models(ratings: Ratings, seed: int) -> Models:
    rows = list(ratings.rows())
    given: dict[Any, dict[Any, int]] = {}
    counts: dict[Any, int] = {}
    for item, who, value in rows:
        of_item = given.setdefault(item, {})
        of_item[value] = of_item.get(value, 0) + 1
        counts[who] = counts.get(who, 0) + 1
    majority = {item: _most(of_item) for item, of_item in given.items()}
    categories = ratings.categories
    return Models(dawid_skene(rows, categories), mace(rows, categories, seed=seed), majority, counts)


def _most(counts: dict[Any, int]) -> Any:
    highest = max(counts.values())
    best = [value for value, count in counts.items() if count == highest]
    return best[0] if len(best) == 1 else None


def read_weights(text: str) -> tuple[tuple[float, ...], ...]:
    """Weights of agreement as rows of numbers: `1,0.5,0;0.5,1,0.5;0,0.5,1`.

    Raises:
        AssayError: They cannot be read so.

    Example:
        >>> read_weights("1, 0.5; 0.5, 1")
        ((1.0, 0.5), (0.5, 1.0))
    """
    rows = [[cell.strip() for cell in row.split(",")] for row in text.strip().strip(";").split(";")]
    try:
        return tuple(tuple(map(float, row)) for row in rows)
    except ValueError:
        wrong = next(cell for row in rows for cell in row if not _is_number(cell))
        hint = "write rows of numbers from 0 to 1: --weights '1,0.5,0;0.5,1,0.5;0,0.5,1'"
        raise AssayError(f"{wrong!r} in the weights is no number", hint) from None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def labels_table(dimensions: Sequence[tuple[str, FurtherAnswers]]) -> list[dict[str, Any]]:
    """The most probable category of each item, as rows of a file."""
    return [
        {"dimension": name, **row}
        for name, answers in dimensions
        if answers.models is not None
        for row in answers.models.items()
    ]
