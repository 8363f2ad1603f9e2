"""Loops of one's own: a worker that has had a browser keeps a loop running, beside which no other one may start."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_apart(work: Coroutine[Any, Any, T]) -> T:
    """Do asynchronous work to its end, in a thread that has no loop yet."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, work).result()
