"""A long computation in parts, shared by this process and a fork of it: the results come in order."""

import gc
import marshal
import os
import select
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from typing import Any, NoReturn, TypeVar

from assay import beside
from assay.beside import close_files

try:
    import fcntl
except ImportError:  # not a POSIX system
    fcntl = None  # type: ignore[assignment]

P = TypeVar("P")
T = TypeVar("T")

FEW = 10
"""So many parts are worked on before another process is begun: for fewer it would not be worth it."""
MOST_SENT = 3
"""So many parts the fork has at a time: the one that it works on, and what it goes on with at once."""
MOST_WAITING = 16
"""So many results are kept until those before them are there; then this process waits."""
PIPE = 1 << 20
"""So many bytes wait in a pipe, where that can be chosen, so that neither process waits for the other."""
HEAD = 8
"""So many bytes before each part, and before each result, say how long it is."""


def each_beside(work: Callable[[P], T], parts: Iterable[P]) -> Generator[T]:
    """Like `map`, with two processes that work: what is made of each part, in the order of the parts.

    This process iterates over the parts, and works on those that the fork has no time for. Parts and results are texts,
    bytes, numbers, and lists, tuples or dictionaries of these. Where there are few parts or no second core, where this
    system cannot fork, or where the fork fails, all is done here.

    Example:
        >>> list(each_beside(len, ["", "a", "ab"]))
        [0, 1, 2]
    """
    following = iter(parts)
    for number, part in enumerate(following, 1):
        yield work(part)
        if number >= FEW:
            break
    else:
        return
    copy = _copy_at_work(work)
    if copy is None:
        yield from map(work, following)
        return
    try:
        yield from _by_both(work, following, copy)
    finally:
        copy.end()


class _Copy:
    """A fork of this process that works on parts, one after another, and answers each."""

    def __init__(self, work: Callable[[Any], Any], child: int, to: int, back: int) -> None:
        self.work, self.child, self.to, self.back = work, child, to, back
        self.is_there = True
        self._sent: deque[tuple[Any, list[Any]]] = deque()
        """The parts that are not answered yet, each with the place for what is made of it."""
        self._out, self._in = bytearray(), bytearray()

    @property
    def has_room(self) -> bool:
        """Whether it can be sent another part."""
        return self.is_there and len(self._sent) < MOST_SENT

    def send(self, part: Any, place: list[Any]) -> None:
        """Queue a part for it; the result is appended to `place`."""
        try:
            self._out += _with_head(part)
        except ValueError:  # it is made of something else
            place.append(_result_or_failure(self.work, part))
            return
        self._sent.append((part, place))
        self.exchange()

    def exchange(self, *, wait: bool = False) -> None:
        """Write and read what the pipes take and give without blocking; with `wait`, wait until one is ready."""
        if wait and self._sent:
            ready = select.poll()
            ready.register(self.back, select.POLLIN)
            if self._out:
                ready.register(self.to, select.POLLOUT)
            ready.poll()
        with suppress(BlockingIOError, BrokenPipeError):
            while self._out:
                del self._out[: os.write(self.to, self._out)]
        with suppress(BlockingIOError):
            while some := os.read(self.back, PIPE):
                self._in += some
            self.is_there = False
        while len(self._in) >= (end := HEAD + int.from_bytes(self._in[:HEAD])) > HEAD:
            self._sent.popleft()[1].append(marshal.loads(self._in[HEAD:end]))
            del self._in[:end]
        if not self.is_there:
            for part, place in self._sent:
                place.append(_result_or_failure(self.work, part))
            self._sent.clear()

    def end(self) -> None:
        """Kill the fork: it has nothing left to do."""
        os.close(self.to)
        os.close(self.back)
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)


class _Failure:
    """An exception of the work on a part, raised once all results before it have come."""

    def __init__(self, error: Exception) -> None:
        self.error = error


def _result_or_failure(work: Callable[[Any], Any], part: Any) -> Any:
    try:
        return work(part)
    except Exception as error:
        return _Failure(error)


def _by_both(work: Callable[[P], T], parts: Iterator[P], copy: _Copy) -> Iterator[T]:
    waiting: deque[list[T]] = deque()
    for part in parts:
        place: list[T] = []
        waiting.append(place)
        copy.exchange()
        if copy.has_room:
            copy.send(part, place)
        else:
            place.append(_result_or_failure(work, part))
        copy.exchange()
        while waiting and (waiting[0] or len(waiting) > MOST_WAITING):
            yield from _first_of(waiting, copy)
    while waiting:
        yield from _first_of(waiting, copy)


def _first_of(waiting: deque[list[T]], copy: _Copy) -> list[T]:
    """Wait for the next result in order, and return it."""
    while not waiting[0]:
        copy.exchange(wait=True)
    found = waiting.popleft()
    if isinstance(found[0], _Failure):
        raise found[0].error
    return found


def _copy_at_work(work: Callable[[Any], Any]) -> _Copy | None:
    """A fork that works on what it is sent; None where none can be made, or it would not help."""
    if not hasattr(os, "fork") or beside.cores() < 2:
        return None
    reading, to = os.pipe()
    back, writing = os.pipe()
    # Ctrl-C is for this process alone. The fork inherits the mask, so that it does not begin to clean up.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        child = os.fork()
        if not child:
            _answer(work, reading, writing)
    except OSError:
        os.close(to)
        os.close(back)
        return None
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(reading)
        os.close(writing)
    for end in (to, back):
        os.set_blocking(end, False)
        _enlarge(end)
    return _Copy(work, child, to, back)


def _enlarge(pipe: int) -> None:
    """Enlarge a pipe's buffer where the system lets us: without that it is slower, and nothing else."""
    with suppress(AttributeError, OSError):
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE)


def _answer(work: Callable[[Any], Any], reading: int, writing: int) -> NoReturn:
    """In the fork: work on each part that comes, and exit as soon as the other process does."""
    try:
        gc.freeze()  # objects of the parent are never collected here: that could close what it has open
        close_files(reading, writing)
        with os.fdopen(reading, "rb") as source, os.fdopen(writing, "wb") as target:
            while head := source.read(HEAD):
                target.write(_with_head(work(marshal.loads(source.read(int.from_bytes(head))))))
                target.flush()
    except BaseException:
        os._exit(1)  # the other process does it again, and says what is wrong
    os._exit(0)


def _with_head(value: Any) -> bytes:
    content = marshal.dumps(value)
    return len(content).to_bytes(HEAD) + content
