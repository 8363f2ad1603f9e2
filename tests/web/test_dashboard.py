"""The coordinator's first page: four questions in their order, figures with their age, and nothing before its time."""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote_plus

import pytest
from sqlalchemy import delete, insert, select

from assay import acts
from assay.acts import imports
from assay.items.imported_judgments import ImportedAnswers
from assay.live import agreement, figures
from assay.live.at_a_glance import at_a_glance
from assay.model import Slot
from assay.simulate import Character, simulate
from assay.store import Backend, open_store
from assay.store.coordinator import cache, sheets, studies
from assay.store.coordinator.record import By
from assay.store.tables import annotator, computed, person
from assay.web.coordinator import dashboard
from assay.web.coordinator.dashboard import age
from assay.web.pages import Pages
from assay.web.run_apart import run_apart as in_another_process
from tests.conftest import T0, Bench, Made, bench_of_copy, make_bench
from tests.loops import run_apart
from tests.pages import text_of
from tests.test_live_agreement import fill
from tests.web.annotator import edited, with_items
from tests.web.quantities import tables_of
from tests.web.test_oversight import Coordinator

HOUR, DAY = 3_600_000, 86_400_000
QUESTIONS = ["Is work moving?", "Is it good?", "Who needs a word?", "What does it say?"]


def with_judged_pairs(store: Backend) -> None:
    """Fill it with a study of pairs that two people have judged, and whose results are for the end."""
    with TemporaryDirectory() as folder:
        blind = edited(analysis="\n  blind: true")
        bench = make_bench(store, Path(folder) / "study", "dialog-pairs", edit=blind)
        simulate(store, bench.study.study, [Character("ana"), Character("ben", skill=0.4)], seed=1, start=T0)


@pytest.fixture
def played(request: pytest.FixtureRequest, made: Made, tmp_path: Path) -> Iterator[Bench]:
    store = open_store(made.database(with_judged_pairs, request, "sqlite", tmp_path))
    yield bench_of_copy(store, "dialog-pairs", T0 + 86_400_000, tmp_path / "study")
    store.close()


def drawn(page: str) -> list[str]:
    return re.findall(r'id="figure-([a-z_]+)"', page)


def test_four_questions_come_in_their_order_with_figures_tables_and_links_to_items(played: Bench) -> None:
    coordinator = Coordinator(played)
    first = coordinator.get()
    assert re.findall(r"<h2[^>]*>([^<]+)</h2>", first) == QUESTIONS
    page = coordinator.get()
    assert "Figures were computed" in text_of(page)
    assert "Completion (Linnet against Heron)" in text_of(page), "agreement on each comparison"
    found = drawn(page)
    assert {"progress", "funnel", "agreement", "time", "confusion"} <= set(found)
    assert page.count("The numbers as a table") == len(found), "each has its table"
    assert f'href="/coordinate/{played.study.study}/item?name=' in page
    assert page.index('id="figure-progress"') < page.index('id="figure-agreement"') < page.index('id="figure-time"')


def test_items_to_talk_over_are_named_where_the_tile_leads_to(sqlite_store: Backend, tmp_path: Path) -> None:
    bench = make_bench(sqlite_store, tmp_path / "study", edit=edited(analysis="\n  adjudicate_above: 1.5"))
    simulate(bench.store, bench.study.study, [Character("ana"), Character("ben", skill=0)], seed=1, start=T0)
    figures.refresh(bench.store, bench.study_id, bench.study, T0)
    page = Coordinator(bench).get()
    verdict, who = page.partition('id="verdict-now"')[2], page.partition('id="who-now"')[2].partition("</section>")[0]
    [apart] = re.findall(r"(\d+ items? to talk over)", text_of(verdict.partition("</section>")[0]))
    assert re.findall(r'<a href="[^"]+/adjudicate">([^<]+)</a>', who) == [apart]
    assert "nobody waits" not in text_of(who), "something does"


def test_people_who_have_stopped_or_finished_are_not_called_active(sqlite_store: Backend, tmp_path: Path) -> None:
    bench = make_bench(sqlite_store, tmp_path / "study", edit=with_items(6))
    cast = [Character("ana"), Character("ben", items=2), Character("cem", items=2)]
    simulate(bench.store, bench.study.study, cast, seed=1, start=T0)
    bench.link("dan")
    bench.store.write(acts.pause, By(bench.study_id, "cara", T0, "ill"), "cem")

    def states() -> dict[str, str]:
        [rows] = tables_of(Coordinator(bench).get("/people"))
        return {row["Annotator"]: row["State"] for row in rows}

    bench.clock.now = T0 + HOUR
    assert states() == {"ana": "finished", "ben": "active", "cem": "paused", "dan": "active"}
    bench.clock.now = T0 + 9 * DAY
    assert states() == {"ana": "finished", "ben": "idle", "cem": "paused", "dan": "not begun"}
    bench.store.write(studies.set_state, bench.study_id, "closed", bench.clock())
    closed = "the study is closed"
    assert states() == {"ana": "finished", "ben": closed, "cem": "paused", "dan": closed}


def test_people_are_found_by_a_part_of_their_name_and_by_their_state(sqlite_store: Backend, tmp_path: Path) -> None:
    bench = make_bench(sqlite_store, tmp_path / "study", edit=with_items(6))
    for name in ("heron-1", "heron-2", "linnet-1"):
        bench.link(name)
    own = select(annotator.c.id).where(annotator.c.name == "linnet-1").scalar_subquery()
    named = insert(person).values(study_id=bench.study_id, annotator_id=own, name="Ada Heron")
    bench.store.write(lambda connection: connection.execute(named))
    bench.store.write(acts.pause, By(bench.study_id, "cara", T0, "ill"), "heron-2")

    def people(query: str) -> list[str]:
        tables = tables_of(Coordinator(bench).get(f"/people?{query}"))
        return [re.split(r"\s", row["Annotator"])[0] for table in tables for row in table]

    assert people("words=HERON") == ["heron-1", "heron-2", "linnet-1"], "of the name, too, where it may be known"
    assert people("words=HERON-&state=paused") == ["heron-2"]
    assert people("state=paused") == ["heron-2"]
    assert people("words=nobody") == []
    assert "1 of 3 annotators." in text_of(Coordinator(bench).get("/people?state=paused"))


def test_one_place_that_somebody_holds_is_given_to_others_and_several_are(
    sqlite_store: Backend, tmp_path: Path
) -> None:
    bench = make_bench(sqlite_store, tmp_path / "study", edit=with_items(6))
    simulate(bench.store, bench.study.study, [Character("ana", items=2)], seed=1, start=T0)
    bench.clock.now = T0 + 9 * DAY
    assert "ana has stopped and holds 1 place. Give it to others" in re.sub(
        r"\s+", " ", text_of(Coordinator(bench).get())
    )
    simulate(bench.store, bench.study.study, [Character("ben", items=2)], seed=1, start=T0)
    assert "Give them to others" in re.sub(r"\s+", " ", text_of(Coordinator(bench).get()))


def test_the_figure_of_progress_of_a_closed_study_does_not_say_that_it_is_stalled(played: Bench) -> None:
    played.clock.now = T0 + 9 * 86_400_000
    figures.compute(played.store, played.study_id, played.study, played.clock())
    coordinator = Coordinator(played)
    about = "/figure?name=progress&as=svg"
    assert "Stalled: nothing has come in" in text_of(coordinator.get())
    assert ">stalled</text>" in coordinator.get(about)
    played.store.write(studies.set_state, played.study_id, "closed", played.clock())
    page = text_of(coordinator.get())
    assert "Stalled" not in page
    assert "submissions are in. The study is closed." in page
    assert ">stalled</text>" not in coordinator.get(about)


def test_before_monitors_have_looked_nothing_is_said_of_flags(played: Bench) -> None:
    at = (played.store, played.study_id, played.study, played.clock())
    before = at_a_glance(*at).verdict.tiles[2]
    assert before.headline == "Not checked yet"
    assert before.sentence.endswith("Flags have not been looked for yet.")
    figures.refresh(*at)
    assert at_a_glance(*at).verdict.tiles[2].headline != "Not checked yet"


def test_a_blind_study_hides_what_it_says_until_it_is_closed(played: Bench) -> None:
    coordinator = Coordinator(played)
    coordinator.get()
    page = coordinator.get()
    assert "This study is blind" in text_of(page)
    assert {"win_rates", "comparisons"}.isdisjoint(drawn(page))
    assert "wins − losses" not in page
    played.store.write(studies.set_state, played.study_id, "closed", played.clock())
    page = coordinator.get()
    assert {"win_rates", "comparisons"} <= set(drawn(page))
    assert "This study is blind" not in text_of(page)
    assert re.search(r"− \w+ on \w+; (no difference is shown|too few \w+ to say)\.", text_of(page)), (
        "the tile says it, too"
    )


@pytest.mark.parametrize("looks", [False, True])
def test_an_open_study_shows_how_systems_compare_only_where_that_may_be_looked_at(
    looks: bool, sqlite_store: Backend, tmp_path: Path
) -> None:
    edit = edited(analysis="\n  looks: any") if looks else None
    bench = make_bench(sqlite_store, tmp_path / "study", "dialog-pairs", edit=edit)
    simulate(bench.store, bench.study.study, [Character("ana"), Character("ben", skill=0.4)], seed=1, start=T0)
    figures.refresh(bench.store, bench.study_id, bench.study, T0 + 86_400_000)
    bench.clock.now = T0 + 86_400_000
    coordinator = Coordinator(bench)
    page = coordinator.get()
    shown, words = drawn(page), re.sub(r"\s+", " ", text_of(page))
    if looks:
        assert {"win_rates", "comparisons"} <= set(shown)
    else:
        assert "What does it say? When it is closed" in words
        assert {"win_rates", "comparisons"}.isdisjoint(shown)
        assert "wins − losses" not in page
        assert words.count("It is shown when the study is closed.") == 2, "their questions stand there, with the reason"
    bench.store.write(studies.set_state, bench.study_id, "closed", bench.clock())
    assert {"win_rates", "comparisons"} <= set(drawn(coordinator.get())), "drawn anew when the study is closed"


def test_four_tiles_answer_the_questions_and_lead_to_their_parts(played: Bench) -> None:
    coordinator = Coordinator(played)
    coordinator.get()
    page = coordinator.get()
    tiles = re.findall(r'<a class="tile" href="#(\w+)" data-tone="\w*">\s*<span[^>]*>([^<]+)</span>', page)
    assert tiles == list(zip(["moving", "good", "who", "says"], QUESTIONS, strict=True))
    assert all(f'<section class="part" id="{part}"' in page for part, _ in tiles)
    assert re.search(r'aria-current="page">Dashboard<', page), "the menu says where one is"
    assert re.search(r'aria-current="page">Items<', coordinator.get("/items"))
    name = sorted(played.store.read(sheets.item_names, played.study_id))[0]
    assert re.search(r'aria-current="true">Items<', coordinator.get(f"/item?name={quote_plus(name)}")), (
        "an item belongs to them"
    )


def test_a_coefficient_that_is_not_computed_yet_is_not_another_in_its_place(sqlite_bench: Bench) -> None:
    fill(sqlite_bench, items=30)
    coordinator = Coordinator(sqlite_bench)
    sqlite_bench.store.write(lambda connection: connection.execute(delete(computed)))  # as nobody had looked yet
    page = re.sub(r"\s+", " ", text_of(coordinator.get()))
    assert re.search(r"Is it good\? Being computed Weighted kappa \(linear\) is being computed", page)
    assert "Krippendorff" not in page, "nor in the list"
    figures.refresh(sqlite_bench.store, sqlite_bench.study_id, sqlite_bench.study, T0)
    page = re.sub(r"\s+", " ", text_of(coordinator.get()))
    assert re.search(r"Is it good\? −?0\.\d\d \[[^]]+\] Weighted kappa", page)


def test_what_was_computed_is_kept_shown_with_its_age_and_not_computed_again_for_nothing(played: Bench) -> None:
    at = played.store, played.study_id, played.study
    assert figures.is_outdated(*at, T0)
    figures.compute(*at, T0)
    agreement.compute(*at, T0)
    assert not figures.is_outdated(*at, T0 + 365 * 86_400_000), "nothing has happened since"
    coordinator = Coordinator(played)
    page = coordinator.get()
    assert "Figures were computed 1 day ago" in text_of(page)
    assert "(1 day ago" not in text_of(page), "agreement is that of these data still"
    item = sorted(played.store.read(sheets.item_names, played.study_id))[0]
    played.store.write(acts.withdraw_item, By(played.study_id, "dora", T0, "broken"), item)
    assert "(1 day ago" in text_of(coordinator.get()), "and now it is older than they are"


def test_something_new_is_computed_after_a_while_and_not_at_once(played: Bench) -> None:
    at = played.store, played.study_id, played.study
    figures.compute(*at, T0)
    kept = figures.cached_figures(*at)
    assert kept is not None
    changed = cache.CachedResult(kept.content, f"{played.study.hash} something else", T0)
    played.store.write(cache.put, played.study_id, cache.FIGURES, changed)
    assert not figures.is_outdated(*at, T0 + 1000)
    assert figures.is_outdated(*at, T0 + max(cache.AT_LEAST_MS, cache.PATIENCE * kept.content["took_ms"]))


def test_figures_that_another_version_computed_are_shown_as_far_as_they_are_known_and_computed_again(
    played: Bench,
) -> None:
    at = played.store, played.study_id, played.study
    figures.compute(*at, T0)
    kept = figures.cached_figures(*at)
    assert kept is not None
    numbers = {**kept.content["figures"], "agreement": {"n": 3, "wheel": [1]}, "pie": {"n": 3}}
    other = replace(kept, at=played.clock.now, content={**kept.content, "program": "9.9.9", "figures": numbers})
    played.store.write(cache.put, played.study_id, cache.FIGURES, other)
    page = Coordinator(played).get()
    assert {"progress", "time"} <= set(drawn(page))
    assert "agreement" not in drawn(page)
    assert figures.is_outdated(*at, T0 + 365 * 86_400_000)


def test_another_process_computes_what_takes_long_and_the_page_shows_it(played: Bench) -> None:
    run_apart(in_another_process(played.store, "assay.live.figures", played.study.study))
    kept = figures.cached_figures(played.store, played.study_id, played.study)
    assert kept is not None
    assert not agreement.is_stale(played.store, played.study_id, played.study)
    assert "agreement" in drawn(Coordinator(played).get())


def test_an_empty_study_says_why_there_is_nothing_to_see(sqlite_bench: Bench) -> None:
    coordinator = Coordinator(sqlite_bench)
    coordinator.get()
    page = coordinator.get()
    assert "Nobody is invited yet" in text_of(page)
    assert "questions have no figure" in text_of(page)
    assert "Traceback" not in page


def test_a_study_from_files_shows_neither_gates_nor_minutes_nor_a_forecast(sqlite_bench: Bench) -> None:
    bench = sqlite_bench
    given = [
        (f"emp-{at:03}", ImportedAnswers(who, False, {Slot("emotion"): 1 + (at + len(who)) % 5}))
        for at in range(1, 21)
        for who in ("R1", "R-2")
    ]
    bench.store.write(imports.take_in, By(bench.study_id, "cora", T0), bench.study, [], given, None)
    figures.compute(bench.store, bench.study_id, bench.study, T0)
    page = text_of(Coordinator(bench).get())
    assert "Items from files" in page
    assert "came from files: nothing is under way" in page
    assert {"funnel", "time", "drift", "progress"}.isdisjoint(drawn(Coordinator(bench).get()))
    for word in ("Minutes active", "Last seen", "declined", "gates passed", "ends about"):
        assert word not in page
    bench.store.write(acts.invite, By(bench.study_id, "cora", T0), ["ana"])
    page = text_of(Coordinator(bench).get())
    assert "Minutes active" in page, "somebody is to work here now"
    assert page.count("from files") > 2


@pytest.mark.parametrize(
    ("milliseconds", "said"), [(0, "0 seconds ago"), (59_999, "59 seconds ago"), (3_600_000, "1 hour ago")]
)
def test_an_age_is_said_in_words(milliseconds: int, said: str) -> None:
    assert age(milliseconds) == said


@pytest.mark.parametrize(("template", "said"), [("empathy", True), ("dialog-pairs", False)])
def test_the_list_of_annotators_says_what_it_counts_where_items_come_a_second_time(
    sqlite_store: Backend, tmp_path: Path, template: str, said: bool
) -> None:
    page = Coordinator(make_bench(sqlite_store, tmp_path / "study", template, whole=True)).get()
    words = "Submitted counts everything that came back, items that come a second time included"
    assert (words in text_of(page)) is said


def test_a_figure_of_the_dashboard_is_taken_along_in_five_forms(bench: Bench) -> None:
    simulate(bench.store, bench.study.study, [Character(name) for name in ("ana", "ben", "cleo")], seed=1, start=T0)
    figures.refresh(bench.store, bench.study_id, bench.study, T0)
    coordinator = Coordinator(bench)
    page = coordinator.get("")
    ways = [unescape(each) for each in re.findall(r'href="([^"]+/figure\?name=leniency[^"]+)" download', page)]
    found = {way.rpartition("=")[2]: coordinator.client.get(way) for way in ways}
    assert list(found) == ["svg", "png", "pdf", "csv", "tex"]
    for form, beginning in {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "csv": b"Annotator,"}.items():
        assert found[form].content.removeprefix(b"\xef\xbb\xbf").startswith(beginning), form
        assert f'filename="leniency.{form}"' in found[form].headers["content-disposition"]
    assert b"\\toprule" in found["tex"].content
    assert b"@font-face" in found["svg"].content, "it looks the same everywhere"
    assert b"17.5cm" in found["svg"].content
    assert b"8.5cm" in coordinator.client.get(f"{ways[0]}&columns=1").content
    assert coordinator.client.get(f"{coordinator.home}/figure?name=nothing&as=svg").status_code == 404
    for kind in set(re.findall(r'id="figure-([a-z_]+)" ', page)):
        assert coordinator.client.get(f"{coordinator.home}/figure?name={kind}&as=pdf").content.startswith(b"%PDF"), kind


def not_here(*_: object, **__: object) -> None:
    raise AssertionError("in this process it holds up everybody")


def test_a_figure_becomes_a_picture_in_another_process(sqlite_bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library that makes it lets no other thread go on, and saves would wait."""
    bench = sqlite_bench
    simulate(bench.store, bench.study.study, [Character("ana"), Character("ben")], seed=1, start=T0)
    figures.refresh(bench.store, bench.study_id, bench.study, T0)
    coordinator = Coordinator(bench)
    address = f"{coordinator.home}/figure?name=time&as=png"
    page = coordinator.client.get(address)
    monkeypatch.setattr("resvg_py.svg_to_bytes", not_here)
    assert page.content.startswith(b"\x89PNG")
    assert coordinator.client.get(address).content == page.content


def test_figures_are_drawn_and_the_page_is_written_beside_the_requests(
    played: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In threads: annotators do not wait for the hundreds of milliseconds that it takes."""
    figures.refresh(played.store, played.study_id, played.study, T0 + 1)
    done, page = [], "progress.html"

    def watch(place: Any, name: str, argument: int) -> None:
        do = getattr(place, name)

        def watched(*at: Any, **values: Any) -> Any:
            if at[argument] in ("moving", "good", "who", "says", page):
                with pytest.raises(RuntimeError, match="no running event loop"):
                    asyncio.get_running_loop()
                done.append(at[argument])
            return do(*at, **values)

        monkeypatch.setattr(place, name, watched)

    watch(dashboard, "_draw", 0)
    watch(Pages, "html", 1)
    coordinator = Coordinator(played)
    assert len(drawn(coordinator.get())) > 4
    assert done == ["moving", "good", "who", page, page], "once for all who look, and nothing of what is for the end"


def test_a_blind_study_gives_no_figure_of_systems_away(played: Bench) -> None:
    coordinator = Coordinator(played)
    assert "This study is blind" in text_of(coordinator.get(""))
    assert coordinator.client.get(f"{coordinator.home}/figure?name=comparisons&as=csv").status_code == 404
    assert coordinator.client.get(f"{coordinator.home}/figure?name=win_rates&as=csv").status_code == 404
