"""A folder: each .json file in it is one row, in a fixed order, and nothing outside it is read."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assay.items import Mistakes, Options, read_rows

Rows = list[tuple[int | str, dict[str, Any]]]


def read(folder: Path, each: str = "") -> tuple[Rows, list[str]]:
    mistakes = Mistakes(folder)
    rows = list(read_rows(folder, mistakes, Options(each=each)))
    return rows, [f"{found.where}: {found.what}".removeprefix(f"{folder.name}: ") for found in mistakes.listed]


def filled(folder: Path, *names: str, content: str = '{"a": 1}') -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
    return folder


def test_each_file_is_one_row_that_says_where_it_stood(tmp_path: Path) -> None:
    rows, said = read(filled(tmp_path, "config_1/x.json", "top.json", "config_2/deep/y.json"))
    assert said == []
    assert rows == [
        ("top.json", {"_file": "top.json", "_folder": "", "a": 1}),
        ("config_1/x.json", {"_file": "config_1/x.json", "_folder": "config_1", "a": 1}),
        ("config_2/deep/y.json", {"_file": "config_2/deep/y.json", "_folder": "config_2", "a": 1}),
    ]


def test_files_come_by_folder_and_then_by_name(tmp_path: Path) -> None:
    names = ["z.json", "B/2.json", "B/10.json", "a/1.json", "a/b/1.json", "a-/1.json", "a/c.json", "É/1.json"]
    rows, _ = read(filled(tmp_path, *names))
    assert [place for place, _ in rows] == [
        *("z.json", "B/10.json", "B/2.json", "a/1.json", "a/c.json", "a/b/1.json", "a-/1.json", "É/1.json")
    ]


NAMES = [
    "17_I'm_here.json",
    "Where_is_a_döner_.json",
    "now..json",
    "a copy.json",
    "a, b.JSON",
    "渋谷.json",
    "{}[]*.json",
]


@pytest.mark.parametrize("name", NAMES)
def test_any_name_will_do(tmp_path: Path, name: str) -> None:
    rows, said = read(filled(tmp_path, f"config 1/{name}"))
    assert (rows, said) == ([(f"config 1/{name}", {"_file": f"config 1/{name}", "_folder": "config 1", "a": 1})], [])


def test_hidden_files_and_other_endings_are_left_out(tmp_path: Path) -> None:
    filled(
        tmp_path, ".x.json", "._x.json", "..json", ".git/x.json", "x.jsonl", "x.json.bak", "json", content="not JSON"
    )
    assert read(tmp_path) == ([], [])


def test_the_keys_of_each_lead_to_rows_within_a_file(tmp_path: Path) -> None:
    content = json.dumps({"id": 7, "turns": [{"t": 1}, {"t": 2}]})
    rows, said = read(filled(tmp_path, "c/x.json", content=content), "turns")
    around = {"_file": "c/x.json", "_folder": "c", "id": 7}
    assert rows == [("c/x.json, turns 1", {**around, "t": 1}), ("c/x.json, turns 2", {**around, "t": 2})]
    assert said == []
    filled(tmp_path, "c/y.json")
    assert read(tmp_path, "turns")[1] == ["c/y.json: there is no key 'turns' here"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "c/b.json: the file does not hold one object"),
        (b'[{"a": 1}]', "c/b.json: the file does not hold one object"),
        (b"7", "c/b.json: the file does not hold one object"),
        (b'{"a": 1,\n}', "c/b.json, line 2: this is not JSON: Expecting property name enclosed in double quotes"),
        (b'{"a": {"b": 1, "b": 2}}', "c/b.json, a: the key 'b' stands twice"),
        (b'{"a": 1, "a": 2}', "c/b.json: the key 'a' stands twice"),
        (b"\xff\xfe{\x00}\x00", "c/b.json: the file is UTF-16"),
        (b'{"a": "\xff"}', "c/b.json: byte 7 is not UTF-8"),
        (b'{"_folder": 1}', "c/b.json: the key '_folder' is already there"),
    ],
)
def test_a_wrong_file_is_said_and_the_others_are_read(tmp_path: Path, content: bytes, said: str) -> None:
    filled(tmp_path, "c/a.json", "c/b.json", "c/c.json")
    (tmp_path / "c" / "b.json").write_bytes(content)
    rows, found = read(tmp_path)
    assert [place for place, _ in rows] == ["c/a.json", "c/c.json"]
    assert [words.partition(" (char")[0] for words in found] == [said]


@pytest.mark.parametrize("link", ["c/link.json", "link"])
def test_a_link_that_leads_out_is_refused(tmp_path: Path, link: str) -> None:
    folder = filled(tmp_path / "logs", "c/a.json")
    filled(tmp_path / "logs-more", "secret.json", content='{"secret": 1}')
    target = "logs-more/secret.json" if link.endswith(".json") else "logs-more"
    (folder / link).symlink_to(tmp_path / target)
    rows, said = read(folder)
    assert [place for place, _ in rows] == ["c/a.json"]
    assert said == [f"{link}: this link leads out of the folder"]


def test_links_within_the_folder_lead_to_nothing_twice_and_to_no_end(tmp_path: Path) -> None:
    filled(tmp_path, "c/a.json", "c/data.txt")
    (tmp_path / "again").symlink_to(tmp_path / "c")
    (tmp_path / "c" / "up").symlink_to(tmp_path)
    (tmp_path / "c" / "b.json").symlink_to(tmp_path / "c" / "data.txt")
    (tmp_path / "loop.json").symlink_to(tmp_path / "loop.json")
    (tmp_path / "nowhere.json").symlink_to(tmp_path / "missing")
    rows, said = read(tmp_path)
    assert [place for place, _ in rows] == ["c/a.json", "c/b.json"]
    assert said == [
        "loop.json: this link leads out of the folder",
        "nowhere.json: this is not a file that can be read",
    ]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.json")
    assert read(tmp_path) == ([], ["x.json: this is not a file that can be read"])


@pytest.fixture
def deep(tmp_path: Path) -> Iterator[Path]:
    """A folder in a folder, 1,200 times: more than Python may call itself."""
    here = Path.cwd()
    os.chdir(tmp_path)
    for _ in range(1200):
        os.mkdir("a")
        os.chdir("a")
    os.chdir(here)
    yield tmp_path
    subprocess.run(["rm", "-rf", tmp_path / "a"], check=True)


def test_folders_may_lie_deep(deep: Path) -> None:
    assert read(filled(deep, "z.json"))[0] == [("z.json", {"_file": "z.json", "_folder": "", "a": 1})]
