"""Item files for tests, read by a study that shows one field and hides the rest."""

from pathlib import Path
from typing import Any

from assay.errors import ItemMistakes
from assay.items.reader import read_items
from assay.model import Item
from assay.study import Study
from assay.study.schema import study_type


def a_study(**items: Any) -> Study:
    """A study that shows the field `text`; `items` adds to its items section."""
    section = {"source": "items.csv", "show": [{"text": {"field": "text"}}], **items}
    rubric = [{"dimension": "warmth", "scale": {"from_": 1, "to": 5}}]
    return study_type().model_validate({"study": "small", "title": "", "items": section, "rubric": rubric})


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def items_of(path: Path, **items: Any) -> list[Item]:
    return [intake.item for intake in read_items(a_study(**items), path) if intake.item is not None]


def mistakes_of(path: Path, **items: Any) -> list[tuple[str, str]]:
    """What is wrong with a file: (place, words), without the file's name."""
    try:
        items_of(path, **items)
    except ItemMistakes as error:
        return [(each.where.removeprefix(path.name).removeprefix(": "), each.what) for each in error.mistakes]
    return []
