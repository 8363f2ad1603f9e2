"""The JSON Schema of the study file, generated from its types: editors complete and validate with it."""

import json
from functools import cache
from typing import Any

from assay.kinds import ORDERS, STATISTICS
from assay.study.schema import study_type

FILE = "study.schema.json"


def json_schema() -> dict[str, Any]:
    """The JSON Schema of the study file, as a dictionary."""
    made = study_type().model_json_schema(by_alias=True)
    parts = made["$defs"]
    parts["AssignmentSettings"]["properties"]["order"]["enum"] = list(ORDERS)
    parts["AgreementSettings"]["properties"]["coefficient"]["enum"] = list(STATISTICS)
    # Names of scale points are numbers in YAML, and texts in JSON: editors see either.
    made["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    made["title"] = "A study of Assay"
    return made


@cache
def as_text() -> str:
    """The schema as the text of a file."""
    return json.dumps(json_schema(), ensure_ascii=False, indent=1) + "\n"
