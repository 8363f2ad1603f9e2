"""Assay: a rigorous human evaluation of AI output from one file."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.notebook import NotebookStudy

__version__ = "0.1.0"


def open(where: str = ".", *, token: str = "", study: str = "", database: str = "") -> "NotebookStudy":
    """A study in a notebook: its data and every number of its report as data frames, and its figures.

    Args:
        where: The study's folder; or the address of a server, with a `token` that may read and export.
        token: The token, where it is a server's study.
        study: The study's name, where the store or the token has several.
        database: Where the data are, if not in the folder.
    """
    from assay.notebook import open_notebook

    return open_notebook(where, token, study, database)
