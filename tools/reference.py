"""Write the pages that are made from the code: the study file, judges, commands, statistics and the list of modules.

`make docs` writes them; a test fails when a page does not say what the code says. What is new in the code comes in by
itself: settings and kinds are found by walking the study file's types.
"""

import ast
import importlib
import inspect
import io
import re
import types
import typing
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import typer.main
from pydantic import BaseModel
from pydantic_core import PydanticUndefined
from ruamel.yaml import YAML

from assay.cli import build
from assay.exchange import BREAKS, COLUMNS
from assay.judging.judges_file import JudgesFile
from assay.kinds import (
    DERIVATIONS,
    DISPLAYS,
    EXPORTS,
    FIGURES,
    GATES,
    INPUTS,
    JUDGES,
    MONITORS,
    ORDERS,
    PANELS,
    SECTIONS,
    SOURCES,
    STATISTICS,
    Settings,
)
from assay.markdown_file import MarkdownFile
from assay.study import schema
from assay.study.person import PersonQuestion

DOCS = Path(__file__).parent.parent / "docs"
MADE = "<!-- Made from the code by `make docs`: edit the docstrings there, not this page. -->\n"


def pages() -> dict[str, str]:
    """Every generated page by its name."""
    return {
        "study-file.md": study_file(),
        "judges-file.md": judges_file(),
        "commands.md": commands(),
        "statistics.md": statistics(),
        "design/modules.md": modules(),
    }


# The study file


def study_file() -> str:
    """The reference of the study file, in the order of the file."""
    body = "\n".join([*_settings("", schema.Study), *_results()])
    return "\n".join(["# The study file", MADE, INTRO, _contents(body), body])


def judges_file() -> str:
    """The reference of the file of judges."""
    body = "\n".join(_settings("", JudgesFile))
    return "\n".join(["# The file of judges", MADE, JUDGES_INTRO, _contents(body), body])


JUDGES_INTRO = """`assay judge my-study --with judges.yaml` lets automated judges judge the items of a study. The file
says who they are, how they are asked and what it may cost. It is no part of the study: its version stays the same,
annotators see nothing of it, and no other command, page or endpoint reads it or runs what it names. Paths count from
the study's folder. Unknown keys are refused, and every problem is listed with line and column.

[Automated judges](judges.md) leads from a key to a first judged study.
"""

INTRO = """One file, `study.yaml`, says what is shown, what is asked, which rules hold, what comes before work and
what is computed. Paths in it count from its folder. Unknown keys are refused; `assay check` lists every problem with
line and column. In an editor that knows `yaml-language-server`, the line
`# yaml-language-server: $schema=study.schema.json` at the top makes it complete and check keys while you type:
`assay init` writes both, `assay schema --out study.schema.json` writes the second again.

This page follows the order of the file. The [tutorial](tutorial.md) builds a study step by step, and
[five templates](templates/README.md) show most of what is here at work.
"""

FIELDS = """### Names of fields

A field is a column of a table or a key of an object. A dot leads into nested objects: `metadata.model.name`; a key that
is written just so, dot included, comes first. A `?` at the end of `system` or `group` says that the field may be
missing. Ids and names stay text: `007` remains `007`.

Some fields are made while reading, and can be named like any other:

| field | what it holds |
|---|---|
| `_file`, `_folder` | in a folder of files: the file's path, and the first folder in it |
| `_pair` | with `candidates.keys`: what stands behind the key that names two systems |
| the word after `history.as` | the earlier rows of the same group |

### What is shown, and what stays hidden

Only what a block of `show` names is shown, and of nested values only the parts that its display names. Entries that are
judged and the candidates of a pair are shown too. Everything else goes to a table that annotators' pages cannot query.
"""

SCOPES = """### What a dimension is asked of

| `of` | asked | the judgment belongs to |
|---|---|---|
| `item` | once | the item's system |
| `side` | once for each of the two candidates | that candidate's system, wherever it stood |
| `pair` | once for both together | the pair |
| `entries(goals)` | once for each entry of the list `goals` | the item, and the entry |

Dimensions that follow each other and have the same `of` are asked together: all about one side, then all about the
other. With `unable` one more answer says that this cannot be judged: it is kept, without a value, and counted nowhere.

### Questions that are asked after some answers only

`ask_when` is an [expression](#expressions) over the answers to dimensions that stand above, and over shown fields.
Where it is not true, the question is not shown, not needed and not stored, and no rule acts on it. Of a dimension of
sides or entries it is looked at for each side or entry. On a sheet its cell stays empty, and a script leaves its key
out.

```yaml
rubric:
  - dimension: correct
    yes_no: {}
  - dimension: faults
    ask_when: correct == 0
    tags: {wrong_name: A wrong name, wrong_date: A wrong date}
  - dimension: severity
    ask_when: count(faults) >= 1
    scale: {from: 1, to: 3}
```

In the export there is no row for what was not asked. Numbers about such a dimension are about what was asked, and the
report says so; in a calibration what was not asked is not missing. A question after which a block is shown (`after`)
counts as done once it is answered, or once it is certain that it is not asked.
"""

RULES = """A rule is looked at once for the item; a rule about a dimension of sides once for each side, and one about
entries once for each entry, where names of the same scope mean that side or entry.

- `required`: the dimension must be answered. It needs `optional: true` in the rubric to make a difference.
- `allowed`: limits one dimension, whose name stands in the expression. An answer that a later one forbids is taken
  back with the message, never changed.
- `value`: fills in what was not answered, as soon as a person's answer makes `when` true, and allows nothing else. A
  form that nobody touched is refused all the same.

Both act on ticks and texts too: `allowed: count(faults) == 0`, `value: {faults: [wrong_fact]}`. What somebody has
ticked or written against a rule is said to be wrong and stays until they change it.

Of rules that meet on one answer the earlier wins: a later one that would leave nothing is passed over, and
`assay check` warns with an example. With `mode: warn` an answer is taken, or left out, after a warning.

A rule that cannot do what it says is refused by `assay check`, and the study is not published with it: a `value` that
is no answer to its dimension, an `allowed` that leaves no answer, two limits of ticks that leave nothing to a question
that has to be answered. A version that was published before still opens; there such a value is not filled in.

```yaml
rules:
  - required: note
    when: any(clarity, correctness) in [1, 5]
    message: Say in a few words why.
  - allowed: correctness <= 2
    when: faults has wrong_fact
  - value: {clarity: 1, correctness: 1}
    when: empty(response)
```

### Expressions

`when` and `allowed` are written in a small language over answers and shown fields; for an entry also over what is kept
of it. Nothing else can be reached from it. The server decides with it, and the page shows the same at once.

| write | true when |
|---|---|
| `emotion == 3`, `!=`, `<`, `<=`, `>`, `>=` | the answer compares like that; `<` and the like only between numbers |
| `emotion in [1, 5]`, `emotion not in [2, 3]` | the answer is, or is not, one of these |
| `any(emotion, safety) in [1, 5]` | the comparison holds for at least one of these |
| `all(emotion, safety) >= 4` | it holds for each of these |
| `edge has crisis` | this tag is ticked; what follows `has` is always a tag, never another dimension |
| `answered(note)`, `answered(a, b)` | there is an answer to each |
| `empty(response)` | a field or an answer holds nothing, or white space alone |
| `count(faults) >= 2` | so many tags are ticked, or so much was counted; of several dimensions it is added |
| `count(omission of faults) >= 2` | the same of one thing that is counted, by its name, wherever it was found |
| `implied(general, goal == 1)` | another entry names this one in its field `general`, and the condition holds there |
| `and`, `or`, `not`, `( )` | these hold together; `not` binds closest, then `and`, then `or` |
| `true`, `false`, `3`, `0.5`, `"a text"` | values; in a list and after `has` a bare word is a text too |

A comparison with something that is not answered is false, `!=` and `not in` included. A dimension of sides or entries,
named by a rule about something else, means any of them.
"""

INSERTS = {
    "items": lambda: [_plain("Item files", "Items are read by the ending of the file:", SOURCES, 3), FIELDS],
    "items.show": lambda: _kinds("Displays", "display", "A block of `show` has exactly one of these kinds.", DISPLAYS),
    "rubric": lambda: [SCOPES, *_kinds("Inputs", "input", "A dimension has exactly one of these kinds.", INPUTS)],
    "rules": lambda: [RULES],
    "derive": lambda: _kinds(
        "Derivations",
        "derivation",
        "A derived value has exactly one of these kinds. It is computed when a submission is stored, kept beside its"
        " judgments, and may use values derived above it. Of dimensions asked of sides there is one for each side.",
        DERIVATIONS,
    ),
    "gates": lambda: _kinds("Kinds of gates", "gate", "A gate has exactly one of these kinds.", GATES),
    "at_end": lambda: [
        f"### Questions about the person\n\n{_doc(PersonQuestion)} Besides these keys it has exactly one of the "
        f"[inputs](#inputs), except a preference.\n\n{_keys(PersonQuestion, 'at_end.questions')}"
    ],
    "assignment": lambda: [_plain("Orders", "`assignment.order` is one of:", ORDERS, 3)],
    "assignment.enrol.panel": lambda: _kinds("Panels", "panel", "The panel is one of these kinds.", PANELS),
    "judges": lambda: _kinds("Kinds of judges", "judge", "A judge has exactly one of these kinds.", JUDGES),
    "analysis.agreement": lambda: [
        "`coefficient` is one of: "
        + ", ".join(f"`{name}`" for name in STATISTICS)
        + " (see [statistics](statistics.md)).\n"
    ],
    "analysis.monitors": lambda: _kinds("Monitors", "monitor", "Each may be set by its name.", MONITORS),
}
"""What follows the keys of a part, besides the parts in it."""


def _settings(path: str, model: type[BaseModel]) -> Iterator[str]:
    """A part of the file: its keys, what else is to be said of it, and the parts in it."""
    depth = "#" * min(4, 2 + path.count("."))
    keys = _keys(model, path)
    yield f"{depth} {_title(path)}\n\n{_doc(model)}\n" + (f"\n{keys}" if keys else "")
    if path in INSERTS:
        yield from INSERTS[path]()
    for name, inner in _inner(model):
        yield from _settings(f"{path}.{name}" if path else name, inner)


def _title(path: str) -> str:
    return f"`{path}`" if path else "The whole file"


def _inner(model: type[BaseModel]) -> Iterator[tuple[str, type[BaseModel]]]:
    """Every key behind which settings stand, with their type."""
    for name, field in model.model_fields.items():
        found = list(dict.fromkeys(_models(field.annotation)))
        for each in found:
            yield field.alias or name, each


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, Settings) and annotation is not MarkdownFile:
        yield annotation
    for part in typing.get_args(annotation):
        yield from _models(part)


def _kinds(title: str, word: str, intro: str, family: Any) -> Iterator[str]:
    yield f"### {title}\n\n{intro}\n"
    for name, kind in family.items():
        example = f"```yaml\n{as_yaml({name: kind.example})}```\n\n" if hasattr(kind, "example") else ""
        yield f"#### {word.capitalize()} `{name}`\n\n{_doc(kind)}\n\n{example}{_keys(kind, name)}"
        for key, inner in _inner(kind):
            yield f"##### `{name}.{key}`\n\n{_doc(inner)}\n\n{_keys(inner, f'{name}.{key}')}"


def as_yaml(value: Any) -> str:
    """Settings as somebody would write them into the study file."""
    writer = YAML()
    writer.default_flow_style = False
    writer.width = 110
    writer.indent(mapping=2, sequence=4, offset=2)
    text = io.StringIO()
    writer.dump(_as_written(value), text)
    return text.getvalue()


def _as_written(value: Any) -> Any:
    """Keys that are whole numbers as such: examples hold them as texts, as JSON does."""
    if isinstance(value, dict):
        return {int(key) if key.isdigit() else key: _as_written(each) for key, each in value.items()}
    return [_as_written(each) for each in value] if isinstance(value, list) else value


def _results() -> Iterator[str]:
    yield _plain("Exports", "`assay export --format` is one of:", EXPORTS, 2)
    rows = "\n".join(f"| `{name}` | {words} |" for name, words in COLUMNS.items())
    yield f"### Columns of the long table\n\n| column | meaning |\n|---|---|\n{rows}\n"
    rows = "\n".join(f"| `{name}` | {words} |" for name, words in BREAKS.items())
    yield f"### Columns of the breaks\n\n`assay export --what breaks`\n\n| column | meaning |\n|---|---|\n{rows}\n"
    yield _plain("Report", "A report has these sections:", SECTIONS, 2)
    yield _plain(
        "Figures", "The report and the coordinator's page have these figures, each with its table:", FIGURES, 2
    )


def _contents(body: str) -> str:
    """A table of contents down to single kinds, those of one family on one line."""
    lines: list[str] = []
    fenced = False
    for line in body.splitlines():
        fenced ^= line.startswith("```")
        heading = re.match(r"(#{2,4}) (.+)", line)
        if fenced or not heading:
            continue
        depth = len(heading[1])
        # Below its family a kind needs no other word than its name.
        words = heading[2] if depth < 4 else re.sub(r"^\w+ (?=`)", "", heading[2])
        link = f"[{words}](#{slug(heading[2])})"
        if depth < 4:
            lines.append(f"{'  ' * (depth - 2)}- {link}")
        else:
            lines[-1] += f"{', ' if lines[-1].count('](') > 1 else ': '}{link}"
    return "\n".join(lines) + "\n"


def slug(heading: str) -> str:
    """The anchor that a heading gets."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _plain(title: str, intro: str, family: Any, depth: int) -> str:
    rows = []
    for name, kind in family.items():
        endings = ", ".join(f"`{suffix}`" for suffix in getattr(kind, "suffixes", ()))
        rows.append(f"- `{name}`{f' ({endings})' if endings else ''}: {' '.join(_doc(kind).split())}")
    return f"{'#' * depth} {title}\n\n{intro}\n\n" + "\n".join(rows) + "\n"


def _doc(thing: Any) -> str:
    return inspect.cleandoc(thing.__doc__ or "")


def _keys(model: type[BaseModel], path: str) -> str:
    rows = []
    for name, field in model.model_fields.items():
        key = field.alias or name
        kind = _checked(_type(field.annotation, f"{path}.{key}" if path else key), field.metadata)
        rows.append(f"| `{key}` | {kind} | {_default(field)} | {field.description or ''} |")
    return "| key | type | default | meaning |\n|---|---|---|---|\n" + "\n".join(rows) + "\n" if rows else ""


def _default(field: Any) -> str:
    default = field.default
    if field.is_required():
        return "needed"
    if default in (None, PydanticUndefined, (), {}, "") or isinstance(default, BaseModel):
        return ""
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    return f"`{', '.join(map(str, default)) if isinstance(default, tuple) else default}`"


NAMES = {str: "text", int: "whole number", float: "number", bool: "true or false", Any: "block"}
CHECKS = {"_is_name": "name", "_is_expression": "expression"}
CLASSES = {
    "GateEntry": "gate",
    "Duplicate": "duplicates",
    "CandidateFields": "candidate",
    "CountStep": "step",
    "ItemBlock": "block",
    "Derived": "derived value",
    "JudgmentFields": "judgments",
    "JudgeEntry": "judge",
}


def _checked(words: str, metadata: Sequence[Any]) -> str:
    """A type in words, made narrower by what else is asked of it."""
    functions = [getattr(getattr(each, "func", None), "__name__", "") for each in metadata]
    words = next((CHECKS[name] for name in functions if name in CHECKS), words)
    return f"{words.removeprefix('list of ')}, or several" if "_as_list" in functions else words


def _type(annotation: Any, path: str) -> str:
    """A type in words; settings link to their own part of the page."""
    origin = typing.get_origin(annotation)
    arguments = [each for each in typing.get_args(annotation) if each is not Ellipsis]
    if origin is typing.Annotated:
        return _checked(_type(arguments[0], path), annotation.__metadata__)
    if origin in (typing.Union, types.UnionType):
        # A whole number is a number.
        meant = [each for each in arguments if each is not type(None) and not (each is int and float in arguments)]
        return " or ".join(_type(each, path) for each in meant)
    if origin is tuple:
        many = "list" if len(arguments) == 1 else f"list of {len(arguments)}:"
        return f"{many} of {_type(arguments[0], path)}".replace(": of", ":")
    if origin is dict:
        return f"{_type(arguments[0], path)}: {_type(arguments[1], path)}"
    if origin is typing.Literal:
        return " or ".join(f"`{each}`" for each in arguments)
    if annotation is Any and path.endswith(".questions"):
        return "[question](#questions-about-the-person)"
    if annotation in NAMES:
        return NAMES[annotation]
    if annotation is MarkdownFile:
        return "Markdown file"
    name = annotation.__name__.removesuffix("Settings")
    words = CLASSES.get(name) or " ".join(re.findall(r"[A-Z][a-z]*", name)).lower()
    return f"[{words}](#{slug(_title(path))})"


# Commands and statistics


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
            shown = "" if default in (None, False, (), "") or callable(default) else f" Default: `{default}`."
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
        " bootstrap over items, or over groups of items that share a source; below 30 of them a jackknife; of shares"
        " Wilson's. Where a coefficient or an interval is undefined, the reason is said. How often intervals hold the"
        " truth is in [coverage](design/coverage.md).\n",
    ]
    for kind in dict.fromkeys(type(statistic) for statistic in STATISTICS.values()):
        same = {name: statistic for name, statistic in STATISTICS.items() if type(statistic) is kind}
        parts.append("## " + ", ".join(f"`{name}`" for name in same) + "\n")
        for name, statistic in same.items():
            levels = ", ".join(
                level for level in ("nominal", "ordinal", "interval", "ratio") if level in statistic.levels
            )
            parts.append(f'- `{name}`: {statistic.doc} Called "{statistic.title}" in reports; for {levels} scales.')
        parts.append("\n" + _as_markdown(_doc(kind)) + "\n")
    parts += ["## Comparing systems, preferences, judges, planning\n", COMPARING]
    for module in COMPARISONS:
        parts += _functions(importlib.import_module(f"assay.statistics.comparison.{module}"))
    return "\n".join(parts)


COMPARISONS = (
    *("systems", "rank_tests", "binary_tests", "effect_sizes", "multiple"),
    *("preferences", "bradley_terry", "paired_comparison"),
    *("aggregates", "item_medians", "shares", "dawid_skene", "mace", "custom_weights", "rank_agreement"),
    *("equivalence", "beyond_panel", "any_time", "missing_by_system", "generalisability", "many_facets"),
    *("judges", "judge_values", "calibration", "alt_test", "system_level"),
    *("variants", "prediction_powered", "judge_planning"),
    *("second_judgments", "without_each"),
    *(
        "planning",
        "power",
        "preference_power",
        "ordinal_power",
        "precision",
        "resample",
        "unit_draws",
        "measure",
    ),
)
COMPARING = """Functions on plain lists and mappings, for notebooks as well. What they give has a value with its 95 %
interval and how it was made, or the reason why there is none; never what is not a number. The same seed gives the same
numbers.
"""


def _functions(module: types.ModuleType) -> Iterator[str]:
    """A module of functions: what it is for, and each public function with its docstring."""
    yield f"### `{module.__name__}`\n\n{_doc(module)}\n"
    for name, thing in vars(module).items():
        own = getattr(thing, "__module__", None) == module.__name__ and not name.startswith("_")
        earlier_name = getattr(thing, "__name__", name) != name
        if own and not earlier_name and callable(thing) and ">>> " in (thing.__doc__ or ""):
            yield f"#### `{name}({', '.join(inspect.signature(thing).parameters)})`\n\n{_as_markdown(_doc(thing))}\n"


def _as_markdown(doc: str) -> str:
    """A docstring with its headed parts as Markdown: examples as they are, what is raised or taken as a list."""

    def listed(part: re.Match[str]) -> str:
        entries = re.sub(r"\n\s+", " ", inspect.cleandoc("\n" + part[2]).replace("\n    ", " "))
        return f"\n{part[1]}:\n\n" + "".join(f"- {entry}\n" for entry in entries.split("\n"))

    doc = re.sub(r"\n(Args|Raises):\n((?:    .*\n?)+)", listed, doc)
    return re.sub(r"\n(Example|Examples):\n", r"\nExample:\n\n", doc)


# The modules


def modules() -> str:
    """What each module of the program and of the page is for: the first paragraph of what it says of itself."""
    found: dict[str, list[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        if "versions" not in path.parts and (said := _module_says(path)):
            found.setdefault(path.parent.relative_to(SOURCE).as_posix(), []).append(f"- `{path.name}`: {said}")
    for path in sorted(SOURCE.rglob("*.js")):
        if said := _script_says(path):
            found.setdefault(path.parent.relative_to(SOURCE).as_posix(), []).append(f"- `{path.name}`: {said}")
    parts = [
        f"## {'assay' if folder == '.' else folder}\n\n" + "\n".join(lines) + "\n"
        for folder, lines in sorted(found.items())
    ]
    return "\n".join(["# The modules", MADE, MODULES_INTRO, *parts])


SOURCE = Path(inspect.getfile(schema)).parent.parent
MODULES_INTRO = """What each file in `src/assay` is for, in its own words, to search through. How they belong together
is in [architecture](architecture.md), which also has a table of where to look.
"""


def _module_says(path: Path) -> str:
    doc = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return " ".join(doc.partition("\n\n")[0].split())


def _script_says(path: Path) -> str:
    for said in re.findall(r"^/\*\*?(.*?)\*/", path.read_text("utf-8"), re.M | re.S):
        if words := " ".join(re.sub(r"^\s*\*", "", said, flags=re.M).partition("@")[0].split()):
            return words
    remark = re.search(r"^// (?!@)(.*)", path.read_text("utf-8"), re.M)
    return remark[1] if remark else ""


if __name__ == "__main__":
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")
        print(f"docs/{name}")
