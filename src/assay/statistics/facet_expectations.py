"""What a fitted model of ratings expects: averages as if everybody had judged everything, and how far judgments fit."""

from assay.statistics.arrays import Floats, Ints, np
from assay.statistics.facet_likelihood import Likelihood, Parameters

BLOCK = 4096
"""How many items are looked at together."""


def expected_mean(
    values: Floats, likelihood: Likelihood, at: Parameters, annotators: Ints, systems: Ints
) -> tuple[float, Floats]:
    """The mean that some annotators would give to all items of some systems, and its slope.

    `values` are those of the categories.
    """
    who = np.repeat(annotators, len(systems))
    what = np.tile(systems, len(annotators))
    probabilities = np.exp(likelihood.log_probabilities(at, who, what))
    share = np.exp(likelihood.log_weights) / len(who)
    points, score = values, np.arange(likelihood.n_categories, dtype=float)
    mean = np.einsum("mkq,k->mq", probabilities, points)
    together = np.einsum("mkq,k->mq", probabilities, points * score)
    along = (together - mean * np.einsum("mkq,k->mq", probabilities, score)) * share
    slope = np.zeros(likelihood.size)
    slope[: likelihood.n_systems] = np.bincount(what, along.sum(axis=1), likelihood.n_systems)
    own = slice(likelihood.n_systems, likelihood.n_systems + likelihood.n_annotators)
    slope[own] = -np.bincount(who, along.sum(axis=1), likelihood.n_annotators)
    slope[-1] = float((along @ likelihood.nodes).sum())
    for k in range(1, likelihood.n_categories):
        above = probabilities[:, k:].sum(axis=1)
        joint = np.einsum("mkq,k->mq", probabilities[:, k:], points[k:])
        slope[own.stop + k - 1] = -float(((joint - mean * above) * share).sum())
    return float((mean * share).sum()), slope


def expected_means(values: Floats, likelihood: Likelihood, at: Parameters) -> Floats:
    """The mean that each annotator would give to all items of each system: (annotators, systems)."""
    who = np.repeat(np.arange(likelihood.n_annotators), likelihood.n_systems)
    what = np.tile(np.arange(likelihood.n_systems), likelihood.n_annotators)
    probabilities = np.exp(likelihood.log_probabilities(at, who, what))
    means = np.einsum("mkq,k,q->m", probabilities, values, np.exp(likelihood.log_weights), optimize=True)
    found: Floats = means.reshape(likelihood.n_annotators, likelihood.n_systems)
    return found


def fit_of_annotators(likelihood: Likelihood, at: Parameters) -> tuple[Floats, Floats]:
    """Infit and outfit of each annotator: each judgment beside what the others of its item lead one to expect."""
    squares, variances, standard = (np.zeros(likelihood.n_annotators) for _ in range(3))
    score = np.arange(likelihood.n_categories, dtype=float)
    for _, block in likelihood.blocks(BLOCK):
        everybody = np.arange(block.n_annotators)
        for system in range(block.n_systems):
            of_system = np.flatnonzero(block.system_of_item[block.item] == system)
            if not len(of_system):
                continue
            logs = block.log_probabilities(at, everybody, np.full(block.n_annotators, system))
            who, given = block.annotator[of_system], block.category[of_system]
            mean = np.einsum("akq,k->aq", np.exp(logs), score)
            second = np.einsum("akq,k->aq", np.exp(logs), score**2)
            own = logs[who, given]
            starts = np.flatnonzero(np.diff(block.item[of_system], prepend=-1))
            joint = np.add.reduceat(own, starts, axis=0) + block.log_weights
            number = np.cumsum(np.diff(block.item[of_system], prepend=-1) != 0) - 1
            rest = joint[number] - own
            weights = np.exp(rest - rest.max(axis=1, keepdims=True))
            weights /= weights.sum(axis=1, keepdims=True)
            expected = (weights * mean[who]).sum(axis=1)
            variance = np.maximum((weights * second[who]).sum(axis=1) - expected**2, 1e-9)
            squared = (given - expected) ** 2
            squares += np.bincount(who, squared, block.n_annotators)
            variances += np.bincount(who, variance, block.n_annotators)
            standard += np.bincount(who, squared / variance, block.n_annotators)
    counts = np.bincount(likelihood.annotator, minlength=likelihood.n_annotators)
    return squares / variances, standard / counts
