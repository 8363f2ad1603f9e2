"""Texts that are nearly the same, found without comparing each with each."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import pairwise

Shingles = frozenset[tuple[str, ...]]


def shingles(text: str, size: int = 3) -> Shingles:
    """Every run of so many words, in small letters and without signs; of a shorter text, all of it.

    Reference: Broder, A. Z. (1997). On the resemblance and containment of documents.

    Example:
        >>> sorted(shingles("The dog, the dog!", 2))
        [('dog', 'the'), ('the', 'dog')]
    """
    words = re.findall(r"\w+", text.casefold())
    if len(words) < size:
        return frozenset([tuple(words)] if words else ())
    return frozenset(zip(*(words[at:] for at in range(size)), strict=False))


def jaccard(first: Shingles, second: Shingles) -> float:
    """The Jaccard index of two sets: the size of their intersection / that of their union; 1 for two empty ones.

    Example:
        >>> jaccard(shingles("a b c d", 1), shingles("b c d e", 1))
        0.6
    """
    either = len(first | second)
    return len(first & second) / either if either else 1.0


def similar_pairs(texts: Mapping[str, Shingles], least: float) -> list[tuple[str, str, float]]:
    """Pairs of names whose texts share at least this much (above 0), with how much it is, in the order of the mapping.

    Two sets of n and m shingles can only share enough if they meet among the first n - ceil(least n) + 1 of the one
    and the like of the other, in any fixed order; with the rarest first, few do. So only those are looked up, and the
    work grows with the number of texts and of true pairs, not with its square. Of texts that are quite the same each is
    paired with the one before it; other pairs are found by the first of them.

    Reference: Bayardo, R. J., Ma, Y. & Srikant, R. (2007). Scaling up all pairs similarity search. WWW 2007.

    Example:
        >>> texts = {"x": "a b c d e f", "y": "a b c d e f", "z": "a b c d e g", "w": "h i j k l m"}
        >>> similar_pairs({name: shingles(text, 1) for name, text in texts.items()}, 0.7)
        [('x', 'y', 1.0), ('x', 'z', 0.7142857142857143)]
    """
    same: dict[Shingles, list[str]] = defaultdict(list)
    for name, content in texts.items():
        if content:
            same[content].append(name)
    found = [(one, other, 1.0) for names in same.values() for one, other in pairwise(names)]
    often = Counter(shingle for content in same for shingle in content)
    rank = {shingle: index for index, shingle in enumerate(sorted(often, key=often.__getitem__))}
    by_shingle: dict[tuple[str, ...], list[Shingles]] = defaultdict(list)
    for content in same:
        ordered = sorted(content, key=rank.__getitem__)
        prefix = ordered[: len(ordered) - math.ceil(least * len(ordered) - 1e-9) + 1]
        met = {id(other): other for shingle in prefix for other in by_shingle[shingle]}
        for other in met.values():
            alike = jaccard(content, other)
            if alike >= least:
                found.append((same[other][0], same[content][0], alike))
        for shingle in prefix:
            by_shingle[shingle].append(content)
    order = {name: index for index, name in enumerate(texts)}
    return sorted(found, key=lambda pair: (order[pair[0]], order[pair[1]]))
