"""The judgments that a model of ratings is fitted to, as numbers."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.statistics.arrays import Floats, Ints, np
from assay.statistics.facet_likelihood import Likelihood


@dataclass(frozen=True, eq=False)
class FacetTable:
    """The judgments that the model is fitted to, as numbers, in the order of items."""

    item: Ints
    annotator: Ints
    category: Ints
    system_of_item: Ints
    items: tuple[Hashable, ...]
    annotators: tuple[Hashable, ...]
    systems: tuple[Hashable, ...]
    values: Floats
    """The value of each category."""
    notes: tuple[str, ...]

    @classmethod
    def of(cls, rows: Sequence[tuple[Any, Any, Any, float]], scale: Sequence[float]) -> "FacetTable":
        """The table without annotators who gave one end of the scale alone, and without values that nobody gave."""
        points = {float(value): number for number, value in enumerate(sorted(map(float, scale)))}
        wrong = next((row for row in rows if float(row[3]) not in points), None)
        if wrong is not None:
            raise ValueError(f"{wrong[3]!r}, given to item {wrong[0]!r} by annotator {wrong[1]!r}, is not on the scale")
        by_person: dict[Any, set[float]] = {}
        for _, who, _, value in rows:
            by_person.setdefault(who, set()).add(float(value))
        ends = {min(points, default=0.0): "lowest", max(points, default=0.0): "highest"}
        at_end = {who: ends[next(iter(v))] for who, v in by_person.items() if len(v) == 1 and next(iter(v)) in ends}
        kept = [row for row in rows if row[1] not in at_end]
        notes = [f"{who} gave nothing but the {end} value, and is left out" for who, end in sorted(at_end.items())]
        given = sorted({float(row[3]) for row in kept})
        unused = [f"{value:g}" for value in points if value not in given]
        if unused and given:
            notes.append(f"nobody gave {', '.join(unused)}: the model does without")
        system_of = {item: system for item, _, system, _ in kept}
        items, annotators = tuple(system_of), tuple(sorted({row[1] for row in kept}, key=str))
        systems = tuple(sorted(set(system_of.values()), key=str))
        numbers = [{name: at for at, name in enumerate(names)} for names in (items, annotators, given)]
        system_numbers = {name: at for at, name in enumerate(systems)}
        item, annotator, category = (
            np.array([number[row[at]] for row in kept], dtype=np.int64)
            for at, number in zip((0, 1, 3), numbers, strict=True)
        )
        order = np.lexsort((annotator, item))
        item, annotator = item[order], annotator[order]
        if ((np.diff(item) == 0) & (np.diff(annotator) == 0)).any():
            raise ValueError("an annotator judged an item twice: keep one of the two")
        of_item = np.array([system_numbers[system_of[name]] for name in items], dtype=np.int64)
        return cls(item, annotator, category[order], of_item, items, annotators, systems, np.array(given), tuple(notes))

    def likelihood(self) -> Likelihood:
        """The likelihood of these judgments."""
        sizes = len(self.systems), len(self.annotators), len(self.values)
        most = int(np.bincount(self.item).max())
        return Likelihood(self.item, self.annotator, self.category, self.system_of_item, *sizes, most)

    def cluster_numbers(self, clusters: Mapping[Any, Hashable] | None) -> Ints:
        """The number of each item's cluster; an item alone is one."""
        if clusters is None:
            return np.arange(len(self.items))
        numbers: dict[Hashable, int] = {}
        return np.array([numbers.setdefault(clusters[item], len(numbers)) for item in self.items])

    def parts(self) -> list[list[int]]:
        """The annotators in parts that share no items with each other."""
        of = list(range(len(self.annotators)))

        def root(at: int) -> int:
            while of[at] != at:
                of[at] = of[of[at]]
                at = of[at]
            return at

        same = np.flatnonzero(np.diff(self.item) == 0)
        linked = np.unique(np.stack([self.annotator[same], self.annotator[same + 1]], axis=1), axis=0)
        for one, other in linked.tolist():
            of[root(one)] = root(other)
        parts: dict[int, list[int]] = {}
        for at in range(len(of)):
            parts.setdefault(root(at), []).append(at)
        return list(parts.values())
