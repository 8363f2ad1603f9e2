"""Write a new study from a template."""

from pathlib import Path
from typing import Annotated

import typer

from assay.errors import AssayError


def run(
    template: Annotated[str, typer.Argument(help="Which template to begin with. `assay init --help` lists them.")],
    folder: Annotated[Path, typer.Argument(help="The folder to write, new or empty.")],
) -> None:
    """Write a new study from a template, ready to run: the study file, guidelines and sample items.

    Templates: in-car (whole conversations with a car's voice assistant, and each of the driver's goals);
    route-planning (one answer to each request, five scores, an overall score that is computed);
    dialog-pairs (two systems' replies to one turn of a dialogue, side by side);
    empathy (replies to people who share a hard moment, with care for those who read them);
    trajectories (a picture, a question and two ways of reasoning about it).
    """
    from assay.study import load
    from assay.study.templates import copy_template, template_names

    if template not in template_names():
        raise AssayError(f"there is no template {template!r}", f"templates: {', '.join(template_names())}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise AssayError(f"{folder} is there already and not empty", "name a new folder")
    files = copy_template(template, folder)
    print(f"Wrote {len(files)} files to {folder}:")
    for name in files:
        print(f"  {name}")
    print("\nNext:")
    # Agreement needs two at least, where everybody judges everything.
    people = load(folder).assignment.annotators_of_item(2)
    for command in ("check", "preview", "import", f"invite --count {people}", "serve"):
        word, _, options = command.partition(" ")
        print(f"  assay {word} {folder} {options}".rstrip())
