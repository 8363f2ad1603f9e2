"""The page of all items: what it finds, what everybody said, and the ways from it and to it."""

import csv
import re
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest

from assay import acts
from assay.live import figures
from assay.model import Flag
from assay.simulate import Character, simulate
from assay.store import Backend
from assay.store.coordinator import cache, flags, long_table, studies
from assay.store.coordinator.item_search import ItemFilter, neighbours, search_items
from assay.store.coordinator.record import By
from tests.conftest import T0, Bench, make_bench
from tests.pages import SCORES, text_of
from tests.web.annotator import Annotator, edited
from tests.web.test_manage import shown_to
from tests.web.test_oversight import Coordinator

ROW = re.compile(r'<tr[^>]*><th scope="row"[^>]*><a href="([^"]+)" data-row>([^<]+)</a>(.*?)</tr>', re.S)
ORDERED = ("emotion", "validation", "helpfulness", "safety", "overall")


def names_on(page: str) -> list[str]:
    return [name for _, name, _ in ROW.findall(page)]


def found(bench: Bench, **wanted: object) -> list[str]:
    filter_ = ItemFilter(**wanted)  # type: ignore[arg-type]
    return [each.name for each in bench.store.read(search_items, bench.study_id, filter_, (), limit=100).items]


def judge(bench: Bench, name: str, safety: str, count: int) -> Annotator:
    who = Annotator(bench, name).begin()
    for _ in range(count):
        who.submit({**SCORES, "safety": safety})
    return who


def by(bench: Bench) -> By:
    return By(bench.study_id, "cara", T0, "a reason")


ALL = [f"emp-00{number}" for number in range(1, 7)]


@pytest.fixture
def worked(store: Backend, tmp_path: Path) -> Bench:
    """Of six items one person has judged all and another all but one: far apart on safety, alike on the rest."""

    def edit(folder: Path) -> None:
        edited(analysis="\n  adjudicate_above: 1")(folder)
        file = folder / "items.csv"
        with file.open(encoding="utf-8", newline="") as old:
            rows = list(csv.reader(old))[: len(ALL) + 1]
        with file.open("w", encoding="utf-8", newline="") as new:
            csv.writer(new).writerows(rows)

    bench = make_bench(store, tmp_path / "study", edit=edit)
    judge(bench, "ana", "2", 6)
    judge(bench, "ben", "4", 5)
    return bench


def test_each_filter_finds_what_it_says(worked: Bench) -> None:
    assert found(worked) == ALL
    [held] = found(worked, unfinished=True)
    finished = [name for name in ALL if name != held]
    assert found(worked, spread_above=1.0, spread_of=ORDERED) == finished
    assert found(worked, spread_above=1.4142, spread_of=ORDERED) == finished
    assert found(worked, spread_above=1.4143, spread_of=ORDERED) == []
    assert found(worked, spread_above=0.0, spread_of=("emotion",)) == []
    assert found(worked, names=("emp-003", "emp-001")) == ["emp-001", "emp-003"]
    assert found(worked, words="EMP-00") == ALL
    assert found(worked, held_by="ben") == [held]
    assert found(worked, held_by="ana") == []
    by_system = [found(worked, system=system) for system in ("guided-lm", "plain-lm", "tuned-lm")]
    assert sorted(name for each in by_system for name in each) == ALL
    assert found(worked, system="plain-lm", names=tuple(by_system[1])) == by_system[1]
    assert found(worked, system="plain") == []


def test_who_holds_items_can_be_chosen(worked: Bench) -> None:
    [held] = found(worked, held_by="ben")
    coordinator = Coordinator(worked)
    page = coordinator.get("/items")
    [choices] = re.findall(r'<select id="held_by" name="held_by">(.*?)</select>', page, re.S)
    assert re.findall(r"<option[^>]*>([^<]+)</option>", choices) == ["Held by anybody or nobody", "Held by ben"]
    chosen = coordinator.get("/items?held_by=ben")
    assert f">{held}</a>" in chosen
    assert chosen.count("data-row") == 1
    assert '<option value="ben" selected>' in chosen
    assert 'type="hidden" name="held_by"' not in chosen, "it is chosen in one place"
    gone = coordinator.get("/items?held_by=ana")
    assert '<option value="ana" selected>' in gone, "whoever an address names is named, also without an item"


def test_what_was_taken_out_flagged_or_reported_is_found(worked: Bench) -> None:
    worked.store.write(acts.withdraw_item, by(worked), "emp-004")
    worked.store.write(flags.keep, worked.study_id, [Flag("too_fast", "ana", "why", ("emp-002",), {})], T0)
    assert found(worked, taken_out=True) == ["emp-004"]
    assert found(worked) == ALL
    assert found(worked, flagged=True) == ["emp-002"]
    assert found(worked, problem=True) == []
    [held] = found(worked, held_by="ben")
    ben = Annotator(worked, "ben").begin()
    form = {"csrf": ben.form()[1]["csrf"], "words": "a part is missing", "report": "p" * 22}
    assert ben.client.post(f"{ben.home}/problem/{shown_to(ben)}", data=form).status_code < 400
    assert found(worked, problem=True) == [held]


def test_a_text_is_found_as_people_write_it(bench: Bench) -> None:
    [one] = bench.store.read(search_items, bench.study_id, ItemFilter(names=("emp-001",)), ()).items
    text = next(value for value in one.shown.values() if isinstance(value, str) and len(value.split()) > 6)
    part = " ".join(text.split()[2:6])
    assert "emp-001" in found(bench, words=part.upper())
    assert found(bench, words="100%_no such words") == []


def test_a_page_goes_on_behind_and_before_an_item(worked: Bench) -> None:
    def some(**where: int) -> list[str]:
        page = worked.store.read(search_items, worked.study_id, ItemFilter(), (), limit=2, **where)
        return [each.name for each in page.items]

    first = worked.store.read(search_items, worked.study_id, ItemFilter(), (), limit=2)
    assert (first.before, first.after, first.total) == (False, True, 6)
    assert some(after=first.items[-1].id) == ALL[2:4]
    second = worked.store.read(search_items, worked.study_id, ItemFilter(), (), limit=2, after=first.items[-1].id)
    assert (second.before, second.after) == (True, True)
    assert some(before=second.items[-1].id) == ALL[1:3]
    ids = {each.name: each.id for each in first.items}
    assert worked.store.read(neighbours, worked.study_id, ItemFilter(), ids["emp-002"]) == ("emp-001", "emp-003")
    assert worked.store.read(neighbours, worked.study_id, ItemFilter(names=("emp-001", "emp-005")), ids["emp-001"]) == (
        "",
        "emp-005",
    )


def test_the_page_shows_what_everybody_said_and_how_far_apart_they_are(worked: Bench) -> None:
    coordinator = Coordinator(worked)
    page = coordinator.get("/items?dimension=safety&spread=1")
    assert "5 of 6 items, with a standard deviation above 1" in text_of(page)
    assert names_on(page) == found(worked, spread_above=1.0, spread_of=ORDERED)
    for _, _, row in ROW.findall(page):
        assert re.findall(r'data-distance="(\d)">(\d)', row) == [("1", "2"), ("1", "4")]
        assert 'data-label="Spread">1.41</td>' in row
    worked.store.write(acts.exclude, by(worked), "ben")
    left_out = coordinator.get("/items?dimension=safety")
    assert "data-left-out" in left_out
    assert "1.41" not in left_out


def test_an_item_that_is_far_apart_on_another_question_names_that_question(worked: Bench) -> None:
    coordinator = Coordinator(worked)
    rows = ROW.findall(coordinator.get("/items?dimension=emotion&spread=1"))
    assert len(rows) == 5
    for _, _, row in rows:
        [said] = re.findall(r'data-label="Spread">(.*?)</td>', row, re.S)
        assert text_of(said).split() == ["1.41", "Safety", "and", "boundaries"], (
            "not the 0.00 of the question that is shown"
        )
    assert 'data-label="Spread">0.00</td>' in coordinator.get("/items?dimension=emotion")


def test_what_is_far_apart_is_what_is_talked_over(sqlite_store: Backend, tmp_path: Path) -> None:
    """Also on a question that is answered by 0 or 1, and of people who are left out."""
    bench = make_bench(sqlite_store, tmp_path / "study", "in-car", edit=edited(analysis="\n  adjudicate_above: 0.5"))
    simulate(bench.store, bench.study.study, [Character(name) for name in ("ana", "ben", "cem")], seed=1, start=T0)
    bench.store.write(acts.exclude, by(bench), "cem")
    coordinator = Coordinator(bench)
    to_talk_over = re.findall(r'href="[^"]+/talk-over\?name=[^"]+">([^<]+)</a></th>', coordinator.get("/adjudicate"))
    assert to_talk_over
    assert sorted(names_on(coordinator.get("/items?spread=1"))) == sorted(to_talk_over)


def test_two_values_of_an_answer_say_whose_they_are(sqlite_store: Backend, tmp_path: Path) -> None:
    bench = make_bench(sqlite_store, tmp_path / "study", "trajectories", edit=edited(analysis="\n  blind: true"))
    simulate(bench.store, bench.study.study, [Character("ana", items=3)], seed=1, start=T0)
    of_sides = next(each.dimension for each in bench.study.scored_dimensions if each.scope.of == "side")
    of_pairs = next(each.dimension for each in bench.study.scored_dimensions if each.scope.of == "pair")
    coordinator = Coordinator(bench)
    assert "both candidates, the smaller one first" in text_of(coordinator.get(f"/items?dimension={of_sides}"))
    assert "both candidates" not in text_of(coordinator.get(f"/items?dimension={of_pairs}"))
    bench.store.write(studies.set_state, bench.study_id, "closed", T0)
    page = coordinator.get(f"/items?dimension={of_sides}")
    assert "both candidates, in the order in which their systems are named" in text_of(page)
    said = coordinator.bench.store.read(long_table.judgments, bench.study_id)
    name, row = next((name, row) for _, name, row in ROW.findall(page) if 'class="answer"' in row)
    named = re.findall(r'class="system">([^<,]+)', row)
    given = {each.candidate: each.value for each in said if (each.item, each.dimension) == (name, of_sides)}
    [answer] = re.findall(r'class="answer"[^>]*>([^<]+)', row)
    assert answer == " / ".join(f"{given[system]:g}" for system in named)


def test_an_item_is_opened_from_the_list_and_leads_along_it(worked: Bench) -> None:
    coordinator = Coordinator(worked)
    page = coordinator.get("/items?spread=1")
    names = names_on(page)
    address = unescape(next(address for address, name, _ in ROW.findall(page) if name == names[1]))
    one = coordinator.client.get(address).text
    ways = [unescape(each) for each in re.findall(r'<a href="([^"]+)" rel="(?:prev|next)">', one)]
    assert [f"name={names[0]}" in ways[0], f"name={names[2]}" in ways[1]] == [True, True]
    assert all("spread=1" in way for way in ways)
    last = coordinator.client.get(ways[1].replace(names[2], names[-1])).text
    assert 'rel="next"' not in last, "the list ends where the filter does"


def test_a_blind_study_names_no_system_in_its_list(bench: Bench, tmp_path: Path) -> None:
    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        text = file.read_text("utf-8").replace("study: empathy", "study: blind")
        file.write_text(text.replace("analysis:\n", "analysis:\n  blind: true\n"), "utf-8")

    blind = Coordinator(make_bench(bench.store, tmp_path / "blind", edit=edit))
    page = blind.get("/items?system=plain-lm")
    assert [system for system in ("guided-lm", "plain-lm", "tuned-lm") if f">{system}<" in page] == []
    assert "48 of 48 items" in text_of(page)


CELL = re.compile(r'<a href="([^"]+)"[^>]*><title>[^<]*</title><rect[^>]*f-cell[^>]*>.*?<text[^>]*>([^<]+)<', re.S)


def simulated(bench: Bench) -> tuple[Coordinator, str]:
    """The dashboard of a study that three people have finished."""
    cast = [Character(name, skill=skill) for name, skill in (("ana", 0.9), ("ben", 0.9), ("cleo", 0.1))]
    simulate(bench.store, bench.study.study, cast, seed=1, start=T0)
    coordinator = Coordinator(bench)
    figures.refresh(bench.store, bench.study_id, bench.study, T0)
    return coordinator, coordinator.get("")


def figure_on(page: str, kind: str) -> str:
    return page.partition(f'<figure class="figure" id="figure-{kind}"')[2].partition("</figure>")[0]


def test_a_mark_of_a_figure_leads_to_all_of_its_items(bench: Bench) -> None:
    coordinator, page = simulated(bench)
    cells = [(unescape(way), int(n)) for way, n in CELL.findall(figure_on(page, "confusion"))]
    assert max(n for _, n in cells) > 2
    for way, n in sorted(set(cells), key=lambda each: -each[1])[:12]:
        shown = coordinator.client.get(way).text
        assert len(names_on(shown)) == n, "as many as the cell counts"
        assert f"{n} of 48 items" in text_of(shown)
    bench.store.write(studies.set_state, bench.study_id, "closed", T0)
    compared = figure_on(coordinator.get(""), "comparisons")
    way = next(each for each in re.findall(r'<a href="([^"]+)" tabindex="-1"', compared))
    assert len(way) < 1000, "an address has no room for a hundred names"
    assert len(names_on(coordinator.client.get(unescape(way)).text)) > 10


def test_the_neighbours_of_an_item_are_those_of_its_mark(bench: Bench) -> None:
    coordinator, page = simulated(bench)
    way = next(unescape(way) for way, n in CELL.findall(figure_on(page, "confusion")) if 2 < int(n) < 40)
    names = names_on(listed := coordinator.client.get(way).text)
    first = coordinator.client.get(unescape(ROW.findall(listed)[0][0])).text
    assert re.search(
        rf'href="[^"]+name={names[1]}[^"]*"[^>]*rel="next"|rel="next"[^>]*href="[^"]+name={names[1]}', first
    )


def test_every_mark_of_every_figure_leads_somewhere(bench: Bench) -> None:
    coordinator, page = simulated(bench)
    for kind in re.findall(r'id="figure-([a-z_]+)" ', page):
        ways = {unescape(way) for way in re.findall(r'<a href="([^"]+)" tabindex="-1"', figure_on(page, kind))}
        assert ways, kind
        for way in sorted(ways)[:3]:
            answer = coordinator.client.get(way)
            assert answer.status_code == 200
            assert "No item is like this" not in answer.text, way
            assert "Nobody is like this" not in answer.text, way


def test_a_bar_of_the_funnel_leads_to_its_people(bench: Bench) -> None:
    coordinator, page = simulated(bench)
    way = next(way for way in re.findall(r'<a href="([^"]+/people[^"]+)"', page) if "Item+1" in way and "came" in way)
    shown = text_of(coordinator.client.get(unescape(way)).text)
    assert "Item 1: came so far" in shown
    assert "3 annotators." in shown
    assert all(name in shown for name in ("ana", "ben", "cleo"))


def test_a_mark_that_is_gone_leads_to_nothing_and_not_to_everything(bench: Bench) -> None:
    coordinator, _ = simulated(bench)
    shown = coordinator.get("/items?figure=confusion&about=something+else")
    assert names_on(shown) == []
    assert "No item is like this." in shown


def test_in_a_blind_study_no_mark_tells_which_items_are_of_a_system(bench: Bench, tmp_path: Path) -> None:
    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        text = file.read_text("utf-8").replace("study: empathy", "study: blind")
        file.write_text(text.replace("analysis:\n", "analysis:\n  blind: true\n"), "utf-8")

    for is_blind in (False, True):
        of = make_bench(bench.store, tmp_path / "blind", edit=edit) if is_blind else bench
        coordinator, _ = simulated(of)
        kept = of.store.read(cache.get, of.study_id, cache.LEADS)
        assert kept is not None
        asked = urlencode({"figure": "comparisons", "about": next(iter(kept.content["comparisons"]))})
        assert bool(names_on(coordinator.get(f"/items?{asked}"))) is not is_blind
