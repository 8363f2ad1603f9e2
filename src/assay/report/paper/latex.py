"""Tables, captions and the methods paragraph as LaTeX; tables with booktabs."""

import re
from functools import lru_cache

from assay.report.paper.pages import PaperColumn, layout_of, pages_of
from assay.report.paper.pieces import Cell, PaperFigure, PaperTable

SIGNS = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "−": "$-$",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    "·": r"$\cdot$",
    "×": r"$\times$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "±": r"$\pm$",
    "→": r"$\rightarrow$",
    "\u00a0": "~",
}
_AS_LATEX = str.maketrans(SIGNS)
FITTED = "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}"
"""Makes a table that is too wide as wide as the text, and leaves others alone."""
LONG_HEAD, LONG_WORD = 13, 9
"""The number of letters from which a head is set in several lines, and a word of prose may be broken."""
WITHIN = re.compile(r"[^/_.:=+-]*[/_.:=+-]+|[^/_.:=+-]+")
SOME, DIGIT = re.compile(r".{1,8}"), re.compile(r"\d")


@lru_cache(2**14)
def escape(text: str) -> str:
    r"""A text with LaTeX's special characters escaped.

    >>> escape("50 % of a_b: −0.5")
    '50 \\% of a\\_b: $-$0.5'
    """
    return text.translate(_AS_LATEX)


def table_as_latex(table: PaperTable) -> str:
    """A table as a float; one that is longer than a page as several."""
    layout = layout_of(table)
    columns = "".join(map(_column, layout))
    head = " & ".join(_in_head(each) for each in table.head) + r" \\"
    floats: list[str] = []
    # In a ragged column `\\` ends a line, and not the row.
    end = r" \tabularnewline" if any(each.is_prose for each in layout) else r" \\"
    for rows in pages_of(table.rows, layout):
        label = "" if floats else f"\\label{{tab:{table.name}}}"
        caption = escape(table.caption) + (" (continued)" if floats else "")
        lines = ["\\begin{table}[tbp]\\centering\\small", f"\\caption{{{caption}}}{label}"]
        lines += [f"{FITTED}{{\\begin{{tabular}}{{@{{}}{columns}@{{}}}}", f"\\toprule\n{head}", "\\midrule"]
        lines += [" & ".join(_in_row(cell, prose) for cell, prose in row) + end for row in rows]
        floats.append("\n".join([*lines, "\\bottomrule", "\\end{tabular}}", "\\end{table}"]) + "\n")
    return "".join(floats)


def _column(column: PaperColumn) -> str:
    """How a column is set: numbers to the right, prose in lines, others to the left."""
    return f"p{{{column.share:.2f}\\linewidth}}" if column.is_prose else "r" if column.is_number else "l"


def _in_head(cell: Cell) -> str:
    return f"\\shortstack{{{_fold_head(cell.whole)}}}" if len(cell.whole) > LONG_HEAD else escape(cell.whole)


def _fold_head(text: str) -> str:
    """A head on several lines."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + len(word) >= LONG_HEAD:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return r"\\".join(map(escape, [*lines, line]))


def _in_row(cell: Cell, is_prose: bool) -> str:
    if cell.columns > 1:
        return f"\\multicolumn{{{cell.columns}}}{{l}}{{{escape(cell.whole)}}}"
    return f"\\raggedright {breakable(cell.whole)}" if is_prose and cell.whole else escape(cell.whole)


@lru_cache(2**12)
def breakable(text: str) -> str:
    r"""A text with places where LaTeX may break a line: after signs, and inside long names.

    >>> breakable("empty/incoherent: ignores_it")
    '\\hspace{0pt}empty/\\hspace{0pt}incoherent: \\hspace{0pt}ignores\\_\\hspace{0pt}it'
    """
    return " ".join(map(_breakable_word, text.split()))


def _breakable_word(word: str) -> str:
    if len(word) < LONG_WORD:
        return escape(word)
    # TeX hyphenates what stands behind such a blank of no width; what has digits is no word that it could hyphenate.
    parts = [
        part for piece in WITHIN.findall(word) for part in (SOME.findall(piece) if DIGIT.search(piece) else [piece])
    ]
    return "".join(f"\\hspace{{0pt}}{escape(part)}" for part in parts)


def names_of_parts(name: str, parts: int) -> list[str]:
    """What the files of a figure are called: each part has its number.

    >>> names_of_parts("judge", 2), names_of_parts("time", 1)
    (['judge-1', 'judge-2'], ['time'])
    """
    return [name] if parts == 1 else [f"{name}-{part}" for part in range(1, parts + 1)]


def figure_as_latex(figure: PaperFigure, narrow: int = 1, wide: int = 1) -> str:
    """A figure as a float of one column; where that takes several parts, as those over two columns."""
    if narrow == 1:
        return (
            "\\begin{figure}[tbp]\\centering\n"
            f"\\includegraphics[width=8.5cm,height=0.85\\textheight,keepaspectratio]{{figures/{figure.name}-1col.pdf}}\n"
            f"% over two columns: figure* and \\includegraphics[width=17.5cm]{{figures/{figure.name}-2col.pdf}}\n"
            f"\\caption{{{escape(figure.whole_caption)}}}\\label{{fig:{figure.name}}}\n"
            "\\end{figure}\n"
        )
    floats = [f"% in one column: figure, and {figure.name}-1-1col.pdf to {figure.name}-{narrow}-1col.pdf\n"]
    for part, name in enumerate(names_of_parts(figure.name, wide), 1):
        which = f" (Part {part} of {wide}; the key is for all of them.)" if wide > 1 else ""
        label = f"\\label{{fig:{figure.name}}}" if part == 1 else ""
        floats.append(
            "\\begin{figure*}[tbp]\\centering\n"
            f"\\includegraphics[width=\\textwidth,height=0.85\\textheight,keepaspectratio]{{figures/{name}-2col.pdf}}\n"
            f"\\caption{{{escape(figure.whole_caption + which)}}}{label}\n"
            "\\end{figure*}\n"
        )
    return "".join(floats)


def document(figures: list[str], tables: list[str]) -> str:
    """A document with everything in it, to see that it compiles and to copy from."""
    inputs = [f"\\input{{{name}}}\n\\clearpage" for name in [*figures, *tables]]
    head = [
        "\\documentclass{article}",
        "\\usepackage[T1]{fontenc}",
        "\\usepackage[utf8]{inputenc}",
        "\\usepackage{booktabs,graphicx}",
        "\\begin{document}",
        "\\section*{Methods}",
        "\\input{methods}",
    ]
    return (
        "\n".join([*head, *inputs, "\\bibliographystyle{plain}", "\\bibliography{methods}", "\\end{document}"]) + "\n"
    )
