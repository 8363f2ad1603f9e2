"""Variants of judges, compared on the tuning part, from which no report says anything of judges."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from assay.judgments.scales import scale_of
from assay.model import Estimate, Slot, Value
from assay.report.charts import number
from assay.report.data import TOO_FEW
from assay.report.wording import estimate_in_words, many
from assay.statistics.comparison.judges import judge_against_people
from assay.statistics.comparison.variants import VariantAgreement, VariantComparison, compare_variants
from assay.statistics.draws import DRAWS
from assay.statistics.scale import Scale
from assay.study.schema import Study

Given = Mapping[tuple[str, Slot], Value]
"""What somebody answered, by item and question; None: was not able to."""


@dataclass(frozen=True, slots=True)
class TuningTruth:
    """What variants are compared with, on some items."""

    on: str
    """Which items these are, in words."""
    answers: Sequence[tuple[str, Slot, str, Value]]
    """(item, question, who, value): what people said, or what is known."""
    groups: Mapping[str, str]
    """What each item shares with others: its group, or itself."""


@dataclass(frozen=True, slots=True)
class VariantCost:
    """What the answers of a variant took, whenever they were given."""

    tokens: int
    money: float | None
    """None where the file names no price."""


@dataclass(frozen=True, slots=True)
class VariantRow:
    """One variant of a judge."""

    variant: str
    agreement: VariantAgreement
    by_dimension: dict[str, Estimate]
    """Agreement beyond chance with each person: a weighted kappa, or Cohen's where values have no order."""
    unable: int
    """How many items it gave no answer to that the rules allow."""
    cost: VariantCost


@dataclass(frozen=True, slots=True)
class TuningTable:
    """All variants, the best one first."""

    on: str
    items: int
    """How many items all variants judged."""
    compared: VariantComparison
    variants: list[VariantRow]
    people: float | None
    """How often two people gave the same answer there; None where no two answered the same question."""


def tuning_table(
    study: Study, truth: TuningTruth, given: Mapping[str, Given], costs: Mapping[str, VariantCost]
) -> TuningTable:
    """Compare variants on the items that all of them judged."""
    scored = {each.dimension: each for each in study.scored_dimensions}
    judged = [{item for item, _ in own} for own in given.values()]
    shared = set.intersection(*judged) if judged else set()
    rows = [
        ((item, slot), who, value)
        for item, slot, who, value in truth.answers
        if item in shared and slot.dimension in scored and value is not None
    ]
    questions = {question for question, _, _ in rows}
    groups = {(item, slot): truth.groups[item] for item, slot in questions}
    answers = {name: {each: own.get(each) for each in questions} for name, own in given.items()}
    compared = compare_variants(answers, rows, groups, study.seed, DRAWS)

    def kappa(own: Mapping[Any, Any], name: str) -> Estimate:
        scale = Scale(scale_of(scored[name]), scored[name].input.level or "nominal")
        which = "cohen_kappa" if scale.level == "nominal" else "quadratic_kappa"
        said = {each: value for each, value in own.items() if each[1].dimension == name and value is not None}
        about = [row for row in rows if row[0] in said]
        found = judge_against_people(said, about, scale, groups, None, study.seed, DRAWS, only=[which])
        return found.statistics[0].with_each

    asked = [name for name in scored if any(slot.dimension == name for _, slot in questions)]
    return TuningTable(
        on=truth.on,
        items=len({item for item, _ in questions}),
        compared=compared,
        variants=[
            VariantRow(
                variant=each.name,
                agreement=each,
                by_dimension={name: kappa(answers[each.name], name) for name in asked},
                unable=_unable(answers[each.name]),
                cost=costs[each.name],
            )
            for each in compared.variants
        ],
        people=_among_people(rows),
    )


def _unable(own: Given) -> int:
    """How many items this variant gave no answer to at all."""
    answered = {item for (item, _), value in own.items() if value is not None}
    return len({item for item, _ in own} - answered)


def _among_people(rows: Sequence[tuple[Any, str, Value]]) -> float | None:
    given: dict[Any, list[Value]] = defaultdict(list)
    for question, _, value in rows:
        given[question].append(value)
    same = Counter(one == other for values in given.values() for one, other in combinations(values, 2))
    return same[True] / same.total() if same else None


def in_lines(found: TuningTable) -> list[str]:
    """The tables as plain text, and what to make of them."""
    names = list(found.variants[0].by_dimension)
    first: list[tuple[str, ...]] = [("variant", "same answer", "behind the first", "unable", "tokens", "cost")]
    first += [_cells(row) for row in found.variants]
    second: list[tuple[str, ...]] = [("variant", *names)]
    second += [(row.variant, *(_estimate_or_dash(row.by_dimension[name]) for name in names)) for row in found.variants]
    why = {each.undefined for row in found.variants for each in row.by_dimension.values() if each.undefined}
    return [
        f"Compared on {found.on}: {many(found.items, 'item')}, {many(found.compared.n, 'question')}.",
        *_table(first),
        "same answer: the share of answers that are those of a person, or the known ones; no answer is not the same."
        f"{_people(found)}",
        "kappa with each person, or with what is known; weighted where values have an order",
        *_table(second),
        *(f"–: {each}" for each in sorted(why)),
        _what_to_make_of_it(found),
    ]


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return ["  ".join(cell.ljust(size) for cell, size in zip(row, widths, strict=True)).rstrip() for row in rows]


def _people(found: TuningTable) -> str:
    return "" if found.people is None else f" Two people give the same in {100 * found.people:.0f} %."


def _cells(row: VariantRow) -> tuple[str, ...]:
    behind, cost = row.agreement.behind, row.cost
    return (
        row.variant,
        _estimate_or_dash(row.agreement.same),
        "" if behind is None else _estimate_or_dash(behind),
        str(row.unable),
        f"{cost.tokens:,}",
        "–" if cost.money is None else f"{cost.money:.4f}",
    )


def _estimate_or_dash(estimate: Estimate) -> str:
    return "–" if estimate.value is None else estimate_in_words(estimate)


def _what_to_make_of_it(found: TuningTable) -> str:
    """How many were compared, and that the best of several looks better than it is."""
    compared, names = found.compared, [each.variant for each in found.variants]
    if len(names) == 1:
        return "One variant was looked at: there is nothing to choose from."
    says = [f"{len(names)} variants were compared on the same items. The best of several looks better than it is."]
    if compared.chosen_elsewhere is not None:
        reached = number(compared.chosen_elsewhere)
        says.append(f"Chosen on other items than it is looked at on, the best one reaches {reached}.")
    shown = [each.name for each in compared.variants if each.behind and each.behind.ci and each.behind.ci[1] < 0]
    close = [name for name in names[1:] if name not in shown]
    if compared.n_units < TOO_FEW:
        says.append(f"Fewer than {TOO_FEW} items: too few to say that one is better.")
    elif close:
        says.append(f"Not shown to be behind {names[0]}: {', '.join(close)}.")
    else:
        says.append(f"The others are behind {names[0]} by more than chance, if nothing but these was looked at.")
    return " ".join(says)
