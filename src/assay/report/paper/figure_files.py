"""Every file of one figure: its drawings for one column of a paper and for two, and its numbers."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from assay.errors import AssayError
from assay.report.paper.csv_table import table_as_csv
from assay.report.paper.drawing import WIDTHS, as_svg, stand_alone, texts_of
from assay.report.paper.fonts import PaperFont, font_of
from assay.report.paper.latex import figure_as_latex, table_as_latex
from assay.report.paper.pdf import as_pdf
from assay.report.paper.pieces import PaperFigure, PaperTable

COLUMNS = {"narrow": "1col", "wide": "2col"}
DOTS_A_CM = 300 / 2.54


@dataclass(frozen=True, slots=True)
class PaperFile:
    """One file: its place in the folder, and what is in it."""

    name: str
    content: bytes


def figure_files(figure: PaperFigure, font: PaperFont) -> Iterator[PaperFile]:
    """A figure for one column and for two as SVG, PDF and PNG, and its numbers."""
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
        yield table_file(figure.table, "figures")
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
    return next(each.content for each in figure_files(drawn, font_of(None)) if each.name.endswith(f".{form}"))


def table_file(table: PaperTable, folder: str) -> PaperFile:
    """A table's cells."""
    return PaperFile(f"{folder}/{table.name}.csv", table_as_csv(table).encode())
