"""Write the reports of the stores of an earlier release anew, where their numbers are meant to change.

`python tools/golden.py [NAME ...]` reads `tests/golden/0.1.0/NAME.db.gz`, makes its report as `tests/test_golden.py`
does, and writes `NAME.json.gz`. The stores themselves, and the figures that the release kept, stay as they are.
"""

import gzip
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.test_golden import NAMES, RELEASE, report_of


def main() -> None:
    """Write the reports of some templates, or of all."""
    for name in sys.argv[1:] or NAMES:
        # Without the time of day in it, the same report is the same file.
        packed = gzip.compress(report_of(name).encode(), mtime=0)
        (RELEASE / f"{name}.json.gz").write_bytes(packed)
        print(name)


if __name__ == "__main__":
    main()
