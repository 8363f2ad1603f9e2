"""The four questions at a glance: how far, how good, who waits, what it says. One sentence and one picture each.

It takes numbers and makes sentences; the dashboard hands over those of this moment, a report its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from markupsafe import Markup

from assay.in_words import count, day, duration, interval, join_with_and, many, number, some_of
from assay.render import Renderer
from assay.report import charts, text_width
from assay.report.agreement_line import decision_on, least_agreement
from assay.report.data import TOO_FEW
from assay.report.end_forecast import STALLED_AFTER, EndForecast
from assay.report.figures import PARTS, Part
from assay.report.figures.comparisons import ComparisonRow, ComparisonsFigureNumbers
from assay.report.headline import without_reason

DAY = 24 * 60 * 60 * 1000
MOST_DRAWN = 5
"""The most rows of a small picture."""
MOST_DOTS = 40
Tone = Literal["", "good", "act"]
"""`act`: somebody must do something. Nothing else is red."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One question with its answer: a number, a sentence, and what is drawn."""

    part: Part
    """Where it leads to."""
    question: str
    headline: str
    sentence: str
    tone: Tone = ""
    bar: tuple[float, float] | None = None
    """How much is done, and how much more is given out, as shares of the whole."""
    rows: Sequence["TileRow"] = ()
    """Estimates with their intervals."""
    line: float | None = None
    """What the study asks for, or zero."""
    dots: tuple[int, int] = (0, 0)
    """How many things somebody must see to at once, and how many more there are."""


@dataclass(frozen=True, slots=True)
class TileRow:
    """One estimate of a small picture."""

    name: str
    value: float
    ci: tuple[float, float] | None = None
    few: bool = False


@dataclass(frozen=True, slots=True)
class HowFar:
    """How much is judged, and when the rest is expected."""

    items: int
    finished: int
    """How many items have all their judgments."""
    begun: int = 0
    """How many more have some."""
    state: str = "open"
    pilot: int = 0
    last_at: int | None = None
    """When something was submitted last; None: never, or by files alone."""
    now: int | None = None
    forecast: EndForecast | None = None
    forecast_in: str = "day"
    held: int = 0
    """How many places people hold who have stopped."""
    held_by: int = 0
    judges_alone: int = 0
    """How many more items there are that people are not asked for."""

    @property
    def is_stalled(self) -> bool:
        """Whether nobody has worked for two days, though there is work."""
        waits = self.state == "open" and self.finished < self.items and self.last_at is not None
        return waits and (self.now or 0) - (self.last_at or 0) >= STALLED_AFTER


@dataclass(frozen=True, slots=True)
class AgreementOn:
    """The agreement on one dimension, or on one comparison of a preference."""

    title: str
    called: str
    value: float | None
    ci: tuple[float, float] | None
    n: int
    undecided: str = ""
    """Why the study's line is not held against it: another coefficient stands in the place of the study's."""
    awaited: str = ""
    """The study's coefficient, where it applies and is still being computed."""
    age: str = ""
    """How long ago it was computed, in words, where it is older than the data."""


@dataclass(frozen=True, slots=True)
class WhoWaits:
    """Who or what waits for a coordinator."""

    at_gates: Sequence[tuple[str, int | None]] = ()
    """Who waits at a gate, and since when."""
    flags: int = 0
    flagged: int = 0
    """Of how many people."""
    problems: int = 0
    apart: int = 0
    """How many items are to be talked over."""
    pilot_ready: bool = False
    now: int | None = None
    monitors: bool = True
    """Whether any monitor watches the study."""
    checked: bool = True
    """Whether monitors have looked at the work at all."""

    @property
    def nothing(self) -> str:
        """The sentence for when nothing waits. It claims no more than has been looked at."""
        if not self.monitors:
            return "Nobody waits, and no problem is reported. No monitor watches this study."
        if not self.checked:
            return "Nobody waits, and no problem is reported. Flags have not been looked for yet."
        return "No flag is open, nobody waits, and no problem is reported."


@dataclass(frozen=True, slots=True)
class WhatItSays:
    """Whether results may be looked at, and what they are."""

    state: str
    is_hidden: bool
    looks: bool
    comparisons: ComparisonsFigureNumbers | None
    why: str = ""
    """Why there is nothing to compare."""
    computed: bool = True
    """Whether the comparisons have been computed at all."""

    @property
    def waits(self) -> bool:
        """Whether intervals must wait for the end, since they are right for one look alone."""
        return not self.looks and self.state != "closed"


def how_far(work: HowFar) -> Tile:
    """How much is judged, and when the rest is expected, or that it is stalled."""
    if not work.items and work.judges_alone:
        waits = f"People's items are drawn when judges have judged all {count(work.judges_alone)} items."
        return Tile("moving", PARTS["moving"], "None drawn yet", waits)
    if not work.items:
        return Tile("moving", PARTS["moving"], "No items yet", "Import some.")
    headline = f"{count(work.finished)} of {many(work.items, 'item')}"
    whole = (work.finished / work.items, work.begun / work.items)
    held = ""
    if work.held:
        people = "one person who has stopped" if work.held_by == 1 else f"{work.held_by} people who have stopped"
        held = f" {many(work.held, 'place')} {'is' if work.held == 1 else 'are'} held by {people}."
    if work.finished >= work.items:
        return Tile("moving", PARTS["moving"], headline, f"All of it is judged.{held}", "good", whole)
    if work.state != "open":
        return Tile(
            "moving", PARTS["moving"], headline, f"The study is {work.state}: nobody gets items.{held}", "", whole
        )
    if work.is_stalled:
        idle = duration((work.now or 0) - (work.last_at or 0))
        return Tile("moving", PARTS["moving"], headline, f"Stalled: nobody has worked for {idle}.{held}", "act", whole)
    pilot = f"Pilot {work.pilot} is under way. " if work.pilot else ""
    return Tile("moving", PARTS["moving"], headline, f"{pilot}{_end_in_words(work)}{held}", "", whole)


def _end_in_words(work: HowFar) -> str:
    found = work.forecast
    if work.last_at is None:
        return "Nobody has begun."
    if found is None or found.end is None or found.end_range is None:
        return "It is too early to say when it ends." if found is None or found.why else "Work goes on."
    early, late = found.end_range
    soon = found.end - (work.now or found.end) < DAY
    end = "within a day" if soon else f"about {day(found.end)}"
    if soon and (late is None or late - (work.now or late) < DAY):
        return "At this pace it ends within a day."
    between = f"not before {day(early)}" if late is None else day(early) if day(early) == day(late) else ""
    return f"At this pace it ends {end} ({between or f'{day(early)} to {day(late or early)}'})."


def how_good(found: Sequence[AgreementOn], asked: float | None) -> Tile:
    """The weakest agreement against what the study asks for. Only the study's own coefficient can meet its line."""
    if awaited := next((each.awaited for each in found if each.awaited and each.n), ""):
        waits = f"{awaited[:1].upper()}{awaited[1:]} is being computed, and appears here as soon as it is ready."
        return Tile("good", PARTS["good"], "Being computed", waits)
    weakest = least_agreement(found)
    if weakest is None:
        judged = any(each.n for each in found)
        why = "Agreement is undefined so far." if judged else "No item has been judged by two people yet."
        return Tile("good", PARTS["good"], "No agreement yet", why)
    known = [each for each in found if each.value is not None]
    held = [each for each in known if not each.undecided] or known
    rows = [TileRow(each.title, each.value or 0.0, each.ci, each.n < TOO_FEW) for each in held]
    headline = f"{number(weakest.value)} {interval(weakest.ci)}".strip()
    about = "" if len(held) == 1 else "the weakest, "
    sentence = f"{weakest.called[:1].upper()}{weakest.called[1:]} on {about}{weakest.title}"
    sentence += f", {weakest.age}" if weakest.age else ""
    tone: Tone = ""
    if weakest.n < TOO_FEW:
        sentence += f"; {many(weakest.n, 'unit')}: too few to say."
    elif asked is None:
        sentence += "."
    else:
        verdict, tone = _against_line(found, weakest, asked)
        sentence += f"; asked for: {number(asked)}{verdict}."
    return Tile("good", PARTS["good"], headline, sentence, tone, rows=_lowest(rows), line=asked)


def _against_line(found: Sequence[AgreementOn], weakest: AgreementOn, asked: float) -> tuple[str, Tone]:
    """On how many topics agreement reaches what the study asks for, and on how many it is undecided; with the tone."""
    decisions = [decision_on(each, asked) for each in found]
    if missed := decisions.count("not met"):
        return ", not met" if len(found) == 1 else f", not met on {some_of(missed, len(found))}", "act"
    unsure = [each for each, decision in zip(found, decisions, strict=True) if decision == "undecided"]
    if not unsure:
        return ", and met", "good"
    if weakest.value is not None and weakest.ci is None and not weakest.undecided:
        return "; its interval is not there yet", ""
    why = _why_undecided(unsure)
    if len(unsure) == len(found):
        return f", undecided{why}", ""
    which = f"{unsure[0].title} is" if len(unsure) == 1 else f"{count(len(unsure))} are"
    return f", met on {some_of(len(found) - len(unsure), len(found))}; {which} undecided{why}", ""


def _why_undecided(found: Sequence[AgreementOn]) -> str:
    """The reason that these topics share, in few words; empty where they differ. The page behind the tile says more."""
    if any(each.n and each.value is None for each in found):
        return ""
    reasons = {without_reason(each.undecided) for each in found if each.n}
    if reasons == {""} and all(each.n for each in found) and len({each.ci is None for each in found}) == 1:
        if found[0].ci is None:
            return ": its interval is not there yet" if len(found) == 1 else ": their intervals are not there yet"
        return ": its interval contains that" if len(found) == 1 else ": their intervals contain that"
    return f": {reasons.pop()}" if len(reasons) == 1 and "" not in reasons else ""


def _lowest(rows: Sequence[TileRow]) -> list[TileRow]:
    return sorted(rows, key=lambda row: row.value)[:MOST_DRAWN]


def who_waits(found: WhoWaits) -> Tile:
    """Who cannot go on, and what is to be looked into."""
    gates = len(found.at_gates)
    parts = []
    if gates:
        since = min((at for _, at in found.at_gates if at is not None), default=None)
        waited = "" if since is None else duration((found.now or since) - since)
        longest = f" ({waited})" if gates == 1 and waited else f" (the longest: {waited})" if waited else ""
        who = many(gates, "person", "people")
        parts.append(f"{who} {'waits' if gates == 1 else 'wait'} at a gate{longest}")
    if found.pilot_ready:
        parts.append("the pilot waits for your decision")
    if found.problems:
        parts.append(f"{many(found.problems, 'problem')} with items")
    if found.flags:
        parts.append(f"{many(found.flags, 'flag')} about {many(found.flagged, 'person', 'people')}")
    if found.apart:
        parts.append(f"{many(found.apart, 'item')} to talk over")
    if not parts:
        is_known = found.checked or not found.monitors
        return Tile(
            "who", PARTS["who"], "Nobody" if is_known else "Not checked yet", found.nothing, "good" if is_known else ""
        )
    urgent, others = gates + found.pilot_ready + found.problems, found.flags + found.apart
    sentence = join_with_and(parts)
    return Tile(
        "who",
        PARTS["who"],
        f"{count(urgent + others)} to see to",
        f"{sentence[:1].upper()}{sentence[1:]}.",
        "act" if urgent else "",
        dots=(urgent, others),
    )


def what_it_says(found: WhatItSays) -> Tile:
    """The first comparison with its interval, where it may be looked at."""
    question = PARTS["says"]
    if found.is_hidden:
        return Tile("says", question, "Hidden", "This study is blind: how systems compare is shown when it is closed.")
    if found.waits:
        return Tile("says", question, "When it is closed", "Intervals are right for one look, after the last judgment.")
    if not found.computed:
        return Tile("says", question, "Being computed", "It appears here as soon as it is ready.")
    if found.comparisons is None:
        return Tile("says", question, "Nothing yet", found.why or "Nothing has been compared yet.")
    about = [row for row in found.comparisons.rows if row.dimension == found.comparisons.primary]
    first = _first(about)
    rows = [TileRow(row.pair, row.value, row.ci, row.few) for row in about if row.value is not None][:MOST_DRAWN]
    if first.value is None:
        return Tile("says", question, "Undecided", f"{first.pair} on {first.title}: {first.undefined}.")
    shown = "a difference is shown" if first.shown else "no difference is shown"
    if first.undecided:
        shown = f"undecided: {first.undecided}"
    verdict = f"too few {first.unit} to say" if first.few else shown
    look = ", at any look" if found.looks and found.state != "closed" else ""
    more = len(found.comparisons.rows) - 1
    others = f" {many(more, 'other comparison')} below." if more else ""
    sentence = f"{first.pair} on {first.title}; {verdict}{look}.{others}"
    return Tile("says", question, first.in_words(), sentence, rows=rows, line=0.0)


def _first(about: Sequence[ComparisonRow]) -> ComparisonRow:
    """The first of the study's comparisons that has a value."""
    return next((row for row in about if row.value is not None), about[0])


@dataclass(frozen=True)
class Verdict:
    """The four tiles."""

    tiles: Sequence[Tile] = field(default_factory=tuple)

    def html(self, address: str = "", targets: Mapping[str, str] | None = None) -> Markup:
        """The strip as HTML: each tile leads to its part of the page, or to where `targets` says."""
        leads = {tile.part: (targets or {}).get(tile.part, tile.part) for tile in self.tiles}
        return Markup(
            _renderer().html("four_tiles.html", tiles=self.tiles, address=address, leads=leads, picture=picture)
        )

    def lines(self) -> list[str]:
        """The tiles as lines of text."""
        return [f"{tile.question} {tile.headline}. {tile.sentence}" for tile in self.tiles]

    def as_json(self) -> list[dict[str, Any]]:
        """The tiles as JSON."""
        return [
            {"question": each.question, "headline": each.headline, "sentence": each.sentence, "act": each.tone == "act"}
            for each in self.tiles
        ]


def picture(tile: Tile) -> dict[str, Any] | None:
    """What the small picture of a tile is drawn from; None where there is nothing to draw."""
    if tile.rows:
        ends = [end for row in tile.rows for end in (row.ci or (row.value,))]
        ends += [tile.line] if tile.line is not None else []
        low, high = min(ends), max(ends)
        room = (high - low) * 0.06 or 0.5
        return {"kind": "rows", "axis": charts.Axis(low - room, high + room, 4, 236)}
    if tile.bar is not None:
        return {"kind": "bar"}
    urgent, others = tile.dots
    return {"kind": "dots", "dots": ([True] * urgent + [False] * others)[:MOST_DOTS]} if urgent + others else None


@cache
def _renderer() -> Renderer:
    return Renderer(Path(__file__).parent, charts=charts, text=text_width)
