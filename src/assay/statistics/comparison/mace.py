"""How competent annotators are, and which category is probable, when some of them answer at random."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from assay.statistics.arrays import Floats, Ints, np
from assay.statistics.draws import SEED

SMOOTHING = 0.1
"""So many answers are added to each count: nobody is certain to be right, or to guess."""


@dataclass(frozen=True)
class Competence:
    """What the model found. Rows of posteriors sum to 1."""

    items: tuple[Hashable, ...]
    annotators: tuple[Hashable, ...]
    categories: tuple[Hashable, ...]
    competence: Floats
    """(annotators,): in what share of their labels they give the truth because they know it, and not by chance."""
    guesses: Floats
    """(annotators, categories): what each gives where they do not."""
    posterior: Floats
    """(items, categories): how probable it is that each item belongs to each."""
    labels: tuple[Hashable | None, ...]
    """The most probable category of each item; None where two are equally probable."""
    log_likelihood: float
    iterations: int
    converged: bool
    undefined: str | None = None


def mace(
    rows: Sequence[tuple[Any, Any, Any]],
    categories: Sequence[Hashable],
    restarts: int = 10,
    steps: int = 500,
    tolerance: float = 1e-6,
    seed: int = SEED,
) -> Competence:
    """The model of Hovy and others of (item, annotator, label) rows, by expectation and maximisation.

    Each item i has one true category t, all of them equally probable beforehand. Annotator a knows it with probability
    theta_a, their competence, and gives it; else they give label l with probability xi_a(l), whatever the item:

        P(label l of a | truth t) = theta_a [l = t] + (1 - theta_a) xi_a(l)

    The likelihood has several local maxima. The search starts once from shares of labels and `restarts` times at
    random, and the highest maximum counts. To each count 0.1 is added, spread over categories.

    Reference: Hovy, D., Berg-Kirkpatrick, T., Vaswani, A. & Hovy, E. (2013). Learning whom to trust with MACE.
    NAACL-HLT.

    Raises:
        ValueError: A label is not on the scale.

    Example:
        >>> said = {"ann": "aabbab" * 5, "bo": "aabbab" * 5, "cy": "aabbaa" * 5, "spam": "bbbbbb" * 5}
        >>> rows = [(item, who, label) for who, labels in said.items() for item, label in enumerate(labels)]
        >>> found = mace(rows, ("a", "b"))
        >>> dict(zip(found.annotators, found.competence.round(1).tolist())), found.labels[:6]
        ({'ann': 1.0, 'bo': 1.0, 'cy': 0.7, 'spam': 0.0}, ('a', 'a', 'b', 'b', 'a', 'b'))
    """
    names = tuple(categories)
    items, annotators = (tuple(dict.fromkeys(row[column] for row in rows)) for column in (0, 1))
    if not rows:
        nothing = np.zeros(0), np.zeros((0, len(names))), np.zeros((0, len(names)))
        return Competence((), (), names, *nothing, (), 0.0, 0, False, "there are no judgments")
    numbers = [{name: at for at, name in enumerate(each)} for each in (items, annotators, names)]
    wrong = next((row for row in rows if row[2] not in numbers[2]), None)
    if wrong is not None:
        raise ValueError(f"{wrong[2]!r}, given to item {wrong[0]!r} by annotator {wrong[1]!r}, is not on the scale")
    item, annotator, label = (np.array([number[row[at]] for row in rows]) for at, number in enumerate(numbers))
    search = _Search(item, annotator, label, len(items), len(annotators), len(names), steps, tolerance)
    rng, given = np.random.default_rng(seed), search.shares()
    starts = [given, *(given * rng.uniform(0.2, 1.0, given.shape) for _ in range(restarts))]
    best = max((search.from_start(each) for each in starts), key=lambda found: found.log_likelihood)
    rounded = np.round(best.posterior, 8)
    return Competence(
        items,
        annotators,
        names,
        best.competence,
        best.guesses,
        best.posterior,
        tuple(_most(row, names) for row in rounded),
        best.log_likelihood,
        best.iterations,
        best.converged,
    )


def _most(shares: Floats, categories: Sequence[Hashable]) -> Hashable | None:
    best = np.flatnonzero(shares == shares.max())
    return categories[int(best[0])] if len(best) == 1 else None


@dataclass(frozen=True)
class _Fit:
    competence: Floats
    guesses: Floats
    posterior: Floats
    log_likelihood: float
    iterations: int
    converged: bool


@dataclass(frozen=True, eq=False)
class _Search:
    """The labels as numbers, and the two steps that take turns."""

    item: Ints
    annotator: Ints
    label: Ints
    n_items: int
    n_annotators: int
    size: int
    steps: int
    tolerance: float

    def shares(self) -> Floats:
        """Which share of an item's labels each category has."""
        counts = np.bincount(self.item * self.size + self.label, minlength=self.n_items * self.size)
        given = counts.reshape(self.n_items, self.size).astype(float)
        found: Floats = given / given.sum(axis=1, keepdims=True)
        return found

    def from_start(self, weights: Floats) -> _Fit:
        """Where the two steps lead from these posteriors."""
        posterior = weights / weights.sum(axis=1, keepdims=True)
        knows = np.full(len(self.item), 0.5)
        likelihood, converged, step = -np.inf, False, 0
        while step < self.steps and not converged:
            step += 1
            competence, guesses = self._maximise(posterior[self.item, self.label] * knows)
            right = competence[self.annotator]
            by_chance = (1 - right) * guesses[self.annotator, self.label]
            before, (posterior, likelihood) = likelihood, self._posterior(right, by_chance)
            # Of the truth that was given, how probable it is that it was known.
            knows = right / (right + by_chance)
            converged = bool(likelihood - before < self.tolerance * len(self.item) / 1000)
        return _Fit(competence, guesses, posterior, likelihood, step, converged)

    def _maximise(self, known: Floats) -> tuple[Floats, Floats]:
        counts = np.bincount(self.annotator, minlength=self.n_annotators)
        knew = np.bincount(self.annotator, known, self.n_annotators)
        competence = (knew + SMOOTHING) / (counts + 2 * SMOOTHING)
        cells = self.annotator * self.size + self.label
        counted = np.bincount(cells, 1 - known, self.n_annotators * self.size)
        guessed = counted.reshape(self.n_annotators, self.size) + SMOOTHING / self.size
        return competence, guessed / guessed.sum(axis=1, keepdims=True)

    def _posterior(self, right: Floats, by_chance: Floats) -> tuple[Floats, float]:
        # Every truth takes what chance gives of each label; the one that was given takes knowledge on top.
        base = np.bincount(self.item, np.log(by_chance), self.n_items)
        more = np.log(right + by_chance) - np.log(by_chance)
        cells = self.item * self.size + self.label
        joint = base[:, None] + np.bincount(cells, more, self.n_items * self.size).reshape(self.n_items, self.size)
        joint -= np.log(self.size)
        highest = joint.max(axis=1, keepdims=True)
        shares = np.exp(joint - highest)
        total = shares.sum(axis=1, keepdims=True)
        return shares / total, float((highest + np.log(total)).sum())
