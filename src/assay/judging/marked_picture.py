"""A picture for a judge with the marks in it that the page draws over it, and what is said of them."""

import hashlib
import json
from collections.abc import Iterator, Sequence

from assay.displays.drawn_marks import VERSION, with_marks
from assay.displays.image_marks import ImageMark
from assay.frozen_json import to_json
from assay.judges import PromptPicture
from assay.study.schema import Study


def mark_picture(picture: PromptPicture, marks: Sequence[ImageMark]) -> PromptPicture:
    """The same picture with its marks. They are drawn when it is sent; its hash is made from both."""
    if not marks:
        return picture
    text = json.dumps([VERSION, picture.hash, [to_json(mark) for mark in marks]])
    hash_ = hashlib.sha256(text.encode()).hexdigest()
    return PromptPicture(hash_, picture.media_type, lambda: with_marks(picture.read(), marks))


def marks_in_words(study: Study, marks: Sequence[ImageMark]) -> Iterator[str]:
    """What the marks are, and which of them point outside, as the page says beside a step."""
    if not marks:
        return
    yield study.words("judge.marks")
    if any(mark.second for mark in marks):
        yield study.words("judge.marks_of_two", first=study.sides[0], second=study.sides[1])
    for mark in marks:
        if mark.outside:
            wholly = mark.outside == "wholly"
            where = study.words("picture.outside") if wholly else study.words("picture.partly_outside")
            yield f"- {mark.name}: {where}"
