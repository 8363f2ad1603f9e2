"""The sums for intraclass correlations of sparse tables, where each of many annotators judged few of the items.

Here the sums go over judgments instead of over the cells of a table that is nearly empty. They differ from the others
in the last digits alone, since numbers are added in another order.
"""

from assay.statistics.arrays import Floats, Ints, np
from assay.statistics.base import ratio
from assay.statistics.intraclass import middle_value
from assay.statistics.patterns import Patterns
from assay.statistics.table import MISSING

WIDE = 100
"""Tables of fewer annotators are gone through cell by cell."""
SPARSE = 8
"""How many times as long a judgment takes in a loop as a cell in a product of whole tables."""


class JudgedByFew:
    """The judgments on items that two or more judged: the pattern, the annotator and the value of each."""

    def __init__(self, patterns: Patterns) -> None:
        self.patterns = patterns
        self.pattern, self.who = np.nonzero((patterns.rows != MISSING) & patterns.is_shared[:, None])
        positions = patterns.scale.in_units
        self.values: Floats = (positions - middle_value(patterns))[patterns.rows[self.pattern, self.who]]
        self.judged: Floats = self.of_patterns(np.ones(len(self.pattern)))
        self.over: Floats = np.divide(1.0, self.judged, out=np.zeros_like(self.judged), where=self.judged > 0)
        self._times: Floats = patterns.counts[self.pattern].astype(np.float64)

    def of_patterns(self, of_judgments: Floats) -> Floats:
        """Summed up over the judgments of each pattern."""
        found: Floats = np.bincount(self.pattern, of_judgments, len(self.patterns.rows)).astype(np.float64, copy=False)
        return found

    def of_annotators(self, of_judgments: Floats) -> Floats:
        """Summed up over the judgments of each annotator, each as often as its pattern occurs."""
        size = self.patterns.rows.shape[1]
        found: Floats = np.bincount(self.who, of_judgments * self._times, size).astype(np.float64, copy=False)
        return found

    def about_item(self) -> Floats:
        """The values minus the mean of their item: exactly 0 where all values of an item are the same."""
        first = np.zeros(len(self.patterns.rows))
        # The last one that is written stays: that of the first judgment.
        first[self.pattern[::-1]] = self.values[::-1]
        shifted = self.values - first[self.pattern]
        means = self.of_patterns(shifted) / np.maximum(self.judged, 1)
        found: Floats = shifted - means[self.pattern]
        return found

    def about_annotator(self) -> Floats:
        """The values minus the mean of their annotator."""
        means = ratio(self.of_annotators(self.values), self.of_annotators(np.ones(len(self.who))))
        found: Floats = self.values - means[self.who]
        return found

    def severity(self, about_item: Floats, groups: Ints) -> Floats:
        """How far each annotator lies above the others on the same items, by least squares: 0 on average in a group."""
        size = self.patterns.rows.shape[1]
        weights = (self._times * self.over[self.pattern]).astype(np.float64)
        together = np.zeros(size * size)
        for apart in range(int(self.judged.max(initial=0))):
            first = np.flatnonzero(self.pattern[: len(self.pattern) - apart] == self.pattern[apart:])
            one, other = self.who[first], self.who[first + apart]
            together += np.bincount(one * size + other, weights[first], size * size)
            if apart:
                together += np.bincount(other * size + one, weights[first], size * size)
        judged = self.of_annotators(np.ones(len(self.who)))
        # The equations fix differences within a group only. This fixes the mean of each group as well, nothing else.
        fixed = (groups[:, None] == groups) * max(1.0, judged.mean())
        left = np.diag(judged) - together.reshape(size, size) + fixed
        severity: Floats = np.linalg.solve(left, self.of_annotators(about_item))
        return severity


def few_judged_each(patterns: Patterns) -> bool:
    """Whether a table is so sparse that sums over judgments are faster than sums over cells."""
    most = int(patterns.n_judgments.max(initial=0))
    cells = patterns.rows.size * patterns.rows.shape[1]
    return bool(patterns.rows.shape[1] >= WIDE and SPARSE * int(patterns.n_judgments.sum()) * most < cells)
