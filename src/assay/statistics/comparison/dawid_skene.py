"""The most probable category of each item when annotators differ in how, and how often, they err."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from assay.statistics.arrays import Floats, Ints, np

FEW_LABELS = 20
"""Below so many labels an annotator's confusion matrix is hardly more than a guess."""


@dataclass(frozen=True)
class DawidSkene:
    """What the model found. Rows of posteriors and of confusion matrices sum to 1, but for truths never estimated."""

    items: tuple[Hashable, ...]
    annotators: tuple[Hashable, ...]
    categories: tuple[Hashable, ...]
    posterior: Floats
    """(items, categories): how probable it is that each item belongs to each."""
    prevalence: Floats
    """(categories,): the share of items that belong to each."""
    confusion: Floats
    """(annotators, truth, label): how probable each label of each annotator is, for each truth."""
    labels: tuple[Hashable | None, ...]
    """The most probable category of each item; None where two are equally probable."""
    differ_from_majority: int
    """How many items got another category than the one given most often; items without a majority do not count."""
    without_majority: int
    iterations: int
    converged: bool
    log_likelihood: float
    warnings: tuple[str, ...]
    undefined: str | None = None


def dawid_skene(
    rows: Sequence[tuple[Any, Any, Any]],
    categories: Sequence[Hashable],
    steps: int = 2000,
    tolerance: float = 1e-8,
) -> DawidSkene:
    """Dawid and Skene's model, by expectation and maximisation, of (item, annotator, label) rows.

    Each item i has one true category, j with probability p_j; annotator a gives it the label l with probability
    pi_a(j, l), whatever the item and the other labels. From shares of labels as a start, two steps take turns until
    nothing moves by more than `tolerance`:

        T_ij  proportional to  p_j  prod over labels of i of  pi_a(j, l)
        p_j = mean of T_ij,   pi_a(j, l) = sum of T_ij over labels l by a / sum of T_ij over all labels by a

    An annotator may label an item several times. It needs labels enough to learn how each errs: below 20 of them a
    warning says so. It is for nominal scales: it knows no order of categories.

    Reference: Dawid, A. P. & Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates using the EM
    algorithm. Applied Statistics 28. Paun, S. et al. (2018). Comparing Bayesian models of annotation. TACL 6.

    Raises:
        ValueError: A label is not on the scale.

    Example:
        >>> said = {"ann": "aabb" * 6, "bo": "aabb" * 6, "cy": "aabb" * 6, "di": "bbab" * 6}
        >>> rows = [(item, who, label) for who, labels in said.items() for item, label in enumerate(labels)]
        >>> found = dawid_skene(rows, ("a", "b"))
        >>> found.labels[:4], found.differ_from_majority, found.confusion[3].round(2).tolist()
        (('a', 'a', 'b', 'b'), 0, [[0.0, 1.0], [0.5, 0.5]])
    """
    items, annotators = (tuple(dict.fromkeys(row[column] for row in rows)) for column in (0, 1))
    if not rows:
        return _empty(tuple(categories))
    item, annotator, label = _codes(rows, items, annotators, tuple(categories))
    n_annotators, size = len(annotators), len(categories)
    # Items with the same labels by the same annotators are one pattern, which counts so many times.
    pattern_of, first = _patterns(item, annotator * size + label, len(items))
    times = np.bincount(pattern_of)
    kept = np.isin(item, first)
    pattern, cell = pattern_of[item[kept]], (annotator * size + label)[kept]
    given = np.bincount(pattern * size + cell % size, minlength=len(times) * size).reshape(len(times), size)
    posterior: Floats = given / given.sum(axis=1, keepdims=True)
    step, converged, likelihood = 0, False, 0.0
    while step < steps and not converged:
        step += 1
        prevalence = times @ posterior / len(items)
        confusion = _confusion((posterior * times[:, None])[pattern], cell, n_annotators, size)
        before = posterior
        posterior, likelihood = _posterior(prevalence, confusion, pattern, cell, times)
        converged = bool(np.abs(posterior - before).max() < tolerance)
    by_pattern = [_most(row, categories) for row in np.round(posterior, 8)]
    return DawidSkene(
        items,
        annotators,
        tuple(categories),
        posterior[pattern_of],
        prevalence,
        confusion,
        tuple(by_pattern[at] for at in pattern_of.tolist()),
        *_against_majority(given, posterior, times),
        step,
        converged,
        likelihood,
        _warnings(annotators, np.bincount(annotator), converged, step),
    )


def _patterns(item: Ints, cell: Ints, n_items: int) -> tuple[Ints, Ints]:
    """The pattern of each item, and one item of each pattern."""
    order = np.lexsort((cell, item))
    ends = np.cumsum(np.bincount(item, minlength=n_items))
    sorted_cells = cell[order].astype(np.int64)
    numbers: dict[bytes, int] = {}
    pattern_of: list[int] = []
    first: list[int] = []
    for at, (start, stop) in enumerate(zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True)):
        key = sorted_cells[start:stop].tobytes()
        if key not in numbers:
            numbers[key] = len(numbers)
            first.append(at)
        pattern_of.append(numbers[key])
    return np.array(pattern_of), np.array(first)


def _codes(
    rows: Sequence[tuple[Any, Any, Any]], items: Sequence[Any], annotators: Sequence[Any], categories: Sequence[Any]
) -> tuple[Ints, Ints, Ints]:
    numbers = [{name: at for at, name in enumerate(names)} for names in (items, annotators, categories)]
    wrong = next((row for row in rows if row[2] not in numbers[2]), None)
    if wrong is not None:
        raise ValueError(f"{wrong[2]!r}, given to item {wrong[0]!r} by annotator {wrong[1]!r}, is not on the scale")
    item, annotator, label = (np.array([number[row[at]] for row in rows], int) for at, number in enumerate(numbers))
    return item, annotator, label


def _confusion(weights: Floats, cell: Ints, n_annotators: int, size: int) -> Floats:
    """pi_a(j, l), from the posterior (labels, truth) of each label's item."""
    # A truth that none of an annotator's items may have says nothing of them: any label is then as probable.
    sums = np.stack([np.bincount(cell, weights[:, truth], n_annotators * size) for truth in range(size)], axis=1)
    by_truth = sums.reshape(n_annotators, size, size).transpose(0, 2, 1)
    totals = by_truth.sum(axis=2, keepdims=True)
    shares: Floats = np.divide(by_truth, totals, out=np.full(by_truth.shape, 1 / size), where=totals > 1e-12)
    return shares


def _posterior(prevalence: Floats, confusion: Floats, pattern: Ints, cell: Ints, times: Ints) -> tuple[Floats, float]:
    size = len(prevalence)
    # A probability of 0 rules a truth out; 1e-300 does so without ruling out all of them.
    logs = np.log(np.maximum(confusion, 1e-300)).transpose(0, 2, 1).reshape(-1, size)[cell]
    joint = np.stack([np.bincount(pattern, logs[:, truth], len(times)) for truth in range(size)], axis=1)
    joint += np.log(np.maximum(prevalence, 1e-300))
    highest = joint.max(axis=1, keepdims=True)
    shares = np.exp(joint - highest)
    totals = shares.sum(axis=1, keepdims=True)
    return shares / totals, float(times @ (highest + np.log(totals))[:, 0])


def _most(shares: Floats, categories: Sequence[Hashable]) -> Hashable | None:
    best = np.flatnonzero(shares == shares.max())
    return categories[int(best[0])] if len(best) == 1 else None


def _against_majority(given: Ints, posterior: Floats, times: Ints) -> tuple[int, int]:
    """How many items the model puts elsewhere than the majority of labels, and how many have no majority."""
    alone = (given == given.max(axis=1, keepdims=True)).sum(axis=1) == 1
    elsewhere = given.argmax(axis=1) != posterior.argmax(axis=1)
    return int(times[alone & elsewhere].sum()), int(times[~alone].sum())


def _warnings(annotators: Sequence[Hashable], labels: Ints, converged: bool, steps: int) -> tuple[str, ...]:
    found = []
    few = [str(name) for name, count in zip(annotators, labels.tolist(), strict=True) if count < FEW_LABELS]
    if few:
        shown = ", ".join(few[:5]) + (f" and {len(few) - 5} others" if len(few) > 5 else "")
        found.append(
            f"fewer than {FEW_LABELS} labels by {shown}: their confusion matrices are hardly more than guesses"
        )
    if not converged:
        found.append(f"still moving after {steps} steps")
    return tuple(found)


def _empty(categories: tuple[Hashable, ...]) -> DawidSkene:
    size = len(categories)
    none = np.zeros((0, size)), np.zeros(size), np.zeros((0, size, size))
    return DawidSkene((), (), categories, *none, (), 0, 0, 0, False, 0.0, (), "there are no judgments")
