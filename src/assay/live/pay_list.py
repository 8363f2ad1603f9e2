"""The list for paying: who has done what, in how much time, with a suggestion and what it rests on.

A suggestion never says that somebody is not to be paid for work that they did: whoever decides looks at the evidence.
"""

from dataclasses import dataclass
from typing import Any

from assay.fieldwork import AnnotatorProgress
from assay.live.flags import current_flags
from assay.live.hourly_rates import HourlyRates, rates_of
from assay.live.report_data import monitor_data
from assay.panels import Panel, Payee
from assay.quality.failed_controls import controls_met
from assay.store import Backend
from assay.store.annotator.arrivals import setup_of
from assay.store.annotator.names import names_apart
from assay.store.coordinator import long_table, study_status
from assay.store.coordinator.arrivals import PanelPerson, panel_people
from assay.study import Study
from assay.study.pay import HOUR, Pay

COLUMNS = (
    *("annotator", "panel_id", "panel_session", "outcome", "code", "items", "active_minutes", "controls_passed"),
    *("controls", "decision", "evidence", "amount", "currency", "per_hour"),
    "name",
)
"""Of the file, in order."""
FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class PayRow:
    """One person."""

    annotator: str
    person: PanelPerson | None
    """As their panel knows them."""
    outcome: str
    """How it ended; empty: it goes on, or no panel has sent them."""
    code: str
    """The code that they were given."""
    items: int
    active_ms: int
    controls: int
    passed: int
    decision: str
    """pay, look (something is to be looked at first), wait (still at work) or none (nothing was done)."""
    evidence: tuple[str, ...]
    amount: float | None
    """None where the study does not say what is paid."""
    name: str = ""
    """What they are called apart from their work; empty: by the pseudonym alone."""

    @property
    def minutes(self) -> float:
        """Of work, idle time left out."""
        return self.active_ms / 60_000

    @property
    def per_hour(self) -> float | None:
        """What an hour of work brings."""
        return None if self.amount is None or not self.active_ms else self.amount * HOUR / self.active_ms

    def cells(self, currency: str, *, with_ids: bool = True) -> dict[str, Any]:
        """A line of the file. `with_ids`: with the name, and with what the panel knows the person by."""
        said = self.person.said if self.person is not None and with_ids else None
        return {
            "annotator": self.annotator,
            "panel_id": said.person if said else "",
            "panel_session": said.session if said else "",
            "outcome": self.outcome,
            "code": self.code if with_ids else "",
            "items": self.items,
            "active_minutes": round(self.minutes, 1),
            "controls_passed": self.passed,
            "controls": self.controls,
            "decision": self.decision,
            "evidence": "; ".join(self.evidence),
            "amount": None if self.amount is None else round(self.amount, 2),
            "currency": currency,
            "per_hour": None if self.per_hour is None else round(self.per_hour, 2),
            "name": self.name if with_ids else "",
        }


@dataclass(frozen=True, slots=True)
class PayList:
    """Everybody, and what an hour brings."""

    rows: list[PayRow]
    hour: HourlyRates
    """What an hour brings to everybody who has worked."""
    panel: Panel | None = None
    """Who has sent people; None: nobody has."""

    def for_panel(self) -> list[list[str]] | None:
        """The file that the panel takes, line by line; None where no panel sends people."""
        if self.panel is None:
            return None
        currency = self.pay.currency if self.pay is not None else ""
        return self.panel.pay_lines(
            [
                Payee(row.person.said, row.decision, row.code, row.amount, currency)
                for row in self.rows
                if row.person is not None
            ]
        )

    @property
    def pay(self) -> Pay | None:
        """What people get, as the study says."""
        return self.hour.pay

    @property
    def expected_per_hour(self) -> float | None:
        """What an hour would bring at the time that an item is expected to take."""
        return self.hour.expected

    def as_json(self, *, with_ids: bool = True) -> dict[str, Any]:
        """The list for a program to read."""
        currency = self.pay.currency if self.pay is not None else ""
        return {
            "people": [row.cells(currency, with_ids=with_ids) for row in self.rows],
            "median_per_hour": self.hour.rate_at(0.5),
            "tenth_per_hour": self.hour.rate_at(0.1),
            "expected_per_hour": self.expected_per_hour,
            "forecast_per_hour": None if self.hour.forecast is None else self.hour.forecast[0],
            "forecast_from": None if self.hour.forecast is None else self.hour.forecast[1],
            "floor": None if self.pay is None else self.pay.floor,
            "below_floor": self.hour.is_below_floor,
            "says": self.hour.sentences(),
            "for_panel": self.for_panel() if with_ids else None,
        }


def pay_list(store: Backend, study_id: int, study: Study, now: int) -> PayList:
    """Everybody who takes part or took part: no judges, no bots, nobody who is known from a file alone."""
    doubts: dict[str, list[str]] = {}
    for flag in current_flags(store, study_id, study, now):
        if flag.state == "open":
            doubts.setdefault(flag.annotator, []).append(flag.reason)
    judgments = list(store.stream(long_table.judgments, study_id, study.preference_dimensions, "item"))
    met = controls_met(monitor_data(store, study_id, study, judgments))
    sent, setup = store.read(panel_people, study_id), store.read(setup_of, study_id)
    called = store.read(names_apart, study_id)
    rows = []
    progress = store.read(study_status.progress, study_id, study.gate_versions)
    for each in progress:
        if each.simulated or each.elsewhere:
            continue
        person = sent.get(each.annotator)
        way = setup.way_back(person.outcome) if person is not None and person.outcome else None
        controls = met.get(each.annotator, {})
        evidence = _evidence(each, doubts.get(each.annotator, []))
        active = each.active_ms or 0
        rows.append(
            PayRow(
                annotator=each.annotator,
                person=person,
                outcome=person.outcome if person is not None else "",
                code=way.code if way is not None else "",
                items=each.submitted,
                active_ms=active,
                controls=len(controls),
                passed=sum(controls.values()),
                decision=_decision(each, person, evidence),
                evidence=tuple(evidence),
                amount=None if study.pay is None else study.pay.amount(each.submitted, active),
                name=called.get(each.annotator, ""),
            )
        )
    return PayList(rows, store.read(rates_of, study_id, study, progress), study.assignment.panel)


def _evidence(row: AnnotatorProgress, doubts: list[str]) -> list[str]:
    excluded = [f"left out of the report: {row.by_rule}" if row.by_rule else "left out of the report"]
    return [*(excluded if row.excluded or row.by_rule else []), *doubts]


def _decision(row: AnnotatorProgress, person: PanelPerson | None, evidence: list[str]) -> str:
    if not row.submitted:
        return "none" if row.left or (person is not None and person.outcome) else "wait"
    at_work = not person.outcome if person is not None else not row.left and row.submitted < row.given
    if at_work:
        return "wait"
    return "look" if evidence else "pay"
