"""Types of which many share most of their values: what they share is held once, and nobody who reads them sees it."""

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, fields, replace

import pytest

from assay.held_once import held_once, many_of
from assay.model import Judgment
from assay.submission_rows import Own, SubmissionRows


@held_once("text")
@dataclass(frozen=True)
class Line:
    file: str
    text: str
    number: int = 0

    @property
    def place(self) -> str:
        return f"{self.file}:{self.number}"


def test_it_is_made_compared_replaced_and_copied_as_a_type_that_holds_everything_itself() -> None:
    line = Line("a", "one", number=3)
    assert (line.file, line.text, line.number, line.place) == ("a", "one", 3, "a:3")
    assert repr(line).endswith("Line(file='a', text='one', number=3)")
    assert line == Line(text="one", file="a", number=3) != Line("a", "one")
    assert {line: 1}[Line("a", "one", 3)] == 1
    assert replace(line, file="b", text="two") == Line("b", "two", 3)
    assert [each.name for each in fields(line)] == ["file", "text", "number"]
    assert pickle.loads(pickle.dumps(line)) == copy.deepcopy(line) == line
    with pytest.raises(TypeError):
        Line("a")  # type: ignore[call-arg]


@pytest.mark.parametrize("name", ["file", "text", "together", "other"])
def test_nothing_of_it_can_be_set_neither_what_it_has_itself_nor_what_it_shares(name: str) -> None:
    with pytest.raises((FrozenInstanceError, TypeError, AttributeError)):
        setattr(Line("a", "one"), name, "b")


def test_those_that_are_made_together_share_one_object_and_lack_nothing() -> None:
    one, two = many_of(Line)({"file": "a"}, [("one",), ("two",)])
    assert [one, two] == [Line("a", "one"), Line("a", "two")]
    assert one.together is two.together  # type: ignore[attr-defined]
    assert not hasattr(one, "__dict__")


def test_the_judgments_of_a_submission_share_what_it_says_once() -> None:
    whole = Judgment("s", "i", "m", ("m",), "g", "ana", "notes", "", "", ["a"], 1, 1, 0, 9, None, "v1", "")
    own = [Own("m", "warm", "", "", 3), Own("m", "notes", "", "", ["a"])]
    shared = {each.name: getattr(whole, each.name) for each in fields(whole) if each.name not in Own._fields}
    warm, notes = SubmissionRows(shared, own).judgments
    assert (warm.dimension, warm.value) == ("warm", 3)
    assert warm.together is notes.together
    assert notes == whole
    assert (notes.source, notes.counts, notes.key, notes.unit) == ("work", True, "notes", "i")
