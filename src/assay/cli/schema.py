"""The JSON Schema of the study file."""

from pathlib import Path
from typing import Annotated

import typer


def run(
    out: Annotated[Path | None, typer.Option(help="The file to write. Default: print it.")] = None,
) -> None:
    """Print the JSON Schema of the study file: editors complete and check study.yaml with it.

    `assay init` writes it beside study.yaml, whose first line names it for editors.
    """
    from assay.exchange.atomic import atomic_text_file
    from assay.study.json_schema import as_text

    if out is None:
        print(as_text(), end="")
        return
    with atomic_text_file(out) as file:
        file.write(as_text())
    print(out)
