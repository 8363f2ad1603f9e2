"""Every file of one figure: its drawings for one column of a paper and for two, and its numbers."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from assay.errors import AssayError
from assay.report.paper.csv_table import table_as_csv
from assay.report.paper.drawing import WIDTHS, as_svg, stand_alone, texts_of
from assay.report.paper.fonts import PaperFont, font_of
from assay.report.paper.latex import figure_as_latex, names_of_parts, table_as_latex
from assay.report.paper.parts import parts_of
from assay.report.paper.pdf import as_pdf
from assay.report.paper.pieces import PaperFigure, PaperTable
from assay.report.paper.png import Drawing

COLUMNS = {"narrow": "1col", "wide": "2col"}
DOTS_A_CM = 300 / 2.54


@dataclass(frozen=True, slots=True)
class PaperFile:
    """One file: its place in the folder, and what is in it."""

    name: str
    content: bytes


def figure_files(figure: PaperFigure, font: PaperFont) -> Iterator[PaperFile]:
    """A figure for one column and for two as SVG, PDF and PNG, in parts where it is taller than a page; its numbers."""
    parts = {layout: parts_of(drawing, layout) for layout, drawing in figure.drawings.items()}
    for layout, found in parts.items():
        for name, part in zip(names_of_parts(figure.name, len(found)), found, strict=True):
            drawn = _Drawn(replace(figure, drawings={layout: part}), layout, font)
            place = f"figures/{name}-{COLUMNS[layout]}"
            yield PaperFile(f"{place}.svg", drawn.svg())
            yield PaperFile(f"{place}.pdf", drawn.pdf())
            yield PaperFile(f"{place}.png", drawn.dots.as_png())
    if figure.table is not None:
        yield table_file(figure.table, "figures")
    yield PaperFile(
        f"figures/{figure.name}.tex", figure_as_latex(figure, len(parts["narrow"]), len(parts["wide"])).encode()
    )


class _Drawn:
    """One drawing of a figure, with the font of the paper."""

    def __init__(self, figure: PaperFigure, layout: str, font: PaperFont) -> None:
        self._figure, self._font = figure, font
        self._drawing, self._width, self._families = (
            figure.drawings[layout],
            WIDTHS[layout],
            f"{font.family}, sans-serif",
        )
        self.plain = stand_alone(self._drawing, self._width, self._families)
        if lacking := font.lacks(texts_of(self.plain)):
            what = f"the font {font.family} has no form for {lacking[:20]}, which the figure {figure.name} has"
            raise AssayError(what, "--font names a TrueType file that has them")

    def svg(self) -> bytes:
        bold = any(each.get("font-weight") == "600" for each in self.plain.iter())
        face = self._font.face_rule(bold)
        return as_svg(stand_alone(self._drawing, self._width, self._families, face)).encode()

    def pdf(self) -> bytes:
        return as_pdf([self.plain], self._font, self._figure.question)

    @property
    def dots(self) -> Drawing:
        """What its PNG is made from."""
        font, width = self._font, round(self._width * DOTS_A_CM)
        return Drawing(as_svg(self.plain), width, font.family, str(font.plain), str(font.bold))


def one_figure_file(figure: PaperFigure, form: str, layout: str) -> bytes:
    """One file of one figure: svg, png or pdf for one column (`narrow`) or two (`wide`); csv or tex: its table.

    What is taller than a page has several in a PDF, which is for a paper; as SVG and PNG, for a screen, it is whole.
    For a server: the slow part is done by another process, so that other threads go on.
    """
    if form in ("csv", "tex"):
        if figure.table is None:
            raise AssayError("the figure has no table")
        return (table_as_csv if form == "csv" else table_as_latex)(figure.table).encode()
    font = font_of(None)
    if form == "pdf":
        parts = parts_of(figure.drawings[layout], layout)
        pages = [_Drawn(replace(figure, drawings={layout: part}), layout, font) for part in parts]
        return as_pdf([each.plain for each in pages], font, figure.question)
    drawn = _Drawn(figure, layout, font)
    return drawn.dots.as_png_apart() if form == "png" else drawn.svg()


def table_file(table: PaperTable, folder: str) -> PaperFile:
    """A table's cells."""
    return PaperFile(f"{folder}/{table.name}.csv", table_as_csv(table).encode())
