"""The marginal likelihood of a rating-scale model with annotators and systems, its slope and its curvature.

log(P_k / P_(k-1)) = mu_s + sigma z_i - c_a - tau_k, with z_i of each item drawn from a standard normal distribution,
which is integrated out on an even grid.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from assay.statistics.arrays import Floats, Ints, np

REACH = 4.5
"""How far the grid goes to either side, in standard deviations."""


@dataclass(frozen=True)
class Parameters:
    """Where systems lie, how severe annotators are, where steps lie, and how widely items vary; in logits."""

    means: Floats
    severities: Floats
    """They sum to 0, as steps do."""
    steps: Floats
    spread: float

    @classmethod
    def of(cls, vector: Floats, n_systems: int, n_annotators: int) -> "Parameters":
        """The parameters from one vector; severities and steps are centred, and it has the logarithm of the spread."""
        means, severities = vector[:n_systems], vector[n_systems : n_systems + n_annotators]
        steps = vector[n_systems + n_annotators : -1]
        spread = float(np.exp(np.clip(vector[-1], -5, 3)))
        return cls(means, severities - severities.mean(), steps - steps.mean(), spread)


@dataclass(frozen=True, eq=False)
class Likelihood:
    """The judgments of one table, in the order of their items, as numbers."""

    item: Ints
    annotator: Ints
    category: Ints
    system_of_item: Ints
    n_systems: int
    n_annotators: int
    n_categories: int
    most: int
    """How many judgments an item has at most."""

    @cached_property
    def n_items(self) -> int:
        """How many items there are."""
        return len(self.system_of_item)

    def blocks(self, size: int) -> Iterator[tuple[slice, "Likelihood"]]:
        """The judgments of `size` items at a time."""
        ends = np.append(self.starts, len(self.item))
        for start in range(0, self.n_items, size):
            stop = min(self.n_items, start + size)
            rows = slice(ends[start], ends[stop])
            part = replace(
                self,
                item=self.item[rows] - start,
                annotator=self.annotator[rows],
                category=self.category[rows],
                system_of_item=self.system_of_item[start:stop],
            )
            yield slice(start, stop), part

    @cached_property
    def size(self) -> int:
        """How many parameters the vector has."""
        return self.n_systems + self.n_annotators + self.n_categories

    @cached_property
    def starts(self) -> Ints:
        """Where the judgments of each item begin."""
        return np.flatnonzero(np.diff(self.item, prepend=-1))

    @cached_property
    def _pairs(self) -> tuple[Ints, Ints, Ints]:
        """The annotators and systems that meet, and for each judgment the number of the two."""
        codes = self.annotator * self.n_systems + self.system_of_item[self.item]
        found, number = np.unique(codes, return_inverse=True)
        return found // self.n_systems, found % self.n_systems, number

    @cached_property
    def nodes(self) -> Floats:
        """The grid: finer where an item has more judgments, which tell more exactly where it lies."""
        width = 1.3 / np.sqrt(1 + 1.6 * self.most)
        return np.linspace(-REACH, REACH, int(np.clip(1 + 2 * REACH / width, 17, 121)))

    @cached_property
    def log_weights(self) -> Floats:
        """How much each node counts."""
        logs: Floats = -(self.nodes**2) / 2
        return np.asarray(logs - np.log(np.exp(logs).sum()))

    @cached_property
    def _by_cell(self) -> tuple[Ints, Ints, Ints]:
        """The judgments in the order of their cells (who, of which system, which category), and where these start."""
        cells = self._pairs[2] * self.n_categories + self.category
        order = np.argsort(cells, kind="stable")
        starts = np.flatnonzero(np.diff(cells[order], prepend=-1))
        return self.item[order], starts, cells[order][starts]

    def log_probabilities(self, at: Parameters, annotator: Ints, system: Ints) -> Floats:
        """Of each pair of an annotator and a system, for each category and node: (M, K, Q)."""
        place = at.means[system] - at.severities[annotator]
        where = place[:, None] + at.spread * self.nodes
        passed = np.concatenate([[0.0], np.cumsum(at.steps)])
        logits = np.arange(self.n_categories)[None, :, None] * where[:, None, :] - passed[None, :, None]
        logits -= logits.max(axis=1, keepdims=True)
        found: Floats = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return found

    def posterior(self, logs: Floats) -> tuple[Floats, Floats]:
        """How probable each node is for each item (I, Q), and the logarithm of each item's likelihood."""
        joint = np.add.reduceat(logs[self._pairs[2], self.category], self.starts, axis=0) + self.log_weights
        highest = joint.max(axis=1, keepdims=True)
        shares = np.exp(joint - highest)
        total = shares.sum(axis=1, keepdims=True)
        return shares / total, (highest + np.log(total))[:, 0]

    def value_and_slope(self, vector: Floats) -> tuple[float, Floats]:
        """The logarithm of the likelihood, and how it changes with each parameter."""
        at = Parameters.of(vector, self.n_systems, self.n_annotators)
        annotator, system, _ = self._pairs
        logs = self.log_probabilities(at, annotator, system)
        weights, of_items = self.posterior(logs)
        counts = self._counts(weights)
        expected = np.exp(logs) * counts.sum(axis=1, keepdims=True)
        apart = counts - expected
        by_score = np.einsum("mkq,k->mq", apart, np.arange(self.n_categories, dtype=float))
        of_pair = by_score.sum(axis=1)
        means = np.bincount(system, of_pair, self.n_systems)
        severities = -np.bincount(annotator, of_pair, self.n_annotators)
        above = apart.sum(axis=(0, 2))[::-1].cumsum()[::-1]
        spread = at.spread * float((by_score @ self.nodes).sum())
        steps = -above[1:]
        slope = np.concatenate([means, severities - severities.mean(), steps - steps.mean(), [spread]])
        return float(of_items.sum()), slope

    def _counts(self, weights: Floats) -> Floats:
        """How many judgments of each pair and category are expected at each node: (M, K, Q)."""
        items, starts, cells = self._by_cell
        counts = np.zeros((len(self._pairs[0]) * self.n_categories, len(self.nodes)))
        counts[cells] = np.add.reduceat(weights[items], starts, axis=0)
        return counts.reshape(-1, self.n_categories, len(self.nodes))

    def scores_and_information(self, at: Parameters) -> tuple[Floats, Floats]:
        """The slope that each item adds (I, P), and minus the curvature of the whole (P, P), by Louis's formula.

        P is every mean, every severity, every step and the spread itself, without the two centrings.
        """
        annotator, system, pair = self._pairs
        logs = self.log_probabilities(at, annotator, system)
        weights, _ = self.posterior(logs)
        probabilities = np.exp(logs)
        score = np.arange(self.n_categories, dtype=float)
        expected = np.einsum("mkq,k->mq", probabilities, score)
        above = probabilities[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:]
        information = self._complete_information(self._counts(weights).sum(axis=1), expected, above)
        # What each judgment adds at each node, for an item that lies there.
        residual = self.category[:, None] - expected[pair]
        beyond = [
            np.add.reduceat((self.category >= k)[:, None] - above[pair, k - 1], self.starts, axis=0)
            for k in range(1, self.n_categories)
        ]
        whole = np.add.reduceat(residual, self.starts, axis=0)
        columns = [whole, whole * self.nodes, *(-each for each in beyond)]
        scores = np.zeros((self.n_items, self.size))
        own = self.n_systems + np.arange(self.n_annotators)
        places = [None, self.size - 1, *range(self.n_systems + self.n_annotators, self.size - 1)]
        systems = self.system_of_item
        for place, column in zip(places, columns, strict=True):
            scores[np.arange(self.n_items), systems if place is None else place] = (weights * column).sum(axis=1)
        at_node = weights[self.item]
        np.add.at(scores, (self.item, own[self.annotator]), -(at_node * residual).sum(axis=1))
        squares = np.zeros((self.size, self.size))
        for one, first in zip(places, columns, strict=True):
            for other, second in zip(places, columns, strict=True):
                both = (weights * first * second).sum(axis=1)
                rows = systems if one is None else np.full(self.n_items, one)
                np.add.at(squares, (rows, systems if other is None else np.full(self.n_items, other)), both)
            crossed = -(at_node * residual * first[self.item]).sum(axis=1)
            rows = systems[self.item] if one is None else np.full(len(self.item), one)
            np.add.at(squares, (rows, own[self.annotator]), crossed)
            np.add.at(squares, (own[self.annotator], rows), crossed)
        self._add_pairs_of_annotators(squares, at_node * residual, residual)
        return scores, information - squares + scores.T @ scores

    def _add_pairs_of_annotators(self, squares: Floats, weighted: Floats, residual: Floats) -> None:
        """Add to `squares` what each two judgments of the same item contribute, each with itself too."""
        own = self.n_systems + self.annotator
        for apart in range(self.most):
            first = np.flatnonzero(self.item[: len(self.item) - apart] == self.item[apart:])
            second = first + apart
            both = (weighted[first] * residual[second]).sum(axis=1)
            np.add.at(squares, (own[first], own[second]), both)
            if apart:
                np.add.at(squares, (own[second], own[first]), both)

    def _complete_information(self, counts: Floats, expected: Floats, above: Floats) -> Floats:
        """The complete-data information: minus the curvature if each item's node were known."""
        annotator, system, _ = self._pairs
        # The variance of the category is the sum over steps of its covariances with being above each of them.
        joint = [np.einsum("mq,mq->mq", counts, self._covariance(expected, above, k)) for k in range(above.shape[1])]
        variance = np.sum(joint, axis=0) if joint else np.zeros_like(expected)
        flat, slanted, curved = variance.sum(axis=1), variance @ self.nodes, variance @ self.nodes**2
        found = np.zeros((self.size, self.size))
        own, last, first_step = self.n_systems + annotator, self.size - 1, self.n_systems + self.n_annotators
        for rows, columns, values in (
            (system, system, flat),
            (own, own, flat),
            (system, own, -flat),
            (own, system, -flat),
            (system, np.full_like(system, last), slanted),
            (np.full_like(system, last), system, slanted),
            (own, np.full_like(system, last), -slanted),
            (np.full_like(system, last), own, -slanted),
        ):
            np.add.at(found, (rows, columns), values)
        found[last, last] += curved.sum()
        for k, covariance in enumerate(joint):
            step, by_pair = first_step + k, covariance.sum(axis=1)
            lean = float((covariance @ self.nodes).sum())
            found[:, step] -= np.bincount(system, by_pair, self.size) - np.bincount(own, by_pair, self.size)
            found[last, step] -= lean
            for other in range(k, len(joint)):
                # Being above a higher step implies being above a lower one.
                value = float((counts * (above[:, other] * (1 - above[:, k]))).sum())
                found[step, first_step + other] = found[first_step + other, step] = value
            found[step, :first_step] = found[:first_step, step]
            found[step, last] = found[last, step]
        return found

    @staticmethod
    def _covariance(expected: Floats, above: Floats, k: int) -> Floats:
        """The covariance of the category with being above the k-th step: a category is its number of steps."""
        together = above[:, k] * (k + 1) + above[:, k + 1 :].sum(axis=1)
        found: Floats = together - expected * above[:, k]
        return found
