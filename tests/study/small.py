"""A small study that is right, to be broken in one place at a time."""

from pathlib import Path

from assay.errors import Mistake
from assay.study import Study, load, load_with_mistakes

SMALL = """\
study: small
title: A small study
items:
  source: items.csv
  show:
    - text: {field: response}
rubric:
  - dimension: warmth
    scale: {from: 1, to: 5, anchors: {1: cold, 5: warm}}
  - dimension: note
    optional: true
    text: {}
rules:
  - required: note
    when: warmth in [1, 5]
gates:
  - consent: guide/consent.md
"""


def folder_with(folder: Path, text: str | bytes) -> Path:
    """A study's folder with this study file and one guide file."""
    (folder / "guide").mkdir(parents=True, exist_ok=True)
    (folder / "guide" / "consent.md").write_text("# Consent\n", "utf-8")
    (folder / "study.yaml").write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    return folder


def changed(old: str, new: str) -> str:
    """The small study with one place written otherwise."""
    assert SMALL.count(old) == 1, f"{old!r} must stand once in the small study"
    return SMALL.replace(old, new)


def loaded(folder: Path, text: str = SMALL) -> Study:
    return load(folder_with(folder, text))


def mistakes_of(folder: Path, text: str | bytes) -> list[Mistake]:
    return load_with_mistakes(folder_with(folder, text))[1]


def said(folder: Path, text: str | bytes) -> list[tuple[str, str]]:
    """Each problem as (line:column, words)."""
    path = str(folder / "study.yaml")
    return [(each.where.removeprefix(f"{path}:"), each.what) for each in mistakes_of(folder, text)]
