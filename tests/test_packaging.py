"""What is installed is whole: a wheel carries every template, page, script and sample, and runs."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent

FOUR_COMMANDS = """
import sys, assay
from assay.cli import main
for command in ("init empathy s", "import s", "simulate s --items 3", "report s"):
    sys.argv = ["assay", *command.split()]
    try:
        main()
    except SystemExit as ended:
        if ended.code:
            raise
print(assay.__file__)
"""
"""One after the other in one process: the program is loaded once."""


def test_a_wheel_carries_every_file_of_the_program_and_runs_without_the_checkout(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    # From a copy: what an earlier build left behind must not come in.
    source = tmp_path / "source"
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", tmp_path, source], check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    tracked = subprocess.run(
        ["git", "-c", "core.quotepath=off", "ls-files", "-z", "src/assay"], cwd=ROOT, check=True, capture_output=True
    ).stdout.decode()
    wanted = {name.removeprefix("src/") for name in tracked.split("\0") if name} - {
        "assay/store/engine/migrations/script.py.mako"
    }
    assert wanted - packed == set()

    # A wheel of Python alone is installed by being unpacked.
    target = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as unpacked:
        unpacked.extractall(target)
    environment = {**os.environ, "PYTHONPATH": str(target), "PYTHONDONTWRITEBYTECODE": "1"}
    # -P keeps the checkout out of the path; the installed copy must stand by itself.
    command = [sys.executable, "-P", "-c", FOUR_COMMANDS]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith(str(target))
    assert list(tmp_path.glob("s/**/*.html")), "the report"
