"""Quantities as people and programs read them, each with the places where it stands and what they say.

A cell of a table is known by the heads of its table, a number of a text by the words around it. Pages are found and not
listed, so that a new one is read, too: what it says under the words of the others is compared with them.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from itertools import combinations
from pkgutil import iter_modules
from typing import Any
from urllib.parse import quote_plus

from assay.cli.status import gather_status
from assay.store.coordinator import sheets
from assay.web import coordinator as pages
from tests.conftest import Bench
from tests.pages import text_of
from tests.web.scripts import Script
from tests.web.test_oversight import Coordinator

FILES = {
    *("/backup", "/export", "/figure", "/figures.css", "/judge-cards", "/paper", "/pay.csv", "/pay-for-panel.csv"),
    *("/picture/{hash}", "/progress", "/questionnaire.csv"),
}
"""What is no page."""
SOME_ITEMS = 6
AT_WORK = "finished|idle|not begun|from files|the study is .+"
NUMBER = re.compile(r"([−+-]?\d[\d,]*(?:\.\d+)?)( %)?")

TABLES: tuple[tuple[tuple[str, ...], dict[str, str]], ...] = (
    (("Annotator",), {"Submitted": "submitted", "Declined": "declined", "Given": "given"}),
    (("Annotator",), {"Minutes active": "minutes", "Minutes of work": "minutes", "Amount": "amount"}),
    (("Annotator",), {"For an hour": "brings in an hour", "Not judged": "held, not judged", "Judged": "held, judged"}),
    (("Annotator",), {"Median of expected": "of the expected time", "Of expected": "of the expected time"}),
    (("Annotator",), {"Items judged": "items judged"}),
    (("Annotator", "Dimension"), {"Above the others": "above the others"}),
    (("Dimension",), {"Value": "agreement", "Agreement": "agreement", "95 % interval": "interval of agreement"}),
    (("Dimension", "System"), {"Mean": "mean"}),
    (("Dimension", "Pair"), {"Difference": "difference", "Value": "difference", "Judgments": "comparisons"}),
    (("Item", "Dimension"), {"Spread": "spread"}),
    (("Item", "Dimension", "Which"), {"Spread": "spread"}),
    (("Step",), {"People": "people at a step"}),
    (("System",), {"Items": "items of a system"}),
)
"""Heads of a table that tell its rows apart, and what stands under others of its heads."""
SAME_HEADS = {"Question": "Dimension", "Entry": "Item", "First − second": "Pair", "Systems": "Pair", "Of": "Which"}
TELL_APART = {"Annotator", "Dimension", "Item", "Pair", "Step", "System", "Which"}
OTHER_TABLES = ({"Between", "Variance"}, {"Answers", "Cannot be judged"})
"""Heads of tables that say something else under the same heads."""

SENTENCES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"Is work moving\? ([\d,]+) of ([\d,]+) items", ("items finished", "items")),
    (r"([\d,]+) of ([\d,]+) items are judged by", ("items finished", "items")),
    (r"([\d,]+) of ([\d,]+) are finished", ("items finished", "items")),
    (r"([\d,]+) of ([\d,]+) \(\d+ %\) items have all their judgments", ("items finished", "items")),
    (r"([\d,]+) of ([\d,]+) items lacks? judgments", ("items unfinished", "items")),
    (r"([\d,]+) of ([\d,]+) submissions are in", ("submissions", "places")),
    (r"n = ([\d,]+) submissions of ([\d,]+) planned", ("submissions", "places")),
    (r"annotators?, ([\d,]+) submissions", ("submissions",)),
    (r"([\d,]+) flags? (?:to look into|about|is open|are open)", ("open flags",)),
    (r"([\d,]+) items? to talk over", ("items to talk over",)),
    (r"([\d,]+) annotators? judged [\d,]+ items", ("people who judged",)),
    (r"([\d,]+) annotators?, [\d,]+ submissions", ("people who judged",)),
    (r"planned \(\d+ %\) by ([\d,]+) annotators?", ("people who judged",)),
    (r"n = ([\d,]+) annotators? invited", ("people",)),
    (r" People ([\d,]+) annotators?\.", ("people",)),
    (r"([\d,]+) places? (?:is|are) held by", ("places held",)),
    (r"([\d,.]+) [A-Z]{3} \(median\)", ("median of an hour",)),
)
ABOUT_DIMENSIONS = (
    r"Is it good\? (?P<value>[−\d.]+) (?P<ci>\[[^\]]+\]) [^;]*? on the weakest, (?P<of>[^;]+);",
    r"Least agreement on (?P<of>[^:]+): (?P<value>[−\d.]+) (?P<ci>\[[^\]]+\])",
    r"(?:Least agreement|Most): (?P<of>[^:;]+?), [^,:]* (?P<value>[−\d.]+) (?P<ci>\[[^\]]+\]), n",
)
OF_PERSON = (
    (r"([\d,]+) items? submitted", "submitted"),
    (r"([\d,]+) declined", "declined"),
    (r"([\d,.]+) min active", "minutes"),
    (r"([\d.]+) x of the time that is expected", "of the expected time"),
)


@dataclass
class Said:
    """Every quantity, with the places where it stands and what they say."""

    found: dict[tuple[str, ...], dict[str, list[Any]]] = field(default_factory=lambda: defaultdict(dict))

    def add(self, place: str, value: Any, *quantity: str) -> None:
        """Note a number of a program, which is exact, or one of a text, which is as exact as it is written."""
        if value is None or (isinstance(value, str) and not NUMBER.search(value)):
            return
        self.found[quantity].setdefault(place, []).append(value)

    def places(self, quantity: str) -> set[str]:
        """Where it stands, of whomever and whatever."""
        return {place for key, said in self.found.items() if key[0] == quantity for place in said}

    def differences(self) -> list[str]:
        """What is not said alike everywhere."""
        return [
            f"{': '.join(key)}: {said}"
            for key, said in self.found.items()
            for every in [[value for values in said.values() for value in values]]
            if not all(is_same(one, other) for one, other in combinations(every, 2))
        ]


def is_same(one: Any, other: Any) -> bool:
    """Whether both say the same, as far as the less exact of them goes; a text may say more than the other."""
    return all(map(is_near, numbers_of(one), numbers_of(other)))


def is_near(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Two numbers with their steps: where these are the same both were rounded alike, else each by half a step."""
    apart = 0.0 if one[1] == other[1] else (one[1] + other[1]) / 2
    return abs(one[0] - other[0]) <= apart + 1e-9


def numbers_of(said: Any) -> list[tuple[float, float]]:
    """Numbers, each with the step of its last digit."""
    if isinstance(said, int | float):
        return [(float(said), 0.0)]
    if isinstance(said, list | tuple):
        return [(float(each), 0.0) for each in said]
    written = [
        (each.replace(",", "").replace("−", "-"), 0.01 if percent else 1) for each, percent in NUMBER.findall(said)
    ]
    return [(float(each) * unit, unit * 10.0 ** -len(each.partition(".")[2])) for each, unit in written]


def words(part: str) -> str:
    """The text of a part of a page."""
    return re.sub(r"\s+", " ", text_of(part)).strip()


def name_in(cell: str) -> str:
    """What a row is about, without what stands small below it."""
    return words(re.sub(r"<(span|small)\b.*", "", cell, flags=re.S))


def tables_of(page: str) -> Iterator[list[dict[str, str]]]:
    """Each table, a row as what stands under each head."""
    for table in re.findall(r"<table.*?</table>", page, re.S):
        heads = [words(each) for each in re.findall(r'<th[^>]*scope="col"[^>]*>(.*?)</th>', table, re.S)]
        heads = [SAME_HEADS.get(each, each) for each in heads]
        rows = []
        for row in re.findall(r"<tr[^>]*>(.*?)</tr>", table.partition("<tbody")[2], re.S):
            cells = re.findall(r"<t([hd])[^>]*>(.*?)</t[hd]>", row, re.S)
            rows.append(
                dict(zip(heads, (name_in(each) if kind == "h" else words(each) for kind, each in cells), strict=False))
            )
        if rows:
            yield rows


def read_page(said: Said, place: str, page: str) -> None:
    """What its tables and its sentences say."""
    page = re.sub(r"<(style|script)\b.*?</\1>", "", page, flags=re.S)
    for rows in tables_of(page):
        if not any(each <= rows[0].keys() for each in OTHER_TABLES):
            read_table(said, place, rows)
    text = words(re.sub(r"<table.*?</table>", " ", page, flags=re.S))
    for pattern, quantities in SENTENCES:
        for found in re.finditer(pattern, text):
            for quantity, value in zip(quantities, found.groups(), strict=True):
                said.add(place, value, quantity)
    for pattern in ABOUT_DIMENSIONS:
        for found in re.finditer(pattern, text):
            said.add(place, found["value"], "agreement", found["of"])
            said.add(place, found["ci"], "interval of agreement", found["of"])


def read_table(said: Said, place: str, rows: list[dict[str, str]]) -> None:
    """Cells under heads that have a name here. A table whose rows are told apart by more is about something else."""
    for keys, columns in TABLES:
        if set(keys) != TELL_APART & rows[0].keys():
            continue
        for row in rows:
            if re.search(r" of .+ and ", row.get("Coefficient", "")):
                continue  # two people alone
            about = [re.sub(r" against | − ", " and ", row[each]) for each in keys if row[each]]
            for column, quantity in columns.items():
                said.add(place, row.get(column), quantity, *about)


def count_states(said: Said, place: str, states: Iterable[str]) -> None:
    """How many people are in each state."""
    for state, people in Counter(states).items():
        said.add(place, people, "people by state", state)


def read_person(said: Said, who: str, page: str) -> None:
    """The numbers of one person's own page, and the length of their list."""
    text = words(page)
    for pattern, quantity in OF_PERSON:
        if found := re.search(pattern, text):
            said.add("person", found[1], quantity, who)
    listed = next((rows for rows in tables_of(page) if "Submitted (UTC)" in rows[0]), [])
    said.add("items of a person", len(listed), "submitted", who)


def read_items(said: Said, title: str, page: str, people: set[str]) -> None:
    """The answers to one question, and how far they are apart."""
    for row in next((rows for rows in tables_of(page) if "First words" in rows[0]), []):
        said.add("items", row.get("Spread"), "spread", row["Item"], title)
        for who in people & row.keys():
            said.add("items", row[who], "answer", row["Item"], title, who)


def read_item(said: Said, item: str, page: str, titles: set[str]) -> None:
    """What was answered about one item: once, since whoever judged it twice has two rows."""
    rows = [row for rows in tables_of(page) for row in rows if "Seconds" in row]
    times = Counter(row["Annotator"] for row in rows)
    for row in rows:
        for title in titles & row.keys() if times[row["Annotator"]] == 1 else ():
            said.add("item", row[title], "answer", item, title, row["Annotator"])


def read_lists(said: Said, coordinator: Coordinator) -> None:
    """Lists, by how long they are."""
    page = coordinator.get("/items?unfinished=1")
    [found] = re.findall(r"([\d,]+) of ([\d,]+) items", words(page))
    said.add("unfinished items", found[0], "items unfinished")
    said.add("unfinished items", found[1], "items")
    said.add("rows of unfinished items", sum(len(rows) for rows in tables_of(page)), "items unfinished")
    said.add(
        "flags",
        sum(int(each) for each in re.findall(r"(\d+) flags?\b", words(coordinator.get("/flags")))),
        "open flags",
    )
    [people] = tables_of(coordinator.get("/people"))
    # Of those who are not left, paused or released the page also says whether they work.
    count_states(said, "people", (re.sub(rf"^({AT_WORK})$", "active", row["State"]) for row in people))
    for key in [key for key in said.found if key[0] == "people at a step" and key[1].startswith("All ")]:
        said.add("people", sum(row["State"] == "finished" for row in people), *key)
    if coordinator.bench.study.analysis.adjudicate_above is not None:
        apart = [row for rows in tables_of(coordinator.get("/adjudicate")) for row in rows if "Widest spread" in row]
        said.add("list to talk over", len(apart), "items to talk over")
        for row in apart:
            said.add("list to talk over", row["Widest spread"], "widest spread", row["Item"])
        [found] = re.findall(r"([\d,]+) of [\d,]+ items, with", words(coordinator.get("/items?spread=1")))
        said.add("items far apart", found, "items to talk over")


def read_scripts(said: Said, bench: Bench, progress: Mapping[str, Any]) -> None:
    """The numbers as programs get them: `assay status --json`, the page's own, the API."""
    script = Script(bench)
    status = gather_status(bench.store, bench.study_id, bench.study, bench.clock())
    api = {**script.get(), "annotators": script.get("/annotators")["annotators"], **script.get("/agreement")}
    for place, found in (("status", status), ("progress", progress), ("API", api)):
        said.add(place, found["finished"], "items finished")
        said.add(place, found["items"], "items")
        said.add(place, found["items"] - found["finished"], "items unfinished")
        said.add(place, len(found["annotators"]), "people")
        read_people(said, place, found["annotators"])
        read_agreement(said, place, found["agreement"])
    if status["pilot"] is None:  # while there is one, items of the main part have no places yet
        said.add("status", status["judgments"]["wanted"], "places")
    said.add("status", sum(each["open"] + each["judged"] for each in status["held"]), "places held")
    for row in status["held"]:
        said.add("status", row["open"], "held, not judged", row["annotator"])
        said.add("status", row["judged"], "held, judged", row["annotator"])
    for place, flags in (("status", status["flags"]), ("API", script.get("/flags")["flags"])):
        said.add(place, len([each for each in flags if each["state"] == "open"]), "open flags")
    waits = {each["about"]: each["open"] for each in script.get("/closing")["matters"]}
    said.add("closing in the API", waits["items"], "items unfinished")
    said.add("closing in the API", waits["places"], "places held")
    said.add("closing in the API", waits["flags"], "open flags")
    read_apart(said, bench, script, status)
    read_pay(said, script.get("/pay"))
    read_report(said, script.get("/report"))


def read_people(said: Said, place: str, rows: Iterable[Mapping[str, Any]]) -> None:
    for row in rows:
        for quantity in ("submitted", "declined", "given"):
            said.add(place, row[quantity], quantity, row["annotator"])
        if (seconds := row.get("active_seconds")) is not None:
            said.add(place, seconds / 60, "minutes", row["annotator"])
        if (minutes := row.get("active_minutes")) is not None:
            said.add(place, str(minutes), "minutes", row["annotator"])
    count_states(said, place, ("left" if row.get("left") else row["state"] for row in rows))


def read_agreement(said: Said, place: str, rows: Iterable[Mapping[str, Any]]) -> None:
    for row in rows:
        of = row["title"].replace(" against ", " and ")
        said.add(place, row["value"], "agreement", of)
        said.add(place, row["ci"], "interval of agreement", of)
        said.add(place, row.get("n_items"), "items of agreement", of)


def read_apart(said: Said, bench: Bench, script: Script, status: Mapping[str, Any]) -> None:
    """What is to be talked over."""
    if bench.study.analysis.adjudicate_above is None:
        return
    apart = script.get("/adjudications")["questions"]
    said.add("API", len({each["item"] for each in apart}), "items to talk over")
    said.add("API", len(apart), "questions to talk over")
    said.add("status", status["adjudicate"], "questions to talk over")
    for item in {each["item"] for each in apart}:
        widest = max(each["standard_deviation"] for each in apart if each["item"] == item)
        said.add("API", widest, "widest spread", item)
    for each in apart:
        if not each["system"] and not each["entry"]:
            title = bench.study.dimension(each["dimension"]).heading
            said.add("API", each["standard_deviation"], "spread", each["item"], title)


def read_pay(said: Said, found: Mapping[str, Any]) -> None:
    said.add("pay in the API", found["median_per_hour"], "median of an hour")
    for row in found["people"]:
        said.add("pay in the API", str(row["active_minutes"]), "minutes", row["annotator"])
        said.add("pay in the API", row["amount"], "amount", row["annotator"])
        said.add("pay in the API", row["per_hour"], "brings in an hour", row["annotator"])


def read_report(said: Said, report: Mapping[str, Any]) -> None:
    """The report's JSON."""
    place, overview = "JSON of the report", report["overview"]
    said.add(place, overview["items_finished"], "items finished")
    said.add(place, overview["items"], "items")
    said.add(place, overview["submissions"], "submissions")
    said.add(place, sum(judged > 0 for judged in overview["annotators"].values()), "people who judged")
    for system, items in overview["systems"].items():
        said.add(place, items, "items of a system", system)
    for who, items in overview["annotators"].items():
        said.add(place, items, "items judged", who)
    for row in report["missing"]["annotators"]:
        for quantity in ("submitted", "declined", "given"):
            said.add(place, row[quantity], quantity, row["annotator"])
    read_agreement(said, place, report["summary"]["agreement"])
    for each in report["agreement"]["dimensions"]:
        main = next(one for one in each["coefficients"] if one["name"] == each["main"])
        read_agreement(said, "agreement in the report", [{**main, "title": each["title"], "n_items": each["n_items"]}])
    for each in report["systems"]["values"]:
        for system in each["systems"]:
            mean = system["mean"]
            of = (each["title"], system["system"], *([each["value"]] if each["value"] else []))
            said.add(place, [mean["value"], *(mean["ci"] or ())], "mean", *of)


def addresses() -> set[str]:
    """The address of every page, found by its being there."""
    modules = (import_module(f"{pages.__name__}.{each.name}") for each in iter_modules(pages.__path__))
    endpoints = [each for module in modules for each in getattr(module, "ENDPOINTS", ())]
    return {each.path.removeprefix("/coordinate/{study}") for each in endpoints if each.method == "GET"} - FILES


def everything_said(bench: Bench) -> Said:
    """What the pages of a coordinator, `assay status`, the API and the report say of a study."""
    said, coordinator = Said(), Coordinator(bench)
    progress = coordinator.client.get(f"{coordinator.home}/progress").json()
    people = {row["annotator"] for row in progress["annotators"]}
    titles = {each.dimension: each.heading for each in bench.study.scored_dimensions}
    for place in sorted(addresses()):
        answer = coordinator.client.get(coordinator.home + place)
        if answer.status_code == 200:
            assert answer.content.lower().startswith(b"<!doctype html>"), f"{place} is no page: name it in FILES"
            read_page(said, place or "dashboard", answer.text)
        else:
            # It is about somebody or something, or this study has nothing to show there.
            assert answer.status_code in (404, 422), (place, answer.status_code)
    for who in people:
        page = coordinator.get(f"/annotator?name={quote_plus(who)}")
        read_page(said, f"page of {who}", page)
        read_person(said, who, page)
    for dimension, title in titles.items():
        read_items(said, title, coordinator.get(f"/items?dimension={dimension}"), people)
    for item in sorted(bench.store.read(sheets.item_names, bench.study_id))[:SOME_ITEMS]:
        read_item(said, item, coordinator.get(f"/item?name={quote_plus(item)}"), set(titles.values()))
    read_page(said, "close", coordinator.post("/state", state="closed").text)
    read_lists(said, coordinator)
    read_scripts(said, bench, progress)
    return said
