"""What the campaigns of `tools.attack` work on: a real server on this machine, two studies, everybody who could ask.

Whatever may be shown holds scripts, and whatever is hidden holds a word that nobody may see.
"""

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
from ruamel.yaml import YAML
from tools.processes import Failed, server

from assay import acts
from assay.items.reader import read_items
from assay.simulate import Forms
from assay.store import Backend, open_store
from assay.store.coordinator import imports, studies, tokens
from assay.store.coordinator.record import By
from assay.store.coordinator.tokens import SCOPES
from assay.store.engine.archive import columns_of, rows_of, table_names
from assay.store.upkeep.verify import COMES_AND_GOES
from assay.study import Study, load
from assay.study.templates import copy_template

MARK = "xatk"
PAYLOADS = [
    f"<script>{MARK}()</script>",
    f"<img src=x onerror={MARK}()>",
    f"<{MARK}>",
    f'"><{MARK} {MARK}=1>',
    f"'><svg/onload={MARK}()>",
    f"</textarea><{MARK}>",
    f"</script><{MARK}>",
    f"--><{MARK}>",
    f"]]><{MARK}>",
    f"[a](javascript:{MARK}())",
    f"![a](x onerror={MARK}())",
    f"{{{{ 7*7 }}}}{{% raw %}}<{MARK}>",
    f"&lt;{MARK}&gt;&#60;{MARK}&#62;",
    f"\u2028<{MARK}>\u202e",
]
HIDDEN = ("model_tag", "sample_id", "judge_score", "comment_of_author", "file_name")
ANSWERS = {"emotion": "3", "validation": "4", "helpfulness": "2", "safety": "3", "overall": "1"}
LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass
class Scene:
    """Two studies on one server, with everybody who could ask for something."""

    address: str
    folder: Path
    store: Backend
    study: Study
    study_id: int
    canaries: dict[str, str]
    visitors: dict[str, httpx2.Client] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    csrf: dict[str, str] = field(default_factory=dict)
    form: dict[str, str] = field(default_factory=dict)
    """The annotator's form, as their page has it."""
    item: str = ""
    link: str = ""

    def client(self) -> httpx2.Client:
        """A browser that nobody knows."""
        return httpx2.Client(base_url=self.address, timeout=60)

    def stored(self) -> dict[str, list[str]]:
        """All that is stored, but for what comes and goes by itself."""
        passing = COMES_AND_GOES - {"draft", "session"}

        def ask(connection: Any) -> dict[str, list[str]]:
            names = [name for name in table_names(connection) if name not in passing]
            return {name: sorted(map(repr, rows_of(connection, name, columns_of(connection, name)))) for name in names}

        return self.store.read(ask)


@contextmanager
def scene(folder: Path) -> Iterator[Scene]:
    """Make the studies, start the server, and let everybody in."""
    now = time.time_ns() // 1_000_000
    canaries = {name: f"canary{secrets.token_hex(8)}" for name in HIDDEN}
    store = open_store(folder / "assay.db")
    try:
        study, study_id = _study(folder / "study", store, canaries, now)
        _, other_id = _study(folder / "other", store, {}, now, name="other")
        with server(folder / "study", database=folder / "assay.db") as address:
            if urlsplit(address).hostname not in LOOPBACK:
                raise Failed(f"{address} is not this machine: campaigns run against it alone")
            found = Scene(address, folder, store, study, study_id, canaries)
            try:
                _let_in(found, other_id, now)
                yield found
            finally:
                for client in found.visitors.values():
                    client.close()
    finally:
        store.close()


def _study(
    folder: Path, store: Backend, canaries: dict[str, str], now: int, name: str = "empathy"
) -> tuple[Study, int]:
    """A study with scripts in whatever is shown, and canaries in whatever is hidden."""
    copy_template("empathy", folder)
    yaml, file = YAML(), folder / "study.yaml"
    content = yaml.load(file.read_text("utf-8"))
    content["study"] = name
    content["title"] = " ".join(PAYLOADS)
    content["gates"] = [gate for gate in content["gates"] if not {"practice", "calibration"} & set(gate)]
    content["rubric"][0]["ask"] = " ".join(PAYLOADS)
    for part, key in (("pace", "breaks"), ("analysis", "pilot"), ("items", "join")):
        content[part].pop(key, None)
    for key in ("duplicates", "controls"):
        content["assignment"].pop(key, None)
    yaml.dump(content, file)
    for guide in (folder / "guide").glob("*.md"):
        guide.write_text(guide.read_text("utf-8") + "\n\n" + "\n\n".join(PAYLOADS) + "\n", "utf-8")
    shown = " ".join(PAYLOADS).replace('"', '""')
    hidden = [canaries.get(each, f"{each}-x") for each in HIDDEN]
    rows = [f'i{n},"{shown}","{shown}",{",".join(hidden)}\n' for n in range(12)]
    (folder / "items.csv").write_text(f"eval_id,user_statement,response,{','.join(HIDDEN)}\n" + "".join(rows), "utf-8")
    study = load(folder)
    study_id = store.write(studies.publish, study, now).id
    store.write(imports.take_in, study_id, study, read_items(study, folder / study.items.source), folder)
    return study, study_id


def _let_in(found: Scene, other_id: int, now: int) -> None:
    """Everybody who could ask for something."""
    store, here, there = found.store, By(found.study_id, "attack", now), By(other_id, "attack", now)
    other = load(found.folder / "other")
    links = dict(store.write(acts.invite, here, [], pseudonyms=["ana", "ben", "revoked"]))
    links["annotator of another study"] = store.write(acts.invite, there, [], pseudonyms=["stranger"])[0][1]
    links["coordinator"] = store.write(acts.invite_other, here, found.study, "coordinator")
    links["viewer"] = store.write(acts.invite_other, here, found.study, "viewer", "vera")
    links["coordinator of another study"] = store.write(acts.invite_other, there, other, "coordinator")
    found.link = store.write(acts.invite, here, [], pseudonyms=["new"])[0][1]
    found.visitors["anonymous"] = found.client()
    for name, token in links.items():
        client = found.visitors["annotator" if name == "ana" else "another annotator" if name == "ben" else name] = (
            found.client()
        )
        client.post("/join", data={"token": token})
    store.write(acts.revoke_links, here, "revoked")
    for name in ("annotator", "another annotator", "annotator of another study"):
        _pass_gates(found.visitors[name], "other" if "study" in name else "empathy")
    page = found.visitors["annotator"].get("/judge/empathy").text
    form = Forms(page).to("/submit/")
    if form is None:
        raise Failed("the annotator has no item to judge")
    found.item, found.form = form[0].rsplit("/", 1)[1], form[1]
    found.csrf["annotator"] = form[1]["csrf"]
    others = Forms(found.visitors["another annotator"].get("/judge/empathy").text).to("/submit/")
    found.csrf["another annotator"] = "" if others is None else others[1]["csrf"]
    for name in ("coordinator", "viewer"):
        made = Forms(found.visitors[name].get("/coordinate/empathy").text).to("/sign-out")
        found.csrf[name] = "" if made is None else made[1]["csrf"]
    for scope in SCOPES:
        found.tokens[scope] = store.write(tokens.make, found.study_id, scope, [scope], now, days=1, only="")
    found.tokens["of another study"] = store.write(tokens.make, other_id, "o", SCOPES, now, days=1, only="")
    found.tokens["for ben alone"] = store.write(tokens.make, found.study_id, "b", ["judge"], now, days=1, only="ben")
    found.tokens["revoked"] = store.write(tokens.make, found.study_id, "r", SCOPES, now, days=1, only="")
    store.write(tokens.revoke, found.study_id, "r", now)


def _pass_gates(client: httpx2.Client, study: str) -> None:
    for _ in range(10):
        form = Forms(client.get(f"/judge/{study}").text).to("/gate")
        if form is None:
            return
        given = {f"read-{number}": "yes" for number in range(60)}
        for choice in ("agree", "continue"):
            client.post(form[0], data={**form[1], **given, "choice": choice})
