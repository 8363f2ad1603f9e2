"""Every file that a paper gets of a report, and the folder or the archive that they stand in."""

import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assay.errors import AssayError
from assay.report.build import Report
from assay.report.paper.bibliography import bibtex, cited
from assay.report.paper.csv_table import table_as_csv
from assay.report.paper.drawing import WIDTHS, as_svg, stand_alone, texts_of
from assay.report.paper.fonts import PaperFont, font_of
from assay.report.paper.latex import document, escape, figure_as_latex, table_as_latex
from assay.report.paper.pdf import as_pdf
from assay.report.paper.pieces import PaperFigure, PaperTable, figures_of, tables_of

COLUMNS = {"narrow": "1col", "wide": "2col"}
DOTS_A_CM = 300 / 2.54
README = """Everything here was made by `assay report --paper` from one report; nothing is to be edited by hand.

figures/NAME-1col.*   for one column (8.5 cm), NAME-2col.* for two (17.5 cm): svg, pdf (font embedded), png (300 dpi)
figures/NAME.csv      the numbers of the figure; NAME.tex: the figure with its caption
tables/NAME.csv, .tex the tables of the report's appendix; .tex needs the packages booktabs and graphicx
methods.tex, .md      a methods paragraph to begin from; methods.bib: its sources
captions.md           every caption
paper.tex             a document with all of it: pdflatex paper, bibtex paper, pdflatex paper twice; with letters that
                      are not Latin, lualatex

Colours differ in grey too. The numbers are those of report.json, rounded as the report prints them.
"""


@dataclass(frozen=True, slots=True)
class PaperFile:
    """One file: its place in the folder, and what is in it."""

    name: str
    content: bytes


def paper_files(report: Report, font: Path | None = None) -> Iterator[PaperFile]:
    """Every file, in the order of the report. What cannot be made is said before the first."""
    used = font_of(font)
    page = report.html()
    figures, tables = figures_of(page), tables_of(page)
    for figure in figures:
        yield from _figure_files(figure, used)
    for table in tables:
        yield from _table_files(table, "tables")
        yield PaperFile(f"tables/{table.name}.tex", table_as_latex(table).encode())
    paragraph = report.parts["summary"].method
    yield PaperFile("methods.md", f"{paragraph}\n".encode())
    yield PaperFile("methods.tex", _methods(report, paragraph).encode())
    yield PaperFile("methods.bib", bibtex(report).encode())
    yield PaperFile("captions.md", _captions(figures, tables).encode())
    places = [f"figures/{each.name}" for each in figures], [f"tables/{each.name}" for each in tables]
    yield PaperFile("paper.tex", document(*places).encode())
    yield PaperFile("README.txt", README.encode())


def _figure_files(figure: PaperFigure, font: PaperFont) -> Iterator[PaperFile]:
    import resvg_py

    for layout, svg in figure.drawings.items():
        name = f"figures/{figure.name}-{COLUMNS[layout]}"
        plain = stand_alone(svg, WIDTHS[layout], f"{font.family}, sans-serif")
        if lacking := font.lacks(texts_of(plain)):
            what = f"the font {font.family} has no form for {lacking[:20]}, which the figure {figure.name} has"
            raise AssayError(what, "--font names a TrueType file that has them")
        bold = any(each.get("font-weight") == "600" for each in plain.iter())
        with_font = stand_alone(svg, WIDTHS[layout], f"{font.family}, sans-serif", font.face_rule(bold))
        yield PaperFile(f"{name}.svg", as_svg(with_font).encode())
        yield PaperFile(f"{name}.pdf", as_pdf(plain, font, figure.question))
        png = resvg_py.svg_to_bytes(
            svg_string=as_svg(plain),
            background="#ffffff",
            dpi=96,
            width=round(WIDTHS[layout] * DOTS_A_CM),
            skip_system_fonts=True,
            font_family=font.family,
            sans_serif_family=font.family,
            font_files=[str(font.plain), str(font.bold)],
        )
        yield PaperFile(f"{name}.png", bytes(png))
    if figure.table is not None:
        yield from _table_files(figure.table, "figures")
    yield PaperFile(f"figures/{figure.name}.tex", figure_as_latex(figure).encode())


def one_figure_file(figure: PaperFigure, form: str, layout: str) -> bytes:
    """One file of one figure: svg, png or pdf for one column (`narrow`) or two (`wide`); csv or tex: its table."""
    if form in ("csv", "tex"):
        if figure.table is None:
            raise AssayError("the figure has no table")
        return (table_as_csv if form == "csv" else table_as_latex)(figure.table).encode()
    # The font of a paper has no such pointers; that words stand left and right of the zero says the same.
    drawing = figure.drawings[layout].replace("◂ ", "").replace("▸ ", "")
    drawn = replace(figure, drawings={layout: drawing}, table=None)
    return next(each.content for each in _figure_files(drawn, font_of(None)) if each.name.endswith(f".{form}"))


def _table_files(table: PaperTable, folder: str) -> Iterator[PaperFile]:
    yield PaperFile(f"{folder}/{table.name}.csv", table_as_csv(table).encode())


def _methods(report: Report, paragraph: str) -> str:
    by_method = [f"{escape(name)} \\cite{{{','.join(keys)}}}" for name, keys in cited(report).items()]
    return f"{escape(paragraph)} \\nocite{{assay}}\n\nSources: {'; '.join(by_method)}.\n"


def _captions(figures: Sequence[PaperFigure], tables: Sequence[PaperTable]) -> str:
    lines = [f"- figure `{each.name}`: {each.question} {each.caption}" for each in figures]
    return "\n".join([*lines, *(f"- table `{each.name}`: {each.caption}" for each in tables)]) + "\n"


def as_zip(files: Iterable[PaperFile], into: Path, folder: str = "paper") -> None:
    """The folder as one archive. Its times are fixed, so that the same report is the same file."""
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
        for each in files:
            archive.writestr(zipfile.ZipInfo(f"{folder}/{each.name}", (1980, 1, 1, 0, 0, 0)), each.content)
