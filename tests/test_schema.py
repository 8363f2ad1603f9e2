"""The JSON Schema of the study file says what the program says."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from assay.kinds import DERIVATIONS, DISPLAYS, GATES, INPUTS
from assay.study import yaml
from assay.study.json_schema import FILE, json_schema
from assay.study.templates import HERE, copy_template, template_names


@pytest.fixture(scope="module")
def schema() -> Any:
    made = json_schema()
    jsonschema.Draft202012Validator.check_schema(made)
    return jsonschema.Draft202012Validator(made)


def data_of(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.read((HERE / name / "study.yaml").read_text("utf-8")).data
    return found


@pytest.mark.parametrize("name", template_names())
def test_every_template_is_right_by_the_schema(schema: Any, name: str) -> None:
    assert [error.message for error in schema.iter_errors(data_of(name))] == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("titel",), "x"),
        (("navigation",), "sideways"),
        (("rubric", 0, "scale"), {"from": "one", "to": 5}),
        (("rubric", 0, "of"), 7),
        (("items", "show", 0), {"picture": {}}),
        (("assignment", "order"), "alphabetical"),
        (("assignment", "per_item"), 0),
        (("analysis", "agreement", "coefficient"), "kapa"),
    ],
)
def test_what_the_program_refuses_the_schema_marks(schema: Any, path: tuple[Any, ...], value: Any) -> None:
    data = data_of("empathy")
    part: Any = data
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    assert list(schema.iter_errors(data))


@pytest.mark.parametrize(
    "kind", [*INPUTS.values(), *DISPLAYS.values(), *GATES.values(), *DERIVATIONS.values()], ids=lambda kind: kind.kind
)
def test_the_example_of_every_kind_is_right_by_the_schema(schema: Any, kind: Any) -> None:
    data = data_of("empathy")
    if kind.family is INPUTS:
        # A preference is asked of a pair: that is a matter of meaning, which the schema does not see.
        data["rubric"][0] = {"dimension": "one", kind.kind: kind.example}
    elif kind.family is DISPLAYS:
        data["items"]["show"][0] = {kind.kind: kind.example}
    elif kind.family is GATES:
        data["gates"][0] = {kind.kind: kind.example}
    else:
        data["derive"] = [{"derived": "one", kind.kind: kind.example}]
    assert [error.message for error in schema.iter_errors(data)] == []


def test_a_new_study_names_its_schema_and_has_it_beside_it(tmp_path: Path) -> None:
    copy_template("empathy", tmp_path)
    first = (tmp_path / "study.yaml").read_text("utf-8").splitlines()[0]
    assert first == f"# yaml-language-server: $schema={FILE}"
    assert json.loads((tmp_path / FILE).read_text("utf-8")) == json_schema()


def test_every_key_is_explained(schema: Any) -> None:
    def unexplained(part: Any, at: str) -> list[str]:
        found = []
        for name, each in (part.get("properties") or {}).items():
            if "description" not in each and "$ref" not in each:
                found.append(f"{at}.{name}")
        return found

    made = json_schema()
    missing = unexplained(made, "study") + [
        place for name, part in made["$defs"].items() for place in unexplained(part, name)
    ]
    assert missing == []
