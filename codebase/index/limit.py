"""A limit to the seconds that a piece of work computes."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Generator
from types import FrameType
from typing import Final

AGAIN_S: Final = 0.01
CALLBACKS: Final = frozenset({"__del__", "remove", "_remove"})
"""Python loses what is raised in them, when an object goes away: the next moment is as good."""


class TooSlow(BaseException):
    """The work computed too long. Not an Exception, so that the work itself does not catch it."""


@contextlib.contextmanager
def computing_within(seconds: float) -> Generator[None, None, None]:
    """Raise TooSlow in work that computes for longer, as soon as Python has the word; unlimited in other threads."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _stop(_signal: int, frame: FrameType | None) -> None:
    if frame is None or frame.f_code.co_name not in CALLBACKS:
        signal.setitimer(signal.ITIMER_PROF, 0)
        raise TooSlow
