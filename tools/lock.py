"""Write deploy.lock: exactly what a deployment installs, each file by its hash.

The versions are those of constraints.txt, which the tests ran with. `pip install --require-hashes -r deploy.lock` then
takes nothing else, whatever an index offers. It is for Linux on x86-64 and the Python that it was made with.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "deploy.lock"
EXTRAS = "encrypt,postgres"
HEAD = """\
# pip install --require-hashes -r deploy.lock, then pip install --no-deps assay-eval
# Made by `make lock` for Linux on x86-64 and Python {python}, from the versions in constraints.txt.
"""


def resolved() -> list[dict[str, Any]]:
    """What pip would install for the program with everything that a server may need, but for the program itself."""
    asked = ["install", "--dry-run", "--ignore-installed", "--quiet", "--disable-pip-version-check", "--report", "-"]
    command = [sys.executable, "-m", "pip", *asked, "-c", "constraints.txt", f".[{EXTRAS}]"]
    report = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    return [each for each in report["install"] if "archive_info" in each["download_info"]]


def lines(found: list[dict[str, Any]]) -> Iterator[str]:
    """The lines of the lock, in order of their names."""
    for each in sorted(found, key=lambda each: str(each["metadata"]["name"]).lower()):
        hashes = each["download_info"]["archive_info"]["hashes"]
        yield f"{each['metadata']['name'].lower()}=={each['metadata']['version']} --hash=sha256:{hashes['sha256']}"


if __name__ == "__main__":
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    LOCK.write_text(HEAD.format(python=python) + "".join(f"{line}\n" for line in lines(resolved())), "utf-8")
    print(LOCK.name)
