"""Taking in what was judged elsewhere: files in the formats that studies have, from the command line."""

import csv
import json
from pathlib import Path
from typing import Any

from sqlalchemy import select

from assay.store import open_store
from assay.store.tables import action
from assay.study.templates import copy_template
from tests.servers import command as run

Row = dict[str, Any]
SCORES = ("emotion", "validation", "helpfulness", "safety", "overall")
MODELS = ("chain", "tuned", "plain")


def write_csv(path: Path, rows: list[Row]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


class Pilot:
    """A pilot as its makers kept it: statements, three models' replies, duplicates by statement, sheets, a judge."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.study = folder / "study"
        copy_template("empathy", self.study)
        replies = [(f"st{number}", model) for number in range(4) for model in MODELS]
        again = [("st0", "chain"), ("st0", "tuned"), ("st1", "plain")]
        self.mapping: list[Row] = [
            {"eval_id": f"p{number:03}", "sample_id": statement, "model_tag": model}
            for number, (statement, model) in enumerate([*replies, *again])
        ]
        for each in self.mapping[len(replies) :]:
            each["is_duplicate_of"] = each["sample_id"]
        self.rows: list[Row] = [
            {
                "eval_id": each["eval_id"],
                "user_statement": f"Hard times, {each['sample_id']}",
                "response": f"A reply to {each['sample_id']} in the way number {MODELS.index(each['model_tag'])}",
            }
            for each in self.mapping
        ]
        self.items = write_csv(folder / "samples.csv", self.rows)
        self.join = folder / "mapping.json"
        self.join.write_text(json.dumps(self.mapping), "utf-8")

    def sheet(self, who: str, **more: Any) -> Path:
        """A filled sheet, without notes."""
        scores: Row = {name: number % 3 + 2 for number, name in enumerate(SCORES)}
        rows = [{"eval_id": each["eval_id"], "annotator_id": who, **scores, "notes": "", **more} for each in self.rows]
        return write_csv(self.folder / f"{who}.csv", rows)

    def judge(self, model: str) -> Path:
        """Three runs of a judge on one model's replies, with statements that the pilot does not have."""
        lines = [
            {
                "sample_id": f"st{number}",
                "model": model,
                "repeat_idx": repeat,
                "judge_model": "judge-1",
                "scores": dict.fromkeys(SCORES[:-1], 2),
                "overall": 3,
            }
            for number in range(2, 6)
            for repeat in range(3)
        ]
        path = self.folder / "judge.jsonl"
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
        return path

    def edit(self, before: str, after: str) -> None:
        """Change the study file."""
        path = self.study / "study.yaml"
        text = path.read_text("utf-8")
        assert before in text
        path.write_text(text.replace(before, after, 1), "utf-8")

    def take_in(self, *arguments: str | Path) -> Row:
        """Import something, and what came of it."""
        done = run("import", self.study, "--json", *arguments)
        assert done.returncode == 0, done.stderr
        found: Row = json.loads(done.stdout)
        return found

    def take_in_items(self) -> Row:
        return self.take_in("--items", self.items, "--join", self.join)


def recorded(pilot: Pilot) -> list[str]:
    """What the record says of imports."""
    store = open_store(pilot.study / "assay.db")
    kept = store.read(lambda connection: connection.execute(select(action.c.about)).scalars().all())
    store.close()
    return list(kept)


NAMES = ("  group: sample_id", "  names: {gpt-chain: chain}\n  group: sample_id")


def test_a_whole_pilot_comes_in_with_its_sheets_and_a_judge_that_names_models_otherwise(tmp_path: Path) -> None:
    pilot = Pilot(tmp_path)
    pilot.edit(*NAMES)
    done = pilot.take_in_items()
    assert (done["added"], done["duplicates"]) == (12, 3)
    done = pilot.take_in("--sheet", pilot.sheet("R1"), "--sheet", pilot.sheet("R2"))
    assert (done["judged"], done["annotators"]) == (30, ["R1", "R2"])
    done = pilot.take_in("--sheet", pilot.judge("gpt-chain"))
    assert (done["judged"], done["judged_elsewhere"], done["judges"]) == (6, 6, ["judge-1"])


def test_a_map_of_names_that_is_not_in_force_yet_is_said_where_it_is_missed(tmp_path: Path) -> None:
    pilot = Pilot(tmp_path)
    pilot.take_in_items()
    pilot.take_in("--sheet", pilot.sheet("R1"))
    refused = run("import", pilot.study, "--sheet", pilot.judge("gpt-chain"))
    assert refused.returncode == 2
    assert "systems of the sheet: gpt-chain; systems of the items: chain, plain, tuned; items.names" in refused.stderr
    assert "assay publish" not in refused.stderr
    pilot.edit(*NAMES)
    refused = run("import", pilot.study, "--sheet", pilot.judge("gpt-chain"))
    assert refused.returncode == 2
    assert "if study.yaml puts right what is wrong here: `assay publish`, then this command again" in refused.stderr
    assert run("publish", pilot.study).returncode == 0
    assert pilot.take_in("--sheet", pilot.judge("gpt-chain"))["judged"] == 6


def test_the_plan_counts_the_answers_on_each_dimension_and_of_each_annotator(tmp_path: Path) -> None:
    pilot = Pilot(tmp_path)
    pilot.take_in_items()
    done = run("import", pilot.study, "--sheet", pilot.sheet("R1"), "--sheet", pilot.sheet("R2"))
    assert done.returncode == 0, done.stderr
    assert "R1.csv:\n  judged by: R1: 15 items\n  answers:   emotion: 15 of 15\n" in done.stdout
    assert "  answers:   note: 0 of 15\n  not read:  edge\n" in done.stdout
    plan = pilot.take_in("--sheet", pilot.judge("chain"))["plan"]["sheets"]
    assert [each["file"] for each in plan] == ["judge.jsonl"]
    assert plan[0]["dimensions"][0] == {"dimension": "emotion", "judge": True, "answers": 12, "asked": 12}


def test_a_sheet_with_gaps_comes_in_if_that_is_said_and_the_record_keeps_it(tmp_path: Path) -> None:
    pilot = Pilot(tmp_path)
    pilot.take_in_items()
    sheet = pilot.sheet("R1", safety="")
    refused = run("import", pilot.study, "--sheet", sheet)
    assert refused.returncode == 2
    assert "R1.csv: row 2, column safety: there is no answer on safety, and there are others in this row" in (
        refused.stderr
    )
    done = pilot.take_in("--sheet", sheet, "--partial")
    assert (done["judged"], done["plan"]["sheets"][0]["gaps"]) == (15, {"safety": 15})
    assert "answers missing in judgments from files: safety: 15" in recorded(pilot)


def test_beside_a_pilot_that_files_have_finished_the_plan_says_what_the_other_items_wait_for(tmp_path: Path) -> None:
    pilot = Pilot(tmp_path)
    pilot.edit("    items: 40 ", "    items: 4 ")
    pilot.take_in_items()
    before = run("invite", pilot.study, "--plan").stdout
    assert "  8 more items open after the pilot.\n" in before
    pilot.take_in("--sheet", pilot.sheet("R1"), "--sheet", pilot.sheet("R2", emotion=4))
    finished = run("invite", pilot.study, "--plan").stdout
    assert "The pilot is finished: 8 more items open once somebody decides about it. All of them have" in finished
    assert run("pilot", pilot.study, "--decide").returncode == 0
    decided = run("invite", pilot.study, "--plan").stdout
    assert "its verdict was no data: 8 more items open by hand, or after another pilot that is passed. All" in decided


def test_a_sheet_without_a_column_that_the_study_names_is_refused(tmp_path: Path) -> None:
    pilot = Pilot(tmp_path)
    pilot.take_in_items()
    sheet = pilot.sheet("R1")
    sheet.write_text(sheet.read_text("utf-8").replace("safety", "Safety", 1), "utf-8")
    refused = run("import", pilot.study, "--sheet", sheet)
    assert refused.returncode == 2
    assert "R1.csv: there is no field 'safety', but 'Safety'" in refused.stderr


def test_texts_and_systems_beside_the_answers_are_compared_however_their_columns_are_spelled(tmp_path: Path) -> None:
    pilot = Pilot(tmp_path)
    pilot.edit(*NAMES)
    pilot.take_in_items()
    scores = dict.fromkeys(SCORES, 3)

    def refused(column: str, values: list[str]) -> str:
        rows = [
            {"eval_id": row["eval_id"], "annotator_id": "R1", **scores, "notes": "", column: value}
            for row, value in zip(pilot.rows, values, strict=True)
        ]
        return run("import", pilot.study, "--dry-run", "--sheet", write_csv(tmp_path / "beside.csv", rows)).stderr

    texts = [row["response"] for row in pilot.rows]
    assert "item p000: the text of response is another one than the item's" in refused(
        "Response ", [*texts[1:], texts[0]]
    )
    assert refused("RESPONSE", texts) == ""
    assert "item p001: the text of response is empty here" in refused("response", [texts[0], " ", *texts[2:]])
    models = [each["model_tag"] for each in pilot.mapping]
    assert "item p000: the text of model_tag is another one" in refused("model_tag", [*models[1:], models[0]])
    assert refused("model_tag", ["gpt-chain" if each == "chain" else each for each in models]) == "", "by either name"
    assert refused("model_tag", ["" for _ in models]) == "", "who may not know the systems has none beside the texts"


def test_rows_without_scores_are_counted_and_a_sheet_without_rows_is_refused(tmp_path: Path) -> None:
    pilot = Pilot(tmp_path)
    pilot.take_in_items()
    sheet = pilot.sheet("R1")
    rows = list(csv.DictReader(sheet.read_text("utf-8").splitlines()))
    rows[3] |= dict.fromkeys(SCORES, "")
    done = run("import", pilot.study, "--dry-run", "--sheet", write_csv(sheet, rows))
    assert "no scores: 1 row, not judged yet" in done.stdout
    assert pilot.take_in("--dry-run", "--sheet", sheet)["plan"]["sheets"][0]["not_judged"] == 1
    for text in ("", f"{','.join(rows[0])}\n"):
        sheet.write_text(text, "utf-8")
        refused = run("import", pilot.study, "--sheet", sheet)
        assert refused.returncode == 2
        assert "R1.csv: there are no rows here" in refused.stderr


def test_missing_notes_that_the_rules_ask_for_are_said_and_recorded(tmp_path: Path) -> None:
    pilot = Pilot(tmp_path)
    pilot.take_in_items()
    done = run("import", pilot.study, "--sheet", pilot.sheet("R1", emotion=1))
    assert done.returncode == 0, done.stderr
    assert "Missing, where the study's rules ask for it: note 15." in done.stdout
    assert "answers missing in judgments from files: note: 15" in recorded(pilot)
    again = run("import", pilot.study, "--sheet", pilot.folder / "R1.csv")
    assert "Missing" not in again.stdout, "what was there already does not come in once more"


def test_missing_notes_are_a_limit_of_the_report_by_the_import_that_brought_the_scores(tmp_path: Path) -> None:
    pilot = Pilot(tmp_path)
    pilot.take_in_items()
    pilot.take_in("--sheet", pilot.sheet("R1", emotion=1))
    pilot.take_in("--sheet", pilot.sheet("R2", emotion=1, notes="cold"))
    pilot.take_in("--sheet", pilot.sheet("R3", emotion=1))

    def says() -> list[str]:
        done = run("report", pilot.study, "--json")
        assert done.returncode == 0, done.stderr
        limits = json.loads(done.stdout)["limits"]["limits"]
        return [each["says"] for each in limits if each["about"] == "notes missing in files"]

    [whole] = says()
    assert whole.startswith("Missing notes: 30 answers that the study's rules ask for")
    assert "(R1.csv: Note 15; R3.csv: Note 15)" in whole
    pilot.take_in("--sheet", pilot.sheet("R1", emotion=1, notes="cold"), "--replace", "--reason", "notes were lost")
    [left] = says()
    assert "(R3.csv: Note 15)" in left, "what was replaced lacks nothing any more"
    assert run("import", pilot.study, "--undo", "4", "--reason", "twice").returncode == 0
    assert says() == []
    pilot.take_in("--sheet", pilot.folder / "R3.csv")
    assert says() == [left], "how often a file was taken in and back is not in the report"


def test_gaps_in_files_are_a_limit_of_the_report(tmp_path: Path) -> None:
    """Of 12 items and 3 duplicates, which are second passes and count for themselves."""
    pilot = Pilot(tmp_path)
    pilot.take_in_items()
    pilot.take_in("--sheet", pilot.sheet("R1"))
    pilot.take_in("--sheet", pilot.sheet("R2", safety=""), "--partial")
    assert run("report", pilot.study, "--out", tmp_path / "report.html").returncode == 0
    assert "some lack an answer (Safety and boundaries 12)" in (tmp_path / "report.html").read_text("utf-8")


def test_a_sheet_whose_texts_are_those_of_other_items_is_refused(tmp_path: Path) -> None:
    pilot = Pilot(tmp_path)
    pilot.take_in_items()
    rows = [
        {"eval_id": row["eval_id"], "annotator_id": "R1", **dict.fromkeys(SCORES, 3), "notes": "", "response": text}
        for row, text in zip(pilot.rows, [each["response"] for each in pilot.rows[1:] + pilot.rows[:1]], strict=True)
    ]
    refused = run("import", pilot.study, "--sheet", write_csv(tmp_path / "sorted.csv", rows))
    assert refused.returncode == 2
    assert "item p000: the text of response is another one than the item's" in refused.stderr
    for row, own in zip(rows, pilot.rows, strict=True):
        row["response"] = f" {own['response']}\r\n"
    assert pilot.take_in("--sheet", write_csv(tmp_path / "own.csv", rows))["judged"] == 15


def test_judgments_that_were_asked_for_and_are_all_blank_are_said(tmp_path: Path) -> None:
    copy_template("route-planning", tmp_path / "study")
    scores = ("coherence", "relevance", "instruction_following", "safety_compliance", "fluency", "notes")
    row = {"item_id": "r1", "annotator_id": "a01", "prompt": "Plan a route", "response": "by the river"}
    blank = write_csv(tmp_path / "blank.csv", [{**row, **dict.fromkeys(scores, "")}])
    done = run("import", tmp_path / "study", "--items", blank, "--with-judgments")
    assert done.returncode == 0, done.stderr
    assert "1 item taken in.\n0 judged items taken in: no score is filled in.\n" in done.stdout


def test_one_file_for_each_annotator_comes_in_after_the_other(tmp_path: Path) -> None:
    study = tmp_path / "study"
    copy_template("route-planning", study)
    scores = ("coherence", "relevance", "instruction_following", "safety_compliance", "fluency")

    def file(who: str, score: int, response: str = "by the river") -> Path:
        row = {"item_id": "r1", "annotator_id": who, "prompt": "Plan a route", "response": response}
        return write_csv(tmp_path / f"{who}.csv", [{**row, **dict.fromkeys(scores, score), "notes": who}])

    for who, score in (("a01", 3), ("a02", 4)):
        done = run("import", study, "--items", file(who, score), "--with-judgments", "--json")
        assert done.returncode == 0, done.stderr
        assert (json.loads(done.stdout)["judged"], json.loads(done.stdout)["annotators"]) == (1, [who])
    refused = run("import", study, "--items", file("a03", 3, "by the hills"), "--with-judgments")
    assert refused.returncode == 2
    assert "item r1: is in the store with another content, in response\n" in refused.stderr


def test_an_id_that_differs_from_a_stored_one_by_blanks_alone_is_refused(tmp_path: Path) -> None:
    study = tmp_path / "study"
    copy_template("route-planning", study)
    with (study / "existing.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    plain = write_csv(tmp_path / "plain.csv", rows)
    blank = write_csv(tmp_path / "blank.csv", [{**row, "item_id": row["item_id"] + " "} for row in rows])
    for first, then in ((plain, blank), (blank, plain)):
        database = ("--database", str(tmp_path / f"{first.stem}.db"))
        assert run("import", study, "--items", first, "--with-judgments", *database).returncode == 0
        refused = run("import", study, "--items", then, "--with-judgments", *database)
        assert refused.returncode == 2, refused.stdout
        assert "by blanks alone" in refused.stderr
        assert repr(rows[0]["item_id"]) in refused.stderr
        assert "take the blanks out" in refused.stderr


def test_a_misspelled_field_of_duplicates_is_refused(tmp_path: Path) -> None:
    pilot = Pilot(tmp_path)
    pilot.edit("duplicate_of: is_duplicate_of ", "duplicate_of: is_duplicate_off ")
    refused = run("import", pilot.study, "--items", pilot.items, "--join", pilot.join)
    assert refused.returncode == 2, refused.stdout
    assert "there is no field 'is_duplicate_off'" in refused.stderr
    assert "items.duplicate_of names it; did you mean 'is_duplicate_of'?" in refused.stderr


def test_a_file_without_duplicates_says_that_there_are_none(tmp_path: Path) -> None:
    pilot = Pilot(tmp_path)
    assert "repeated:  no row is marked as a hidden duplicate (is_duplicate_of)" in run("import", pilot.study).stdout


def test_rows_of_the_joined_file_that_no_item_has_are_said(tmp_path: Path) -> None:
    pilot = Pilot(tmp_path)
    more = [{**pilot.mapping[0], "eval_id": f"q{number}"} for number in range(3)]
    pilot.join.write_text(json.dumps([*pilot.mapping, *more]), "utf-8")
    done = run("import", pilot.study, "--items", pilot.items, "--join", pilot.join)
    assert done.returncode == 0, done.stderr
    assert "mapping.json: 3 rows belong to no item: q0, q1, q2" in done.stdout + done.stderr


def test_what_a_row_lacks_is_said_of_the_file_that_was_joined(tmp_path: Path) -> None:
    pilot = Pilot(tmp_path)
    own = tmp_path / "own_mapping.json"
    own.write_text(json.dumps(pilot.mapping[:-1]), "utf-8")
    refused = run("import", pilot.study, "--items", pilot.items, "--join", own)
    assert "own_mapping.json does not bring it either" in refused.stderr
    assert " mapping.json" not in refused.stderr


def test_the_order_in_which_files_came_changes_nothing_of_what_is_said_of_missing_notes(tmp_path: Path) -> None:
    said = []
    for name, order in (("one", ("R1", "R3")), ("other", ("R3", "R1"))):
        (tmp_path / name).mkdir()
        pilot = Pilot(tmp_path / name)
        pilot.take_in_items()
        for who in order:
            pilot.take_in("--sheet", pilot.sheet(who, emotion=1))
        limits = json.loads(run("report", pilot.study, "--json").stdout)["limits"]["limits"]
        said += [each["says"] for each in limits if each["about"] == "notes missing in files"]
    assert "R1.csv" in said[0]
    assert said[0] == said[1]


def test_a_systems_name_in_a_control_or_an_item_for_practice_is_a_leak(tmp_path: Path) -> None:
    study = tmp_path / "study"
    copy_template("empathy", study)
    with (study / "calibration.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    [system, *_] = sorted({each["model_tag"] for each in json.loads((study / "mapping.json").read_text("utf-8"))})
    rows[0]["response"] += f" (by {system})"
    write_csv(study / "calibration.csv", rows)
    said = f"the name {system!r} stands in 1 of {len(rows)} items' shown texts in calibration.csv"
    for command in (("check", study), ("import", study)):
        done = run(*command)
        assert said in done.stdout + done.stderr, done.stdout + done.stderr


def test_the_report_accounts_for_every_submission_that_came_from_a_file(tmp_path: Path) -> None:
    pilot = Pilot(tmp_path)
    pilot.take_in_items()
    assert pilot.take_in("--sheet", pilot.sheet("R1"))["judged"] == 15
    limits = json.loads(run("report", pilot.study, "--json").stdout)["limits"]["limits"]
    [said] = [each["says"] for each in limits if each["about"] == "imported"]
    assert said.startswith("From files: 12 submissions, and 3 second passes beside them, were given elsewhere.")
