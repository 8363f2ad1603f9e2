"""Several variants of a judge on the same items: which one answers most like people, and what choosing it costs."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.model import Estimate
from assay.statistics.arrays import Floats, np
from assay.statistics.comparison.resample import Resamples, clusters_of, quotient
from assay.statistics.draws import DRAWS, SEED
from assay.statistics.powered_sample import FEWEST, FOLDS


@dataclass(frozen=True, slots=True)
class VariantAgreement:
    """One variant beside people."""

    name: str
    same: Estimate
    """How often it gave what a person gave."""
    behind: Estimate | None
    """That minus the same of the first variant, on the same items; None for the first itself."""


@dataclass(frozen=True, slots=True)
class VariantComparison:
    """All variants on the same items, the best one first."""

    variants: tuple[VariantAgreement, ...]
    n: int
    """How many answers of each are compared, each with everybody who answered the same."""
    n_units: int
    """Of how many independent items or groups they are."""
    chosen_elsewhere: float | None
    """What the best one reaches on items that it was not chosen by; None where there are too few for it."""


def compare_variants(
    answers: Mapping[str, Mapping[Any, Any]],
    people: Iterable[tuple[Any, Any, Any]],
    clusters: Mapping[Any, Hashable] | None = None,
    seed: int = SEED,
    draws: int = DRAWS,
) -> VariantComparison:
    """How often each variant gives a person's answer, its difference from the best, and what choosing the best costs.

    The best of several looks better than it is: it was lucky on these items, too. So it is also chosen on nine tenths
    of the items (or clusters) and looked at on the last one, in turn; what is reached then is `chosen_elsewhere`.

    Args:
        answers: Of each variant, what it gave. Only what all variants were asked counts; what one could not answer is
            None, which is the same as nobody's.
        people: (question, annotator, value) of people, or of known answers.
        clusters: Of which item, or group of items, each question is.
        seed: What the folds and the draws start from.
        draws: How many draws the bootstrap makes; 0: no intervals.

    Reference: Cawley, G. C. & Talbot, N. L. C. (2010). On over-fitting in model selection and subsequent selection bias
    in performance evaluation. Journal of Machine Learning Research, 11, 2079-2107.

    Example:
        >>> people = [(item, "ann", item % 3) for item in range(60)]
        >>> answers = {"plain": {i: 0 for i in range(60)}, "strict": {i: i % 3 if i % 5 else 9 for i in range(60)}}
        >>> found = compare_variants(answers, people)
        >>> [(each.name, round(each.same.value, 2)) for each in found.variants], round(found.chosen_elsewhere, 2)
        ([('strict', 0.8), ('plain', 0.33)], 0.8)
    """
    given: dict[Any, list[Any]] = defaultdict(list)
    for question, _, value in people:
        given[question].append(value)
    asked = [each for each in given if all(each in own for own in answers.values())]
    names = list(answers)
    same = [[sum(answers[name][each] == value for value in given[each]) for name in names] for each in asked]
    table = np.array([[len(given[each]), *row] for each, row in zip(asked, same, strict=True)], dtype=float)
    table = table.reshape(len(asked), 1 + len(names))
    source = Resamples(table, clusters_of(asked, clusters), seed, draws)
    nothing = "no question was answered both by people and by all variants"
    order = sorted(range(len(names)), key=lambda at: -float(table[:, 1 + at].sum()))
    found = [
        VariantAgreement(
            names[at],
            source.share("same_answer", source.rows[:, 1 + at], source.rows[:, 0], nothing, float(table[:, 0].sum())),
            None if at == order[0] else _behind(source, at, order[0], nothing),
        )
        for at in order
    ]
    by_unit = _sums(table, clusters_of(asked, clusters) or list(range(len(asked))))
    return VariantComparison(tuple(found), len(asked), len(by_unit), _cross_validated_share(by_unit, seed))


def _behind(source: Resamples, at: int, best: int, why_undefined: str) -> Estimate:
    apart = source.rows[:, 1 + at] - source.rows[:, 1 + best]
    return source.difference("behind", lambda w: quotient(w @ apart, w @ source.rows[:, 0]), why_undefined)


def _sums(table: Floats, units: list[Hashable]) -> Floats:
    """The rows of a table, summed over each independent item or cluster."""
    found: dict[Hashable, Floats] = {}
    for unit, row in zip(units, table, strict=True):
        found[unit] = found[unit] + row if unit in found else row
    return np.array(list(found.values())).reshape(len(found), table.shape[1])


def _cross_validated_share(units: Floats, seed: int) -> float | None:
    if len(units) < FEWEST:
        return None
    folds = np.random.default_rng(seed).permutation(len(units)) % FOLDS
    same, of = 0.0, 0.0
    for fold in range(FOLDS):
        others, here = units[folds != fold].sum(axis=0), units[folds == fold].sum(axis=0)
        same += float(here[1 + int(np.argmax(others[1:]))])
        of += float(here[0])
    return same / of
