"""Where the variance of judgments lies on each dimension, and what more items or annotators would buy."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from assay.report.charts import number
from assay.report.data import TOO_FEW, Data
from assay.report.system_comparison import NumericDimension, numeric_dimensions_as_judged
from assay.report.wording import many
from assay.statistics.comparison.generalisability import Component, VarianceStudy, variance_study

TOLD = {
    ("item",): "items",
    ("system",): "systems",
    ("annotator",): "annotators",
    ("item", "system"): "systems by item",
    ("item", "annotator"): "annotators by item",
    ("system", "annotator"): "annotators by system",
    ("item", "system", "annotator"): "the rest, error among it",
}
"""Each component of variance in words, by its factors."""

NO_ERROR = "nothing varies that it is made of: systems lie equally far apart on every item"


@dataclass(frozen=True, slots=True)
class VarianceRow:
    """One component of the variance of a single judgment."""

    effect: str
    title: str
    value: float
    share: float
    ci: tuple[float, float] | None
    below_zero: bool


@dataclass(frozen=True, slots=True)
class TradeOff:
    """One size of study: so many items, each judged by the same k annotators."""

    n_items: int
    k: int
    g_item: float | None
    """How well an item's mean orders items."""
    phi_item: float | None
    """How well it tells their level."""
    error: float | None
    """The standard error of the difference of two systems, for these annotators; None where there is one system, or
    where nothing varies that it is made of."""
    error_beyond: float | None
    """The same for annotators like these."""


@dataclass(frozen=True, slots=True)
class DimensionVariance:
    """Where the variance lies on one dimension."""

    dimension: str
    title: str
    n_judgments: int
    levels: Mapping[str, int]
    """How many items (or groups that systems share), systems and annotators."""
    k: float
    """How many annotators judge an item, on average."""
    few: bool
    components: list[VarianceRow]
    g_item: float | None
    phi_item: float | None
    g_system: float | None
    phi_system: float | None
    sizes: list[TradeOff]
    undefined: str | None

    def in_words(self) -> Iterator[str]:
        """Sentences: where the variance lies, how reliable scores are, and what more items or annotators would buy."""
        if self.undefined:
            yield f"{self.title}: where the variance lies is undefined ({self.undefined})."
            return
        shares = shares_in_words(self.components)
        few = f" (fewer than {TOO_FEW} items: too few to say)" if self.few else ""
        scores = f"{self._of_items()}{self._of_systems()}"
        yield f"{self.title}, of the variance of a single judgment: {shares}{few}{scores}."
        yield from self._what_more_buys()

    def _of_items(self) -> str:
        if self.g_item is None:
            return ""
        orders, level = number(self.g_item), number(self.phi_item)
        people = many(round(self.k))
        return f"; an item's mean over {people} orders items with G = {orders}, tells levels with Phi = {level}"

    def _of_systems(self) -> str:
        if self.g_system is None:
            return ""
        return (
            f"; a system's mean over {self.sizes[0].n_items} items orders systems with G = {number(self.g_system)} "
            f"(Phi = {number(self.phi_system)})"
        )

    def _what_more_buys(self) -> Iterator[str]:
        now, items, people = self.sizes[:3]
        if self.levels["system"] < 2:
            return
        if now.error is None:
            yield f"{self.title}: the standard error of the difference of two systems is undefined ({NO_ERROR})."
            return
        few = f" (fewer than {TOO_FEW} items: too few to say)" if self.few else ""
        yield (
            f"{self.title}: the standard error of the difference of two systems is {number(now.error)} for these "
            f"annotators and {number(now.error_beyond)} for annotators like these; twice the items would make it "
            f"{number(items.error)} and {number(items.error_beyond)}, twice the annotators {number(people.error)} and "
            f"{number(people.error_beyond)}{few}."
        )


def shares_in_words(components: Sequence[VarianceRow]) -> str:
    """The share of every component, those that round to nothing left out."""
    told = [f"{100 * row.share:.0f} % {row.title}" for row in components if row.share >= 0.005]
    return ", ".join(told) or "nothing varies"


def variances_of(data: Data, make: Callable[[], list[DimensionVariance]] | None = None) -> list[DimensionVariance]:
    """The variance of every numeric dimension and derived score; or as another process has computed it."""
    found: list[DimensionVariance] = data.once("variances", make or (lambda: _variances(data)))
    return found


def _variances(data: Data) -> list[DimensionVariance]:
    return [_variance(each) for each in numeric_dimensions_as_judged(data) if each.judgments]


def study_of(about: NumericDimension) -> VarianceStudy:
    """The components of one dimension. Items are what systems share: an item with two sides, else a group of items."""
    return variance_study(
        (each.item if each.is_of_pair or not each.group else f"group {each.group}", each.system, each.annotator, value)
        for each in about.judgments
        if (value := float(each.value)) is not None  # type: ignore[arg-type]
    )


def _variance(about: NumericDimension) -> DimensionVariance:
    study = study_of(about)
    k, n = study.annotators_of_item, round(study.items_of_system)
    few = study.levels["item"] < TOO_FEW
    several = study.levels["system"] > 1
    g_item, phi_item = study.item_score(k)
    g_system, phi_system = study.system_score(n, k) if several else (None, None)
    defined = study.undefined is None
    return DimensionVariance(
        about.name,
        about.title,
        study.n_judgments,
        dict(study.levels),
        k,
        few,
        rows_of(study),
        g_item,
        phi_item,
        g_system,
        phi_system,
        trade_offs(study, [(n, round(k)), (2 * n, round(k)), (n, 2 * round(k))]) if defined else [],
        study.undefined,
    )


def rows_of(study: VarianceStudy) -> list[VarianceRow]:
    """Every component, with its share."""
    return [_variance_row(study, each) for each in study.components]


def _variance_row(study: VarianceStudy, each: Component) -> VarianceRow:
    together = tuple(name for name in ("item", "system", "annotator") if name in each.effect)
    rest = len(each.effect) == max(len(other.effect) for other in study.components)
    title = TOLD[("item", "system", "annotator")] if rest else TOLD[together]
    return VarianceRow(" x ".join(together), title, each.value, study.share(each), each.ci, each.below_zero)


def trade_offs(study: VarianceStudy, sizes: Sequence[tuple[int, int]]) -> list[TradeOff]:
    """How reliable scores would be in studies of these sizes (items, annotators)."""
    varies = study.levels["system"] > 1 and study.variance_of_difference(1, 1) > 0
    return [
        TradeOff(
            n,
            k,
            *study.item_score(k),
            study.variance_of_difference(n, k, others=False) ** 0.5 if varies else None,
            study.variance_of_difference(n, k) ** 0.5 if varies else None,
        )
        for n, k in sizes
    ]
