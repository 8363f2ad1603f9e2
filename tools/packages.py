"""Install packages of the system, for what tests need and Python's own packages do not bring."""

import os
import shutil
import subprocess


def can_install() -> bool:
    """Whether this is a Debian or an Ubuntu, and we are root on it."""
    return shutil.which("apt-get") is not None and os.geteuid() == 0


def install(*names: str) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", *names]):
        subprocess.run(["apt-get", "-qq", *command], check=True, stdout=subprocess.DEVNULL, env=environment)
