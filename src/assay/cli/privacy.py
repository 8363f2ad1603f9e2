"""Print what an ethics board is told about people's data."""

from pathlib import Path

from assay.cli.common import Folder, Json, print_json


def run(where: Folder = Path(), as_json: Json = False) -> None:
    """Print a text about people's data for an ethics board, made from the study file.

    What the file does not say stands in brackets: where data are kept, until when, and whom to ask. `privacy` in the
    study file declares the last two.
    """
    from assay.study import load
    from assay.study.ethics_text import ethics_text

    found = ethics_text(load(where))
    print_json(found) if as_json else print("\n\n".join(found))
