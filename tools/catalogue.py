"""Print the whole catalogue of a language, with the words of all kinds: what a translation starts from.

.venv/bin/python tools/catalogue.py > src/assay/words/fr.toml
"""

import json
import sys
from collections.abc import Mapping

from assay.kinds import FAMILIES
from assay.words import Words, words_of


def whole_catalogue(words: Words) -> str:
    """A catalogue as its file would have it, table by table."""
    tables: dict[str, list[str]] = {}
    for key, text in words.texts.items():
        table, _, name = key.partition(".")
        quoted = ".".join(json.dumps(part) if part in ("yes", "no") else part for part in name.split("."))
        tables.setdefault(table, []).append(f"{quoted} = {json.dumps(text, ensure_ascii=False)}")
    head = f'direction = "{words.direction}"\nsingular = {words.singular}\n'
    return head + "".join(f"\n[{table}]\n" + "\n".join(lines) + "\n" for table, lines in tables.items())


def load_all(families: Mapping[str, Mapping[str, object]] = FAMILIES) -> None:
    """Kinds bring their words as they are found."""
    for family in families.values():
        list(family)


if __name__ == "__main__":
    load_all()
    print(whole_catalogue(words_of(sys.argv[1] if len(sys.argv) > 1 else "en")), end="")
