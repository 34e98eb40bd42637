"""The caller's own assertions, each in a process of its own, so that none answers for another.

`harness/inside/untrusted/assertions.py` is that process. They run after the other processes have ended, and share one
limit of time.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, Final

from harness import protocol, tracing
from harness.endings import forced_end
from harness.folders import write_text
from harness.launcher import Events, ProcessEnd, printable
from harness.order import Order
from harness.place import ExecutionPlace
from harness.protocol import AFTER, AssertJob, EventName
from harness.sandbox.ladder import Sandbox

SEEN_LIMIT: Final = 600
LEAST_S: Final = 1.0
"""An assertion that has less time than this is not begun."""
HONEST: Final = [EventName.BOOTED, EventName.ASSERTED, EventName.FINISHED]
"""The reports of an honest process that makes an assertion."""


def codes_of(order: Order) -> list[str]:
    """The caller's own assertions."""
    return [check["code"] for check in order.accept if check["check"] == "python"]


async def make_assertions(place: ExecutionPlace, order: Order, sandbox: Sandbox) -> list[dict[str, Any]]:
    """Run each of the caller's assertions by itself. Returns `{"met": bool, "seen": str}` each."""
    told: list[dict[str, Any]] = []
    left_s = order.examine_limits.wall_s
    for code in codes_of(order):
        if left_s < LEAST_S:
            told.append({"met": False, "seen": "it was not reached"})
            continue
        async with place.folders.unused("assert"):
            end = await make_assertion(place, code, order, left_s, sandbox)
        left_s -= end.wall_s
        told.append(answer_of(end, order))
    return told


async def make_assertion(place: ExecutionPlace, code: str, order: Order, wall_s: float, sandbox: Sandbox) -> ProcessEnd:
    """Run one assertion in folders that no other has seen."""
    own, limits = place.folders.of("assert"), dataclasses.replace(order.examine_limits, wall_s=wall_s)
    with place.folders.beside_the_files([AFTER]) as scenes:

        def write_job(channel: int, _stdout: int, _stderr: int) -> Path:
            job = AssertJob(scenes[AFTER], code, call_filter=sandbox.job_filter(), channel_fd=channel)
            return write_text(own / "job.json", protocol.to_json(job))

        with tracing.span("process assert"):
            return await place.launch("assert", write_job, limits, keep_nothing)


def keep_nothing(_name: str, _events: Events) -> None:
    """Discard a saved file: nothing that this process writes is used."""


def answer_of(end: ProcessEnd, order: Order) -> dict[str, Any]:
    """The result of an assertion. It holds only if its process reported so in order and then left by itself in time."""
    kinds = [event["event"] for _, event in end.events]
    told = end.event(EventName.ASSERTED)
    if told and kinds[:2] == HONEST[:2]:
        raised = told.get("raised")
        if raised is not None:
            return {"met": False, "seen": printable(str(raised)[:SEEN_LIMIT].encode("utf-8", "backslashreplace"))}
        if kinds == HONEST and end.exit_code == 0 and end.stopped_by is None:
            return {"met": True, "seen": ""}
    forced = forced_end(end, order.examine_limits)
    return {"met": False, "seen": f"it did not finish: {forced.reason if forced else 'it ended its process'}"}
