"""What a reader takes along from the page of a report: each figure and each table as files, inside the page itself."""

import re
from base64 import b64encode
from collections.abc import Iterator
from html import escape

from assay.report.paper.csv_table import table_as_csv
from assay.report.paper.drawing import WIDTHS, as_svg, stand_alone
from assay.report.paper.latex import table_as_latex
from assay.report.paper.pieces import FIGURE, TABLE, PaperTable, figures_of, tables_of

FAMILY = "system-ui, sans-serif"
TYPES = {"svg": "image/svg+xml", "csv": "text/csv", "tex": "text/x-tex"}
CALLED = {"svg": "SVG", "csv": "CSV", "tex": "LaTeX"}


def with_files(page: str) -> str:
    """The page with links beside each figure and each table of the appendix. They need no server and no script."""
    figures = iter(figures_of(page))

    def with_links(found: re.Match[str]) -> str:
        figure = next(figures)
        svg = as_svg(stand_alone(figure.drawings["wide"], WIDTHS["wide"], FAMILY)) if "wide" in figure.drawings else ""
        files = {"svg": svg, **(_of_table(figure.table) if figure.table else {})}
        return found[0].removesuffix("</figure>") + _links(figure.name, figure.question, files) + "</figure>"

    tables = iter(tables_of(page))
    body, mark, appendix = FIGURE.sub(with_links, page).partition('id="appendix"')
    return body + mark + "".join(_appendix(appendix, tables))


def _appendix(appendix: str, tables: Iterator[PaperTable]) -> Iterator[str]:
    end = 0
    for found in TABLE.finditer(appendix):
        table = next(tables)
        yield appendix[end : found.end()] + _links(table.name, table.caption, _of_table(table))
        end = found.end()
    yield appendix[end:]


def _of_table(table: PaperTable) -> dict[str, str]:
    return {"csv": table_as_csv(table), "tex": table_as_latex(table)}


def _links(name: str, about: str, files: dict[str, str]) -> str:
    links = [
        f'<a download="{name}.{form}" href="data:{TYPES[form]};base64,{b64encode(content.encode()).decode()}">'
        f'{CALLED[form]}<span class="figure-hidden">: {escape(about)}</span></a>'
        for form, content in files.items()
        if content
    ]
    return f'<p class="take-along">{" ".join(links)}</p>' if links else ""
