"""The four questions at a glance: their sentences, worked out by hand, and nothing before its time."""

from dataclasses import replace

import pytest

from assay.report.end_forecast import EndForecast
from assay.report.figures.comparisons import ComparisonRow, ComparisonsFigureNumbers
from assay.report.four_tiles import (
    DAY,
    AgreementOn,
    HowFar,
    Verdict,
    WhatItSays,
    WhoWaits,
    how_far,
    how_good,
    what_it_says,
    who_waits,
)

NOW = 1_800_000_000_000  # 15 January 2027
ENDS = EndForecast(pace=4.0, pace_ci=(3, 6), end=NOW + 3 * DAY, end_range=(NOW + 2 * DAY, NOW + 5 * DAY))
WORK = HowFar(items=48, finished=12, begun=6, last_at=NOW - DAY, now=NOW, forecast=ENDS)


def test_how_far_says_when_it_ends_and_who_holds_places() -> None:
    tile = how_far(replace(WORK, held=3, held_by=1))
    assert tile.headline == "12 of 48 items"
    assert tile.sentence == (
        "At this pace it ends about 18 Jan (17 Jan to 20 Jan). 3 places are held by one person who has stopped."
    )
    assert tile.bar == (0.25, 0.125)
    assert tile.tone == ""


@pytest.mark.parametrize(
    ("changed", "said", "tone"),
    [
        ({"last_at": NOW - 2 * DAY}, "Stalled: nobody has worked for 2 days.", "act"),
        ({"last_at": NOW - 2 * DAY + 1}, "At this pace it ends about 18 Jan (17 Jan to 20 Jan).", ""),
        ({"last_at": None, "forecast": None}, "Nobody has begun.", ""),
        ({"state": "paused", "last_at": NOW - 9 * DAY}, "The study is paused: nobody gets items.", ""),
        ({"finished": 48, "last_at": NOW - 9 * DAY}, "All of it is judged.", "good"),
        ({"forecast": EndForecast(why="it takes 3 hours")}, "It is too early to say when it ends.", ""),
    ],
)
def test_how_far_says_what_is_stalled_and_what_is_not(changed: dict[str, object], said: str, tone: str) -> None:
    tile = how_far(replace(WORK, **changed))  # type: ignore[arg-type]
    assert (tile.sentence, tile.tone) == (said, tone)


def on(title: str, value: float | None, ci: tuple[float, float] | None = None, n: int = 48) -> AgreementOn:
    return AgreementOn(title, "Krippendorff's alpha", value, ci, n)


def test_how_good_names_the_weakest_and_holds_it_against_the_studys_line() -> None:
    found = [on("Safety", 0.8, (0.7, 0.9)), on("Warmth", 0.5625, (0.41, 0.68))]
    tile = how_good(found, 0.4)
    assert tile.headline == "0.56 [0.41, 0.68]"
    assert tile.sentence == "Krippendorff's alpha on the weakest, Warmth; asked for: 0.40, and met."
    assert tile.tone == "good"
    assert [row.name for row in tile.rows] == ["Warmth", "Safety"], "the weakest first"
    below = how_good(found, 0.69)
    assert (below.tone, below.sentence.split("; ")[1]) == ("act", "asked for: 0.69, not met on 1 of 2.")
    assert how_good(found, None).sentence == "Krippendorff's alpha on the weakest, Warmth."
    assert how_good([on("Warmth", 0.1, n=19)], 0.6).tone == "", "too few to say"
    assert how_good([], 0.6).headline == "No agreement yet"
    assert how_good([on("Warmth", None)], 0.6).sentence == "Agreement is undefined so far."


@pytest.mark.parametrize("value", [0.5, 0.29], ids=["above the line", "below it"])
def test_a_line_within_the_interval_is_neither_met_nor_missed(value: float) -> None:
    tile = how_good([on("Warmth", value, (0.18, 0.75))], 0.4)
    assert tile.sentence == "Krippendorff's alpha on Warmth; asked for: 0.40, undecided: its interval contains that."
    assert tile.tone == ""
    both = how_good([on("Warmth", value, (0.18, 0.75)), on("Safety", 0.8, (0.7, 0.9))], 0.4)
    end = "asked for: 0.40, met on 1 of 2; Warmth is undecided: its interval contains that."
    assert (both.sentence.split("; ", 1)[1], both.tone) == (end, "")
    unsure = how_good([on("Warmth", value, (0.18, 0.75)), on("Safety", 0.8, (0.3, 0.9))], 0.4)
    assert unsure.sentence.endswith("asked for: 0.40, undecided: their intervals contain that.")


def test_agreement_below_the_line_without_an_interval_is_not_called_missed() -> None:
    tile = how_good([on("Warmth", 0.1)], 0.4)
    assert tile.sentence == "Krippendorff's alpha on Warmth; asked for: 0.40; its interval is not there yet."
    assert tile.tone == ""


def test_agreement_without_an_interval_is_not_called_met() -> None:
    tile = how_good([on("Warmth", 0.9)], 0.4)
    assert tile.tone == ""
    assert "met" not in tile.sentence
    assert tile.sentence == "Krippendorff's alpha on Warmth; asked for: 0.40; its interval is not there yet."


def test_a_line_is_not_held_against_another_coefficient_than_the_studys() -> None:
    why = "Cohen's kappa is undefined (no two annotators share enough items)"
    alpha = replace(on("Warmth", 0.5, (0.45, 0.6)), undecided=why)
    tile = how_good([alpha], 0.4)
    assert (tile.headline, tile.tone) == ("0.50 [0.45, 0.60]", "")
    short = "undecided: Cohen's kappa is undefined"
    assert tile.sentence == f"Krippendorff's alpha on Warmth; asked for: 0.40, {short}.", "why stands where it leads to"
    kappa = replace(on("Safety", 0.8, (0.7, 0.9)), called="Cohen's kappa")
    both = how_good([alpha, kappa], 0.4)
    assert (both.headline, both.tone) == ("0.80 [0.70, 0.90]", ""), "the study's own coefficient stands first"
    assert both.sentence == f"Cohen's kappa on Safety; asked for: 0.40, met on 1 of 2; Warmth is {short}."
    low = how_good([alpha, replace(kappa, value=0.2, ci=(0.1, 0.3))], 0.4)
    assert (low.tone, low.sentence) == ("act", "Cohen's kappa on Safety; asked for: 0.40, not met on 1 of 2.")
    nothing = how_good([on("Warmth", None), kappa], 0.4)
    assert nothing.tone == "", "what has no value at all is not met either"
    assert nothing.sentence.endswith("met on 1 of 2; Warmth is undecided.")


def test_the_weakest_is_the_least_of_those_with_enough_behind_them_and_all_are_counted() -> None:
    found = [on("Thoroughness", 0.71, (0.49, 0.84)), on("Correctness", 0.62, (0.36, 0.8)), on("Preference", 0.11, n=5)]
    tile = how_good(found, 0.4)
    assert tile.headline == "0.62 [0.36, 0.80]"
    end = "on the weakest, Correctness; asked for: 0.40, met on 1 of 3; 2 are undecided."
    assert tile.sentence == f"Krippendorff's alpha {end}"
    assert (tile.rows[0].name, tile.rows[0].few) == ("Preference", True), "drawn as one of too few"
    few = how_good([replace(each, n=5) for each in found], 0.4)
    assert few.sentence == "Krippendorff's alpha on the weakest, Preference; 5 units: too few to say."
    unsure = how_good([on("Warmth", 0.5, n=0) if each.n == 5 else each for each in found], 0.4)
    assert unsure.sentence.endswith("met on 1 of 3; 2 are undecided.")


def test_before_the_studys_coefficient_is_computed_no_other_stands_in_its_place() -> None:
    tile = how_good([replace(on("Warmth", 0.9, (0.8, 1.0)), awaited="Cohen's kappa")], 0.4)
    assert (tile.headline, tile.tone, tile.rows) == ("Being computed", "", ())
    assert tile.sentence == "Cohen's kappa is being computed, and appears here as soon as it is ready."
    says = what_it_says(WhatItSays("closed", is_hidden=False, looks=False, comparisons=None, computed=False))
    assert says.headline == "Being computed"


def test_who_waits_is_red_only_where_somebody_must_act() -> None:
    nobody = who_waits(WhoWaits())
    assert (nobody.headline, nobody.tone) == ("Nobody", "good")
    unknown = who_waits(WhoWaits(checked=False))
    assert (unknown.headline, unknown.tone) == ("Not checked yet", "")
    assert unknown.sentence == "Nobody waits, and no problem is reported. Flags have not been looked for yet."
    unwatched = who_waits(WhoWaits(checked=False, monitors=False))
    assert (unwatched.headline, unwatched.tone) == ("Nobody", "good")
    assert unwatched.sentence == "Nobody waits, and no problem is reported. No monitor watches this study."
    flags = who_waits(WhoWaits(flags=3, flagged=1, apart=1))
    assert (flags.headline, flags.tone) == ("4 to see to", "")
    assert flags.sentence == "3 flags about 1 person and 1 item to talk over."
    gate = who_waits(WhoWaits(at_gates=[("ana", NOW - 3 * DAY)], problems=1, pilot_ready=True, now=NOW))
    assert gate.tone == "act"
    assert gate.sentence == (
        "1 person waits at a gate (3 days), the pilot waits for your decision and 1 problem with items."
    )
    assert gate.dots == (3, 0)


def row(first: str = "tuned", dimension: str = "overall", **changed: object) -> ComparisonRow:
    made = ComparisonRow(
        dimension, "Overall", first, "plain", "points", 0.6, (0.2, 1.0), None, 48, "items", False, True
    )
    return replace(made, **changed)  # type: ignore[arg-type]


NUMBERS = ComparisonsFigureNumbers(48, False, "overall", "holm", 2, [row(dimension="safety", value=2.0), row()])


def test_what_it_says_waits_until_the_study_is_closed_or_may_be_looked_at() -> None:
    open_ = WhatItSays("open", is_hidden=False, looks=False, comparisons=NUMBERS)
    assert "0.6" not in Verdict([what_it_says(open_)]).html()
    assert what_it_says(open_).headline == "When it is closed"
    closed = what_it_says(replace(open_, state="closed"))
    assert closed.headline == "+0.60 [0.20, 1.00]"
    assert closed.sentence == "tuned − plain on Overall; a difference is shown. 1 other comparison below."
    looked = what_it_says(replace(open_, looks=True))
    assert looked.sentence.startswith("tuned − plain on Overall; a difference is shown, at any look.")
    for looks in (True, False):
        blind = what_it_says(replace(open_, is_hidden=True, looks=looks))
        assert (blind.headline, blind.rows) == ("Hidden", ())


def test_an_interval_that_ends_at_almost_nothing_has_no_zero_with_a_minus() -> None:
    net = row("tuned", "choice", measure="net", value=-0.43, ci=(-0.73, -0.004))
    assert net.in_words() == "−43 % [−73, 0]"


def test_what_is_said_first_does_not_depend_on_what_was_found() -> None:
    net = row("tuned", "choice", measure="net", value=0.25, ci=(0.1, 0.4))
    numbers = replace(NUMBERS, rows=[*NUMBERS.rows, net], primary="choice")
    tile = what_it_says(WhatItSays("closed", False, False, numbers))
    assert tile.headline == "+25 % [10, 40]"
    few = replace(NUMBERS, rows=[row(few=True, shown=False, n=5)])
    assert "too few items to say" in what_it_says(WhatItSays("closed", False, False, few)).sentence


def test_each_tile_leads_to_its_part_and_draws_its_numbers() -> None:
    tiles = [how_far(WORK), how_good([on("Warmth", 0.5, (0.4, 0.6))], 0.4), who_waits(WhoWaits(flags=2, flagged=1))]
    drawn = Verdict([*tiles, what_it_says(WhatItSays("closed", False, False, NUMBERS))]).html("/here")
    assert [f'href="/here#{part}"' in drawn for part in ("moving", "good", "who", "says")] == [True] * 4
    assert drawn.count("<svg") == 4
    assert drawn.count('class="f-light"') == 2, "a dot for each flag"
    assert 'width="60.0"' in drawn, "a quarter of 240"
