"""Many strangers at once, on a real server: as many get in as there are places, and nobody is lost on the way."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from assay.store import open_store
from assay.store.tables import annotator, arrival, submission
from tests.pages import SCORES, Forms
from tests.servers import assay, prepared, running
from tests.web.annotator import rows

CODES = "\n".join(
    f"{outcome}: {{code: CODE-{outcome}}}" for outcome in ("finished", "over_quota", "timed_out", "failed_gate")
)


def strangers_study(folder: Path, places: int, *, counted: bool) -> Path:
    """A study with so many places, where everybody judges one item: it says their number, or has work for no more."""
    where = prepared(folder, items=4, per_item=1000 if counted else places // 4)
    file = where / "study.yaml"
    most = f", at_most: {places}" if counted else ""
    plan = f"assignment:\n  enrol: {{panel: prolific{most}}}\n  per_annotator: 1\n"
    file.write_text(file.read_text("utf-8").replace("assignment:\n", plan, 1), "utf-8")
    (where / "panel.yaml").write_text(CODES, "utf-8")
    return where


class Stranger:
    """A browser without scripts, from an address of its own."""

    def __init__(self, port: int, number: int) -> None:
        self.root = f"http://127.0.0.1:{port}"
        self.opener = build_opener(HTTPCookieProcessor())
        self.opener.addheaders = [("X-Forwarded-For", f"10.0.{number // 200}.{number % 200 + 1}")]

    def ask(self, path: str, form: dict[str, str] | None = None) -> str:
        try:
            with self.opener.open(self.root + path, urlencode(form).encode() if form else None, timeout=120) as answer:
                return str(answer.read().decode())
        except HTTPError as error:
            return error.read().decode()


def play(port: int, link: str, number: int) -> str:
    """One stranger, from the panel's link to the code that they are given."""
    one = Stranger(port, number)
    page = one.ask(f"{link}?PROLIFIC_PID=p{number}&SESSION_ID=s{number}")
    if (form := Forms(page).to("/join")) is None:
        return code_on(page)
    page = one.ask(*form)
    for _ in range(10):
        if (form := Forms(page).to("/gate")) is not None:
            willing = {f"read-{part}": "yes" for part in range(20)} | {"choice": choice_on(page)}
            page = one.ask(form[0], {**form[1], **willing})
        elif (form := Forms(page).to("/submit/")) is not None:
            page = one.ask(form[0], {**form[1], **SCORES})
        else:
            break
    return code_on(page)


def choice_on(page: str) -> str:
    return "agree" if 'value="agree"' in page else "continue"


def code_on(page: str) -> str:
    return page.partition("CODE-")[2].partition('"')[0] or "lost"


@pytest.mark.parametrize(
    ("strangers", "places"),
    [(60, 20), pytest.param(300, 100, marks=pytest.mark.thorough("three hundred strangers"))],
)
@pytest.mark.parametrize("counted", [True, False], ids=["places", "work"])
def test_of_many_strangers_exactly_as_many_get_in_as_there_are_places_and_nobody_is_lost(
    database: str, tmp_path: Path, strangers: int, places: int, counted: bool
) -> None:
    where = strangers_study(tmp_path / "study", places, counted=counted)
    assay("import", where, "--database", database)
    # By the forwarded address of a trusted proxy each is alone; by the proxy's own all but one would have to wait.
    with running(where, database, "--behind-proxy", "--enrolments-per-minute", "1") as server:
        made = assay("invite", where, "--open", "--database", database)
        link = next(word for word in made.split() if "/join/" in word)
        with ThreadPoolExecutor(30) as pool:
            ended = Counter(pool.map(lambda n: play(server.port, link[link.index("/join") :], n), range(strangers)))
    assert ended == {"finished": places, "over_quota": strangers - places}
    store = open_store(database)
    assert Counter(row["outcome"] for row in rows(store, arrival)) == {"finished": places}
    assert len(rows(store, submission)) == places
    assert len(rows(store, annotator)) == places, "nobody else has agreed to anything"
    store.close()
