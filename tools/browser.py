"""Make sure that a Chromium is here for the browser tests, and print which one.

A system browser is taken first. Where there is none: Debian's package (as root), else Playwright's own download.
"""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


def system_browser() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def install() -> None:
    if shutil.which("apt-get") and os.geteuid() == 0:
        print("Installing Chromium from the system's packages ...", flush=True)
        quiet = {"stdout": subprocess.DEVNULL, "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}}
        subprocess.run(["apt-get", "update", "-qq"], check=True, **quiet)
        subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"], check=True, **quiet)
    else:
        print("Installing Chromium through Playwright ...", flush=True)
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)


if __name__ == "__main__":
    if system_browser() is None:
        install()
    print("browser:", system_browser() or "Playwright's own Chromium")
