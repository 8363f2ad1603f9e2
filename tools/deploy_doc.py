"""The files and commands of docs/deploy.md, for the tools that try them: what is documented is what is measured."""

import re
import shlex
from pathlib import Path

DOC = Path(__file__).parent.parent / "docs" / "deploy.md"


def blocks(language: str) -> list[str]:
    """Every block of the page in a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```", DOC.read_text("utf-8"), re.M | re.S)


def proxy_of_several(port: int, servers: list[int], folder: Path) -> str:
    """The recipe of nginx before several servers, on this machine. Without TLS: what is measured is the servers."""
    [recipe] = [each for each in blocks("nginx") if "upstream assay" in each]
    [line] = re.findall(r"server 10\.0\.0\.\d+:8000[^;]*; server 10\.0\.0\.\d+:8000([^;]*);", recipe)
    upstream = " ".join(f"server 127.0.0.1:{each}{line};" for each in servers)
    recipe = re.sub(r"(server 10\.0\.0\.\d+:8000[^;]*; ?)+", f"{upstream} ", recipe)
    recipe = re.sub(r"^ *(ssl_certificate|server_name).*\n", "", recipe, flags=re.M)
    return recipe.replace("listen 443 ssl", f"listen 127.0.0.1:{port}").replace("/var/log/nginx", str(folder))


def settings_of(file: str) -> list[dict[str, str]]:
    """The settings of PostgreSQL that stand on the page, block by block, in the order in which they are made."""
    found = [each for each in blocks("conf") if each.startswith(f"# {file}")]
    return [dict(re.findall(r"^(\w+) = '?([^'\n]*)'?$", each, re.M)) for each in found]


def copy_command(folder: Path, port: int) -> list[str]:
    """The command that makes a standby of a PostgreSQL on this machine, without the program's name."""
    [line] = [line for each in blocks("sh") for line in each.splitlines() if line.startswith("pg_basebackup ")]
    words = shlex.split(line)[1:]
    words[words.index("-D") + 1] = str(folder)
    at = words.index("-d") + 1
    words[at] = words[at].replace("host=db1.example.org", "host=127.0.0.1").replace("port=5432", f"port={port}")
    return words
