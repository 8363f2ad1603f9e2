"""Runs the files of the five studies' authors through the program: taken in, judged, reported twice, written out again.

    python tools/originals.py FOLDER

FOLDER has a subfolder for each study, named like its template, with files in the format of its document. Each study
goes through init, import (first as a dry run), sheets, bots where its files hold no judgments of people, the report
of two stores that were filled from the same files, and an export in the original's layout, which is compared with
what came in; what bots said is taken in again by a second store, and the two stores are compared. It is run by hand
before a release: such data are not in the repository. `--smallest` takes the templates' own samples instead, and is
among the tests.
"""

import argparse
import csv
import json
import re
import struct
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if not __package__:  # Run as a file: the folder above is where its package lies.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from tools.processes import Failed, run

from assay.study.templates import HERE, copy_template

Compare = Callable[[Path, Path], str]


@dataclass(frozen=True)
class Original:
    """The files of one study, by patterns in its folder, and how they come in."""

    template: str
    items: tuple[str, ...]
    """The item file: the first pattern that finds one."""
    layout: str
    compare: Compare | None = None
    """Compares the files with what is written; None: they hold no judgments of people to compare."""
    join: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    judged: bool = False
    """Whether the item file holds the judgments of people."""
    edits: tuple[tuple[str, str], ...] = ()
    """What the study's page says to change in the study file for such data: texts, each with its replacement."""
    carried: tuple[str, ...] = ()
    """The dimensions that the layout carries; empty: all."""
    books: str = ""
    """The written files that come back as sheets of people who are invited; empty: the folder, as an import."""


OF_SHEETS = ("emotion", "validation", "helpfulness", "safety", "overall")


# What is compared


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def compare_dialogues(original: Path, exported: Path) -> str:
    """Every comparison of every turn has the same labels, in whatever order they were given."""
    then, now = (dict(_labels(json.loads(path.read_text("utf-8")))) for path in (original, exported))
    return compare_answers(then, now, "labels")


def _labels(dialogues: list[dict[str, Any]]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for dialogue in dialogues:
        for turn in dialogue["info"]:
            for key, said in turn.items():
                if " vs. " in key:
                    for criterion, labels in said.items():
                        given = labels if isinstance(labels, list) else [labels]
                        words = sorted(str(label).strip().casefold() for label in given)
                        yield (str(dialogue["file"]), str(turn["turn_num"]), key, criterion), words


def compare_rows(original: Path, exported: Path) -> str:
    """Every row has the same values in the columns of the original."""
    then, now = rows_of(original), rows_of(exported)
    columns = set(then[0]) if then else set()
    return compare_answers(_cells(then, columns), _cells(now, columns), "cells")


def _cells(rows: list[dict[str, str]], columns: set[str]) -> dict[tuple[str, ...], str]:
    keys = ("item_id", "annotator_id")
    return {
        (row["item_id"], row["annotator_id"], column): value.strip()
        for row in rows
        for column, value in row.items()
        if column in columns and column not in keys and value is not None and value.strip()
    }


def compare_sheets(original: Path, exported: Path) -> str:
    """Every annotator's sheet has the same scores for the same rows."""
    then, now = {}, {}
    for path in sorted(original.glob("pilot_annotation_*.csv")):
        then |= _scores(rows_of(path))
    for path in sorted(exported.glob("annotation_*.csv")):
        now |= _scores(rows_of(path))
    return compare_answers(then, now, "scores")


def _scores(rows: list[dict[str, str]]) -> dict[tuple[str, ...], str]:
    return {
        (row["annotator_id"], row["eval_id"], name): row[name].strip()
        for row in rows
        for name in OF_SHEETS
        if (row.get(name) or "").strip()
    }


def stored_answers(folder: Path, out: Path, carried: tuple[str, ...]) -> dict[tuple[str, ...], str]:
    """What people and bots have said in a study, by its long table; practice and controls stand in no layout.

    Where a layout carries some dimensions alone, only those of first passes are looked at: its second passes stand in
    sheets of their own, which are for reading.
    """
    run("export", folder, "--format", "csv", "--out", out)
    keys = ("item", "system", "annotator", "dimension", "entry", "pass")
    work = [row for row in rows_of(out) if row["source"] in ("work", "imported")]
    people = [row for row in work if row["judge"] == "false" and row["control"] == "false"]
    if carried:
        people = [row for row in people if row["dimension"] in carried and row["pass"] == "1"]
    return {tuple(row[key] for key in keys): row["value"] or row["missing"] for row in people}


def compare_answers(then: dict[Any, Any], now: dict[Any, Any], what: str) -> str:
    """Raises Failed where something is missing, differs or was not there before, and where there was nothing."""
    missing = [key for key in then if key not in now]
    other = [key for key in then if key in now and then[key] != now[key]]
    more = [key for key in now if key not in then]
    if missing or other or more:
        first = (missing or other or more)[0]
        words = f"{len(missing)} of {len(then)} {what} are missing, {len(other)} differ, {len(more)} are new"
        raise Failed(f"{words}; the first: {first}: {then.get(first)!r}, written {now.get(first)!r}")
    if not then:
        raise Failed(f"there is nothing to compare: no {what}")
    return f"all {len(then)} {what} are the same"


ORIGINALS = (
    Original("in-car", ("logs", "."), "human-ratings", books="human_ratings_*.xlsx"),
    Original("route-planning", ("annotation_template.csv", "existing.csv"), "rating-rows", compare_rows, judged=True),
    Original(
        "dialog-pairs",
        ("human_annotation*.json", "dialogues.json"),
        "dialogue-labels",
        compare_dialogues,
        judged=True,
    ),
    Original(
        "empathy",
        ("pilot_samples.csv", "items.csv"),
        "annotation-sheets",
        compare_sheets,
        carried=OF_SHEETS,
        join=("_pilot_mapping.json", "mapping.json"),
        sheets=("pilot_annotation_*_SIMULATED.csv", "*_judge.jsonl"),
        edits=(("items:\n", "items:\n  names: {gpt2-empathy-chain: empathy_chain}\n"),),
    ),
    Original(
        "trajectories",
        ("human_eval_data.json", "samples.json"),
        "judgment-files",
        edits=((", alt: image_alt", ""), ("  controls:", "  #controls:")),
    ),
)  # fmt: skip


# The way through the program


@dataclass(frozen=True)
class Run:
    """One study on its way, with what its steps say."""

    original: Original
    source: Path
    scratch: Path

    def found(self, patterns: tuple[str, ...]) -> Path | None:
        """The first file that a pattern finds."""
        return next((path for pattern in patterns for path in sorted(self.source.glob(pattern))), None)

    def steps(self) -> Iterator[tuple[str, str]]:
        """Each step with what it found; raises Failed where one did not do what it should."""
        items = self.found(self.original.items) if self.original.items[-1] != "." else self.source
        if items is None:
            raise Failed(f"there is no {' or '.join(self.original.items)} in {self.source}")
        first, second = self.scratch / "first", self.scratch / "second"
        yield "init", str(self._begin(first))
        yield "dry run", _last_line(self._take_in(first, items, "--dry-run"))
        yield "import", _line_with("taken in", self._take_in(first, items))
        for sheet in self._sheets():
            yield "sheet", f"{sheet.name}: {_line_with('taken in', run('import', first, '--sheet', sheet))}"
        # Templates have no sheets of people beside them, so that bots judge there.
        simulated = not self.original.judged and not self._sheets()
        if simulated:
            yield "simulate", _last_line(run("simulate", first, "--annotators", "3", "--seed", "1"))
        yield "verify", _last_line(run("verify", first))
        yield "report", self._report_twice(first, second, items, simulated)
        out = self._export(first)
        yield "export", f"{self.original.layout}: {self._compared(first, items, out, simulated)}"

    def _begin(self, folder: Path) -> str:
        copy_template(self.original.template, folder)
        file = folder / "study.yaml"
        text = file.read_text("utf-8")
        for old, new in self.original.edits:
            text = text.replace(old, new, 1)
        file.write_text(text, "utf-8")
        run("check", folder)
        return self.original.template

    def _sheets(self) -> list[Path]:
        return [path for pattern in self.original.sheets for path in sorted(self.source.glob(pattern))]

    def _take_in(self, folder: Path, items: Path, *options: str) -> str:
        join = self.found(self.original.join)
        with_join = ["--join", join] if join else []
        judged = ["--with-judgments"] if self.original.judged else []
        drawn = draw_missing_pictures(items, self.scratch / "pictures")
        pictures = ["--pictures", self.scratch / "pictures"] if drawn else []
        return run("import", folder, "--items", items, *with_join, *judged, *pictures, *options)

    def _report_twice(self, first: Path, second: Path, items: Path, simulated: bool) -> str:
        run("report", first)
        made = _without_date(first)
        run("report", first)
        _refuse_differences(made, _without_date(first), "a second report of the same data differs from the first")
        if simulated:
            return "the same twice"
        self._begin(second)
        self._take_in(second, items)
        for sheet in self._sheets():
            run("import", second, "--sheet", sheet)
        run("report", second)
        _refuse_differences(made, _without_date(second), "the same files taken in twice give two reports")
        return "the same twice, and from a second store"

    def _export(self, folder: Path) -> Path:
        out = self.scratch / f"out{'.csv' if self.original.layout == 'rating-rows' else ''}"
        out = out.with_suffix(".json") if self.original.layout == "dialogue-labels" else out
        run("export", folder, "--format", self.original.layout, "--out", out)
        return out

    def _compared(self, first: Path, items: Path, out: Path, simulated: bool) -> str:
        if simulated:
            return f"taken in again: {self._compare_again(first, items, out)}"
        if self.original.compare is None:
            raise Failed(f"nothing compares what {self.original.layout} has written with what came in")
        return self.original.compare(self.source if self._sheets() else items, out)

    def _compare_again(self, first: Path, items: Path, out: Path) -> str:
        """Whether a new store that takes in what was written says what the first one says."""
        again = self.scratch / "again"
        self._begin(again)
        self._take_in(again, items)
        then, now = self.scratch / "then.csv", self.scratch / "now.csv"
        said = stored_answers(first, then, self.original.carried)
        books = sorted(out.glob(self.original.books)) if self.original.books else []
        if books:
            names = sorted({who for _, _, who, *_ in said})
            run("invite", again, *(each for name in names for each in ("--pseudonym", name)))
            run("sheets", "in", again, *books)
        else:
            first_passes = [each for each in sorted(out.glob("annotation_*.csv")) if "_pass2" not in each.stem]
            for sheet in first_passes or [out]:
                run("import", again, "--sheet", sheet)
        return compare_answers(said, stored_answers(again, now, self.original.carried), "answers")


def _last_line(text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")


def _line_with(words: str, text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if words in line), "")


def _without_date(folder: Path) -> tuple[str, str]:
    """The report as page and as data, without the time at which it was made."""
    made = json.loads((folder / "report.json").read_text("utf-8"))
    page = (folder / "report.html").read_text("utf-8")
    made.pop("made_at", None)
    page = re.sub(r", made [-\d]+ [:\d]+ UTC", "", page)
    return json.dumps(made, sort_keys=True, indent=0), page


def _refuse_differences(then: tuple[str, str], now: tuple[str, str], what: str) -> None:
    for kind, one, other in zip(("data", "page"), then, now, strict=True):
        pairs = zip(one.splitlines(), other.splitlines(), strict=False)
        apart = [(left, right) for left, right in pairs if left != right]
        if one != other:
            left, right = apart[0] if apart else ("", "")
            at = next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), 0)
            near = slice(max(0, at - 60), at + 80)
            raise Failed(f"{what}: {len(apart)} lines of its {kind}, the first: {left[near]!r}, then {right[near]!r}")


def draw_missing_pictures(items: Path, folder: Path) -> int:
    """Put a grey picture into a folder for every one that the file names and nobody has shared. Returns how many."""
    text = items.read_text("utf-8") if items.suffix == ".json" else ""
    names = set(re.findall(r'"image(?:_path)?":\s*"([^"]+)"', text))
    missing = [name for name in names if not (items.parent / name).is_file()]
    folder.mkdir(exist_ok=True)
    for name in missing:
        (folder / Path(name).name).write_bytes(grey_png(800, 600))
    return len(missing)


def grey_png(width: int, height: int) -> bytes:
    """A grey picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\x80" * width) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def main() -> int:
    """Run every study that there is a folder of. Returns 1 where something failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=HERE, help="has a subfolder for each study")
    parser.add_argument("--only", default="", help="one study, by its template's name")
    parser.add_argument("--smallest", action="store_true", help="the templates' own samples instead")
    asked = parser.parse_args()
    folder = HERE if asked.smallest else asked.folder
    failed = 0
    chosen = [each for each in ORIGINALS if asked.only in ("", each.template) and (folder / each.template).is_dir()]
    if not chosen:
        names = asked.only or ", ".join(each.template for each in ORIGINALS)
        print(f"{folder} holds no study: no folder {names}" if folder.is_dir() else f"{folder}: there is no folder")
        return 1
    for original in chosen:
        source = folder / original.template
        with tempfile.TemporaryDirectory() as scratch:
            try:
                for step, words in Run(original, source, Path(scratch)).steps():
                    print(f"{original.template:15} {step:9} {words}", flush=True)
            except Failed as problem:
                failed += 1
                print(f"{original.template:15} FAILED    {problem}", flush=True)
    print("Everything came out as it went in." if not failed else f"{failed} of the studies failed.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
