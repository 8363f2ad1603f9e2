"""Every template in an annotator's browser: pages, sides that stay, blocks that wait, pictures, and nothing hidden."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from assay.model import CANDIDATES
from assay.simulate import Bot, Character, Clock, Forms, TrueQuality
from assay.store import Backend, open_store
from assay.store.coordinator import item_lookup
from assay.store.tables import assignment, draft, item, item_hidden, picture, submission
from assay.study.templates import template_names
from assay.web.app import ENDPOINTS, create_app
from assay.web.static_files import FOLDER
from tests.conftest import Bench, make_bench
from tests.pages import enter, item_form
from tests.selection import on_templates
from tests.straight_client import StraightClient
from tests.web.annotator import SCRIPT, Annotator, edited, read_csv, rows, write_csv
from tests.web.scripts import Script
from tests.web.test_blinding import LENGTH, Canaries

PAIRS = ["dialog-pairs", "trajectories"]
PROCESS = [f"{name}.{side}" for name in ("coherence", "efficiency", "thoroughness") for side in ("left", "right")]


@pytest.fixture
def sqlite_store(tmp_path: Path) -> Iterator[Backend]:
    opened = open_store(tmp_path / "assay.db")
    yield opened
    opened.close()


def answers_of(bench: Bench, address: str, name: str = "ana") -> dict[str, Any]:
    """What a careful bot would say of the item behind this address."""
    bot = Bot(Character(name), bench.study, TrueQuality(1, []), None, bench.store, "", Clock(0), 0)  # type: ignore[arg-type]
    return dict(bot.answers(bench.store.read(item_lookup.item_behind, address.rsplit("/", 1)[1])))


def pictures_on(page: str) -> list[str]:
    return re.findall(r'src="(/judge/[^"]+/picture/[0-9a-f]{64})"', page)


# Every template


@on_templates("empathy", "in-car", "route-planning")
def test_a_template_s_page_is_shown_after_its_gates_and_can_be_judged(
    name: str, sqlite_store: Backend, tmp_path: Path
) -> None:
    bench = make_bench(sqlite_store, tmp_path / name, name)
    ana = Annotator(bench).begin()
    address, hidden = ana.form()
    behind = sqlite_store.read(item_lookup.item_behind, address.rsplit("/", 1)[1])
    page = ana.page()
    for dimension in bench.study.rubric:
        if dimension.scope.of != "entries" or behind.shown[dimension.scope.entries]:
            assert dimension.heading in page
    assert ana.client.post(address, data=hidden, headers=SCRIPT).status_code == 422, "untouched"
    answer = ana.client.post(address, data={**hidden, **answers_of(bench, address)})
    assert answer.status_code == 200
    assert item_form(answer.text)[0] != address
    assert len(rows(sqlite_store, submission)) == 1


def test_guidelines_show_placeholders_as_the_page_does(sqlite_store: Backend, tmp_path: Path) -> None:
    ana = Annotator(make_bench(sqlite_store, tmp_path / "study", "dialog-pairs", whole=True))
    ana.enter()
    consent = Forms(ana.page()).to("/gate")
    assert consent is not None
    page = ana.client.post(consent[0], data={**consent[1], "choice": "agree"}, follow_redirects=True).text
    sections = []
    while (form := Forms(page).to("/gate")) is not None:
        sections.append(page)
        [section] = re.findall(r'name="(read-\d+)"', page)
        page = ana.client.post(form[0], data={**form[1], section: "yes"}, follow_redirects=True).text
    for page in ("".join(sections), ana.client.get(f"{ana.home}/guide").text):
        assert '<span class="chip" title="[hotel_phone]">phone number of the hotel</span>.' in page
        assert 'title="[hotel_pricerange] -ly">cheaply, moderately or expensively</span> priced' in page
        assert "kinds.css" in page, "which has the look of it"
        assert not re.search(r"(?<!\")\[(?:hotel|train|value)_\w+\]", page), "none is left as it stands in the file"


@pytest.mark.parametrize("name", PAIRS)
def test_sides_stay_as_they_are_over_reloads_and_devices(name: str, sqlite_store: Backend, tmp_path: Path) -> None:
    bench = make_bench(sqlite_store, tmp_path / name, name)
    ana = Annotator(bench).begin()
    first = ana.page()
    assert {ana.page() for _ in range(20)} == {first}
    elsewhere = Annotator(bench)
    elsewhere.enter()
    same = re.compile(r'name="csrf" value="[^"]*"')
    assert same.sub("", elsewhere.page()) == same.sub("", first)
    restarted = StraightClient(
        create_app(sqlite_store, bench.clock), base_url="http://testserver", cookies=ana.client.cookies
    )
    assert restarted.get(ana.home).text == first, "another server on the same store"


@pytest.mark.parametrize("name", PAIRS)
def test_the_page_shows_the_candidates_in_the_order_that_was_drawn(
    name: str, sqlite_store: Backend, tmp_path: Path
) -> None:
    bench = make_bench(sqlite_store, tmp_path / name, name)
    ways = set()
    for person in ("ana", "ben", "cem"):
        ana = Annotator(bench, person).begin()
        for _ in range(4):
            address, hidden = ana.form()
            behind = sqlite_store.read(item_lookup.item_behind, address.rsplit("/", 1)[1])
            [given] = [row for row in rows(sqlite_store, assignment) if row["public_id"] == address.rsplit("/", 1)[1]]
            assert list(behind.systems) == sorted(behind.systems, reverse=bool(given["swapped"]))
            ways.add(given["swapped"])
            answers = {**hidden, **answers_of(bench, address, person)}
            ana.send(address.replace("/submit/", "/draft/"), answers)
            ana.client.post(address, data={**answers, "draft": "1", **proofs(ana, address)})
    assert ways == {True, False}


# What is hidden


class Planter:
    """Puts one word into everything that is hidden: a text becomes that word and a number, the same text the same."""

    def __init__(self) -> None:
        self.canaries = Canaries()
        self.word = self.canaries.new("anything hidden")
        assert len(self.word) == LENGTH
        self.numbers: dict[str, int] = {}

    def text(self, text: str) -> str:
        return f"{self.word}{self.numbers.setdefault(text, len(self.numbers))}"

    def tree(self, value: Any) -> Any:
        """The same with every text hidden behind the word, and one more key in every mapping."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.tree(each) for each in value]
        if isinstance(value, dict):
            return {key: self.tree(each) for key, each in value.items()} | {self.text("key"): self.text("more")}
        return value

    def beside(self, row: dict[str, Any], *shown: str) -> dict[str, Any]:
        """A mapping of which some keys are shown."""
        hidden: dict[str, Any] = self.tree({key: value for key, value in row.items() if key not in shown})
        return hidden | {key: row[key] for key in shown if key in row}


def replace_in_study(folder: Path, old: str, new: str) -> None:
    path = folder / "study.yaml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def plant_empathy(planter: Planter, folder: Path) -> None:
    found = read_csv(folder / "items.csv")[:5]
    known = {each["eval_id"]: each for each in json.loads((folder / "mapping.json").read_text("utf-8"))}
    kept = [planter.tree(known[row["eval_id"]]) for row in found]
    write_csv(
        folder / "items.csv", [planter.beside({**row, "more": ""}, "user_statement", "response") for row in found]
    )
    (folder / "mapping.json").unlink()
    (folder / f"{planter.text('mapping')}.json").write_text(json.dumps(kept), "utf-8")
    replace_in_study(folder, "mapping.json", f"{planter.text('mapping')}.json")


def plant_route_planning(planter: Planter, folder: Path) -> None:
    found = read_csv(folder / "items.csv")[:5]
    write_csv(folder / "items.csv", [planter.beside({**row, "more": ""}, "prompt", "response") for row in found])
    (folder / "items.csv").rename(folder / f"{planter.text('items')}.csv")
    replace_in_study(folder, "source: items.csv", f"source: {planter.text('items')}.csv")


def plant_dialog_pairs(planter: Planter, folder: Path) -> None:
    def hidden(name: str) -> str:
        return "system" if name == "system" else planter.text(name)

    def turn(row: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = {key: row[key] for key in ("turn_num", "user", "system")}
        for key, value in row.items():
            one, versus, other = key.partition(" vs. ")
            if versus:
                labels = {
                    each: [word if word in ("Tie", "System") else hidden(word) for word in words]
                    for each, words in value.items()
                }
                found[f"{hidden(one)} vs. {hidden(other)}"] = labels | {planter.text("key"): planter.text("note")}
            elif key not in found:
                found[hidden(key)] = value
        return found | {planter.text("key"): {"deep": [planter.text("more")]}}

    path = folder / "dialogues.json"
    dialogues = json.loads(path.read_text("utf-8"))[:2]
    kept = [planter.beside(each, "info") | {"info": [turn(row) for row in each["info"]]} for each in dialogues]
    path.unlink()
    (folder / f"{planter.text('dialogues')}.json").write_text(json.dumps(kept), "utf-8")
    replace_in_study(folder, "source: dialogues.json", f"source: {planter.text('dialogues')}.json")


def plant_in_car(planter: Planter, folder: Path) -> None:
    for path in sorted((folder / "logs").rglob("*.json"))[:6]:
        log = json.loads(path.read_text("utf-8"))
        turns = [planter.beside(turn, "user", "system") for turn in log.pop("turns")]
        targets = {
            text: planter.beside(goal, "introduced_turn", "general") for text, goal in log.pop("targets").items()
        }
        target = folder / planter.text("logs") / planter.text(path.parent.name) / f"{planter.text(path.name)}.json"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(planter.tree(log) | {"turns": turns, "targets": targets}), "utf-8")
    shutil.rmtree(folder / "logs")
    replace_in_study(folder, "source: logs", f"source: {planter.text('logs')}")


def plant_trajectories(planter: Planter, folder: Path) -> None:
    shown = ("image_path", "image_alt", "question_text", "final_answer_a", "final_answer_b", "ground_truth")
    path = folder / "samples.json"
    data = json.loads(path.read_text("utf-8"))
    kept = []
    for sample in data.pop("samples")[:5]:
        ways = {
            key: [planter.beside(step, "operation", "arguments", "result", "reasoning") for step in sample.pop(key)]
            for key in ("trajectory_a", "trajectory_b")
        }
        hidden = folder / planter.text("images") / f"{planter.text(sample['image_path'])}.png"
        hidden.parent.mkdir(exist_ok=True)
        Image.open(folder / sample["image_path"]).save(hidden, pnginfo=None)
        kept.append(planter.beside(sample, *shown) | ways | {"image_path": str(hidden.relative_to(folder))})
    path.unlink()
    (folder / f"{planter.text('samples')}.json").write_text(json.dumps(planter.tree(data) | {"samples": kept}), "utf-8")
    replace_in_study(folder, "source: samples.json", f"source: {planter.text('samples')}.json")


PLANT: dict[str, Callable[[Planter, Path], None]] = {
    "dialog-pairs": plant_dialog_pairs,
    "empathy": plant_empathy,
    "in-car": plant_in_car,
    "route-planning": plant_route_planning,
    "trajectories": plant_trajectories,
}


def test_every_template_is_planted() -> None:
    assert sorted(PLANT) == sorted(template_names())


def proofs(ana: Annotator, address: str) -> dict[str, str]:
    """The proofs of what has come after the answers that are stored."""
    return {"seen": " ".join(ana.client.get(address.replace("/submit/", "/reveal/")).json()["seen"])}


def crawl(bench: Bench) -> list[bytes]:
    """Every answer that an annotator can get on the way through some items."""
    seen: list[bytes] = []

    def keep(response: Any) -> None:
        seen.append(f"{response.status_code} {response.url}\n{response.headers}\n".encode() + response.read())

    ana = Annotator(bench)
    ana.client.event_hooks = {"response": [keep]}
    ana.begin()
    home = ana.home
    for _ in range(4):
        page = ana.page()
        if "/submit/" not in page:
            break
        address, form = item_form(page)
        public_id = address.rsplit("/", 1)[1]
        for endpoint in ENDPOINTS:
            if endpoint.method == "GET" and "/judge/" in endpoint.path:
                known = {"study": bench.study.study, "public_id": public_id, "hash": "0" * 64, "position": "1"}
                path = endpoint.path.format(**known)
                for headers in ({}, SCRIPT):
                    ana.client.get(path, headers=headers)
        ana.send(f"{home}/ahead", {"csrf": form["csrf"], "after": "0"})
        ana.send(f"{home}/problem/{public_id}", {**form, "report": "a" * 12, "words": "odd"})
        ana.send(f"{home}/break", {"csrf": form["csrf"]})
        for path in pictures_on(page):
            ana.client.get(path)
        answers = answers_of(bench, address)
        half = dict(list(answers.items())[::2])
        ana.send(f"{home}/draft/{public_id}", {**form, **half})
        ana.client.get(f"{home}/reveal/{public_id}")
        for headers in ({}, SCRIPT):
            ana.client.post(address, data={**form, **half}, headers=headers)
        ana.send(f"{home}/draft/{public_id}", {**form, **answers, "draft": "1"})
        whole = {**form, **answers, "draft": "2", **proofs(ana, address)}
        ana.page()
        ana.send(address, whole)
        ana.send(address, whole)
        ana.client.get(f"{home}/reveal/{public_id}")
    for file in FOLDER.iterdir():
        ana.client.get(f"/static/{file.name}")
    return seen


@on_templates("dialog-pairs", "trajectories")
def test_nothing_hidden_reaches_an_annotator_of_any_template(name: str, sqlite_store: Backend, tmp_path: Path) -> None:
    planter = Planter()
    bench = make_bench(sqlite_store, tmp_path / "study", name, lambda folder: PLANT[name](planter, folder))
    hidden = str(rows(sqlite_store, item_hidden))
    assert hidden.count(planter.word) > 20, "it is in the store"
    assert not [row["shown"] for row in rows(sqlite_store, item) if planter.word in row["shown"]]
    answers = crawl(bench)
    assert len(rows(sqlite_store, submission)) >= 4
    assert len(answers) > 60
    assert [hit for answer in set(answers) for hit in planter.canaries.hits(answer)] == []

    client = bench.client()
    enter(client, bench.coordinator_link())
    assert planter.canaries.hits(client.get(f"/coordinate/{bench.study.study}").content), "else it could not fail"


# What waits for answers


TRUTH = "The reference is quokka."


def with_truth(folder: Path) -> None:
    path = folder / "samples.json"
    data = json.loads(path.read_text("utf-8"))
    for sample in data["samples"]:
        sample["ground_truth"] = TRUTH
    path.write_text(json.dumps(data), "utf-8")


@pytest.fixture
def trajectories(store: Backend, tmp_path: Path) -> Annotator:
    return Annotator(make_bench(store, tmp_path / "study", "trajectories", with_truth)).begin()


def revealed(who: Annotator) -> dict[str, str]:
    address, _ = who.form()
    answer = who.client.get(address.replace("/submit/", "/reveal/"))
    assert answer.status_code == 200
    return dict(answer.json()["blocks"])


def saved(who: Annotator, answers: dict[str, str]) -> list[int]:
    """Keep a draft; the answer says which blocks are due."""
    address, form = who.form()
    answer = who.send(address.replace("/submit/", "/draft/"), {**form, **answers})
    assert answer.status_code == 200
    return list(answer.json()["revealed"])


def test_the_reference_is_sent_once_the_process_scores_are_stored_and_not_before(trajectories: Annotator) -> None:
    scores = dict.fromkeys(PROCESS, "3")
    assert TRUTH not in trajectories.page()
    assert revealed(trajectories) == {}
    for left_out in PROCESS:
        some = {key: value for key, value in scores.items() if key != left_out}
        assert saved(trajectories, some) == []
        assert revealed(trajectories) == {}
        assert TRUTH not in trajectories.page()
    assert saved(trajectories, scores) == [3]
    assert TRUTH in revealed(trajectories)["3"]
    assert TRUTH in trajectories.page()


@pytest.mark.parametrize("value", ["", " ", "9", "x", "unable"])
def test_what_is_no_answer_reveals_nothing(trajectories: Annotator, value: str) -> None:
    assert saved(trajectories, {**dict.fromkeys(PROCESS, "3"), PROCESS[0]: value}) == []
    assert revealed(trajectories) == {}
    assert TRUTH not in trajectories.page()


def test_what_is_revealed_on_one_item_is_not_on_the_next(trajectories: Annotator) -> None:
    saved(trajectories, dict.fromkeys(PROCESS, "3"))
    after = trajectories.submit({**dict.fromkeys(PROCESS, "3"), **REST})
    assert after.status_code == 200
    assert TRUTH not in after.text
    assert revealed(trajectories) == {}


EARLY = {"correctness.left": "1", "correctness.right": "0"}
REST = {**EARLY, "preference": "left", "confidence": "3"}


def stored_answers(who: Annotator) -> dict[str, Any]:
    [kept] = rows(who.bench.store, draft)
    return dict(json.loads(kept["answers"]))


def test_what_is_about_the_reference_cannot_be_submitted_before_it_was_sent(trajectories: Annotator) -> None:
    address, form = trajectories.form()
    assert form["seen"] == ""
    answer = trajectories.send(address, {**form, **dict.fromkeys(PROCESS, "3"), **REST})
    assert answer.status_code == 422
    assert answer.json()["reasons"] == dict.fromkeys(EARLY, "Wait for “Reference answer”.")
    assert rows(trajectories.bench.store, submission) == []
    # That the scores are stored is not enough: the block itself brings the proof.
    saved(trajectories, dict.fromkeys(PROCESS, "3"))
    again = trajectories.send(address, {**form, "draft": "1", **dict.fromkeys(PROCESS, "3"), **REST})
    assert again.status_code == 422
    seen = trajectories.client.get(address.replace("/submit/", "/reveal/")).json()["seen"]
    form["seen"] = " ".join(seen)
    taken = trajectories.send(address, {**form, "draft": "1", **dict.fromkeys(PROCESS, "3"), **REST})
    assert taken.status_code == 200


def test_a_draft_keeps_no_answer_about_what_was_not_sent(trajectories: Annotator) -> None:
    saved(trajectories, {**dict.fromkeys(PROCESS, "3"), **REST})
    assert set(stored_answers(trajectories)) == {*PROCESS, "preference", "confidence"}
    saved(trajectories, {**dict.fromkeys(PROCESS, "3"), **REST})
    assert set(stored_answers(trajectories)) == {*PROCESS, *REST}, "the page has it by now, and its form says so"


def test_the_proof_of_one_item_is_none_of_another(trajectories: Annotator) -> None:
    saved(trajectories, dict.fromkeys(PROCESS, "3"))
    address, form = trajectories.form()
    proof = form["seen"]
    assert len(proof) == 20
    trajectories.send(address, {**form, **dict.fromkeys(PROCESS, "3"), **REST})
    next_address, next_form = trajectories.form()
    assert next_address != address
    answer = trajectories.send(next_address, {**next_form, "seen": proof, **dict.fromkeys(PROCESS, "3"), **REST})
    assert set(answer.json()["reasons"]) == set(EARLY)


def test_without_scripts_the_reference_comes_with_the_first_refusal(trajectories: Annotator) -> None:
    address, form = trajectories.form()
    page = trajectories.client.post(address, data={**form, **dict.fromkeys(PROCESS, "3"), **REST})
    assert page.status_code == 422
    assert TRUTH in page.text
    again, hidden = item_form(page.text)
    assert again == address
    checked = set(re.findall(r'<input[^>]*name="([^"]+)"[^>]*checked', page.text))
    assert checked == {*PROCESS, "preference", "confidence"}, "what came too early is to be answered again"
    assert trajectories.client.post(address, data={**hidden, **dict.fromkeys(PROCESS, "3"), **REST}).status_code == 200


def test_a_study_without_that_key_takes_every_answer_at_once(sqlite_store: Backend, tmp_path: Path) -> None:
    def edit(folder: Path) -> None:
        replace_in_study(folder, "before: [correctness]", "")

    ana = Annotator(make_bench(sqlite_store, tmp_path / "study", "trajectories", edit)).begin()
    assert ana.submit({**dict.fromkeys(PROCESS, "3"), **REST}).status_code == 200


def test_nobody_reveals_another_s_item(trajectories: Annotator) -> None:
    saved(trajectories, dict.fromkeys(PROCESS, "3"))
    address, _ = trajectories.form()
    ben = Annotator(trajectories.bench, "ben").begin()
    assert ben.client.get(address.replace("/submit/", "/reveal/")).status_code == 404


def test_nothing_of_the_reference_stands_in_the_rules_of_the_page(sqlite_store: Backend, tmp_path: Path) -> None:
    def edit(folder: Path) -> None:
        with_truth(folder)
        rule = "rules: [{required: comment, when: 'ground_truth == \"" + TRUTH + "\"'}]\n\ngates:\n"
        replace_in_study(folder, "\ngates:\n", "\n" + rule)

    ana = Annotator(make_bench(sqlite_store, tmp_path / "study", "trajectories", edit)).begin()
    assert TRUTH not in ana.page()


# Pictures


def test_a_picture_is_served_as_a_picture_and_nothing_else(trajectories: Annotator) -> None:
    [path] = set(pictures_on(trajectories.page()))
    answer = trajectories.client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers.get_list("content-security-policy")
    assert answer.headers.get_list("cache-control") == ["private, max-age=31536000, immutable"]


@pytest.mark.parametrize("name", ["0" * 64, "none", "..%2f..%2fassay.db", "%00", "street.png"])
def test_a_picture_that_there_is_not_is_not_found(trajectories: Annotator, name: str) -> None:
    assert trajectories.client.get(f"{trajectories.home}/picture/{name}").status_code == 404


def test_a_picture_of_another_study_is_not_found(store: Backend, tmp_path: Path) -> None:
    def other_pictures(folder: Path) -> None:
        edited(study="other")(folder)
        for path in (folder / "images").iterdir():
            with Image.open(path) as image:
                turned = image.rotate(180)
            turned.save(path)

    here = Annotator(make_bench(store, tmp_path / "here", "trajectories")).begin()
    there = Annotator(make_bench(store, tmp_path / "there", "trajectories", other_pictures)).begin()
    [path] = set(pictures_on(here.page()))
    name = path.rsplit("/", 1)[1]
    assert name in {row["hash"] for row in rows(store, picture)}
    assert here.client.get(path).status_code == 200
    assert there.client.get(f"{there.home}/picture/{name}").status_code == 404
    assert there.client.get(path).status_code == 401
    assert CANDIDATES not in here.page()


# What was answered before something was shown is kept as it was


def recorded(who: Annotator) -> list[str]:
    """What is kept beside the last submission."""
    return list(json.loads(rows(who.bench.store, submission)[-1]["overridden"]))


WAS = [f"{PROCESS[0]} was 3 before more was shown"]


@pytest.mark.parametrize("by_form", [False, True], ids=["draft", "form without scripts"])
def test_an_answer_that_was_changed_after_a_peek_is_recorded_as_it_was(trajectories: Annotator, by_form: bool) -> None:
    scores = dict.fromkeys(PROCESS, "3")
    if by_form:
        assert TRUTH in trajectories.submit(scores).text
    else:
        saved(trajectories, scores)
    saved(trajectories, {})
    assert TRUTH not in trajectories.page(), "taken back, and what was seen is still known"
    later = {**scores, PROCESS[0]: "5"}
    saved(trajectories, later)
    assert trajectories.submit({**later, **REST}).status_code == 200
    assert recorded(trajectories) == WAS


def test_an_answer_that_is_what_it_was_is_not_recorded(trajectories: Annotator) -> None:
    scores = dict.fromkeys(PROCESS, "3")
    saved(trajectories, {**scores, PROCESS[0]: "2"} | {PROCESS[1]: ""})
    saved(trajectories, scores)
    saved(trajectories, {**scores, PROCESS[0]: "5"})
    saved(trajectories, {**scores, **REST})
    trajectories.submit({**scores, **REST})
    assert recorded(trajectories) == []


def test_a_script_that_peeks_by_a_draft_is_recorded_too(trajectories: Annotator) -> None:
    script = Script(trajectories.bench)
    where = f"/annotators/{trajectories.name}/assignments"
    [given] = script.get(where)["assignments"]
    scores = dict.fromkeys(PROCESS, 3)
    drafted = script.send("POST", f"{where}/{given['assignment']}/draft", {"answers": scores}, 200)
    assert TRUTH in str(drafted["shown"])
    answers = {**scores, PROCESS[0]: 5, "correctness.left": 1, "correctness.right": 0, "preference": "left"}
    body = {"answers": {**answers, "confidence": 3}, "seen": drafted["seen"]}
    script.send("POST", f"{where}/{given['assignment']}/judgments", body, 201)
    assert recorded(trajectories) == WAS
