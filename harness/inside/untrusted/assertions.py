"""A process for one assertion of the caller, run on the scene the snippet left. It is untrusted code, but nothing else
depends on it: the evidence is written already, out of its reach, and the next assertion has a process of its own.
"""

from __future__ import annotations

from typing import Any

import bpy

from harness.inside.channel import Channel
from harness.inside.untrusted.signs import forget_modules, put_away
from harness.protocol import AssertJob, EventName

SEEN_LIMIT = 600


def make_assertion(job: AssertJob) -> None:
    """Open the scene, run the assertion, and report its exception, if it raised one."""
    channel = Channel(put_away(job.channel_fd))
    channel.send(EventName.BOOTED)
    forget_modules()
    bpy.ops.wm.open_mainfile(filepath=job.after_blend, load_ui=False, use_scripts=False)
    channel.send(EventName.ASSERTED, raised=raised_by(job.assertion))
    channel.send(EventName.FINISHED)


def raised_by(code: str) -> str | None:
    """The exception of an assertion, in words; None if it held."""
    names: dict[str, Any] = {"__name__": "__main__", "bpy": bpy}
    try:
        exec(compile(code, "assertion.py", "exec", dont_inherit=True), names)
    except BaseException as error:
        return said(error)
    return None


def said(error: BaseException) -> str:
    """Type and message. An exception's own `__str__` may raise."""
    try:
        message = str(error).strip()
    except BaseException:
        message = "(its message cannot be printed)"
    if isinstance(error, AssertionError):
        return (message or "the assertion does not hold")[:SEEN_LIMIT]
    return f"{type(error).__name__}: {message}"[:SEEN_LIMIT]
