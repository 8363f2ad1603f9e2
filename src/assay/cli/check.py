"""Check a study file."""

import os
from pathlib import Path

from assay.cli.common import Folder, Json


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
    print(f"  per item:  {study.assignment.per_item} annotators")
