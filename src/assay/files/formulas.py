"""Texts that a spreadsheet would run as a formula: how a CSV file has them, and what they were."""

STARTS = frozenset("=+-@\t\r\n＝＋－＠")
"""With what a cell begins that some spreadsheet runs."""


def harmless_text(text: str) -> str:
    """A text as a cell that no spreadsheet runs.

    >>> harmless_text("=1+1"), harmless_text("1+1")
    ("'=1+1", '1+1')
    """
    return "'" + text if text[:1] in STARTS else text


def as_it_was(cell: str) -> str:
    """The text that `harmless_text` has made this cell from.

    >>> as_it_was("'=1+1"), as_it_was("'tis")
    ('=1+1', "'tis")
    """
    return cell[1:] if cell[:1] == "'" and cell[1:2] in STARTS else cell
