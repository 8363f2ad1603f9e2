"""Tables, captions and the methods paragraph as LaTeX; tables with booktabs."""

from functools import lru_cache

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
LONG_TEXT, LONG_TABLE = 26, 35
"""From so many letters a column's lines are broken; from so many rows a table goes on in another."""


@lru_cache(2**14)
def escape(text: str) -> str:
    r"""A text in which nothing is a command.

    >>> escape("50 % of a_b: −0.5")
    '50 \\% of a\\_b: $-$0.5'
    """
    return text.translate(_AS_LATEX)


def table_as_latex(table: PaperTable) -> str:
    """A table as a float; a long one as several."""
    columns = "".join(_column(table, place) for place in range(len(table.head)))
    head = " & ".join(_in_head(each) for each in table.head) + r" \\"
    rows = [" & ".join(map(_in_row, row)) + r" \\" for row in table.rows]
    floats = []
    for start in range(0, max(1, len(rows)), LONG_TABLE):
        label = f"\\label{{tab:{table.name}}}" if start == 0 else ""
        caption = escape(table.caption) + (" (continued)" if start else "")
        lines = ["\\begin{table}[tbp]\\centering\\small", f"\\caption{{{caption}}}{label}"]
        lines += [f"{FITTED}{{\\begin{{tabular}}{{@{{}}{columns}@{{}}}}", f"\\toprule\n{head}", "\\midrule"]
        lines += [*rows[start : start + LONG_TABLE], "\\bottomrule", "\\end{tabular}}", "\\end{table}"]
        floats.append("\n".join(lines) + "\n")
    return "".join(floats)


def _column(table: PaperTable, place: int) -> str:
    """How a column is set: numbers to the right, long texts in lines, others to the left."""
    cells = [row[place] for row in table.rows if place < len(row) and row[place].columns == 1]
    if table.head[place].is_number:
        return "r"
    longest = max((len(each.whole) for each in (*cells, table.head[place])), default=0)
    if longest < LONG_TEXT:
        return "l"
    texts = sum(not each.is_number for each in table.head)
    return f"p{{{max(0.12, min(0.4, 0.75 / max(1, texts))):.2f}\\linewidth}}"


def _in_head(cell: Cell) -> str:
    return f"\\shortstack{{{_folded(cell.whole)}}}" if len(cell.whole) > LONG_TEXT // 2 else escape(cell.whole)


def _folded(text: str) -> str:
    """A head on several lines."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + len(word) >= LONG_TEXT // 2:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return r"\\".join(map(escape, [*lines, line]))


def _in_row(cell: Cell) -> str:
    words = escape(cell.whole)
    return f"\\multicolumn{{{cell.columns}}}{{l}}{{{words}}}" if cell.columns > 1 else words


def figure_as_latex(figure: PaperFigure) -> str:
    """A figure as a float of one column; the file for two columns stands in a comment."""
    return (
        "\\begin{figure}[tbp]\\centering\n"
        f"\\includegraphics[width=8.5cm,height=0.85\\textheight,keepaspectratio]{{figures/{figure.name}-1col.pdf}}\n"
        f"% over two columns: figure* and \\includegraphics[width=17.5cm]{{figures/{figure.name}-2col.pdf}}\n"
        f"\\caption{{{escape(figure.whole_caption)}}}\\label{{fig:{figure.name}}}\n"
        "\\end{figure}\n"
    )


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
