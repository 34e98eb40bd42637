"""Work in a thread and its end on Blender's main thread, over a timer. A thread never touches bpy.

start ─> thread: work ─> queue ─> timer, main thread: done, or failed
"""

from __future__ import annotations

import dataclasses
import queue
import threading
from collections.abc import Callable
from typing import Any, Final

import bpy

from .client import ExtensionProblem, Stopped

LOOK_S: Final = 0.1


@dataclasses.dataclass
class Job:
    """One piece of work. `said` is what it does now; `stopped` asks it to end."""

    said: str = ""
    stopped: threading.Event = dataclasses.field(default_factory=threading.Event)

    def say(self, what: str) -> None:
        """Note what is being done; called in its thread."""
        self.said = what


Work = Callable[[Job], Any]
Ended = Callable[[], None]


class Jobs:
    """At most one job at a time; what ends after it was forgotten is thrown away."""

    def __init__(self) -> None:
        self.current: Job | None = None
        self._ends: queue.SimpleQueue[tuple[Job, Ended]] = queue.SimpleQueue()
        self._redraw: Callable[[], None] = lambda: None
        self._failed: Callable[[None], None] = lambda _: None
        self._words: str | None = None
        """The words of the panels about the job; None if they say that there is none."""

    def start(
        self,
        work: Work,
        done: Callable[[Any], None],
        failed: Callable[[ExtensionProblem | None], None],
        redraw: Callable[[], None],
    ) -> None:
        """Work in a thread; then call `done` with what it returns, or `failed` with why, None if it was stopped."""
        job = self.current = Job()
        self._redraw, self._failed, self._words = redraw, failed, None

        def run() -> None:
            self._ends.put((job, outcome(work, job, done, failed)))

        threading.Thread(target=run, name="blendproof", daemon=True).start()
        if not bpy.app.timers.is_registered(self.look):
            # Persistent, so that it goes on if another file is opened.
            bpy.app.timers.register(self.look, first_interval=LOOK_S, persistent=True)

    def forget(self) -> None:
        """Wait for the job no more; its run goes on in the service."""
        self.current = None

    def look(self) -> float | None:
        """Finish what has ended. Blender's timer calls it, again after the seconds that it returns."""
        while not self._ends.empty():
            job, end = self._ends.get()
            if job is self.current:
                self.current = None
                end()
        if self.current and self.current.stopped.is_set():
            # Its thread goes on to cancel what it asked for; what it brings is thrown away.
            self.current = None
            self._failed(None)
        words = self.current.said if self.current else None
        if words != self._words:
            self._words = words
            self._redraw()
        return LOOK_S if self.current else None

    def close(self) -> None:
        """Stop the job, and forget it."""
        if self.current:
            self.current.stopped.set()
        self.forget()
        if bpy.app.timers.is_registered(self.look):
            bpy.app.timers.unregister(self.look)


def outcome(
    work: Work, job: Job, done: Callable[[Any], None], failed: Callable[[ExtensionProblem | None], None]
) -> Callable[[], None]:
    """Do the work, and answer what is to be called of it on the main thread."""
    try:
        result = work(job)
    except ExtensionProblem as problem:
        reason = problem
        return lambda: failed(reason)
    except Stopped:
        return lambda: failed(None)
    except Exception as error:  # The panel must hear of it whatever it is.
        fault = ExtensionProblem(f"This is a fault of the extension: {type(error).__name__}: {error}")
        return lambda: failed(fault)
    return lambda: done(result)
