"""Every coordinator page of filled studies: numbers as people write them, and the same number wherever it stands."""

import html
import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote_plus

import pytest

from assay.live import figures
from assay.live.report_data import gather_with_fieldwork
from assay.model import Flag
from assay.report.build import build
from assay.simulate import Character, simulate
from assay.store import Backend
from assay.store.coordinator import flags, sheets, study_status
from assay.study import Study
from tests.conftest import T0, Bench, make_bench
from tests.pages import text_of
from tests.selection import first_of
from tests.web.annotator import edited
from tests.web.test_oversight import Coordinator

DAY = 86_400_000
THINGS = (
    "annotator|item|flag|judgment|link|place|problem|attempt|question|minute|hour|day|gate|group|difference|comparison"
)
WRONG = {
    "a power of ten": re.compile(r"(?<![\w.…])\d(?:\.\d+)?e[+-]?\d+\b"),
    "a p of zero": re.compile(r"\bp(?:-value)? (?:=|of)? ?[−-]?0(?:\.0+)?(?!\d|\.\d)"),
    "all of them, and one less": re.compile(r"\b(?!(\d+) of \1 )\d+ of \d+ (?:[a-z ]+)?\(100 %\)"),
    "one of them, as if it were several": re.compile(rf"(?<![\d,.:−-])1 (?:{THINGS}|person)s\b|(?<![\d,.])1 people\b"),
    "thousands run together": re.compile(r"(?<![\w.,:#/…-])(?!(?:19|20)\d\d\b)\d{4,9}(?![\w:-]| draws, seed)"),
    "a minus that is a hyphen": re.compile(r"(?<![\w\d)\].-])-\d+\.\d"),
    "a zero with a minus": re.compile(r"−0(?:\.0+)?(?![\d.])"),
    "a share without its space": re.compile(r"\d%"),
    "none of it, as words of a program": re.compile(r"\bNone\b(?! is| of|\.)|\b(?:nan|NaN|inf)\b"),
}


def filled(store: Backend, folder: Path, template: str) -> Bench:
    # One template names the line beyond which items are talked over itself.
    line = "" if template == "trajectories" else "\n  adjudicate_above: 0.5"
    bench = make_bench(store, folder, template, edit=edited(analysis=line), whole=True)
    cast = [Character("ana"), Character("ben", bias=0.3, speed=4), Character("cem", skill=0.3, items=5)]
    simulate(bench.store, bench.study.study, cast, seed=1, start=T0)
    bench.clock.now = T0 + 3 * DAY
    found = [Flag("too_slow", "ben", "6 of 24 items took longer than 1,480 s", (), {"slow": 6, "n": 24, "p": 0.0})]
    found += [Flag("leniency", "ana", "a reason", (), {"emotion.difference": -1480.5, "emotion.adjusted_p": 0.0})]
    figures.refresh(bench.store, bench.study_id, bench.study, bench.clock())
    bench.store.write(flags.keep, bench.study_id, found, bench.clock())
    return bench


@pytest.fixture
def study(request: pytest.FixtureRequest, sqlite_store: Backend, tmp_path: Path) -> Bench:
    return filled(sqlite_store, tmp_path / "study", request.param)


def studies(*names: str, others: Sequence[str] = ()) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("study", first_of(names, others, "on other templates"), indirect=True)


def pages_of(coordinator: Coordinator) -> dict[str, str]:
    """Every page that the menu and the dashboard lead to, and those of one person and one item."""
    first = coordinator.get()
    places = {address.removeprefix(coordinator.home) for address in re.findall(r'href="(/coordinate/[^"#]*)', first)}
    item = sorted(coordinator.bench.store.read(sheets.item_names, coordinator.bench.study_id))[0]
    places |= {"", "/new-version", "/annotator?name=ben", f"/item?name={quote_plus(item)}", "/flags"}
    places -= {"/figures.css", "/report", "/backup"}
    # Files for a paper are no pages; lists of items are alike.
    ours = [html.unescape(place) for place in sorted(places) if not place.startswith(("/items?", "/figure?"))]
    found = {place: coordinator.get(place) for place in ours}
    found["close"] = coordinator.post("/state", state="closed").text
    return found


def names_of_programs(study: Study) -> re.Pattern[str]:
    """Dimensions by their ids, where a title says it: those that nobody would write so."""
    ids = [each.dimension for each in study.rubric if "_" in each.dimension and each.dimension != each.heading]
    return re.compile(rf"(?<![\w.])(?:{'|'.join(ids)})(?![\w=:])") if ids else re.compile(r"(?!)")


@studies("empathy", "dialog-pairs", "in-car", others=("route-planning", "trajectories"))
def test_numbers_are_written_as_people_write_them(study: Bench) -> None:
    odd = odd_numbers(study, pages_of(Coordinator(study)))
    assert odd == [], "\n".join(map(str, odd))


def odd_numbers(study: Bench, pages: dict[str, str]) -> list[tuple[str, str, str, str]]:
    """What is wrong on these pages and in the report: what it is, where, and the words around it."""
    report = build(gather_with_fieldwork(study.store, study.study_id, study.study, study.clock(), alarms=False)).html()
    pages = {**pages, "the report": re.sub(r"<style>.*?</style>", "", report, flags=re.S)}
    wrong = {**WRONG, "an id in place of a title": names_of_programs(study.study)}
    return [
        (what, place, found.group(), said[max(0, found.start() - 40) : found.end() + 20])
        for place, page in pages.items()
        # In a drawing each text stands by itself: the end of an axis is no number of what comes next. What is code, or
        # what somebody wrote, is quoted as it is.
        for shown in [re.sub(r"<(code|pre|textarea)\b.*?</\1>", " ", page, flags=re.S)]
        for said in [re.sub(r"\s+", " ", text_of(shown.replace("</text>", " | </text>").replace("</td>", " | </td>")))]
        for what, pattern in wrong.items()
        for found in pattern.finditer(said)
    ]


@studies("empathy", "dialog-pairs")
def test_the_same_number_stands_wherever_it_is_shown(study: Bench) -> None:
    coordinator = Coordinator(study)
    pages = {place: re.sub(r"\s+", " ", text_of(page)) for place, page in pages_of(coordinator).items()}
    counts = study.store.read(study_status.item_counts, study.study_id)
    done = f"{counts.finished} of {counts.items}"
    assert f"{done} items" in pages[""], "the tile"
    assert f"{done} (" in pages["close"]
    script = coordinator.client.get(f"{coordinator.home}/progress").json()
    assert (script["finished"], script["items"]) == (counts.finished, counts.items)
    for row in script["annotators"]:
        person = re.sub(r"\s+", " ", text_of(coordinator.get(f"/annotator?name={row['annotator']}")))
        assert f"{row['submitted']} item{'' if row['submitted'] == 1 else 's'} submitted" in person
        assert re.search(rf"{row['annotator']} [^\d]*{row['submitted']} ", pages[""]), "the table of people"
    for row in script["agreement"]:
        if row["value"] is not None:
            value = f"{row['value'] + 0.0:.2f}".replace("-", "−")
            assert pages[""].count(value) >= 2, f"{row['title']}: in the list, in the figure and in its table"
    known = [each for each in script["agreement"] if each["value"] is not None]
    weakest = min(each["value"] for each in [each for each in known if each["n_items"] >= 20] or known)
    tile = f"{weakest + 0.0:.2f}".replace("-", "−")
    assert re.search(rf"Is it good\? {tile}", pages[""]), "the tile says the weakest"
    still_open = [each for each in study.store.read(flags.kept_flags, study.study_id) if each.state == "open"]
    n = len(still_open)
    flags_said = f"{n} flag{'' if n == 1 else 's'}"
    assert f"{flags_said} to look into" in pages[""]
    assert f"{flags_said} about" in pages[""]
    assert f"{flags_said} {'is' if n == 1 else 'are'} open" in pages["close"]
    assert len(re.findall(r"Why nothing is wrong", pages["/flags"])) == n


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("seconds 1.48e+03", "a power of ten"),
        ("adjusted p 0;", "a p of zero"),
        ("p = 0.0000.", "a p of zero"),
        ("239 of 240 (100 %)", "all of them, and one less"),
        ("1 annotators", "one of them, as if it were several"),
        ("4452 judgments", "thousands run together"),
        ("from -0.43 on", "a minus that is a hyphen"),
        ("−43 % [−73, −0]", "a zero with a minus"),
        ("less than 30% of the time", "a share without its space"),
    ],
)
def test_the_patterns_see_what_is_wrong(text: str, what: str) -> None:
    assert [name for name, pattern in WRONG.items() if pattern.search(text)] == [what]
    right = "240 of 240 (100 %), 21 items, 1 annotator, p = 0.031, p < 0.0001, 4,452 in 2026-11-17 10:00, −0.43 to 1.2"
    assert [name for name, pattern in WRONG.items() if pattern.search(right)] == []
