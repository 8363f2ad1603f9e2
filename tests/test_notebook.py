"""A study in a notebook: its frames, its numbers, its figures; the notebook of the docs runs from top to bottom."""

import ast
import html
import json
import re
from pathlib import Path
from typing import Any

import pandas
import pytest

import assay
from assay import notebook, statistics
from assay.errors import AssayError
from assay.exchange.whole_export import write_export
from assay.kinds import EXPORTS
from assay.live.export_data import export_data
from assay.notebook import NotebookStudy, frame_of
from assay.report.headline import headline_of
from assay.store import open_store
from assay.store.annotator import versions
from assay.store.coordinator import studies
from tests.selection import first_of
from tests.test_golden import unpack, whole_report

DOCS = Path(__file__).parent.parent / "docs"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("notebook")
    (found / "my-study").mkdir()
    unpack("empathy", found / "my-study")
    return found


@pytest.fixture(scope="module")
def study(folder: Path) -> NotebookStudy:
    return assay.open(str(folder / "my-study"))


def test_the_notebook_of_the_docs_runs_from_top_to_bottom(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    cells = json.loads((DOCS / "study.ipynb").read_text("utf-8"))["cells"]
    names: dict[str, Any] = {}
    shown = []
    for cell in (each for each in cells if each["cell_type"] == "code"):
        tree = ast.parse(cell["source"])
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            shown.append(eval(compile(ast.Expression(last.value), "cell", "eval"), names))
    assert len(shown) >= 7
    assert True in [each for each in shown if isinstance(each, bool)], "the export gives the table of the report"
    assert shown[-1]._repr_svg_().startswith("<svg")


def test_frames_have_what_the_exports_have(study: NotebookStudy) -> None:
    assert isinstance(study.judgments, pandas.DataFrame)
    assert {"item", "annotator", "dimension", "value", "number"} <= set(study.judgments.columns)
    assert set(study.judgments["item"]) <= set(study.items["item"])
    assert set(study.judgments["annotator"]) <= set(study.annotators["annotator"])
    assert "reason" in study.agreed.columns


def test_every_number_of_the_report_is_a_row(study: NotebookStudy) -> None:
    numbers = study.numbers
    row = numbers[(numbers["section"] == "overview") & (numbers["place"] == "judgments")]
    assert row["number"].tolist() == [study.report["overview"]["judgments"]]
    assert {"systems", "agreement", "methods", "figures", "summary"} <= set(numbers["section"])
    assert len(numbers) > 1000


@pytest.mark.parametrize("name", ["empathy", "in-car", "trajectories"])
def test_ratings_are_those_that_the_report_counts(name: str, tmp_path: Path) -> None:
    (tmp_path / "study").mkdir()
    unpack(name, tmp_path / "study")
    made = assay.open(str(tmp_path / "study"))
    data = whole_report(name).data
    compared = 0
    for topic, ratings in data.ratings.items():
        if topic.comparison is not None:
            continue
        found = made.ratings(topic.dimension)
        assert found.values.shape == ratings.values.shape
        wanted = headline_of(statistics.agree(ratings, draws=0), "krippendorff_alpha_ordinal")
        again = headline_of(statistics.agree(found, draws=0), "krippendorff_alpha_ordinal")
        assert wanted is not None
        assert again is not None
        assert (again.name, again.value) == (wanted.name, wanted.value)
        compared += 1
    assert compared


READ = {
    "csv": pandas.read_csv,
    "csv-wide": pandas.read_csv,
    "parquet": lambda path: pandas.DataFrame(notebook._parquet(path)),
    "xlsx": lambda path: pandas.read_excel(path, sheet_name="judgments", engine="calamine"),
    "jsonl": lambda path: pandas.read_json(path, lines=True),
}


@pytest.mark.parametrize("form", READ)
@pytest.mark.parametrize("name", first_of(["in-car"], ["empathy", "trajectories"], "on other templates"))
def test_ratings_are_the_same_from_every_export_of_judgments(name: str, form: str, tmp_path: Path) -> None:
    (tmp_path / "study").mkdir()
    unpack(name, tmp_path / "study")
    made = assay.open(str(tmp_path / "study"))
    store = open_store(tmp_path / "study" / "assay.db")
    study_id, hash_ = store.read(studies.find, name)
    version = store.read(versions.version, study_id, hash_)
    assert version is not None
    kind = EXPORTS[form]()
    written = tmp_path / f"out{kind.suffix}"
    write_export(kind, export_data(store, study_id, version, 0), written)
    store.close()
    table = READ[form](written)
    compared = 0
    for each in version.scored_dimensions:
        if each.input.compares:
            continue
        wanted = made.ratings(each.dimension)
        scale, level = made._scales[each.dimension]
        found = statistics.ratings_from(table, dimension=each.dimension, scale=scale, level=level, cluster="group")
        assert found.values.shape == wanted.values.shape
        first, second = (
            {one.name: one.value for one in statistics.agree(ratings, draws=0)} for ratings in (wanted, found)
        )
        assert second == pytest.approx(first, nan_ok=True)
        compared += 1
    assert compared


def test_a_figure_shows_itself_and_escapes_its_words(study: NotebookStudy) -> None:
    figure = study.figures["systems"]
    assert figure._repr_svg_().startswith("<svg")
    assert html.escape(figure.caption) in figure._repr_html_()
    assert "var(" not in figure.svg


def test_a_figure_or_dimension_that_is_not_there_says_why(study: NotebookStudy) -> None:
    lacking = next(name for name, each in study.report["figures"].items() if each.get("nothing"))
    with pytest.raises(KeyError, match=re.escape(study.report["figures"][lacking]["nothing"])):
        study.figures[lacking]
    with pytest.raises(KeyError, match="did you mean 'systems'"):
        study.figures["system"]
    with pytest.raises(AssayError, match="no dimension 'emotoin' on a scale") as found:
        study.ratings("emotoin")
    assert "did you mean 'emotion'?" in str(found.value.hint)


def test_polars_is_taken_where_pandas_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    class Polars:
        DataFrame = dict

    def found(name: str) -> Any:
        if name == "polars":
            return Polars
        raise ImportError

    monkeypatch.setattr(notebook.importlib, "import_module", found)
    assert frame_of({"a": [1]}) == {"a": [1]}
    monkeypatch.setattr(notebook, "FRAMES", ("pandas",))
    with pytest.raises(AssayError, match="neither pandas nor polars"):
        frame_of({"a": [1]})


def test_what_cannot_be_opened_says_why(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(AssayError, match="no study with data"):
        assay.open(str(tmp_path))
    with pytest.raises(AssayError, match="the store has empathy"):
        assay.open(str(folder / "my-study"), study="other")


def test_a_dimension_that_is_not_there_is_refused_with_those_that_are(study: NotebookStudy) -> None:
    with pytest.raises(ValueError, match=r"no judgment of the dimension 'nothing'; there are: .*emotion"):
        statistics.ratings_from(study.judgments, dimension="nothing", scale="1-5", level="ordinal")
    with pytest.raises(ValueError, match="no long table"):
        statistics.ratings_from({"a": [1]}, dimension="x", scale="1-5", level="ordinal")
