"""Make sure that a Chromium is here for the browser tests and that Playwright can drive it, and print which one.

A system browser is taken first. Where there is none: Debian's package (as root), else Playwright's own download.
"""

import shutil
import subprocess
import sys

from tools import packages

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
LIBRARY_OF_THE_DRIVER = "libatomic1"
"""Playwright brings a Node that needs it, and a small system does not have it."""


def system_browser() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def install() -> None:
    if packages.can_install():
        print("Installing Chromium from the system's packages ...", flush=True)
        packages.install("chromium")
    else:
        print("Installing Chromium through Playwright ...", flush=True)
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)


def driver_starts() -> bool:
    return subprocess.run([sys.executable, "-m", "playwright", "--version"], capture_output=True).returncode == 0


if __name__ == "__main__":
    if packages.can_install() and not driver_starts():
        packages.install(LIBRARY_OF_THE_DRIVER)
    if system_browser() is None:
        install()
    print("browser:", system_browser() or "Playwright's own Chromium")
