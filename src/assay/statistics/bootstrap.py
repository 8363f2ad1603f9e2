"""Confidence intervals: which items a draw holds, and how often, for all coefficients of a report at once."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Self

from assay.statistics.arrays import Floats, Ints, np
from assay.statistics.base import Interval, Statistic, Tally
from assay.statistics.draws import DRAWS, SEED
from assay.statistics.jackknife import NO_SPREAD, atanh_interval, standard_error, values_differ, without_bias
from assay.statistics.patterns import Patterns
from assay.statistics.table import Ratings
from assay.statistics.wilson import wilson_of_units

FEW = 30
"""With fewer items (or clusters) with two judgments, the jackknife covers better than the bootstrap."""
MOST = 200
"""With more units than this, whole parts are left out at a time."""
CELLS = 2**22
"""How many numbers of a draw are held at a time."""
NO_DRAWS = "no interval: no draws were asked for"
PICKED = 32
"""With fewer items than so many for each group, to pick items is faster than to draw how many fall to each group."""


class Draws:
    """The draws of one table, made from a seed. Every pass over them gives the same ones, to every statistic.

    A draw of items with replacement is a multinomial draw over patterns, exactly, whatever the number of items. Where
    items share a prompt or document, clusters are drawn instead, each with all of its items.
    """

    def __init__(self, patterns: Patterns, clusters: Ints | None = None, seed: int = SEED, draws: int = DRAWS) -> None:
        self.patterns = patterns
        self.clusters: Ints | None = None if clusters is None else _by_content(clusters, patterns)
        self.seed = seed
        self.draws = draws

    @classmethod
    def of(cls, ratings: Ratings, seed: int = SEED, draws: int = DRAWS) -> Self:
        """The draws of a table."""
        return cls(Patterns.of(ratings), ratings.clusters, seed, draws)

    @property
    def unit(self) -> str:
        """What is drawn: items or clusters."""
        return "items" if self.clusters is None else "clusters"

    @property
    def n_shared(self) -> int:
        """How many units have an item with two judgments: only these tell anything of agreement."""
        if self.clusters is None:
            return int(self.patterns.counts[self.patterns.is_shared].sum())
        return len(np.unique(self.clusters[self.patterns.is_shared[self.patterns.of_item]]))

    def weights(self) -> Iterator[Floats]:
        """How often each pattern occurs in each draw, (b, P) at a time."""
        for _, weights in self.chunks(named=True):
            yield weights

    def chunks(self, named: bool) -> Iterator[tuple[Floats, Floats]]:
        """How often each nameless pattern occurs in each draw, and (if `named`) each pattern: some draws at a time.

        A nameless pattern says which values an item got, a pattern also who gave them. Nameless ones are drawn first,
        then which patterns they were: the same distribution as drawing patterns. Each of the two steps has its own
        random generator, so that the first is the same whether or not names are asked for.
        """
        rng, naming = np.random.default_rng(self.seed), np.random.default_rng([self.seed, 1])
        n_items, n_patterns = int(self.patterns.counts.sum()), len(self.patterns.rows)
        counts = self.patterns.nameless.counts
        by_index = 8 * len(counts) >= n_items
        longest = max(n_patterns, self.n_clusters, n_items if 8 * n_patterns >= n_items else 0)
        step = max(1, CELLS // max(1, longest))
        for start in range(0, self.draws, step):
            size = min(step, self.draws - start)
            if self.clusters is not None:
                drawn = self._draw_clusters(rng, size, self.clusters)
                yield self.patterns.without_names(drawn), drawn
                continue
            if by_index:
                # Sorted by pattern, so that the draws do not depend on the order of the items.
                nameless = _draw_members(rng, size, np.repeat(np.arange(len(counts)), counts), len(counts))
            else:
                nameless = rng.multinomial(n_items, counts / n_items, size=size).astype(np.float64)
            yield nameless, self._draw_named(naming, nameless) if named else nameless[:, :0]

    def _draw_named(self, rng: "np.random.Generator", nameless: Floats) -> Floats:
        """Which patterns the nameless ones of each draw were."""
        drawn = np.zeros((len(self.patterns.rows), len(nameless)))
        for group, members in enumerate(self.patterns.members):
            if len(members) == 1:
                drawn[members[0]] = nameless[:, group]
                continue
            counts, times = self.patterns.counts[members], nameless[:, group].astype(np.int64)
            if PICKED * len(members) < counts.sum():
                drawn[members] = rng.multinomial(times, counts / counts.sum()).T
            else:
                drawn[members] = _pick_members(rng, times, np.repeat(np.arange(len(members)), counts), len(members))
        return drawn.T

    @property
    def n_clusters(self) -> int:
        """How many clusters there are; 0 when items stand alone."""
        return 0 if self.clusters is None else int(self.clusters.max(initial=-1)) + 1

    def _draw_clusters(self, rng: "np.random.Generator", size: int, clusters: Ints) -> Floats:
        n_patterns = len(self.patterns.rows)
        drawn = _draw_members(rng, size, np.arange(self.n_clusters), self.n_clusters)
        if self.n_clusters * n_patterns <= 4 * CELLS:
            return drawn @ self._patterns_of_clusters
        of_item = self.patterns.of_item
        return np.stack([np.bincount(of_item, weights=row[clusters], minlength=n_patterns) for row in drawn])

    @cached_property
    def _patterns_of_clusters(self) -> Floats:
        """How often each pattern occurs in each cluster: (clusters, P)."""
        shape = self.n_clusters, len(self.patterns.rows)
        cells = np.zeros(0, np.int64) if self.clusters is None else self.clusters * shape[1] + self.patterns.of_item
        return np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)

    def without_one(self) -> tuple[Floats, Ints]:
        """How often each pattern occurs when one unit is left out, (U, P), and for how many units this is so."""
        counts = self.patterns.counts.astype(np.float64)
        if self.clusters is None:
            return counts - np.eye(len(counts)), self.patterns.counts
        left_out = self._patterns_of_clusters
        return counts - left_out, np.ones(len(left_out), dtype=np.int64)

    def without_some(self) -> tuple[Floats, Ints]:
        """Like `without_one`; of more than `MOST` units, each of `MOST` parts of them is left out in turn."""
        n_units = int(self.patterns.counts.sum()) if self.clusters is None else self.n_clusters
        if n_units <= MOST:
            return self.without_one()
        n_patterns = len(self.patterns.rows)
        pattern: Ints = np.repeat(np.arange(n_patterns), self.patterns.counts)
        part: Ints = np.arange(n_units) % MOST
        if self.clusters is not None:
            part, pattern = self.clusters % MOST, self.patterns.of_item
        held = np.bincount(part * n_patterns + pattern, minlength=MOST * n_patterns).reshape(MOST, n_patterns)
        return self.patterns.counts.astype(np.float64) - held, np.ones(MOST, dtype=np.int64)

    def standard_error(self, statistic: Statistic) -> float | None:
        """The jackknife standard error of a coefficient; None where it is undefined, or nothing varies."""
        if statistic.refuses(self.patterns) or self.n_shared < 2:
            return None
        tally = statistic.tally(self.patterns if statistic.by_annotator else self.patterns.nameless)
        if tally.value() is None:
            return None
        weights, multiplicity = self.without_some()
        values = tally.refit(weights if statistic.by_annotator else self.patterns.without_names(weights))
        defined = ~np.isnan(values)
        if multiplicity[defined].sum() < 2 or not values_differ(values[defined]):
            return None
        return standard_error(values[defined], multiplicity[defined])

    def _nameless_without_one(self) -> tuple[Floats, Ints]:
        """Like `without_one`, of nameless patterns."""
        if self.clusters is None:
            return Draws(self.patterns.nameless).without_one()
        weights, multiplicity = self.without_one()
        return self.patterns.without_names(weights), multiplicity

    def intervals(self, tallies: Sequence[Tally]) -> list[Interval]:
        """The interval of each statistic whose value is defined: all from the same draws, but for those by theory."""
        if self.draws == 0:
            return [Interval(None, NO_DRAWS) for _ in tallies]
        if self.n_shared < 2:
            return [Interval(None, f"no interval: fewer than two {self.unit} with two judgments") for _ in tallies]
        known = [self._interval_without_draws(tally) for tally in tallies]
        drawn = iter(self._by_items([tally for tally, by_theory in zip(tallies, known, strict=True) if not by_theory]))
        return [by_theory or next(drawn) for by_theory in known]

    def _interval_without_draws(self, tally: Tally) -> Interval | None:
        """An interval that needs no draws; None where there is none."""
        if tally.statistic.is_share:
            return self._share(tally)
        # Theory takes items as independent, which those of a cluster are not.
        return tally.statistic.theory(tally) if self.clusters is None else None

    def _share(self, tally: Tally) -> Interval:
        """Wilson's interval of a statistic that is a mean over items of shares."""
        patterns = tally.patterns
        parts = np.asarray(tally.statistic.contributions(patterns))
        if self.clusters is None:
            held, of, times = parts[:, 0], parts[:, 1], patterns.counts
        else:
            of_item = parts[self.patterns.nameless_number[self.patterns.of_item]]
            held, of = (np.bincount(self.clusters, weights=column, minlength=self.n_clusters) for column in of_item.T)
            times = np.ones(self.n_clusters, dtype=np.int64)
        most = float((patterns.counts * (patterns.n_judgments - 1))[patterns.is_shared].sum())
        told = of > 0
        found = wilson_of_units(held[told], of[told], times[told], most)
        cases = f"{self.n_shared} {self.unit} that count as {found.effective:.1f} cases"
        return Interval(found.ci, f"Wilson's interval, {cases}")

    def _by_items(self, tallies: Sequence[Tally]) -> list[Interval]:
        if not tallies:
            return []
        if self.n_shared < FEW:
            whole, nameless = self.without_one(), self._nameless_without_one()
            return [self._jackknife(each, *(whole if each.statistic.by_annotator else nameless)) for each in tallies]
        biased = {each.statistic.name for each in tallies if each.statistic.is_biased(each.patterns)}
        if biased:
            some = self.without_some()
            left_out = (self._jackknife(each, *some) for each in tallies if each.statistic.name in biased)
            drawn = iter(self._by_items([each for each in tallies if each.statistic.name not in biased]))
            return [next(left_out if each.statistic.name in biased else drawn) for each in tallies]
        named = any(tally.statistic.by_annotator for tally in tallies)
        parts = [
            [tally.values(weights if tally.statistic.by_annotator else nameless) for tally in tallies]
            for nameless, weights in self.chunks(named)
        ]
        replicates = [np.concatenate(values) for values in zip(*parts, strict=True)]
        return [self._percentile(tally, values) for tally, values in zip(tallies, replicates, strict=True)]

    def _percentile(self, tally: Tally, values: Floats) -> Interval:
        method = f"percentile bootstrap over {self.unit}, {self.draws} draws, seed {self.seed}"
        defined = values[~np.isnan(values)]
        if len(defined) < len(values):
            method += f"; undefined in {len(values) - len(defined)} draws, which are left out"
        if not len(defined):
            return Interval(None, f"no interval: {method}")
        low, high = np.quantile(defined, [0.025, 0.975]).tolist()
        value = tally.value()
        if value is None or not low - 1e-9 <= value <= high + 1e-9:
            # A mean over many pairs that share a handful of items: repeated items bias each pair, and so the mean.
            return Interval(None, f"no interval: the draws lie to one side of the value ({method})")
        if not values_differ(defined):
            return Interval(None, f"no interval: every draw {NO_SPREAD} ({method})")
        return Interval((low, high), method)

    def _jackknife(self, tally: Tally, weights: Floats, multiplicity: Ints) -> Interval:
        values = tally.refit(weights)
        lowest = tally.statistic.lowest
        method = f"jackknife over {self.unit} on {'atanh' if lowest > -np.inf else 'log'} scale"
        defined = ~np.isnan(values)
        left_out = int(multiplicity[~defined].sum())
        if left_out:
            method += f"; undefined without any of {left_out} {self.unit}, which are left out"
        value = tally.value()
        if value is None or multiplicity[defined].sum() < 2:
            return Interval(None, f"no interval: {method}")
        if not values_differ(values[defined]):
            return Interval(None, f"no interval: leaving out any one {NO_SPREAD} ({method})")
        error, about = standard_error(values[defined], multiplicity[defined]), value
        # With few items the bias is not estimated well enough to subtract it.
        if self.n_shared >= FEW and tally.statistic.is_biased(tally.patterns):
            about = min(without_bias(value, values[defined], multiplicity[defined]), (1 + value) / 2)
            method += ", about the value less its bias"
        low, high = atanh_interval(about, error, min(self.n_shared, int(multiplicity.sum())) - 1, lowest)
        if not low <= value <= high:
            return Interval(None, f"no interval: the bias is larger than what chance explains ({method})")
        if low == -np.inf:
            return Interval(None, f"no interval: it has no lower end ({method})")
        return Interval((low, high), method)


def _by_content(clusters: Ints, patterns: Patterns) -> Ints:
    """The clusters numbered by content, so that draws depend neither on their names nor on their order."""
    if not len(clusters):
        return clusters.astype(np.int64)
    nameless = patterns.nameless_number[patterns.of_item]
    order = np.lexsort((patterns.of_item, nameless, clusters))
    starts = np.flatnonzero(np.diff(clusters[order], prepend=-1))
    # Big-endian numbers sort as their bytes do.
    held = [column[order].astype(">i8") for column in (nameless, patterns.of_item)]
    contents = zip(*(np.split(column, starts[1:]) for column in held), strict=True)
    keys = [(values.tobytes(), with_names.tobytes()) for values, with_names in contents]
    number: Ints = np.empty(len(starts), dtype=np.int64)
    number[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
    return number[clusters]


def _pick_members(rng: "np.random.Generator", times: Ints, group: Ints, n_groups: int) -> Ints:
    """Pick so many members for each draw, with replacement, and count how often each group came up: (groups, draws)."""
    cells = np.repeat(np.arange(len(times)), times)
    cells += (group * len(times)).take(rng.integers(0, len(group), size=len(cells)))
    return np.bincount(cells, minlength=n_groups * len(times)).reshape(n_groups, len(times))


def _draw_members(rng: "np.random.Generator", size: int, group: Ints, n_groups: int) -> Floats:
    """Draw all members with replacement, `size` times over, and count how often each group came up: (size, groups)."""
    picked = rng.integers(0, len(group), size=(size, len(group)), dtype=np.int32)
    cells = group[picked]
    cells += np.arange(size)[:, None] * n_groups
    return np.bincount(cells.ravel(), minlength=size * n_groups).reshape(size, n_groups).astype(np.float64)
