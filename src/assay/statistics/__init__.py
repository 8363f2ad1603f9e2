"""Stage 5: a table of judgments -> coefficients with intervals, or the reason why there are none.

A statistic is one file of this package. `Ratings` is the table, `agree` and `pairwise` are the questions asked of it.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from assay.kinds import STATISTICS
from assay.model import Coefficient, Level
from assay.statistics.base import Interval, KnownAnswer, Statistic, register
from assay.statistics.bootstrap import Draws
from assay.statistics.draws import DRAWS, SEED
from assay.statistics.frames import ratings_from, read_scale
from assay.statistics.patterns import Patterns
from assay.statistics.scale import Scale
from assay.statistics.spearman_brown import annotators_needed, reliability_of_mean
from assay.statistics.table import BadRows, Ratings

__all__ = ["SEED", "BadRows", "Draws", "KnownAnswer", "PairAgreement", "Patterns", "Ratings", "Scale", "Statistic"]
__all__ += [
    "agree",
    "agree_counts",
    "agree_with",
    "annotators_needed",
    "by_category",
    "headline",
    "nameless_statistics_for",
    "pairwise",
    "ratings_from",
    "read_scale",
    "register",
    "reliability_of_mean",
]
__all__ += ["standard_errors", "statistics_for", "title_of"]


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Two annotators and how well they agree; `coefficient.n_items` is the number of items they share."""

    first: Hashable
    second: Hashable
    coefficient: Coefficient


def statistics_for(level: Level) -> list[Statistic]:
    """Every statistic that means something at a level of measurement, the one to report first at the head.

    Example:
        >>> [statistic.name for statistic in statistics_for("nominal")][:2]
        ['krippendorff_alpha_nominal', 'cohen_kappa']
    """
    fitting = [statistic for statistic in STATISTICS.values() if level in statistic.levels]
    return sorted(fitting, key=lambda each: (level not in each.headline, each.rank, each.name))


def headline(level: Level) -> str:
    """The name of the coefficient to report first at a level of measurement.

    Example:
        >>> headline("ordinal")
        'krippendorff_alpha_ordinal'
    """
    return statistics_for(level)[0].name


def title_of(name: str) -> str:
    """What a coefficient is called in a sentence.

    Example:
        >>> title_of("cohen_kappa_linear")
        'weighted kappa (linear)'
    """
    return _look_up(name).title


def agree(
    ratings: Ratings, names: Iterable[str] | None = None, seed: int = SEED, draws: int = DRAWS
) -> list[Coefficient]:
    """How well the annotators agree: every coefficient that fits the level, or those named, in that order.

    All intervals come from the same draws, and the same seed gives the same intervals, whichever coefficients are asked
    for. (Intraclass correlations of a table without gaps have theirs from F instead, shares from Wilson's formula,
    means over pairs of annotators with gaps from leaving out items.) Numbers of items, judgments and annotators are
    those that agreement rests on: of items with two judgments.

    Args:
        ratings: The judgments of one dimension. Dimensions are never pooled.
        names: The statistics to compute; all that fit the level of the scale if left out.
        seed: What the draws start from.
        draws: How many draws the bootstrap makes; 0 for values without intervals.

    Raises:
        ValueError: There is no statistic of a given name.

    Example:
        >>> ratings = Ratings.from_rows([("yes", "yes"), ("no", "no"), ("yes", "no")] * 20, ("yes", "no"), "nominal")
        >>> for coefficient in agree(ratings, ["percent_agreement", "cohen_kappa"], seed=7):
        ...     print(coefficient.name, round(coefficient.value, 3), coefficient.method)
        percent_agreement 0.667 Wilson's interval, 60 items that count as 60.0 cases
        cohen_kappa 0.4 percentile bootstrap over items, 1000 draws, seed 7
    """
    chosen = statistics_for(ratings.level) if names is None else [_look_up(name) for name in names]
    return _agree(Draws.of(ratings, seed, draws), chosen)


def agree_with(source: Draws, chosen: Iterable[Statistic]) -> list[Coefficient]:
    """Coefficients from draws that were made already, by statistics that need not be registered."""
    return _agree(source, chosen)


def standard_errors(ratings: Ratings, names: Iterable[str] | None = None) -> dict[str, float | None]:
    """The standard error of every coefficient that fits the level, or of those named; None where there is none.

    A jackknife: each item, or each cluster, is left out in turn, of more than 200 a part of them at a time.

    Reference: Efron, B. & Tibshirani, R. (1993). An introduction to the bootstrap, chapter 11.

    Raises:
        ValueError: There is no statistic of a given name.

    Example:
        >>> ratings = Ratings.from_rows([("yes", "yes"), ("no", "no"), ("yes", "no")] * 20, ("yes", "no"), "nominal")
        >>> {name: round(error, 4) for name, error in standard_errors(ratings, ["cohen_kappa", "fleiss_kappa"]).items()}
        {'cohen_kappa': 0.0894, 'fleiss_kappa': 0.1234}
    """
    source = Draws.of(ratings)
    chosen = statistics_for(ratings.level) if names is None else [_look_up(name) for name in names]
    return {each.name: source.standard_error(each) for each in chosen}


def agree_counts(
    counts: Mapping[tuple[int, ...], int],
    scale: Scale,
    n_annotators: int,
    names: Iterable[str] | None = None,
    seed: int = SEED,
    draws: int = DRAWS,
) -> list[Coefficient]:
    """Coefficients from how many items got which values, whoever gave them. The cost does not grow with the items.

    Only coefficients for which it does not matter who gave a value can be had this way. They and their intervals are
    the same as from the table, to the last bit.

    Args:
        counts: How many items have each pattern: the indices of the values that an item got, in rising order.
        scale: The declared scale.
        n_annotators: How many annotators there are, which the patterns do not tell.
        names: The statistics to compute; all that fit the level of the scale and can be had if left out.
        seed: What the draws start from.
        draws: How many draws the bootstrap makes; 0 for values without intervals.

    Raises:
        ValueError: There is no statistic of a given name, or it matters to it who gave a value.

    Example:
        >>> counts = {(0, 0): 20, (0, 1): 20, (1, 1): 20}
        >>> found = agree_counts(counts, Scale(("yes", "no"), "nominal"), 2, ["percent_agreement", "fleiss_kappa"])
        >>> [(each.name, round(each.value, 3)) for each in found]
        [('percent_agreement', 0.667), ('fleiss_kappa', 0.333)]
    """
    chosen = nameless_statistics_for(scale.level) if names is None else [_look_up(name) for name in names]
    if by_name := [each.name for each in chosen if each.by_annotator]:
        raise ValueError(f"{by_name[0]} needs to know who gave which value")
    return [
        replace(found, n_annotators=n_annotators if found.n_items else 0)
        for found in _agree(Draws(Patterns.of_counts(counts, scale), seed=seed, draws=draws), chosen)
    ]


def nameless_statistics_for(level: Level) -> list[Statistic]:
    """The statistics for a level to which it does not matter who gave which value."""
    return [statistic for statistic in statistics_for(level) if not statistic.by_annotator]


def _agree(source: Draws, chosen: Iterable[Statistic]) -> list[Coefficient]:
    chosen = list(chosen)
    tallies = {
        each.name: each.tally(source.patterns if each.by_annotator else source.patterns.nameless)
        for each in chosen
        if not each.refuses(source.patterns)
    }
    values = {name: tally.value() for name, tally in tallies.items()}
    defined = [tally for name, tally in tallies.items() if values[name] is not None]
    intervals = {
        tally.statistic.name: Interval(interval.ci, "; ".join(filter(None, [tally.note(), interval.method])))
        for tally, interval in zip(defined, source.intervals(defined), strict=True)
    }
    return [_coefficient(each, source.patterns, values.get(each.name), intervals.get(each.name)) for each in chosen]


def pairwise(ratings: Ratings, name: str, seed: int = SEED, draws: int = DRAWS) -> list[PairAgreement]:
    """One statistic for each pair of annotators, on the items that the two share.

    Example:
        >>> rows = [("i1", "ann", 1), ("i1", "bo", 1), ("i2", "ann", 2), ("i2", "bo", 2), ("i2", "cy", 1)]
        >>> for pair in pairwise(Ratings.from_long(rows, (1, 2), "nominal"), "percent_agreement"):
        ...     print(pair.first, pair.second, pair.coefficient.value, pair.coefficient.n_items)
        ann bo 1.0 2
        ann cy 0.0 1
        bo cy 0.0 1
    """
    pairs = combinations(range(len(ratings.annotators)), 2)
    return [
        PairAgreement(ratings.annotators[i], ratings.annotators[j], agree(ratings.pair(i, j), [name], seed, draws)[0])
        for i, j in pairs
    ]


def by_category(
    ratings: Ratings, name: str = "fleiss_kappa", seed: int = SEED, draws: int = DRAWS
) -> dict[Hashable, Coefficient]:
    """One statistic for each category of the scale against all others: which of them annotators tell apart.

    With the same number of judgments on every item, Fleiss' kappas by category are those of Fleiss (1971), and his
    kappa is their mean with weights p (1 - p), p the share of the category.

    Reference: Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76.

    Example:
        >>> rows = [("a", "a", "a"), ("b", "c", "b"), ("c", "b", "c"), ("b", "b", "b")]
        >>> found = by_category(Ratings.from_rows(rows, ("a", "b", "c"), "nominal"))
        >>> {category: round(coefficient.value, 3) for category, coefficient in found.items()}
        {'a': 1.0, 'b': 0.333, 'c': 0.111}
    """
    return {
        category: agree(ratings.against_the_rest(index), [name], seed, draws)[0]
        for index, category in enumerate(ratings.categories)
    }


def _look_up(name: str) -> Statistic:
    if name not in STATISTICS:
        raise ValueError(f"there is no statistic {name!r}; there are: {', '.join(STATISTICS)}")
    statistic: Statistic = STATISTICS[name]
    return statistic


def _coefficient(
    statistic: Statistic, patterns: Patterns, value: float | None, interval: Interval | None
) -> Coefficient:
    undefined = statistic.misses(patterns.scale.level) or statistic.why_undefined(patterns) if value is None else None
    shared = patterns.is_shared
    return Coefficient(
        name=statistic.name,
        value=value,
        ci=interval.ci if interval else None,
        method=interval.method if interval else "",
        n_items=int(patterns.counts[shared].sum()),
        n_ratings=int((patterns.counts * patterns.n_judgments)[shared].sum()),
        n_annotators=patterns.n_sharing,
        undefined=undefined,
    )
