"""A folder that `datasets.load_dataset` opens."""

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from ruamel.yaml import YAML

from assay.exchange import Column, Export, ExportData, ExportResult
from assay.exchange.export_columns import (
    AGREED,
    ANNOTATORS,
    Type,
    agreed_rows,
    annotator_rows,
    as_time,
    item_columns,
    item_rows,
    typed_columns,
)
from assay.exchange.parquet import TYPED, write_judgments, write_parquet

DTYPES: dict[Type, str] = {
    "text": "string",
    "JSON": "string",
    "whole number": "int64",
    "number": "float64",
    "true or false": "bool",
    "time": "timestamp[us, tz=UTC]",
}


class HuggingFaceExport(Export):
    """A folder in the layout of Hugging Face datasets: Parquet files, and a README.md whose header names them.

    `datasets.load_dataset(folder)` gives the judgments; `load_dataset(folder, "items")`, `"annotators"` and, where
    values are agreed on, `"agreed"` the rest.
    """

    kind: ClassVar[str] = "huggingface"
    publishes: ClassVar[bool] = True

    def write(self, data: ExportData, path: Path) -> ExportResult:
        (path / "data").mkdir()
        tables = _tables(data)
        rows = {
            "items": item_rows(data.study, data.items()),
            "annotators": annotator_rows(data.annotators()),
        }
        if data.has_agreed:
            rows["agreed"] = (
                tuple(None if each is None else str(each) for each in row) for row in agreed_rows(data.agreed)
            )
        counts = {"judgments": write_judgments(data, path / "data" / "judgments.parquet")}
        for name, each in rows.items():
            counts[name] = write_parquet(tables[name], each, path / "data" / f"{name}.parquet")
        (path / "README.md").write_text(_readme(data, tables, counts), "utf-8")
        return ExportResult(counts["judgments"])

    def columns(self, data: ExportData) -> Iterator[tuple[str, Column]]:
        for name, columns in _tables(data).items():
            yield from ((f"data/{name}.parquet", column) for column in columns)


def _tables(data: ExportData) -> dict[str, Sequence[Column]]:
    tables: dict[str, Sequence[Column]] = {
        "judgments": TYPED,
        "items": item_columns(data.study),
        "annotators": typed_columns(ANNOTATORS),
    }
    return tables | ({"agreed": typed_columns(AGREED)} if data.has_agreed else {})


def _readme(data: ExportData, tables: dict[str, Sequence[Column]], counts: dict[str, int]) -> str:
    """The card: a header that a program reads, and words for people."""
    header = {
        "pretty_name": data.study.title,
        "language": [data.study.language],
        "configs": [
            {
                "config_name": name,
                **({"default": True} if name == "judgments" else {}),
                "data_files": [{"split": "train", "path": f"data/{name}.parquet"}],
            }
            for name in tables
        ],
        "dataset_info": [
            {
                "config_name": name,
                "features": [{"name": column.name, "dtype": DTYPES[column.type]} for column in columns],
            }
            for name, columns in tables.items()
        ],
    }
    text = io.StringIO()
    YAML().dump(header, text)
    changed = "" if data.changed is None else " `anonymised.md` says what was changed before publishing."
    lines = [f"- `{name}`: {counts[name]:,} rows" for name in tables]
    return (
        f"---\n{text.getvalue()}---\n\n# {data.study.title}\n\n"
        f"Judgments of the study `{data.study.study}`, exported at {as_time(data.made_at)}. Annotators have "
        f"pseudonyms. `dictionary.csv` says what each column means.{changed}\n\n" + "\n".join(lines) + "\n"
    )
