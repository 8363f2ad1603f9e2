"""A folder or a file appears complete or not at all, and nothing of anybody else's is lost."""

from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.exchange import atomic
from assay.exchange.atomic import atomic_file, atomic_folder, atomic_text_file, list_contents


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


@pytest.fixture
def synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> set[int | str]:
    """What was brought to disk: files by their inodes, `all` for everything at once. Nothing has its name yet."""
    found: set[int | str] = set()

    def note(what: int | str) -> None:
        assert not (tmp_path / "out").exists(), "it gets its name when it is on disk"
        found.add(what)

    monkeypatch.setattr(atomic.os, "fsync", lambda file: note(atomic.os.fstat(file).st_ino))
    monkeypatch.setattr(atomic.os, "sync", lambda: note("all"))
    return found


def test_a_file_is_on_disk_before_it_has_its_name(tmp_path: Path, synced: set[int | str]) -> None:
    with atomic_text_file(tmp_path / "out") as file:
        file.write("x")
    assert synced == {(tmp_path / "out").stat().st_ino}


@pytest.mark.parametrize(("most", "at_once"), [(3, False), (2, True)])
def test_every_file_of_a_folder_is_on_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, synced: set[int | str], most: int, at_once: bool
) -> None:
    monkeypatch.setattr(atomic, "MOST_SYNCED_ONE_BY_ONE", most)
    filled(tmp_path / "out", "x", "b")
    inodes = {each.stat().st_ino for each in (tmp_path / "out").iterdir()}
    assert len(inodes) == 3
    assert synced == ({"all"} if at_once else inodes)


def test_others_may_read_what_was_exported(tmp_path: Path) -> None:
    filled(tmp_path / "folder", "x")
    with atomic_file(tmp_path / "file") as part:
        part.write_text("x")
    assert (tmp_path / "folder").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o644


def test_a_file_that_is_stopped_half_way_leaves_the_old_one_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("old")

    def stops(gone: bool) -> None:
        with atomic_file(path) as part:
            part.write_text("half")
            if gone:
                part.unlink()
            raise KeyboardInterrupt

    for gone in (False, True):
        with pytest.raises(KeyboardInterrupt):
            stops(gone)
    assert (path.read_text(), list(tmp_path.iterdir())) == ("old", [path])


def test_what_was_put_into_a_folder_while_its_successor_was_written_is_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "out"
    filled(path, "old")

    def disturbed() -> None:
        with atomic_folder(path) as place:
            (place / "a.csv").write_text("new")
            (path / "mine.txt").write_text("mine")

    with pytest.raises(AssayError, match="no export has written"):
        disturbed()
    assert (path / "mine.txt").read_text() == "mine"
    assert (path / "a.csv").read_text() == "old"


@pytest.mark.parametrize("listed", ["no JSON", "[]", "{}"])
def test_a_folder_whose_list_is_damaged_is_not_replaced(tmp_path: Path, listed: str) -> None:
    path = tmp_path / "out"
    filled(path, "old")
    (path / "contents.txt").write_text(listed)
    with pytest.raises(AssayError, match="no export has written"):
        filled(path, "new")


def test_a_folder_of_an_earlier_release_is_known_by_the_list_that_it_has(tmp_path: Path) -> None:
    path = tmp_path / "out"
    filled(path, "old")
    (path / "contents.txt").rename(path / "contents.json")
    filled(path, "new")
    assert sorted(each.name for each in path.iterdir()) == ["a.csv", "contents.txt"]
