"""A bytecode cache for templates, kept beside them as Python keeps that of modules.

To compile those of a report takes as long as to fill them in. As with modules, what was compiled lies in `__pycache__`,
is of one version of Python and of Jinja, and is made again when the template changes; where it cannot be written, or
Python is told not to, a process compiles for itself. Whoever could put other code there could change the program, too.
"""

import marshal
import os
import sys
from contextlib import suppress
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path
from types import CodeType
from typing import ClassVar

import jinja2
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket


class TemplateCache(BytecodeCache):
    """The code of templates by their files, shared by the renderers of all languages."""

    kept: ClassVar[dict[tuple[str, bytes], CodeType]] = {}
    """What this process has used until now."""

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """The path of the file: one template is asked for under several names."""
        return filename or name

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give a template the code that was compiled earlier, here or by another process."""
        head = _head(bucket)
        if (bucket.key, head) not in self.kept:
            with suppress(OSError, EOFError, ValueError, TypeError):
                content = _file_of(bucket.key).read_bytes()
                if content.startswith(head):
                    self.kept[bucket.key, head] = marshal.loads(content[len(head) :])
        bucket.code = self.kept.get((bucket.key, head))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a template that was just compiled."""
        assert bucket.code is not None
        head = _head(bucket)
        self.kept[bucket.key, head] = bucket.code
        if not sys.dont_write_bytecode:
            _write(_file_of(bucket.key), head + marshal.dumps(bucket.code))


def _head(bucket: Bucket) -> bytes:
    """A hash of all that the code depends on; the file of the cache begins with it."""
    made_for = bucket.environment
    options = made_for.autoescape, made_for.trim_blocks, made_for.lstrip_blocks, sorted(made_for.extensions)
    return sha256(f"{jinja2.__version__} {sys.implementation.cache_tag} {options} {bucket.checksum}".encode()).digest()


def _file_of(template: str) -> Path:
    """Where the code of a template is kept, by Python's own rules: a whole tree of such files may lie elsewhere."""
    return Path(cache_from_source(f"{template}.py")).with_suffix(".jinja")


def _write(path: Path, content: bytes) -> None:
    """Write a file that others may read or write at the same time, if it can be written."""
    part = path.with_name(f"{path.name}.{os.getpid()}-{id(content)}")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.write_bytes(content)
            part.replace(path)
        except OSError:
            part.unlink(missing_ok=True)
