"""What a paper gets of a report: every figure and table, in every form, with nothing that the report does not say."""

import csv
import io
import os
import re
import sys
import zipfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from assay.errors import AssayError
from assay.kinds import STATISTICS
from assay.report.build import Report
from assay.report.paper.bibliography import NAMED, bibtex, keys_of, sources
from assay.report.paper.csv_table import table_as_csv
from assay.report.paper.drawing import COLOURS, WIDTHS, channels, stand_alone, tag_of, texts_of
from assay.report.paper.figure_files import PaperFile, one_figure_file
from assay.report.paper.files import as_zip, paper_files
from assay.report.paper.fonts import font_of
from assay.report.paper.latex import breakable, escape, table_as_latex
from assay.report.paper.parts import parts_of
from assay.report.paper.pieces import figures_of, read_table, tables_of
from assay.report.sections.methods import _definition
from tests.report.known import answers, report
from tests.report.test_known_trajectories import STUDY as WAYS
from tests.report.test_known_trajectories import judged as ways
from tests.report.test_report import PLAIN


@pytest.fixture(scope="module")
def made() -> Report:
    return report(WAYS, ways())


@pytest.fixture(scope="module")
def files(made: Report) -> dict[str, bytes]:
    try:
        font_of(None)
    except AssayError as error:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"{error.what}: {error.hint}")
    return {each.name: each.content for each in paper_files(made)}


def test_every_figure_and_table_of_the_page_has_its_files(made: Report, files: dict[str, bytes]) -> None:
    page = made.html()
    names = re.findall(r'<figure class="figure" id="figure-([\w-]+)"', page)
    assert len(names) > 5
    for name in names:
        for width in ("1col", "2col"):
            part = "" if f"figures/{name}-{width}.svg" in files else "-1"
            assert {f"figures/{name}{part}-{width}.{form}" for form in ("svg", "png", "pdf")} <= files.keys()
            assert not part or f"figures/{name}-2-{width}.svg" in files, "one part alone"
        assert {f"figures/{name}.csv", f"figures/{name}.tex"} <= files.keys()
    behind = page[page.index('id="appendix"') :]
    tables = {name for name in files if name.startswith("tables/")}
    assert len(tables) == 2 * behind.count("<table")
    assert {Path(name).suffix for name in tables} == {".csv", ".tex"}
    assert {"methods.md", "methods.tex", "methods.bib", "captions.md", "paper.tex", "README.txt"} <= files.keys()


def test_what_a_figure_shows_is_a_sentence_of_its_own_in_its_caption(made: Report, files: dict[str, bytes]) -> None:
    captions = re.findall(r"^- figure `[\w-]+`: (.*)$", files["captions.md"].decode(), re.M)
    figures = figures_of(made.html())
    assert len(captions) == len(figures)
    for each, caption in zip(figures, captions, strict=True):
        shown = each.question.rstrip(".?!")
        assert re.match(re.escape(shown) + r"[.?!] \S", caption), caption


def test_a_figure_stands_alone_in_centimetres_with_its_styles_and_font_inside(files: dict[str, bytes]) -> None:
    for name, content in files.items():
        if not name.endswith(".svg"):
            continue
        root = ElementTree.fromstring(content)
        assert root.get("width") == ("8.5cm" if "1col" in name else "17.5cm")
        assert not [each for each in root.iter() if "class" in each.attrib]
        assert b"var(" not in content
        assert b"@font-face" in content
        assert not re.search(rb'(href|src)="http', content)
        drawn = {tag_of(each) for each in root.iter()}
        known = {"svg", "title", "desc", "style", "defs", "pattern", "g", "text", "line", "rect", "circle", "path"}
        assert drawn <= known, "the PDF is drawn from these alone"
        for each in root.iter():
            if tag_of(each) == "text":
                assert each.get("fill", "").startswith("#"), "a class without a rule"


def test_a_pdf_has_its_size_its_words_and_every_font_embedded(files: dict[str, bytes]) -> None:
    for name, content in files.items():
        if name.endswith(".pdf"):
            [box] = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", content)
            width = WIDTHS["narrow" if "1col" in name else "wide"]
            assert float(box[0]) == pytest.approx(width / 2.54 * 72, abs=0.01)
            assert content.count(b"/FontFile2") >= 1
            assert b"/BaseFont /Helvetica" not in content, "a font that is not embedded"


def test_a_png_has_300_dots_an_inch_and_something_on_it(files: dict[str, bytes]) -> None:
    picture = Image.open(io.BytesIO(files["figures/agreement-1col.png"])).convert("RGB")
    assert picture.width == round(8.5 / 2.54 * 300)
    colours = {colour for _, colour in picture.getcolors(1 << 24) or []}
    assert (255, 255, 255) in colours
    accent = tuple(round(255 * each) for each in channels(COLOURS["accent"]))
    assert accent in colours
    # Words are dark: a halo that hides them leaves the head of the figure without a dark pixel.
    head = picture.crop((0, 0, picture.width, picture.height // 4)).convert("L")
    assert head.getextrema()[0] < 60


def luminance(colour: str) -> float:
    parts = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels(colour))
    return sum(weight * each for weight, each in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def test_the_colours_of_paper_differ_in_grey_and_stand_out_from_white() -> None:
    for name in ("accent", "b", "muted", "line"):
        assert 1.05 / (luminance(COLOURS[name]) + 0.05) >= 3, name
    light, dark = luminance(COLOURS["b"]), luminance(COLOURS["accent"])
    assert (light + 0.05) / (dark + 0.05) >= 1.8
    assert (luminance(COLOURS["soft"]) + 0.05) / (light + 0.05) >= 1.8


def test_a_csv_has_the_numbers_of_the_page_and_columns_for_intervals() -> None:
    table = read_table(
        "<table><thead><tr><th>System</th><th class=n>Mean</th></tr></thead><tbody>"
        "<tr><th>=1+1</th><td class=n>−0.50 <span class=ci>[−1.00, 0.25]</span></td></tr>"
        "<tr><th>old</th><td class=n>–</td></tr><tr><th>many</th><td class=n>1,484.5</td></tr></tbody></table>"
    )
    rows = list(csv.reader(io.StringIO(table_as_csv(table))))
    assert rows == [
        ["System", "Mean", "Mean low", "Mean high"],
        ["'=1+1", "-0.50", "-1.00", "0.25"],
        ["old", "–", "", ""],
        ["many", "1484.5", "", ""],
    ]


def test_every_table_of_the_page_is_read_whole(made: Report) -> None:
    for table in tables_of(made.html()):
        assert table.caption, table.name
        assert table.head, table.name
        width = len(table.head)
        assert all(sum(cell.columns for cell in row) == width for row in table.rows), table.name
        assert all(
            len(row) == len(rows[0]) for rows in [list(csv.reader(io.StringIO(table_as_csv(table))))] for row in rows
        )


def test_nothing_in_a_latex_table_is_a_command() -> None:
    assert escape(r"\input{x} 50 % a_b & $5 #1 ~^") == (
        r"\textbackslash{}input\{x\} 50 \% a\_b \& \$5 \#1 \textasciitilde{}\textasciicircum{}"
    )
    source = "<table><thead><tr><th>a_b</th></tr></thead><tr><td>1 &amp; 2</td></tr></table>"
    table = replace(read_table(source), name="x", caption="A % caption")
    made = table_as_latex(table)
    assert r"\toprule" in made
    assert r"1 \& 2 \\" in made


def test_every_source_that_a_coefficient_names_is_in_the_bibliography() -> None:
    named = 0
    for name in STATISTICS:
        references = _definition(name).references
        found = {f"{match['surname'].lower()}{match['year']}" for match in NAMED.finditer(references)}
        assert found <= sources().keys(), name
        named += len(found)
        assert set(keys_of(references)) >= found
    assert named > 20


def test_the_bibliography_has_what_was_used_and_the_program(made: Report) -> None:
    text = bibtex(made)
    assert "@misc{krippendorff2011" in text
    assert "@article{holm1979" in text
    assert "@misc{assay" in text, "the style plain knows no @software"
    assert text.count("{") == text.count("}")


def test_a_letter_that_the_font_lacks_is_an_error_that_names_the_way_out() -> None:
    given = [
        each for index in range(25) for who in ("安娜", "ben") for each in answers(f"i{index}", who, {"emotion": 3})
    ]
    try:
        font_of(None)
    except AssayError:
        pytest.skip("the libraries of papers are not installed")
    with pytest.raises(AssayError, match="安") as caught:
        list(paper_files(report(PLAIN, given)))
    assert "--font" in caught.value.hint


def test_without_the_libraries_it_is_said_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "reportlab", None)
    with pytest.raises(AssayError) as caught:
        font_of(None)
    assert caught.value.hint == 'pip install "assay-eval[paper]"'


def test_a_font_that_is_none_is_refused_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "no.ttf").write_text("no font", "utf-8")
    for name in ("no.ttf", "missing.ttf"):
        with pytest.raises(AssayError, match=name):
            font_of(tmp_path / name)


def test_an_archive_of_the_same_report_is_the_same_file(tmp_path: Path) -> None:
    for name in ("one", "two"):
        as_zip(iter([PaperFile("figures/a.svg", b"<svg/>")]), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert zipfile.ZipFile(tmp_path / "one").namelist() == ["paper/figures/a.svg"]


def test_a_drawing_keeps_its_marks_when_it_stands_alone(made: Report) -> None:
    [figure] = [each for each in figures_of(made.html()) if each.name == "agreement"]
    root = stand_alone(figure.drawings["wide"], 17.5, "Any")
    circles = [each for each in root.iter() if tag_of(each) == "circle" and each.get("r") == "5.5"]
    assert len(circles) == figure.drawings["wide"].count('r="5.5"')
    assert {each.get("stroke") for each in circles} <= {COLOURS["accent"], COLOURS["muted"]}


def test_a_figure_taller_than_a_page_stands_in_parts_that_fit_on_one_and_nothing_of_it_is_lost(made: Report) -> None:
    tall = 0
    for figure in figures_of(made.html()):
        for layout, drawing in figure.drawings.items():
            _, _, width, height = map(float, ElementTree.fromstring(drawing).get("viewBox", "").split())
            parts = parts_of(drawing, layout)
            if WIDTHS[layout] * height / width <= 19.5:
                assert parts == [drawing], "what fits on a page stays as it is"
                continue
            tall += 1
            roots = [stand_alone(part, WIDTHS[layout], "Any") for part in parts]
            assert len(roots) > 1, figure.name
            for root in roots:
                assert float(root.get("height", "").removesuffix("cm")) <= 19.6, figure.name
            whole = Counter(texts_of(stand_alone(drawing, WIDTHS[layout], "Any")))
            divided = Counter(text for root in roots for text in texts_of(root))
            assert whole <= divided
            more = divided - whole
            assert all(re.fullmatch(r"[+−]?[\d.]+( %)?", text) for text in more), "the numbers of an axis stand again"
    assert tall


def test_a_tall_figure_that_is_taken_alone_has_pages_that_fit_as_pdf_and_is_whole_as_svg(made: Report) -> None:
    tall = 0
    for figure in figures_of(made.html()):
        for layout, drawing in figure.drawings.items():
            boxes = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", one_figure_file(figure, "pdf", layout))
            assert {round(float(width) / 72 * 2.54, 2) for width, _ in boxes} == {WIDTHS[layout]}
            assert max(float(height) / 72 * 2.54 for _, height in boxes) <= 19.6, figure.name
            assert len(boxes) == len(parts_of(drawing, layout))
            tall += len(boxes) > 1
            whole = ElementTree.fromstring(one_figure_file(figure, "svg", layout))
            assert whole.get("viewBox") == ElementTree.fromstring(drawing).get("viewBox")
    assert tall


def test_a_figure_that_is_cut_through_its_rows_has_its_axis_below_each_part() -> None:
    rows = "".join(f'<text x="0" y="{20 * row + 15}">row {row}</text>' for row in range(90))
    drawing = (
        f'<svg viewBox="0 0 340 1850">{rows}<line x1="9" x2="9" y1="2" y2="1804" class="f-grid"/>'
        '<text x="9" y="1820">0.5</text></svg>'
    )
    parts = [ElementTree.fromstring(part) for part in parts_of(drawing, "narrow")]
    assert len(parts) == 3
    below = 0.0
    for part in parts:
        _, above, _, height = map(float, part.get("viewBox", "").split())
        [line] = part.findall("line")
        [axis] = [each for each in part.findall("text") if each.text == "0.5"]
        named = [float(each.get("y", "0")) for each in part.findall("text") if each.text != "0.5"]
        assert above <= min(named)
        assert max(named) <= float(line.get("y2", "0")) < float(axis.get("y", "0")) <= above + height
        assert below < min(named), "no row stands twice"
        below = max(named)


def test_a_table_longer_than_a_page_goes_on_in_another_also_within_a_row() -> None:
    long = " ".join(f"word{n}" for n in range(900))
    rows = "".join(f"<tr><th>a{n}</th><td>{long if n == 1 else 'short'}</td></tr>" for n in range(50))
    table = read_table(f"<table><thead><tr><th>Name</th><th>What was said</th></tr></thead>{rows}</table>")
    pages = [page.split("\\midrule\n")[1] for page in table_as_latex(table).split("\\begin{table}")[1:]]
    assert len(pages) > 3
    words = [re.findall(r"word\d+", page.replace("\\hspace{0pt}", "")) for page in pages]
    assert [word for page in words for word in page] == long.split()
    assert max(map(len, words)) < 400
    assert "".join(pages).count("a1 &") == 1, "the name of a row that goes on stands once"


def test_long_words_of_prose_break_and_no_others() -> None:
    assert breakable("a short word") == "a short word"
    assert breakable("ignores_constraint") == r"\hspace{0pt}ignores\_\hspace{0pt}constraint"
    assert breakable("0123456789abcdef") == r"\hspace{0pt}01234567\hspace{0pt}89abcdef"
