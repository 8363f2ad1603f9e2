"""Make sure that a LaTeX with booktabs is here, for the test that compiles what `assay report --paper` writes.

It comes from the system's packages. Where it cannot be installed, the test is skipped and says why.
"""

import shutil
import subprocess

from tools import packages

PACKAGES = ("texlive-latex-base", "texlive-latex-recommended")


def missing() -> str:
    """Why nothing can be compiled here; empty where it can."""
    if not all(map(shutil.which, ("pdflatex", "bibtex", "kpsewhich"))):
        return f"there is no LaTeX here: apt-get install {' '.join(PACKAGES)}"
    found = subprocess.run(["kpsewhich", "booktabs.sty"], capture_output=True).returncode == 0
    return "" if found else f"LaTeX has no booktabs here: apt-get install {PACKAGES[1]}"


if __name__ == "__main__":
    if missing() and packages.can_install():
        print("Installing LaTeX for the test of papers from the system's packages ...", flush=True)
        packages.install(*PACKAGES)
    print("LaTeX:", missing() or "is here, with booktabs")
