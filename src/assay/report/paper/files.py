"""Every file that a paper gets of a report, and the folder or the archive that they stand in."""

import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from assay.report.build import Report
from assay.report.paper.bibliography import bibtex, sources_to_cite
from assay.report.paper.figure_files import PaperFile, figure_files, table_file
from assay.report.paper.fonts import font_of
from assay.report.paper.latex import document, escape, table_as_latex
from assay.report.paper.pieces import PaperFigure, PaperTable, figures_of, tables_of

README = """Everything here was made by `assay report --paper` from one report; nothing is to be edited by hand.

figures/NAME-1col.*   for one column (8.5 cm), NAME-2col.* for two (17.5 cm): svg, pdf (font embedded), png (300 dpi)
                      what is taller than a page stands in parts, which have numbers: NAME-1-1col.*, NAME-2-1col.*
figures/NAME.csv      the numbers of the figure; NAME.tex: the figure with its caption
tables/NAME.csv, .tex the tables of the report's appendix; .tex needs the packages booktabs and graphicx
methods.tex, .md      a methods paragraph to begin from; methods.bib: its sources
captions.md           every caption
paper.tex             a document with all of it: pdflatex paper, bibtex paper, pdflatex paper twice; with letters that
                      are not Latin, lualatex

Colours differ in grey too. The numbers are those of report.json, rounded as the report prints them.
"""


def paper_files(report: Report, font: Path | None = None) -> Iterator[PaperFile]:
    """Every file, in the order of the report. A missing library or font is an error before the first file."""
    used = font_of(font)
    page = report.html()
    figures, tables = figures_of(page), tables_of(page)
    for figure in figures:
        yield from figure_files(figure, used)
    for table in tables:
        yield table_file(table, "tables")
        yield PaperFile(f"tables/{table.name}.tex", table_as_latex(table).encode())
    paragraph = report.parts["summary"].method
    yield PaperFile("methods.md", f"{paragraph}\n".encode())
    yield PaperFile("methods.tex", _methods(report, paragraph).encode())
    yield PaperFile("methods.bib", bibtex(report).encode())
    yield PaperFile("captions.md", _captions(figures, tables).encode())
    places = [f"figures/{each.name}" for each in figures], [f"tables/{each.name}" for each in tables]
    yield PaperFile("paper.tex", document(*places).encode())
    yield PaperFile("README.txt", README.encode())


def _methods(report: Report, paragraph: str) -> str:
    by_method = [f"{escape(name)} \\cite{{{','.join(keys)}}}" for name, keys in sources_to_cite(report).items()]
    return f"{escape(paragraph)} \\nocite{{assay}}\n\nSources: {'; '.join(by_method)}.\n"


def _captions(figures: Sequence[PaperFigure], tables: Sequence[PaperTable]) -> str:
    lines = [f"- figure `{each.name}`: {each.whole_caption}" for each in figures]
    return "\n".join([*lines, *(f"- table `{each.name}`: {each.caption}" for each in tables)]) + "\n"


def as_zip(files: Iterable[PaperFile], into: Path, folder: str = "paper") -> None:
    """The folder as one archive. Its times are fixed, so that the same report is the same file."""
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
        for each in files:
            archive.writestr(zipfile.ZipInfo(f"{folder}/{each.name}", (1980, 1, 1, 0, 0, 0)), each.content)
