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


def slow_kappa(rows, power):
    kappas = []
    for a, b in combinations(range(len(rows[0])), 2):
        both = [(row[a], row[b]) for row in rows if row[a] is not None and row[b] is not None]
        weight = (lambda x, y: float(x != y)) if power == 0 else (lambda x, y: abs(x - y) ** power)
        expected = sum(weight(x, y) for x, _ in both for _, y in both)
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


def slow(name, rows, categories):
    """The value by definition; categories are whole numbers in order."""
    if name in ALPHAS:
        return slow_alpha(rows, categories, ALPHAS[name])
    if name in KAPPAS:
        return slow_kappa(rows, KAPPAS[name])
    return slow_share(rows, {"percent_agreement": 0, "within_one_agreement": 1}[name])


@st.composite
def tables(draw, gaps=True):
    """Rows of judgments on a scale of 1 to 3, 4 or 5, and that scale."""
    categories = list(range(1, draw(st.integers(3, 5)) + 1))
    width = draw(st.integers(2, 4))
    value = st.sampled_from([*categories, None] if gaps else categories)
    row = st.lists(value, min_size=width, max_size=width).filter(lambda row: any(v is not None for v in row))
    return draw(st.lists(row, min_size=1, max_size=12)), categories
