"""Shared by the tests of agreement: published cases, slow definitions to compare with, tables drawn by hypothesis."""

import json
import math
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from assay.kinds import STATISTICS
from assay.statistics import Ratings, agree

CASES = {case["name"]: case for case in json.loads((Path(__file__).parent / "known.json").read_text())}

ALPHAS = {f"krippendorff_alpha_{level}": level for level in ("nominal", "ordinal", "interval", "ratio")}
KAPPAS = {"cohen_kappa": 0, "cohen_kappa_linear": 1, "cohen_kappa_quadratic": 2}
CHANCE = {"fleiss_kappa": 0, "conger_kappa": 0, "brennan_prediger": 0}
CHANCE |= {"gwet_ac1": 0, "gwet_ac2_linear": 1, "gwet_ac2_quadratic": 2}
ICCS = ["icc_1_1", "icc_1_k", "icc_2_1", "icc_2_k", "icc_3_1", "icc_3_k"]


def ratings_of(case):
    """The table of a published case, however it was printed."""
    if "ratings" in case:
        return Ratings.from_rows(case["ratings"], case["categories"], case["level"])
    if "table" in case:
        places = range(len(case["table"]))
        rows = [(i, j) for i in places for j in places for _ in range(case["table"][i][j])]
        return Ratings.from_rows(rows, places, case["level"])
    rows = [[k for k, times in enumerate(counts) for _ in range(times)] for counts in case["counts"]]
    return Ratings.from_rows(rows, range(len(case["counts"][0])), case["level"])


def value_of(ratings, name):
    return agree(ratings, [name], draws=0)[0].value


def names_at(level):
    return [name for name in STATISTICS if level in STATISTICS[name].levels]


def sample(seed, n_items=50, n_annotators=3, noise=0.8, missing=0.0):
    """Judgments on a scale of 1 to 5: a quality for each item, and a deviation for each judgment."""
    rng = np.random.default_rng(seed)
    heard = rng.normal(size=(n_items, 1)) + noise * rng.normal(size=(n_items, n_annotators))
    values = np.clip(np.round(heard + 2), 0, 4).astype(np.int8)
    values[rng.random(values.shape) < missing] = -1
    return Ratings(values, (1, 2, 3, 4, 5), "ordinal", tuple(range(n_items)), tuple(range(n_annotators)))


# Definitions written out over pairs of judgments, as slow and as near to the books as can be.


def slow_alpha(rows, categories, level):
    units = [[value for value in row if value is not None] for row in rows]
    units = [unit for unit in units if len(unit) >= 2]
    everything = [value for unit in units for value in unit]

    def distance(c, k):
        if c == k:
            return 0.0
        if level == "nominal":
            return 1.0
        if level == "interval":
            return (c - k) ** 2
        if level == "ratio":
            return ((c - k) / (c + k)) ** 2
        low, high = sorted((categories.index(c), categories.index(k)))
        between = sum(everything.count(categories[g]) for g in range(low, high + 1))
        return (between - (everything.count(c) + everything.count(k)) / 2) ** 2

    observed = sum(distance(c, k) / (len(unit) - 1) for unit in units for c, k in permutations(unit, 2))
    expected = sum(distance(c, k) for c, k in permutations(everything, 2))
    return None if expected == 0 else 1 - observed * (len(everything) - 1) / expected


def slow_kappa(rows, power, pooled=False):
    kappas = []
    enough = min(20, math.ceil(len(shared_units(rows)) / 2))
    for a, b in combinations(range(len(rows[0])), 2):
        both = [(row[a], row[b]) for row in rows if row[a] is not None and row[b] is not None]
        if len(both) < enough:
            continue
        weight = (lambda x, y: float(x != y)) if power == 0 else (lambda x, y: abs(x - y) ** power)
        left, right = [x for x, _ in both], [y for _, y in both]
        if pooled:  # each annotator's judgments are drawn from those of both: two for one
            expected = sum(weight(x, y) for x in left + right for y in left + right) / 4
        else:
            expected = sum(weight(x, y) for x in left for y in right)
        if expected:
            kappas.append(1 - len(both) * sum(weight(x, y) for x, y in both) / expected)
    return math.fsum(kappas) / len(kappas) if kappas else None


def slow_share(rows, steps):
    shares = []
    for row in rows:
        pairs = list(combinations([value for value in row if value is not None], 2))
        if pairs:
            shares.append(sum(abs(x - y) <= steps for x, y in pairs) / len(pairs))
    return math.fsum(shares) / len(shares) if shares else None


def shared_units(rows):
    return [unit for row in rows if len(unit := [value for value in row if value is not None]) >= 2]


def vary(units):
    return len({value for unit in units for value in unit}) > 1


def slow_chance(rows, categories, name, power):
    """Gwet's formulas in terms of agreement, one pair of judgments after the other."""
    if not vary(shared_units(rows)):
        return None
    q, reach = len(categories), categories[-1] - categories[0]

    def weight(c, k):
        return float(c == k) if power == 0 else 1 - (abs(c - k) / reach) ** power

    def mean(values):
        values = list(values)
        return math.fsum(values) / len(values)

    given = [[value for value in row if value is not None] for row in rows]
    agreed = mean(mean(weight(c, k) for c, k in permutations(unit, 2)) for unit in given if len(unit) >= 2)
    share = {c: mean(unit.count(c) / len(unit) for unit in given) for c in categories}
    pairs = [(c, k) for c in categories for k in categories]
    if name == "fleiss_kappa":
        chance = sum(weight(c, k) * share[c] * share[k] for c, k in pairs)
    elif name == "brennan_prediger":
        chance = sum(weight(c, k) for c, k in pairs) / q**2
    elif name == "conger_kappa":
        columns = [[value for value in column if value is not None] for column in zip(*rows, strict=True)]
        columns = [column for column in columns if column]
        chance = mean(mean(weight(c, k) for c in one for k in two) for one, two in permutations(columns, 2))
    else:
        spread = sum(share[c] * (1 - share[c]) for c in categories)
        chance = sum(weight(c, k) for c, k in pairs) / (q * (q - 1)) * spread
    return (agreed - chance) / (1 - chance)


def mean_ranks(values):
    return [
        sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2 for value in values
    ]


def slow_w(rows):
    """The textbook formula, with its correction for ties."""
    shared = [row for row in rows if sum(value is not None for value in row) >= 2]
    columns = [column for column in zip(*shared, strict=True) if any(value is not None for value in column)]
    complete = [row for row in zip(*columns, strict=True) if None not in row]
    if len(complete) < 2:
        return None
    columns = list(zip(*complete, strict=True))
    n, k = len(complete), len(columns)
    sums = [sum(ranks) for ranks in zip(*map(mean_ranks, columns), strict=True)]
    ties = sum(column.count(value) ** 3 - column.count(value) for column in columns for value in set(column))
    whole = k**2 * (n**3 - n) - k * ties
    return None if whole == 0 else 12 * sum((each - k * (n + 1) / 2) ** 2 for each in sums) / whole


def slow_icc(rows, name):
    """Variances from least squares on indicators of items and annotators."""
    units = shared_units(rows)
    if not vary(units) or len(units) < 2:
        return None
    k = len(units) / sum(1 / len(unit) for unit in units)
    if name.startswith("icc_1"):
        n, everything = len(units), [value for unit in units for value in unit]
        total, grand = len(everything), np.mean(everything)
        between = sum(len(unit) * (np.mean(unit) - grand) ** 2 for unit in units) / (n - 1)
        noise = sum((value - np.mean(unit)) ** 2 for unit in units for value in unit) / (total - n)
        items = (between - noise) / ((total - sum(len(unit) ** 2 for unit in units) / total) / (n - 1))
    else:
        shared = [row for row in rows if sum(value is not None for value in row) >= 2]
        cells = [(i, a, v) for i, row in enumerate(shared) for a, v in enumerate(row) if v is not None]
        values = np.array([v for _, _, v in cells], dtype=float)
        by_item = np.array([[i == j for j in range(len(shared))] for i, _, _ in cells], dtype=float)
        by_annotator = np.array([[a == b for b in range(len(rows[0]))] for _, a, _ in cells], dtype=float)

        def left_over(design):
            freedom = len(values) - np.linalg.matrix_rank(design)
            residual = values - design @ np.linalg.lstsq(design, values, rcond=None)[0]
            return (residual**2).sum() / freedom if freedom else math.nan

        error = left_over(np.hstack([by_item, by_annotator]))
        items = left_over(by_annotator) - error
        noise = left_over(by_item) if name.startswith("icc_2") else error
    noise = noise / k if name.endswith("k") else noise
    return items / (items + noise) if items + noise > 1e-9 else None


def slow(name, rows, categories):
    """The value by definition; categories are whole numbers in order."""
    if name in ALPHAS:
        return slow_alpha(rows, categories, ALPHAS[name])
    if name in KAPPAS:
        return slow_kappa(rows, KAPPAS[name])
    if name == "scott_pi":
        return slow_kappa(rows, 0, pooled=True)
    if name in CHANCE:
        return slow_chance(rows, categories, name, CHANCE[name])
    if name in ICCS:
        return slow_icc(rows, name)
    if name == "kendall_w":
        return slow_w(rows)
    return slow_share(rows, {"percent_agreement": 0, "within_one_agreement": 1}[name])


@st.composite
def tables(draw, gaps=True):
    """Rows of judgments on a scale of 1 to 3, 4 or 5, and that scale."""
    categories = list(range(1, draw(st.integers(3, 5)) + 1))
    width = draw(st.integers(2, 4))
    value = st.sampled_from([*categories, None] if gaps else categories)
    row = st.lists(value, min_size=width, max_size=width).filter(lambda row: any(v is not None for v in row))
    return draw(st.lists(row, min_size=1, max_size=12)), categories
