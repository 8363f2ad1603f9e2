"""Install packages of the system, for what tests need and Python's own packages do not bring."""

import os
import shutil
import subprocess


def can_install() -> bool:
    """Whether this is a Debian or an Ubuntu, and we are root on it."""
    return shutil.which("apt-get") is not None and os.geteuid() == 0


def is_known(name: str) -> bool:
    """Whether the system's packages have one of this name."""
    _apt_get("update")
    return subprocess.run(["apt-cache", "show", name], capture_output=True).returncode == 0


def install(*names: str) -> None:
    _apt_get("update")
    _apt_get("install", "-y", "--no-install-recommends", *names)


def _apt_get(*command: str) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "-qq", *command], check=True, stdout=subprocess.DEVNULL, env=environment)
