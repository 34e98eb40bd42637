"""The pace of this machine: limits in seconds of computing allow the same work on a slower one."""

from __future__ import annotations

import ast
import functools
import math
import time
from typing import Final

from python.parsing import parse_python

TEXT: Final = "\n".join(
    f"def f{number}(a, b):\n    return [a + {number} * b for b in range(a)]" for number in range(400)
)
REFERENCE_S: Final = 0.025
"""Seconds of computing that `work` takes on the machine on which the limits were chosen."""
SLOWEST: Final = 4.0
"""A limit grows at most by this factor, and never shrinks."""
TRIES: Final = 8


def work() -> None:
    """A little of what readers and checkers do."""
    for node in ast.walk(parse_python(TEXT)):
        vars(node)


@functools.cache
def pace() -> float:
    """The factor by which this machine is slower than the one of reference, 1 to SLOWEST; measured once, in 0.2 s."""
    return bounded(min(map(_seconds_of_work, range(TRIES))))


def bounded(seconds: float) -> float:
    """The factor for a machine on which `work` takes this long."""
    return round(min(max(seconds / REFERENCE_S, 1.0), SLOWEST), 1)


def _seconds_of_work(_try: int) -> float:
    begun = time.thread_time()
    work()
    return time.thread_time() - begun


def computing_s(seconds: int) -> int:
    """A limit in seconds of computing, on this machine."""
    return math.ceil(seconds * pace())
