"""Adds the column's name to each cell of a table: on a phone, where a row is a card, the style shows it."""

import re
from collections.abc import Iterator
from html import escape, unescape

TABLE = re.compile(r'(<table class="data(?: (?!items)[\w-]+)*">\s*)(<thead>.*?</thead>)(.*?</table>)', re.S)
HEAD = re.compile(r"<th\b[^>]*>(.*?)</th>", re.S)
ROW = re.compile(r"<tr\b.*?</tr>", re.S)
CELL = re.compile(r"<(td|th)\b(?P<about>[^>]*)>")
TAG = re.compile(r"<[^>]+>")


def with_labels(page: str) -> str:
    """The page, with the name of its column beside each cell of its tables.

    >>> with_labels('<table class="data"><thead><tr><th>Who</th><th>n</th></tr></thead>'
    ...     '<tr><th scope="row">ana</th><td class="n">3</td></tr></table>')[-76:]
    '<tr><th scope="row">ana</th><td data-label="n" class="n">3</td></tr></table>'
    """
    return TABLE.sub(_label_table, page)


def _label_table(table: re.Match[str]) -> str:
    names = [" ".join(unescape(TAG.sub("", head)).split()) for head in HEAD.findall(table[2])]
    return f"{table[1]}{table[2]}{ROW.sub(lambda row: _label_row(row[0], iter(names)), table[3])}"


def _label_row(row: str, names: Iterator[str]) -> str:
    def with_label(cell: re.Match[str]) -> str:
        name = next(names, "")
        # The head of a row says by itself what it is.
        if cell[1] == "th" or not name:
            return cell[0]
        return f'<td data-label="{escape(name)}"{cell["about"]}>'

    return CELL.sub(with_label, row)
