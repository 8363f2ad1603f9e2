"""A folder or a file appears complete or not at all, and nothing of anybody else's is lost."""

from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.exchange import atomic
from assay.exchange.atomic import atomic_file, atomic_folder, list_contents


def filled(path: Path, text: str, *more: str) -> None:
    with atomic_folder(path) as place:
        for name in ("a.csv", *more):
            (place / name).write_text(text)
        list_contents(place, {"format": "x"})


def stopped(path: Path) -> None:
    """Somebody presses Ctrl-C half-way."""
    with atomic_folder(path) as place:
        (place / "a.csv").write_text("half")
        raise KeyboardInterrupt


def test_a_folder_appears_complete_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        stopped(path)
    assert list(tmp_path.iterdir()) == []
    filled(path, "old", "b.csv")
    with pytest.raises(KeyboardInterrupt):
        stopped(path)
    assert (path / "a.csv").read_text() == "old"
    filled(path, "new")
    assert sorted(each.name for each in path.iterdir()) == ["a.csv", "contents.txt"]
    assert (path / "a.csv").read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_an_old_folder_gets_its_name_back_when_the_new_one_cannot_take_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out"
    filled(path, "old")
    rename = Path.rename

    def fails(self: Path, target: Path) -> Path:
        if self.name.endswith(".part"):
            raise OSError("no")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fails)
    with pytest.raises(OSError, match="no"):
        filled(path, "new")
    assert (path / "a.csv").read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_with_anything_else_in_it_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "out"
    filled(path, "old")
    (path / "my notes.txt").write_text("mine")
    with pytest.raises(AssayError, match=r"'my notes\.txt', which no export has written"):
        filled(path, "new")
    assert (path / "a.csv").read_text() == "old"
    mine = tmp_path / "mine"
    (mine / "deep").mkdir(parents=True)
    filled(mine, "an empty one may be filled")
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").write_text("x")
    with pytest.raises(AssayError, match="no export has written"):
        filled(other, "new")
    assert [each.name for each in other.iterdir()] == ["thesis.txt"]


def test_a_file_is_no_folder_and_a_folder_no_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(AssayError, match="writes a folder"):
        filled(tmp_path / "file", "x")
    with pytest.raises(AssayError, match="is a folder"), atomic_file(tmp_path):
        pass
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_many_files_are_brought_to_disk_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atomic, "MOST_SYNCED_ONE_BY_ONE", 1)
    filled(tmp_path / "out", "x", "b", "c")
    assert len(list((tmp_path / "out").iterdir())) == 4


def test_a_folder_of_an_earlier_release_is_known_by_the_list_that_it_has(tmp_path: Path) -> None:
    path = tmp_path / "out"
    filled(path, "old")
    (path / "contents.txt").rename(path / "contents.json")
    filled(path, "new")
    assert sorted(each.name for each in path.iterdir()) == ["a.csv", "contents.txt"]
