"""Make sure that nginx is here, for the tests that run the recipes of docs/deploy.md.

It comes from the system's packages. Where it cannot be installed, those tests are skipped and say why.
"""

import shutil

from tools import packages

PACKAGE = "nginx-light"


def nginx() -> str | None:
    """Where the program is, if it is here."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")


if __name__ == "__main__":
    if nginx() is None and packages.can_install():
        print("Installing nginx for the tests of recipes from the system's packages ...", flush=True)
        packages.install(PACKAGE, "openssl")
    print("nginx:", nginx() or f"is missing, of the package {PACKAGE}")
