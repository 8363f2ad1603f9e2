"""Write the reference pages from the code: docs/study-file.md, docs/commands.md, docs/statistics.md.

`make docs` writes them; a test fails when a page does not say what the code says.
"""

import inspect
import re
import types
import typing
from pathlib import Path
from typing import Any

import typer.main
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from assay.cli import build
from assay.exchange import COLUMNS
from assay.kinds import DISPLAYS, EXPORTS, GATES, INPUTS, MONITORS, ORDERS, SECTIONS, SOURCES, STATISTICS
from assay.study import schema

DOCS = Path(__file__).parent.parent / "docs"
MADE = "<!-- Made from the code by `make docs`: edit the docstrings there, not this page. -->\n"


def pages() -> dict[str, str]:
    """Every generated page by its name."""
    return {"study-file.md": study_file(), "commands.md": commands(), "statistics.md": statistics()}


def study_file() -> str:
    parts = [
        "# The study file",
        MADE,
        "One file, `study.yaml`, says what is shown, what is asked, which rules hold, what comes before work and what"
        " is computed. Unknown keys are refused. `assay check` lists every problem with line and column.\n",
        _section("The whole file", schema.Study),
        _section("`items`", schema.Items),
        _family("Displays: one block of `items.show`", "A block is one of these kinds:", DISPLAYS),
        _section("`rubric`: one dimension", schema.Dimension),
        _family("Inputs: how a dimension is asked", "A dimension has exactly one of these kinds:", INPUTS),
        _section("`rules`: one rule", schema.Rule),
        EXPRESSIONS,
        _family("Gates: one entry of `gates`", "A gate is one of these kinds:", GATES),
        _section("`assignment`", schema.Assignment),
        _plain("Orders", "`assignment.order` is one of:", ORDERS),
        _section("`analysis`", schema.Analysis),
        _section("`analysis.agreement`", schema.Agreement),
        "`coefficient` is one of: "
        + ", ".join(f"`{name}`" for name in STATISTICS)
        + " (see [statistics](statistics.md)).\n",
        _family("Monitors: `analysis.monitors`", "Each may be set by its name:", MONITORS),
        _plain("Item files", "Items are read by the ending of the file:", SOURCES),
        _plain("Exports", "`assay export --format` is one of:", EXPORTS),
        _columns(),
        _plain("Report", "A report has these sections:", SECTIONS),
    ]
    return "\n".join(parts)


EXPRESSIONS = """### Expressions

What stands in `when` is a small language over the answers and the shown fields. A comparison with something that is not
answered is false.

| write | meaning |
|---|---|
| `emotion == 3`, `!=`, `<`, `<=`, `>`, `>=` | compare one answer |
| `emotion in [1, 5]`, `emotion not in [2, 3]` | one of several values |
| `any(emotion, safety) in [1, 5]`, `all(...)` | the comparison holds for any, or for all, of these |
| `edge has crisis` | a tag is ticked |
| `answered(note)` | something was answered |
| `and`, `or`, `not`, `( )` | put them together |
"""


def _columns() -> str:
    rows = "\n".join(f"| `{name}` | {words} |" for name, words in COLUMNS.items())
    return f"### Columns of the long table\n\n| column | meaning |\n|---|---|\n{rows}\n"


def _section(title: str, model: type[BaseModel]) -> str:
    return f"## {title}\n\n{_doc(model)}\n\n{_keys(model)}"


def _family(title: str, intro: str, family: Any) -> str:
    parts = [f"## {title}\n\n{intro}\n"]
    for name, kind in family.items():
        parts.append(f"### `{name}`\n\n{_doc(kind)}\n\n{_keys(kind)}")
    return "\n".join(parts)


def _plain(title: str, intro: str, family: Any) -> str:
    rows = []
    for name, kind in family.items():
        endings = ", ".join(f"`{suffix}`" for suffix in getattr(kind, "suffixes", ()))
        rows.append(f"- `{name}`{f' ({endings})' if endings else ''}: {_doc(kind)}")
    return f"## {title}\n\n{intro}\n\n" + "\n".join(rows) + "\n"


def _doc(thing: Any) -> str:
    return inspect.cleandoc(thing.__doc__ or "")


def _keys(model: type[BaseModel]) -> str:
    rows = [
        f"| `{field.alias or name}` | {_type(field.annotation)} | {_default(field)} | {field.description or ''} |"
        for name, field in model.model_fields.items()
    ]
    return "| key | type | default | meaning |\n|---|---|---|---|\n" + "\n".join(rows) + "\n" if rows else ""


def _default(field: Any) -> str:
    if field.is_required():
        return "needed"
    if field.default in (None, PydanticUndefined, (), {}, "") or isinstance(field.default, BaseModel):
        return ""
    return f"`{str(field.default).lower() if isinstance(field.default, bool) else field.default}`"


def _type(annotation: Any) -> str:
    origin, arguments = (
        typing.get_origin(annotation),
        [arg for arg in typing.get_args(annotation) if arg is not Ellipsis],
    )
    if origin is typing.Annotated:
        return _type(arguments[0])
    if origin in (typing.Union, types.UnionType):
        return " or ".join(_type(arg) for arg in arguments if arg is not type(None))
    if origin is tuple:
        return f"list of {_type(arguments[0])}"
    if origin is dict:
        return f"{_type(arguments[0])}: {_type(arguments[1])}"
    if origin is typing.Literal:
        return " or ".join(f"`{arg}`" for arg in arguments)
    names = {str: "text", int: "whole number", float: "number", bool: "true or false"}
    if annotation in names:
        return names[annotation]
    plain = {"Document": "a Markdown file", "Shown": "display", "GateEntry": "gate"}
    return plain.get(annotation.__name__, annotation.__name__.lower())


def commands() -> str:
    group = typer.main.get_command(build())
    parts = ["# Commands", MADE]
    for name, command in sorted(group.commands.items()):
        parts.append(f"## `assay {name}`\n\n{inspect.cleandoc(command.help or '')}\n")
        rows = []
        for parameter in command.params:
            if parameter.name == "help":
                continue
            word = (
                parameter.opts[0]
                if parameter.param_type_name == "option"
                else (parameter.metavar or parameter.name.upper())
            )
            default = parameter.default
            shown = "" if default in (None, False, ()) or callable(default) else f" Default: `{default}`."
            words = (parameter.help or "").strip()
            rows.append(f"- `{word}`: {words}{'' if 'Default' in words else shown}")
        parts.append("\n".join(rows) + "\n")
    return "\n".join(parts)


def statistics() -> str:
    parts = [
        "# Statistics",
        MADE,
        "Agreement is computed for each dimension by itself and never pooled. The scale, its order and its distances"
        " come from the study file, never from the values that happened to occur. Every coefficient has an interval: a"
        " bootstrap over items, or over groups of items that share a source; below 30 of them a jackknife. Where a"
        " coefficient is undefined, the reason is said.\n",
    ]
    for kind in dict.fromkeys(type(statistic) for statistic in STATISTICS.values()):
        same = {name: statistic for name, statistic in STATISTICS.items() if type(statistic) is kind}
        parts.append("## " + ", ".join(f"`{name}`" for name in same) + "\n")
        for name, statistic in same.items():
            levels = ", ".join(
                level for level in ("nominal", "ordinal", "interval", "ratio") if level in statistic.levels
            )
            parts.append(f'- `{name}`: {statistic.doc} Called "{statistic.title}" in reports; for {levels} scales.')
        parts.append("\n" + re.sub(r"\n(Example|Examples):\n", r"\nExample:\n\n", _doc(kind)) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")
        print(f"docs/{name}")
