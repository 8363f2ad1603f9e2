"""Make sure that a Chromium is here for the browser tests and that Playwright can drive it, and print which one.

A system browser is taken first, and of these the one without a desktop's interface: it needs half the time for the same
page. Where there is none: Debian's package (as root), else Playwright's own download.
"""

import shutil
import subprocess
import sys

from tools import packages

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
PACKAGES = ("chromium-headless-shell", "chromium")
"""Debian's, the lighter one first; a system may know the second alone."""
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
"""How tests start it: as root too, and without anything that it would do on its own."""
LIBRARY_OF_THE_DRIVER = "libatomic1"
"""Playwright brings a Node that needs it, and a small system does not have it."""


def system_browser() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def install() -> None:
    if packages.can_install():
        print("Installing Chromium from the system's packages ...", flush=True)
        packages.install(next(filter(packages.is_known, PACKAGES)))
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
