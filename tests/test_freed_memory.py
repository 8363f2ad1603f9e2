"""What nothing needs any more is given back to the system, where its library can do so."""

import ctypes
import subprocess
import sys

import pytest

from assay import freed_memory
from assay.freed_memory import give_back_freed_memory

FREED = """
import re
from assay.freed_memory import give_back_freed_memory

def resident():
    return int(re.search(r"VmRSS:\\s+(\\d+)", open("/proc/self/status").read())[1]) // 1024

blocks = [b"x" * 100_000 for _ in range(1000)]
last = blocks.pop()
del blocks
before = resident()
give_back_freed_memory()
print(before - resident())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc tells how much a process has")
def test_memory_that_is_free_below_what_is_not_goes_back_to_the_system() -> None:
    if not hasattr(ctypes.CDLL(None), "malloc_trim"):
        pytest.skip("the library is not glibc")
    done = subprocess.run([sys.executable, "-c", FREED], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 80


def test_where_the_library_knows_no_such_thing_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: None) -> ctypes.CDLL:
        raise TypeError("no library without a name here")

    monkeypatch.setattr(ctypes, "CDLL", unknown)
    freed_memory._trim.cache_clear()
    give_back_freed_memory()
    freed_memory._trim.cache_clear()
