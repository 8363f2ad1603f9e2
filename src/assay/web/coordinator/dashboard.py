"""The coordinator's first page: is work moving, is it good, who needs a word, what does it say."""

import asyncio
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

from markupsafe import Markup
from starlette.responses import JSONResponse, Response

from assay import acts
from assay.exchange import as_time
from assay.fieldwork import AnnotatorProgress
from assay.in_words import age, count, many
from assay.live import agreement, child, figures
from assay.live.agreement_rows import agreement_rows
from assay.live.at_a_glance import AtAGlance, at_a_glance
from assay.live.flags import by_person
from assay.live.hourly_rates import HourlyRates, rates_of
from assay.live.report_data import find_reached_stop
from assay.report import charts
from assay.report.figures import PARTS, Figure, Nothing, Ways, all_figures, css, draw
from assay.report.headline import why_another
from assay.statistics import title_of
from assay.store import Backend
from assay.store.coordinator import cache, flags, study_status
from assay.store.coordinator.cache import CachedResult
from assay.store.coordinator.study_status import ItemCounts
from assay.study import Study
from assay.web.access import Call, Endpoint
from assay.web.coordinator.common import compute, home, show, study_of
from assay.web.coordinator.menu import MenuEntry
from assay.web.keep_on import keep_on
from assay.web.run_apart import run_apart
from assay.web.stop_rules import look_at_stop_rule

Leads = Mapping[str, Mapping[str, Sequence[str]]]
"""By figure, and by the words of a mark, what it leads to."""
MOST_ROWS = 50
"""How many annotators the first table has, those who worked last first; the rest follow on demand."""


async def page(call: Call) -> Response:
    """How the study stands. What takes long to compute is shown as it was computed last, with its age."""
    now = await compute(call, at_a_glance)
    _compute_when_due(call, now.study)
    hidden, waits, kept = now.is_hidden, now.says.waits, now.kept
    return await show(
        call,
        "progress.html",
        now=now,
        verdict=now.verdict.html(),
        rows=sorted(now.people, key=lambda row: -(row.last_at or 0)),
        most=MOST_ROWS,
        about=partial(_about, len(now.study.gate_versions)),
        flagged=by_person(now.open_flags),
        agreement=[_agreement_row(now.study, each, call.now) for each in now.agreement],
        asked=title_of(now.study.analysis.agreement.coefficient),
        questions=PARTS,
        parts=await compute(call, _parts, address=home(call), kept=kept, glance=now, hidden=hidden),
        version=f"{kept.at if kept else 0}{'-hidden' if hidden else '-waits' if waits else ''}-{now.state}",
        known=call.request.query_params.get("known", ""),
        computed=kept and {"at": kept.at, "age": age(call.now - kept.at)},
        hidden=hidden,
        waits=waits,
        hour=await compute(call, _hour, people=now.people) if now.study.pay is not None else None,
        retention=await call.context.store.aread(acts.retention, call.session.study_id, now.study),
        stopped=await asyncio.to_thread(find_reached_stop, call.context.store, call.session.study_id, now.study),
    )


def _hour(store: Backend, study_id: int, study: Study, _now: int, people: Sequence[AnnotatorProgress]) -> HourlyRates:
    return store.read(rates_of, study_id, study, people)


def _about(gates: int, row: AnnotatorProgress, here: bool) -> list[str]:
    """Remarks about an annotator besides the numbers."""
    if row.elsewhere:
        passed = "from files" if here else ""
    else:
        passed = "" if row.gates >= gates else f"{row.gates} of {many(gates, 'gate')} passed"
    left_out = "left out of the report" if row.excluded or row.by_rule else ""
    said = (
        "left" if row.left else row.state if row.state != "active" else "",
        "" if row.left else passed,
        f"{left_out} by the study's rule" if row.by_rule else left_out,
        "simulated" * row.simulated,
        f"{count(row.declined)} declined" if row.declined else "",
    )
    return [each for each in said if each]


def _agreement_row(study: Study, now: agreement.LiveAgreement, at: int) -> dict[str, Any]:
    """The coefficient that the study reports first, of one dimension."""
    wanted = study.analysis.agreement
    found = {each.name: each for each in now.coefficients}
    # No other coefficient replaces one that is still being computed.
    main = None if wanted.coefficient in now.awaited else now.first(wanted.coefficient)
    near = found.get("within_one_agreement") or found.get("percent_agreement")
    return {
        "title": now.title(study),
        "comparisons": now.comparisons,
        "coefficient": main,
        "called": title_of(main.name) if main else title_of(wanted.coefficient),
        "awaited": wanted.coefficient in now.awaited,
        "undefined": main and main.name != wanted.coefficient and why_another(now.coefficients, wanted.coefficient),
        "near": near,
        "near_called": "within one point" if near and near.name == "within_one_agreement" else "the same",
        "age": age(at - now.as_of[main.name]) if main and main.name in now.as_of else "",
        "units": now.units(main or now.first(wanted.coefficient)),
        "now": next((each.value for each in now.now if main and each.name == main.name), None),
    }


@dataclass(frozen=True)
class Part:
    """The figures of one part of the page, and those that there are none of, with the reason."""

    drawn: list[tuple[str, str, Markup]]
    absent: list[tuple[str, str]]


NO_FIGURES = Part([], [])


def _parts(
    store: Backend,
    study_id: int,
    _study: Study,
    _now: int,
    *,
    address: str,
    kept: CachedResult | None,
    glance: AtAGlance,
    hidden: bool,
) -> dict[str, Part]:
    """The figures of each part, rendered. Cached for all viewers until there are new numbers.

    It takes hundreds of milliseconds, so it must not run in the event loop.
    """
    if kept is None:
        return dict.fromkeys(PARTS, NO_FIGURES)
    shown = [part for part in PARTS if not (hidden and part == "says")]
    with _drawing:
        mine, state = _drawn.setdefault(store, {}), (kept.at, glance.state, glance.says.waits)
        due = [part for part in shown if mine.get((study_id, part), (None,))[0] != state]
        leads = store.read(cache.get, study_id, cache.LEADS) if due else None
        for part in due:
            mine[study_id, part] = state, _draw(part, kept, address, glance, leads.content if leads else {})
        return {part: mine[study_id, part][1] if part in shown else NO_FIGURES for part in PARTS}


_drawn: WeakKeyDictionary[Backend, dict[tuple[int, str], tuple[tuple[int, str, bool], Part]]] = WeakKeyDictionary()
_drawing = threading.Lock()


def _draw(part: Any, kept: CachedResult, address: str, now: AtAGlance, leads: Leads) -> Part:
    content = kept.content["figures"]
    read = [(each, each.numbers_from_json(content[each.kind])) for each in all_figures(part) if each.kind in content]
    known = [(figure, _in_state(figure, numbers, now)) for figure, numbers in read if numbers is not None]

    def ways(kind: str) -> Ways:
        mine = leads.get(kind, {})

        def items(names: Sequence[str], about: str) -> str:
            if len(names) == 1:
                return f"{address}/item?{urlencode({'name': names[0]})}"
            # By its words, and not by the names of a thousand items: an address has room for so much.
            if about in mine:
                return f"{address}/items?{urlencode({'figure': kind, 'about': about})}"
            return f"{address}/items?{urlencode([('about', about), *(('item', name) for name in names)])}"

        return Ways(
            items,
            people=lambda _, about: f"{address}/people?{urlencode({'figure': kind, 'about': about})}",
            person=lambda name: f"{address}/annotator?{urlencode({'name': name})}",
            answers=lambda dimension: f"{address}/items?{urlencode({'dimension': dimension})}",
            files=lambda form: f"{address}/figure?{urlencode({'name': kind, 'as': form})}",
            leads=mine,
        )

    return Part(
        [
            (figure.kind, figure.question, draw(figure, numbers, ways(figure.kind), frame=charts.DESK))
            for figure, numbers in known
            if not isinstance(numbers, Nothing)
        ],
        [(figure.question, numbers.nothing) for figure, numbers in known if isinstance(numbers, Nothing)],
    )


def _in_state(figure: Figure[Any], numbers: Any, now: AtAGlance) -> Any:
    """The numbers of a figure in the study's present state; why there are none, where they are hidden until the end."""
    if figure.waits and now.says.waits:
        return Nothing("It is shown when the study is closed.")
    return numbers if isinstance(numbers, Nothing) else figure.in_state(numbers, now.state)


def _compute_when_due(call: Call, study: Study) -> None:
    """Start the slow computations in the background, unless they are running or up to date."""
    store, study_id, now = call.context.store, call.session.study_id, call.now
    under_way = _under_way.setdefault(store, set())
    if study_id in under_way:
        return

    async def compute_all() -> None:
        try:
            with keep_on("computing figures"):
                if (await store.aread(flags.state_of_work, study_id))[0] > child.MOST_HERE:
                    await run_apart(store, "assay.live.figures", call.session.study)
                else:
                    await asyncio.to_thread(figures.refresh, store, study_id, study, now)
                await asyncio.to_thread(acts.follow_exclusion_rules, store, study_id, now)
                await look_at_stop_rule(store, study_id, study, now)
        finally:
            under_way.discard(study_id)

    under_way.add(study_id)
    task = asyncio.create_task(compute_all())
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


_under_way: WeakKeyDictionary[Backend, set[int]] = WeakKeyDictionary()
_tasks: set[asyncio.Task[None]] = set()


async def style(call: Call) -> Response:
    """The style sheet of the figures."""
    return Response(css(), media_type="text/css; charset=utf-8")


async def progress(call: Call) -> Response:
    """The numbers of the work for a script."""
    study = await study_of(call)
    counts, rows = await _progress(call, study)
    agreed = await asyncio.to_thread(agreement_rows, call.context.store, call.session.study_id, study)
    return JSONResponse(
        {
            "study": call.session.study,
            "items": counts.items,
            "finished": counts.finished,
            "judges_alone": counts.judges_alone,
            **agreed,
            "annotators": [
                {
                    "annotator": row.annotator,
                    "gates": row.gates,
                    "given": row.given,
                    "submitted": row.submitted,
                    "declined": row.declined,
                    "simulated": row.simulated,
                    "active_seconds": None if row.active_ms is None else row.active_ms / 1000,
                    "from_files": row.from_files,
                    "last_at": None if row.last_at is None else as_time(row.last_at),
                    "left": row.left,
                    "state": row.state,
                    "excluded": row.excluded,
                    "excluded_by_rule": row.by_rule,
                }
                for row in rows
            ],
        }
    )


async def _progress(call: Call, study: Study) -> tuple[ItemCounts, list[AnnotatorProgress]]:
    counts = await call.context.store.aread(study_status.item_counts, call.session.study_id)
    rows = await call.context.store.aread(study_status.progress, call.session.study_id, study.gate_versions)
    return counts, rows


ENDPOINTS = [
    Endpoint("GET", "/coordinate/{study}", "coordinator", page, MenuEntry("Dashboard", 10)),
    Endpoint("GET", "/coordinate/{study}/figures.css", "coordinator", style),
    Endpoint("GET", "/coordinate/{study}/progress", "coordinator", progress),
]
