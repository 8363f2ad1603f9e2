"""Write a software bill of materials: every package of a deployment with version, licence and hash (CycloneDX 1.5)."""

import hashlib
import json
import re
from importlib.metadata import PackageNotFoundError, metadata, version
from pathlib import Path
from typing import Any

from tools.lock import LOCK, ROOT

OUT = ROOT / "build" / "sbom.cdx.json"
LINE = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>\S+) --hash=sha256:(?P<hash>[0-9a-f]{64})$", re.M)
PROGRAM = "assay-eval"


def licence_of(name: str) -> str:
    """The licence that a package declares, as far as it is installed here and says so."""
    try:
        found = metadata(name)
    except PackageNotFoundError:
        return ""
    said = str(found.get("License-Expression") or "")
    classified = [each.rsplit(" :: ", 1)[1] for each in found.get_all("Classifier") or [] if each.startswith("License")]
    return said or ", ".join(classified) or str(found.get("License") or "").split("\n")[0]


def component(name: str, number: str, sha256: str) -> dict[str, Any]:
    """One package."""
    address = f"pkg:pypi/{name}@{number}"
    found: dict[str, Any] = {"type": "library", "bom-ref": address, "name": name, "version": number, "purl": address}
    found["hashes"] = [{"alg": "SHA-256", "content": sha256}]
    if licence := licence_of(name):
        found["licenses"] = [{"license": {"name": licence}}]
    return found


def bill() -> dict[str, Any]:
    """The whole bill: the same for the same lock, whenever it is made."""
    text = LOCK.read_text("utf-8")
    parts = [component(each["name"], each["version"], each["hash"]) for each in LINE.finditer(text)]
    number, digest = version(PROGRAM), hashlib.sha256(text.encode()).hexdigest()
    serial = f"{digest[:8]}-{digest[8:12]}-5{digest[13:16]}-8{digest[17:20]}-{digest[20:32]}"
    program = {"type": "application", "bom-ref": f"pkg:pypi/{PROGRAM}@{number}", "name": PROGRAM, "version": number}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {"component": {**program, "licenses": [{"license": {"id": "Apache-2.0"}}]}},
        "components": parts,
    }


def write(out: Path = OUT) -> Path:
    """Write the bill into a file."""
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(bill(), indent=1, ensure_ascii=False) + "\n", "utf-8")
    return out


if __name__ == "__main__":
    print(write().relative_to(ROOT))
