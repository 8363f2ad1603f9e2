"""Several scripts as one: what it does, in which order, and what it refuses."""

import re
from pathlib import Path

import pytest

from assay.web import static_files
from assay.web.joined_scripts import NotJoined, all_imports, join_scripts
from assay.web.static_files import FOLDER, JUDGING, JUDGING_WHOLE, judging_preloads, judging_scripts, scripts


def written(folder: Path, **files: str) -> list[Path]:
    for name, text in files.items():
        (folder / f"{name}.js").write_text(text, "utf-8")
    return [folder / f"{name}.js" for name in files]


def test_the_judging_page_has_one_script_with_all_that_is_imported() -> None:
    assert judging_scripts() == [JUDGING_WHOLE]
    assert judging_preloads() == []
    made = static_files.whole_script()
    assert made is not None
    text = made.content.decode()
    assert not re.search(r"^\s*(?:import|export)\b", text, re.MULTILINE)
    every = [file.name for file in all_imports([*scripts().values(), FOLDER / JUDGING], FOLDER)]
    assert len(every) == len(set(every)) > 30
    assert [name for name in every if text.count(f"// {name}\n") != 1] == []


def test_a_script_comes_after_what_it_imports_and_once(tmp_path: Path) -> None:
    a, b, c = written(
        tmp_path,
        a='import { low } from "./c.js";\nimport * as b from "./b.js";\nb.say(low);\n',
        b='import { low as deep } from "/static/c.js";\nexport function say() {}\nsay(deep);\n',
        c="export const low = 1;\n",
    )
    assert all_imports([a], tmp_path) == [c, b, a]
    text = join_scripts([a], tmp_path)
    assert text.index("// c.js") < text.index("// b.js") < text.index("// a.js")
    assert "const { low: deep } = module0;" in text
    assert "const b = module1;" in text
    assert text.count("const low = 1;") == 1


def test_what_is_said_to_those_who_read_a_script_is_not_sent_with_it(tmp_path: Path) -> None:
    [script] = written(
        tmp_path,
        a="""// @ts-check
/** What it is for. @param {string} a
 * and more */
export const far = (a) => {
  // why
  const place = "https://example.org"; // said aside
  /** @type {number} */
  let n = /** @type {number} */ (a);
  /** @type {string} */ const b = `// ${n}`;
  return b + place;
}; /* at the end */
""",
    )
    assert join_scripts([script], tmp_path).splitlines()[1:] == [
        "const far = (a) => {",
        'const place = "https://example.org"; // said aside',
        "let n = /** @type {number} */ (a);",
        "/** @type {string} */ const b = `// ${n}`;",
        "return b + place;",
        "}; /* at the end */",
    ]


def test_lines_are_sent_without_their_indentation(tmp_path: Path) -> None:
    [script] = written(tmp_path, a="if (x) {\n  const y = 1;\n\tz(`  ${y}  `);\n}\n")
    assert join_scripts([script], tmp_path).splitlines()[1:] == ["if (x) {", "const y = 1;", "z(`  ${y}  `);", "}"]


def test_a_text_of_several_lines_in_a_script_is_left_as_it_is(tmp_path: Path) -> None:
    lines = ["const text = `one", "// two", "  /* three */", "`;"]
    [script] = written(tmp_path, a="\n".join(lines))
    assert join_scripts([script], tmp_path).splitlines()[1:] == lines


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('import thing from "./b.js";', "import thing"),
        ('export { x } from "./b.js";', "export"),
        ("export default 1;", "export default"),
        ("export let changes = 0;", "export let"),
        ('import { x } from "./a.js";\nexport const x = 1;', "imports itself"),
    ],
)
def test_what_is_written_in_another_way_is_not_joined(tmp_path: Path, text: str, why: str) -> None:
    a, _ = written(tmp_path, a=text, b="export const x = 1;")
    with pytest.raises(NotJoined, match=re.escape(why)):
        join_scripts([a], tmp_path)


def test_a_script_from_elsewhere_stays_one_of_its_own_and_what_is_imported_is_asked_for_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [foreign] = written(tmp_path, stars='import { addKind } from "/static/kinds.js";\naddKind({});\n')
    everybody = {**scripts(), "kinds/other.stars.js": foreign}
    monkeypatch.setattr(static_files, "scripts", lambda: everybody)
    static_files.whole_script.cache_clear()
    try:
        assert judging_scripts() == [*everybody, JUDGING]
        assert {"item.js", "words.js", "expression.js"} <= set(judging_preloads())
        assert JUDGING not in judging_preloads()
    finally:
        static_files.whole_script.cache_clear()
