"""What a reader takes along from the page of a report: each figure and each table as files, inside the page itself.

A figure's PNG would weigh more than all the rest: a script of the page makes it from the SVG when it is asked for. The
page allows itself this one script, by its hash, and nothing else. The PDF is there where the libraries for it are.
"""

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape
from pathlib import Path

from assay.beside import Start, here
from assay.errors import AssayError
from assay.report.paper.csv_table import table_as_csv
from assay.report.paper.drawing import WIDTHS, as_svg, stand_alone
from assay.report.paper.figure_files import one_figure_file
from assay.report.paper.latex import table_as_latex
from assay.report.paper.pieces import FIGURE, TABLE, PaperFigure, PaperTable, figures_of, tables_of

FAMILY = "system-ui, sans-serif"
TYPES = {"svg": "image/svg+xml", "pdf": "application/pdf", "csv": "text/csv", "tex": "text/x-tex"}
CALLED = {"svg": "SVG", "pdf": "PDF", "csv": "CSV", "tex": "LaTeX"}


def script() -> str:
    """The script that makes PNG files of the page's figures."""
    return (Path(__file__).parent / "take_along.js").read_text("utf-8")


def hash_of_script() -> str:
    """The source by which the page's policy allows that script."""
    return f"sha256-{b64encode(sha256(script().encode()).digest()).decode()}"


def with_files(page: str, start: Start[list[str]] = here) -> str:
    """The page with links beside each figure and each table of the appendix. They need no server.

    With `beside`, the files of tables are made in a process of their own while figures are drawn.
    """
    of_tables = start(lambda: [_links(each.name, each.caption, _of_table(each)) for each in tables_of(page)])
    figures = iter(figures_of(page))

    def with_links(found: re.Match[str]) -> str:
        figure = next(figures)
        files = {**_files_of_drawing(figure), **(_of_table(figure.table) if figure.table else {})}
        return found[0].removesuffix("</figure>") + _links(figure.name, figure.question, files) + "</figure>"

    body, mark, appendix = FIGURE.sub(with_links, page).partition('id="appendix"')
    return body + mark + "".join(_appendix(appendix, of_tables()))


def _appendix(appendix: str, links: Sequence[str]) -> Iterator[str]:
    """The appendix with its links, one behind each table."""
    end = 0
    for found, link in zip(TABLE.finditer(appendix), links, strict=True):
        yield appendix[end : found.end()] + link
        end = found.end()
    yield appendix[end:]


def _files_of_drawing(figure: PaperFigure) -> dict[str, bytes]:
    if "wide" not in figure.drawings:
        return {}
    found = {"svg": as_svg(stand_alone(figure.drawings["wide"], WIDTHS["wide"], FAMILY)).encode()}
    try:
        return {**found, "pdf": one_figure_file(figure, "pdf", "wide")}
    except AssayError:
        # Without the libraries, or with letters that their font has not; `--paper` says so, and what to do.
        return found


def _of_table(table: PaperTable) -> dict[str, bytes]:
    return {"csv": table_as_csv(table).encode(), "tex": table_as_latex(table).encode()}


def _links(name: str, about: str, files: dict[str, bytes]) -> str:
    links = [
        f'<a download="{name}.{form}"{_width(form)} href="data:{TYPES[form]};base64,{b64encode(content).decode()}">'
        f'{CALLED[form]}<span class="figure-hidden">: {escape(about)}</span></a>'
        for form, content in files.items()
        if content
    ]
    return f'<p class="take-along">{" ".join(links)}</p>' if links else ""


def _width(form: str) -> str:
    return f' data-cm="{WIDTHS["wide"]}"' if form == "svg" else ""
