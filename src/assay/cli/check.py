"""Check a study file."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from assay.cli.common import Folder, Json

if TYPE_CHECKING:
    from assay.study import Study


def run(where: Folder = Path(), as_json: Json = False) -> None:
    """Check a study file: everything that is wrong at once, each with line, column and a hint. Exit code 2 if any."""
    import typer

    from assay.cli.common import folder_of, print_json
    from assay.errors import Problem, StudyProblems
    from assay.items import check_fields
    from assay.study import check

    study, problems = check(where)
    if study is not None:
        source = folder_of(where) / study.items.source
        if os.path.isfile(source):
            problems += check_fields(study, source)
        else:
            problems.append(
                Problem(study.items.source, "there is no such file", "items.source names it, beside study.yaml")
            )
    if as_json:
        listed = [{"where": each.where, "what": each.what, "hint": each.hint} for each in problems]
        print_json({"problems": listed, "hash": study.hash if study and not problems else None})
        raise typer.Exit(2 if problems else 0)
    if problems:
        raise StudyProblems(problems)
    assert study is not None
    print(f"{study.study}: no problems. Version {study.hash[:12]}.")
    print(f"  shown:     {', '.join(study.items.shown_fields)} (everything else stays hidden)")
    print(f"  asked:     {', '.join(dimension.dimension for dimension in study.rubric)}")
    print(f"  gates:     {', '.join(entry.gate.kind for entry in study.gates) or 'none'}")
    for place, text in _placeholders(study):
        print(f"  note:      {place} still holds a placeholder: {text}")
    print(f"  per item:  {study.assignment.per_item} annotators")


def _placeholders(study: "Study") -> Iterator[tuple[str, str]]:
    """What a template leaves for the coordinator to fill in, where nobody has done so yet."""
    texts = [getattr(entry.gate, "text", None) for entry in study.gates]
    sections = [section for entry in study.gates for section in getattr(entry.gate, "sections", ())]
    for document in [*texts, *sections, study.support]:
        if document is not None:
            for found in re.findall(r"\[[^\]\n]{12,}\](?!\()", document.text):
                yield document.file, found
