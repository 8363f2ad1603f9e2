"""A new version during work: what has changed and why is recorded, and what changed decides who reads again."""

import json

import pytest

from assay import acts
from assay.errors import AssayError
from assay.live.report_data import gather_with_fieldwork
from assay.report.build import build
from assay.store.coordinator import record
from assay.store.coordinator.record import RecordEntry
from assay.store.tables import gate_pass, submission
from assay.study import Study, load
from tests.conftest import T0, Bench
from tests.pages import SCORES, text_of
from tests.web.annotator import Annotator, rows
from tests.web.scripts import ANSWERS, Script


def edit(bench: Bench, old: str, new: str, file: str = "study.yaml") -> Study:
    path = bench.folder / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    return load(bench.folder)


def publish(bench: Bench, study: Study, *, minor: bool = False, reason: str = "") -> None:
    at = bench.clock()
    bench.store.write(acts.publish, "cara", study, bench.folder, at, even_if_begun=True, minor=minor, reason=reason)


def last_entry(bench: Bench) -> RecordEntry | None:
    return next(iter(bench.store.read(record.entries, bench.study_id)), None)


@pytest.fixture
def ana(bench: Bench) -> Annotator:
    """Somebody who has judged an item."""
    ana = Annotator(bench).begin()
    ana.submit()
    return ana


def test_what_has_changed_and_why_stands_in_the_record(bench: Bench, ana: Annotator) -> None:
    study = edit(bench, "  per_item: 2\n", "  per_item: 3\n")
    publish(bench, study, reason="one more opinion")
    entry = last_entry(bench)
    assert entry is not None
    assert (entry.by, entry.what, entry.reason) == ("cara", "publish", "one more opinion")
    assert entry.about == f"{study.hash[:12]}: assignment.per_item: is 3, before 2"


def test_a_typo_in_the_guidelines_sends_nobody_back_where_the_version_is_minor(bench: Bench, ana: Annotator) -> None:
    publish(bench, edit(bench, "\n", "\n\nA line more.\n", "guide/rubric.md"), minor=True)
    assert "Item 2" in text_of(ana.client.get(ana.home).text)
    assert "minor" in str(last_entry(bench))
    assert {row["by"] for row in rows(bench.store, gate_pass)} == {""}, "nobody was let pass by hand"

    publish(bench, edit(bench, "\n", "\n\nAnd another.\n", "guide/rubric.md"))
    assert "Item 2" not in text_of(ana.client.get(ana.home).text), "an ordinary version is read"


@pytest.mark.parametrize(
    ("old", "new", "file"),
    [
        (" to: 5\n", " to: 7\n", "study.yaml"),
        ("1: Passes over the feelings", "1: Misses the feelings", "study.yaml"),
        ("edge has diagnosis and not edge has crisis", "edge has diagnosis", "study.yaml"),
        ("ask: Would the person", "ask: Could the person", "study.yaml"),
        ("\n", "\n\nYou agree to more.\n", "guide/consent.md"),
    ],
)
def test_a_scale_a_rule_a_question_or_the_consent_is_never_minor(
    sqlite_bench: Bench, old: str, new: str, file: str
) -> None:
    Annotator(sqlite_bench).begin().submit()
    study = edit(sqlite_bench, old, new, file)
    before = last_entry(sqlite_bench)
    with pytest.raises(AssayError, match="no minor change"):
        publish(sqlite_bench, study, minor=True)
    assert last_entry(sqlite_bench) == before, "nothing was done"
    publish(sqlite_bench, study)


def test_what_a_new_version_does_to_judgments_and_people_is_said_beforehand(bench: Bench, ana: Annotator) -> None:
    before = load(bench.folder)
    edit(bench, " to: 5\n", " to: 7\n")
    study = edit(bench, "\n", "\n\nA line more.\n", "guide/rubric.md")
    said = bench.store.read(acts.effects_of_publishing, before, study)
    assert said == [
        "emotion: 1 judgment stays on the scale in force so far, and will not be pooled with new ones",
        "reading: 1 annotator must pass it again",
    ]
    assert bench.store.read(acts.effects_of_publishing, before, before) == []


def test_a_changed_scale_is_pooled_where_the_study_says_so_and_publish_and_report_say_it(
    bench: Bench, ana: Annotator
) -> None:
    def limits() -> dict[str, str]:
        numbers = build(gather_with_fieldwork(bench.store, bench.study_id, load(bench.folder), T0, alarms=False))
        return {each["about"]: each["says"] for each in json.loads(numbers.json())["limits"]["limits"]}

    before = load(bench.folder)
    apart = edit(bench, " to: 5\n", " to: 7\n")
    publish(bench, apart)
    assert not [about for about in limits() if about.startswith("pooled")]
    pooled = edit(bench, "dimension: emotion\n", f"dimension: emotion\n  pool_with: [{before.hash[:12]}]\n")
    said = "emotion: 1 judgment on another scale will be pooled with new ones, as pool_with says"
    for then in (before, apart):
        assert bench.store.read(acts.effects_of_publishing, then, pooled) == [said]
    publish(bench, pooled)
    assert limits()["pooled Emotion recognition"] == (
        "Pooled scales: 1 judgment on Emotion recognition was given on a scale of another meaning, and is pooled with "
        "the others because the study says so (pool_with)."
    )
    later = edit(bench, "  per_item: 2\n", "  per_item: 3\n")
    assert bench.store.read(acts.effects_of_publishing, pooled, later) == [], "it was said when it began"


def test_a_value_that_is_computed_from_a_changed_scale_is_not_pooled_either_and_that_is_said(bench: Bench) -> None:
    index, more = "weighted_mean: {of: {emotion: 0.5, safety: 0.5}}", "weighted_mean: {of: {index: 1}}"
    rule = f"derive:\n  - derived: index\n    {index}\n  - derived: more\n    {more}\n"
    computed = edit(bench, "\nrubric:", f"\n{rule}\nrubric:")
    publish(bench, computed)
    Annotator(bench).begin().submit()
    changed = edit(bench, " to: 5\n", " to: 7\n")
    said = bench.store.read(acts.effects_of_publishing, computed, changed)
    assert said[1:3] == [
        "index: it is computed from what has changed, and will not be pooled either",
        "more: it is computed from what has changed, and will not be pooled either",
    ]


def test_nobody_picks_the_version_that_answers_are_checked_by(bench: Bench) -> None:
    """Under the first version a note need not be given: whoever has never seen it there cannot submit under it."""
    early = Annotator(bench, "early").begin()
    address, made_before = early.form()
    first = bench.study.hash
    publish(bench, edit(bench, "per_item: 2", "per_item: 3"))
    late, script = Annotator(bench, "late").begin(), Script(bench)
    where, form = late.form()
    for wrong in ({"study": first}, {"study": first, "made": made_before["made"]}, {"study": first, "made": ""}):
        for path in (where, where.replace("/submit/", "/draft/")):
            answer = late.send(path, {**form, **SCORES, **wrong})
            assert (answer.status_code, answer.json()["code"]) == (409, "errors.reload")
    [given] = script.get("/annotators/late/assignments")["assignments"]
    judged = f"/annotators/late/assignments/{given['assignment']}/judgments"
    body = {"answers": ANSWERS, "seen": given["seen"]}
    assert "reload" in script.send("POST", judged, {**body, "study_version": first}, 409)["detail"]

    # A page that was made before is sent under its version, and sent again it gets the same answer.
    for _ in range(2):
        assert early.send(address, {**made_before, **SCORES}).status_code == 200
    assert [each["study_hash"] for each in rows(bench.store, submission)] == [first]
    script.send("POST", judged, {**body, "study_version": given["study_version"]}, 201)
