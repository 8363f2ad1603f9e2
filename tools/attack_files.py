"""Campaign of spoiled files: whatever stands in a study's files is read, or refused in words."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tools.attack_scene import Scene

from assay.errors import AssayError
from assay.items.item_pictures import pictures_folder
from assay.items.reader import read_items
from assay.study import load_with_mistakes
from assay.study.outside import named_file
from assay.study.templates import copy_template, template_names

PIECES = [b"\0", b"\xff", b"\xed\xa0\x80", b'"', b",", b"\n", b"{", b"[", b"&a [*a]", b"!!python/x", b"9" * 400]
PIECES += [
    b"\xef\xbb\xbf",
    b"<" * 50,
    b"../",
    b"\t",
    b"- ",
    b": ",
    b"~",
    b"NaN",
    b"1e999",
    b"\\u0000",
    b"\r",
    b"\xe2\x80\xae",
]


def spoiled(content: bytes, chance: Random) -> bytes:
    """A file with some of it changed, taken away, doubled or replaced."""
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(content) + 1)
        to = min(len(content), at + chance.choice((0, 1, 5, 200)))
        piece = chance.choice((chance.choice(PIECES), chance.randbytes(chance.randint(1, 4)), content[at:to] * 2, b""))
        content = content[:at] + piece + content[to:]
    return content


def files(found: Scene, size: int, seed: int = 1) -> Iterator[tuple[int, list[str]]]:
    """Study files, items and pictures of every template, spoiled at random: no traceback."""
    chance = Random(seed)
    for name in template_names() if size > 1 else ["empathy", "trajectories"]:
        folder = found.folder / f"files-{name}"
        copy_template(name, folder)
        inside = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        for _ in range(5 * size):
            path = chance.choice([folder / "study.yaml", *inside])
            whole = path.read_bytes()
            path.write_bytes(spoiled(whole, chance))
            why = read(folder)
            yield 1, [f"{path.relative_to(folder)} of {name} (seed {seed}): {why}"] if why else []
            path.write_bytes(whole)
        shutil.rmtree(folder)


def read(folder: Path) -> str:
    """Read a study with its items. Returns what went wrong in another way than in words."""
    try:
        study, mistakes = load_with_mistakes(folder)
        if study is not None and not mistakes:
            source = named_file(folder, study.items.source, "items.source")
            for _ in read_items(study, source, pictures=pictures_folder(study, folder)):
                pass
    except AssayError:
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""
