"""The page of all items: searched, filtered, with what everybody said on one dimension."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from urllib.parse import urlencode

from sqlalchemy import Connection
from starlette.datastructures import QueryParams
from starlette.responses import Response

from assay.kinds import FIGURES
from assay.report.adjudication import can_be_apart, far_apart, widest_spreads
from assay.report.answer_matrix import answer_matrix, is_ordered
from assay.report.hidden_results import are_hidden
from assay.store.annotator import versions
from assay.store.coordinator import annotators, excluded_by_rule, flags, study_status
from assay.store.coordinator.item_search import MOST_COUNTED, ItemFilter, holders, search_items
from assay.study import Study
from assay.study.first_words import first_words
from assay.study.rubric import Dimension
from assay.web.access import Call, Endpoint
from assay.web.coordinator.common import home, leads_of, show, study_of
from assay.web.coordinator.menu import MenuEntry

AT_A_TIME = 50
MOST_NAMED = 200
LONGEST = 1000
NOWHERE = ""
"""No item has this name."""
SWITCHES = {
    "unfinished": "Unfinished",
    "spread": "Far apart",
    "flagged": "Flagged",
    "problem": "With a problem",
    "taken_out": "Taken out",
}
"""What can be switched on, with its name on the page."""


@dataclass(frozen=True)
class ItemQuestion:
    """The query of the page: which items, and which dimension is shown."""

    words: str = ""
    switched_on: frozenset[str] = frozenset()
    system: str = ""
    batch: str = ""
    held_by: str = ""
    names: tuple[str, ...] = ()
    about: str = ""
    """What the named items have in common, where a figure leads to them."""
    figure: str = ""
    """The figure that knows them by what they have in common."""
    flag: str = ""
    """The monitor whose flag knows them."""
    annotator: str = ""
    """The one whom that flag is about."""
    dimension: str = ""

    @classmethod
    def of(cls, query: QueryParams) -> "ItemQuestion":
        """Read the query of an address; unknown parameters are ignored."""
        texts = {name: query.get(name, "").strip()[:LONGEST] for name in TEXTS}
        switched = frozenset(name for name in SWITCHES if query.get(name))
        return cls(switched_on=switched, names=tuple(query.getlist("item")[:MOST_NAMED]), **texts)

    def query(self, **more: str) -> str:
        """The query as part of an address."""
        return urlencode([*self._pairs(), *more.items()])

    def _pairs(self) -> Iterator[tuple[str, str]]:
        yield from ((name, getattr(self, name)) for name in TEXTS if getattr(self, name))
        yield from ((name, "1") for name in SWITCHES if name in self.switched_on)
        yield from (("item", name) for name in self.names if not self.names_are_looked_up)

    @property
    def names_are_looked_up(self) -> bool:
        """Whether a figure or a flag knows the names: of hundreds an address would be too long."""
        return bool(self.figure or self.flag)

    async def look_up_names(self, call: Call, hidden: bool) -> "ItemQuestion":
        """The query with the names of the items that a flag has or that a mark of a figure leads to.

        None where it leads to none now. Marks about systems have no link while the study hides systems.
        """
        if self.flag:
            kept = await call.context.store.aread(flags.kept_flags, call.session.study_id)
            of_it = next((each for each in kept if (each.monitor, each.annotator) == (self.flag, self.annotator)), None)
            about = f"{self.annotator}, {self.flag.replace('_', ' ')}"
            return replace(self, about=about, names=(of_it.items if of_it else ()) or (NOWHERE,))
        kind = FIGURES.get(self.figure)
        if kind is None:
            return self
        known = {} if hidden and kind.part == "says" else await leads_of(call, self.figure)
        return replace(self, names=tuple(known.get(self.about, ())) or (NOWHERE,))

    def filter(self, study: Study, hidden: bool) -> ItemFilter:
        """The filter for the search. While systems are hidden, the filter by system is ignored."""
        return ItemFilter(
            words=self.words,
            unfinished="unfinished" in self.switched_on,
            spread_above=far_apart(study) if "spread" in self.switched_on else None,
            spread_of=tuple(each.dimension for each in can_be_apart(study)),
            flagged="flagged" in self.switched_on,
            problem="problem" in self.switched_on,
            taken_out="taken_out" in self.switched_on,
            system="" if hidden else self.system,
            batch=self.batch,
            held_by=self.held_by,
            names=self.names,
        )

    @property
    def is_everything(self) -> bool:
        """Whether all items are asked for."""
        return self == ItemQuestion(dimension=self.dimension)


TEXTS = tuple(each.name for each in fields(ItemQuestion) if each.type in ("str", str))


async def page(call: Call) -> Response:
    """Some of the items, with filters above them."""
    study, store, study_id = await study_of(call), call.context.store, call.session.study_id
    query = call.request.query_params
    hidden = are_hidden(study, call.session.state)
    asked = await ItemQuestion.of(query).look_up_names(call, hidden)
    dimension = _dimension(study, asked.dimension)
    found = await store.aread(
        search_items,
        study_id,
        asked.filter(study, hidden),
        study.preference_dimensions,
        after=_number(query.get("after", "")),
        before=_number(query.get("before", "")),
        limit=AT_A_TIME,
    )
    left_out = await store.aread(_people_left_out, study_id)
    counts = await store.aread(study_status.item_counts, study_id)
    known = await store.aread(versions.versions, study_id) if "spread" in asked.switched_on else None
    widest = {} if known is None else widest_spreads(found.judgments, study, known)
    first, last = (found.items[0].id, found.items[-1].id) if found.items else (0, 0)
    return await show(
        call,
        "all_items.html",
        found=found,
        asked=asked,
        question=replace(asked, dimension=dimension.dimension if dimension else ""),
        matrix=answer_matrix(found.judgments, dimension, left_out, not hidden) if dimension else None,
        dimension=dimension,
        dimensions=study.scored_dimensions,
        words={each.id: first_words(study, each.shown) for each in found.items},
        switches={name: label for name, label in SWITCHES.items() if name != "spread" or can_be_apart(study)},
        ordered=bool(dimension and is_ordered(dimension)),
        widest=widest,
        line=far_apart(study),
        systems=[] if hidden else [each for each in counts.systems if each],
        batches=[each.name for each in await store.aread(study_status.batches, study_id)],
        holders=sorted({*await store.aread(holders, study_id), asked.held_by} - {""}),
        total=counts.items + counts.judges_alone,
        most=MOST_COUNTED,
        earlier=f"{home(call)}/items?{asked.query(before=str(first))}" if found.before else "",
        later=f"{home(call)}/items?{asked.query(after=str(last))}" if found.after else "",
        hidden=hidden,
    )


def _people_left_out(connection: Connection, study_id: int) -> frozenset[str]:
    return frozenset(
        [*annotators.exclusions_by_hand(connection, study_id), *excluded_by_rule.people(connection, study_id)]
    )


def _dimension(study: Study, name: str) -> Dimension | None:
    known = {each.dimension: each for each in study.scored_dimensions}
    return known.get(name) or next(iter(known.values()), None)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0


ENDPOINTS = [Endpoint("GET", "/coordinate/{study}/items", "coordinator", page, MenuEntry("Items", 15))]
