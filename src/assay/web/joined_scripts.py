"""Scripts with all that they import, as one module: on a slow line a page waits for one answer instead of thirty.

The modules stay as they are written and can be asked for one by one. Joined, each is a function that is called
once, before those that import it, and gives back what it exports.
"""

import re
from collections.abc import Iterable
from pathlib import Path

IMPORT = re.compile(r'^import (?:\{(?P<names>[^}]*)\}|\* as (?P<all>\w+)) from "(?P<place>[^"]+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)
ANYTHING_ELSE = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
COMMENT = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*\n", re.MULTILINE | re.DOTALL)
REMARK = re.compile(r"^[ \t]*//.*\n", re.MULTILINE)
INDENT = re.compile(r"^[ \t]+", re.MULTILINE)


class NotJoined(Exception):
    """Raised where a script imports or exports in a way that is not supported here."""


def imports_of(script: Path, root: Path) -> list[Path]:
    """The scripts that a script imports. A place that begins with a slash counts from the root that is served."""
    places = (found["place"] for found in IMPORT.finditer(script.read_text("utf-8")))
    return [_file_at(place, script, root) for place in places]


def all_imports(scripts: Iterable[Path], root: Path) -> list[Path]:
    """Every script that these need and these themselves, each after those that it imports."""
    found: list[Path] = []

    def add(script: Path, above: tuple[Path, ...]) -> None:
        if script in above:
            raise NotJoined(f"{script.name} imports itself by way of {above[-1].name}")
        if script not in found:
            for each in imports_of(script, root):
                add(each, (*above, script))
            found.append(script)

    for script in scripts:
        add(script, ())
    return found


def join_scripts(scripts: Iterable[Path], root: Path) -> str:
    """These scripts and their imports as one module, run in order. Raises NotJoined.

    The last one is the page's own and may wait for something at its top level.
    """
    *others, _ = listed = list(scripts)
    every = all_imports(listed, root)
    names = {script: f"module{number}" for number, script in enumerate(every)}
    parts = [_as_function(script, names, root) for script in every[:-1]]
    # One that fails stops none of those after it, as if each were a script of its own.
    parts = [
        f"try {{\n{part}\n}} catch (error) {{ reportError(error); }}" if script in others else part
        for script, part in zip(every, parts, strict=False)
    ]
    own, _ = _body(every[-1], names, root)
    return "\n".join([*parts, f"// {every[-1].name}", own])


def _as_function(script: Path, names: dict[Path, str], root: Path) -> str:
    body, exported = _body(script, names, root)
    return f"// {script.name}\nconst {names[script]} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"


def _body(script: Path, names: dict[Path, str], root: Path) -> tuple[str, list[str]]:
    """The script without its imports and exports, and the names that it exports."""

    def take_names(found: re.Match[str]) -> str:
        module = names[_file_at(found["place"], script, root)]
        if found["all"]:
            return f"const {found['all']} = {module};"
        return f"const {{{found['names'].replace(' as ', ': ')}}} = {module};"

    text = _without_remarks(script.read_text("utf-8"))
    exported = EXPORT.findall(text)
    body = IMPORT.sub(take_names, EXPORT.sub("", text))
    if other := ANYTHING_ELSE.search(body):
        raise NotJoined(f"{script.name}: {other[0]!r} is neither a list of names, nor a function, class or constant")
    return body, exported


def without_comments(text: str) -> str:
    """A script or a style without the comments that have lines to themselves."""
    return COMMENT.sub("", text)


def _without_remarks(script: str) -> str:
    # In a text of several lines a line may look like one: then all of them stay.
    if any(line.count("`") % 2 for line in script.splitlines()):
        return script
    return INDENT.sub("", REMARK.sub("", without_comments(script)))


def _file_at(place: str, script: Path, root: Path) -> Path:
    served = re.fullmatch(r"/static/([\w./]+)", place)
    return (root / served[1] if served else script.parent / place).resolve()
