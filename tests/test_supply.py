"""What a deployment installs: the lock, the bill of materials, and the floors that they stand on."""

import json
import re
import tomllib
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version
from tools.lock import EXTRAS, LOCK
from tools.sbom import LINE, bill, write

ROOT = Path(__file__).parent.parent
PINNED = dict(line.lower().split("==") for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line)


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def needed(name: str, extras: set[str], seen: set[str]) -> set[str]:
    """Everything that a package needs here, by name."""
    for text in requires(name) or ():
        wanted = Requirement(text)
        if wanted.marker and not any(wanted.marker.evaluate({"extra": extra}) for extra in extras or {""}):
            continue
        if plain(wanted.name) not in seen:
            seen.add(plain(wanted.name))
            needed(wanted.name, set(wanted.extras), seen)
    return seen


def test_the_lock_has_everything_that_a_deployment_needs_with_the_tested_versions_and_a_hash() -> None:
    text = LOCK.read_text("utf-8")
    locked = {plain(each["name"]): each["version"] for each in LINE.finditer(text)}
    assert len(locked) == sum(not line.startswith("#") for line in text.splitlines()), "every line has its hash"
    pinned = {plain(name): number for name, number in PINNED.items()}
    assert {name: pinned.get(name) for name in locked} == locked, "run `make lock`"
    program = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = program["optional-dependencies"]
    asked = [*program["dependencies"], *(each for extra in EXTRAS.split(",") for each in extras[extra])]
    direct = {plain(Requirement(each).name): Requirement(each) for each in asked}
    assert direct.keys() <= locked.keys()
    for name, wanted in direct.items():
        assert wanted.specifier.contains(locked[name]), f"{wanted}: run `make lock`"
        assert needed(wanted.name, set(wanted.extras), set()) <= locked.keys()


def test_a_server_with_a_known_hole_in_its_framework_cannot_be_installed() -> None:
    program = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    [starlette] = [Requirement(each) for each in program["dependencies"] if each.startswith("starlette")]
    assert not starlette.specifier.contains(Version("0.49.0"))


def test_the_bill_of_materials_lists_the_lock_with_licences_and_is_the_same_each_time(tmp_path: Path) -> None:
    made = json.loads(write(tmp_path / "build" / "bill.json").read_text("utf-8"))
    assert made == bill()
    assert (made["bomFormat"], made["specVersion"]) == ("CycloneDX", "1.5")
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", made["serialNumber"])
    assert len(made["components"]) == len(LINE.findall(LOCK.read_text("utf-8")))
    for each in made["components"]:
        assert each["purl"] == f"pkg:pypi/{each['name']}@{each['version']}"
        assert len(each["hashes"][0]["content"]) == 64
    licensed = [each for each in made["components"] if "licenses" in each]
    assert len(licensed) > 0.9 * len(made["components"])


def test_the_threat_model_names_everybody_who_can_ask_for_something() -> None:
    text = (ROOT / "SECURITY.md").read_text("utf-8")
    for who in ("a stranger", "an annotator", "a script with a token", "a viewer", "a coordinator", "another site"):
        assert f"| {who}" in text
    for heading in ("What is protected", "What is promised", "What is not promised", "How it is tested"):
        assert f"## {heading}" in text
