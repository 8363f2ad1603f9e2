"""Whether what is missing is missing more often of one system than of another."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.model import Estimate
from assay.statistics.arrays import np
from assay.statistics.comparison.shares import share_of
from assay.statistics.draws import SEED
from assay.statistics.wilson import wilson


@dataclass(frozen=True, slots=True)
class MissingBySystem:
    """The share that is missing of each system, and how probable such differences are by chance."""

    systems: Mapping[Any, Estimate]
    p: float | None
    """None where nothing is missing, or everything, or there is one system only."""
    method: str


def missing_by_system(
    rows: Iterable[tuple[Hashable, Any, bool]],
    clusters: Mapping[Any, Hashable] | None = None,
    seed: int = SEED,
    draws: int = 2000,
) -> MissingBySystem:
    """The share of what was asked that is missing, by system, from (item, system, whether it is missing).

    A permutation test: if data are missing at random, the systems' labels are exchangeable. So they are dealt out by
    lot, among the items of one source (or the sides of one item) where these hold several systems, else among
    all; what an item lacks stays together. With m_s missing of n_s asked of system s,

        T = sum_s (m_s - n_s m / n)^2 / n_s,        p = (1 + draws with T as large) / (1 + draws)

    Reference: Fisher, R. A. (1935). The design of experiments, section 21. Rubin, D. B. (1976). Inference and missing
    data. Biometrika 63 (why it matters). Phipson, B. & Smyth, G. K. (2010) for the 1.

    Example:
        >>> rows = [(i, "A" if i < 30 else "B", i % 3 == 0 and i < 30) for i in range(60)]
        >>> found = missing_by_system(rows)
        >>> round(found.systems["A"].value, 2), found.systems["B"].value, found.p < 0.01
        (0.33, 0.0, True)
    """
    told: dict[tuple[Hashable, Any], list[bool]] = defaultdict(list)
    for item, system, lacks in rows:
        told[item, system].append(lacks)
    systems = sorted({system for _, system in told}, key=str)
    source = clusters or {}
    by_system: dict[Any, list[tuple[Hashable, bool]]] = {name: [] for name in systems}
    for (item, system), each in told.items():
        by_system[system] += [(source.get(item, item), lacks) for lacks in each]
    shares = {name: share_of("missing", each) for name, each in by_system.items()}
    missing = np.array([sum(each) for each in told.values()], dtype=float)
    asked = np.array([len(each) for each in told.values()], dtype=float)
    if len(systems) < 2 or not 0 < missing.sum() < asked.sum():
        return MissingBySystem(shares, None, "no test: nothing differs")
    of_unit = np.array([systems.index(system) for _, system in told])
    sources = [source.get(item, item) for item, _ in told]
    held: dict[Hashable, set[Any]] = defaultdict(set)
    for name, (_, system) in zip(sources, told, strict=True):
        held[name].add(system)
    within = any(len(each) > 1 for each in held.values())
    numbers = {name: at for at, name in enumerate(held)}
    strata = np.array([numbers[name] for name in sources]) if within else np.zeros(len(told))
    order = np.argsort(strata, kind="stable")
    strata, of_unit, missing, asked = (each[order] for each in (strata, of_unit, missing, asked))
    one_of = np.eye(len(systems))[of_unit]

    def far(lacking: Any, of: Any) -> Any:
        m, n = lacking @ one_of, of @ one_of
        return ((m - n * missing.sum() / asked.sum()) ** 2 / np.maximum(n, 1e-12)).sum(axis=-1)

    rng, count, step = np.random.default_rng(seed), 0, max(1, 2**21 // len(told))
    seen = float(far(missing, asked)) * (1 - 1e-9)
    for start in range(0, draws, step):
        dealt = np.argsort(strata + rng.random((min(step, draws - start), len(told))), axis=1)
        count += int((far(missing[dealt], asked[dealt]) >= seen).sum())
    among = "within sources" if within else "over items"
    return MissingBySystem(shares, (1 + count) / (1 + draws), f"systems dealt out {among}, {draws} draws, seed {seed}")


def items_without_any(
    lacking: Mapping[Any, int], of: Mapping[Any, int], seed: int = SEED, draws: int = 2000
) -> MissingBySystem:
    """The share of items that nobody judged, by system, from their counts alone, with the same test.

    Each item has one system; systems are dealt out to all items by lot, which are draws without replacement.

    References: as of `missing_by_system`.

    Example:
        >>> found = items_without_any({"A": 20, "B": 0}, {"A": 60, "B": 60})
        >>> round(found.systems["A"].value, 2), found.systems["B"].value, found.p < 0.01
        (0.33, 0.0, True)
    """
    systems = sorted(of, key=str)
    shares = {
        name: Estimate(
            "missing", lacking[name] / of[name], wilson(lacking[name], of[name]), of[name], "Wilson's interval"
        )
        for name in systems
    }
    asked, missing = np.array([of[name] for name in systems]), np.array([lacking[name] for name in systems])
    if len(systems) < 2 or not 0 < missing.sum() < asked.sum():
        return MissingBySystem(shares, None, "no test: nothing differs")
    expected = asked * missing.sum() / asked.sum()
    dealt = np.random.default_rng(seed).multivariate_hypergeometric(asked, int(missing.sum()), size=draws)
    seen = float(((missing - expected) ** 2 / asked).sum()) * (1 - 1e-9)
    count = int((((dealt - expected) ** 2 / asked).sum(axis=1) >= seen).sum())
    return MissingBySystem(
        shares, (1 + count) / (1 + draws), f"systems dealt out over items, {draws} draws, seed {seed}"
    )
