"""What is missing of each system: cannot be judged, skipped, declined. It is rarely missing at random."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from assay.judgments.canonical_order import one_of_each_submission
from assay.model import Estimate, Judgment
from assay.report.data import TOO_FEW, Data
from assay.report.shown_differences import is_shown
from assay.report.system_comparison import correct_p_values, groups_by_item
from assay.statistics.comparison.missing_by_system import items_without_any, missing_by_system
from assay.study.rubric import Dimension

UNJUDGED = "items that nobody judged"


@dataclass(frozen=True, slots=True)
class SystemLacks:
    """How much of what was asked about one system is missing."""

    system: str
    asked: int
    unable: int
    """How many could not be judged; of whole items: how many were declined."""
    skipped: int
    """How many were asked of everybody and have no answer; of whole items: how many nobody judged."""
    share: Estimate


@dataclass(frozen=True, slots=True)
class LacksBySystem:
    """What is missing of each system, on one dimension or of whole items, and whether systems differ in it."""

    dimension: str | None
    """None: whole items, those that were declined or those that nobody judged."""
    title: str
    systems: list[SystemLacks]
    p: float | None
    p_corrected: float | None
    method: str

    @property
    def of_what(self) -> str:
        """The denominator of its shares, in words."""
        return "its items" if self.title == UNJUDGED else "what was asked"

    @property
    def differ(self) -> bool:
        """Whether a difference is shown, after correction for the other dimensions."""
        return is_shown(self.p_corrected)


Asked = tuple[str, str, str]
"""(item, system, what became of it): answered, unable or skipped."""


def lacks_by_system(data: Data) -> list[LacksBySystem]:
    """Where something is missing and systems are known: how much of each, and whether they differ in it."""
    groups = groups_by_item(data, data.that_count)
    lacking = (row for row in _questions_with_gaps(data) if any(state != "answered" for *_, state in row[2]))
    found = [*unjudged_items(data), *(_lacks(data, *row, groups) for row in lacking)]
    some = [row for row in found if len(row.systems) > 1]
    corrected = correct_p_values([row.p for row in some], "holm")
    return [replace(row, p_corrected=p) for row, p in zip(some, corrected, strict=True)]


def unjudged_items(data: Data) -> list[LacksBySystem]:
    """The items that nobody judged, by system, where there are some and each item is of one of several systems."""
    of = {name: n for name, n in data.systems.items() if name and n}
    judged: dict[str, set[str]] = {name: set() for name in of}
    for each in one_of_each_submission(data.that_count):
        if len(each.systems) != 1 or each.systems[0] not in judged:
            return []
        judged[each.systems[0]].add(each.item)
    lacking = {name: max(0, n - len(judged[name])) for name, n in of.items()}
    if len(of) < 2 or not any(lacking.values()) or not any(judged.values()):
        return []
    found = items_without_any(lacking, of, data.seed)
    systems = [SystemLacks(name, of[name], 0, lacking[name], share) for name, share in found.systems.items()]
    if min(of.values()) < TOO_FEW:
        return [LacksBySystem(None, UNJUDGED, systems, None, None, f"no test: fewer than {TOO_FEW} items")]
    return [LacksBySystem(None, UNJUDGED, systems, found.p, None, found.method)]


def _questions_with_gaps(data: Data) -> Iterator[tuple[str | None, str, list[Asked]]]:
    """What was asked about which system and what became of it: of whole items, then of each incomplete dimension."""
    given = data.fieldwork.given if data.fieldwork else ()
    if any(each.declined for each in given):
        whole = [(each, at < each.declined) for each in given if len(each.systems) == 1 for at in range(each.given)]
        rows = [(each.item, each.systems[0], "unable" if declined else "answered") for each, declined in whole]
        yield None, "items that were declined", rows
    by_dimension: dict[str, list[Judgment]] = defaultdict(list)
    for each in data.that_count:
        by_dimension[each.dimension].append(each)
    n_submissions = len({each.submission for each in data.that_count})
    for dimension in data.study.scored_dimensions:
        given_on_it = by_dimension[dimension.dimension]
        everybody = len({each.submission for each in given_on_it}) == n_submissions
        if not everybody or any(each.value is None for each in given_on_it):
            yield dimension.dimension, dimension.heading, _questions_on(dimension, given_on_it, data.that_count)


def _questions_on(dimension: Dimension, given: Sequence[Judgment], everything: Sequence[Judgment]) -> list[Asked]:
    """What was asked on one dimension about which system, and what became of it."""
    about = {
        (each.submission, each.entry, each.system): (each.item, "unable" if each.value is None else "answered")
        for each in given
    }
    rows = [(item, system, state) for (*_, system), (item, state) in about.items() if system]
    if rows and dimension.is_always_asked and dimension.scope.of != "entries":
        answered = {submission for submission, *_ in about}
        submissions = {(each.submission, each.system): each.item for each in everything}
        rows += [(item, name, "skipped") for (one, name), item in submissions.items() if name and one not in answered]
    return rows


def _lacks(
    data: Data, name: str | None, title: str, rows: Sequence[Asked], groups: dict[str, str] | None
) -> LacksBySystem:
    found = missing_by_system([(item, system, state != "answered") for item, system, state in rows], groups, data.seed)
    states = Counter((system, state) for _, system, state in rows)
    systems = [
        SystemLacks(
            system=system,
            asked=sum(states[system, state] for state in ("answered", "unable", "skipped")),
            unable=states[system, "unable"],
            skipped=states[system, "skipped"],
            share=share,
        )
        for system, share in found.systems.items()
    ]
    enough = all(len({item for item, system, _ in rows if system == each.system}) >= TOO_FEW for each in systems)
    if not enough:
        return LacksBySystem(name, title, systems, None, None, f"no test: fewer than {TOO_FEW} items")
    return LacksBySystem(name, title, systems, found.p, None, found.method)
