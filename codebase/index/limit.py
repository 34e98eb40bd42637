"""A limit to the seconds that a piece of work computes."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Generator
from types import FrameType


class TooSlow(BaseException):
    """The work computed too long. Not an Exception, so that the work itself does not catch it."""


@contextlib.contextmanager
def computing_within(seconds: float) -> Generator[None, None, None]:
    """Raise TooSlow in work that computes for longer, as soon as Python has the word; unlimited in other threads."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise TooSlow
