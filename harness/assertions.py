"""The caller's own assertions, in a process three after the others have ended (harness/inside/assertions.py)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from harness import protocol
from harness.endings import forced_end
from harness.folders import write_text
from harness.launcher import Events, ProcessEnd, printable
from harness.order import Order
from harness.place import Place
from harness.protocol import AFTER, AssertJob, Event
from harness.sandbox.ladder import Sandbox

SEEN_LIMIT: Final = 600


def codes_of(order: Order) -> list[str]:
    """The caller's own assertions."""
    return [check["code"] for check in order.accept if check["check"] == "python"]


async def make_assertions(place: Place, order: Order, sandbox: Sandbox) -> list[dict[str, Any]]:
    """Run the caller's assertions once processes one and two have ended. Returns `{"met": bool, "seen": str}` each."""
    codes = codes_of(order)
    if not codes:
        return []
    own = place.folders.of("assert")
    with place.folders.beside_the_files([AFTER]) as scenes:

        def write_job(channel: int, _stdout: int, _stderr: int) -> Path:
            job = AssertJob(scenes[AFTER], codes, call_filter=sandbox.job_filter(), channel_fd=channel)
            return write_text(own / "job.json", protocol.to_json(job))

        end = await place.launch("assert", write_job, order.examine_limits, keep_nothing)
    return [answer_of(end, index, order) for index in range(len(codes))]


def keep_nothing(_name: str, _events: Events) -> None:
    """Discard a saved file: nothing that this process writes is used."""


def answer_of(end: ProcessEnd, index: int, order: Order) -> dict[str, Any]:
    """The result of one assertion as the process reported it; one that it did not report did not hold."""
    told = [event for _, event in end.events if event["event"] == Event.ASSERTED]
    if index < len(told):
        raised = told[index].get("raised")
        seen = printable(str(raised)[:SEEN_LIMIT].encode("utf-8", "backslashreplace")) if raised is not None else ""
        return {"met": raised is None, "seen": seen}
    forced = forced_end(end, order.examine_limits)
    why = forced.reason if forced else "it ended its process"
    return {"met": False, "seen": f"it did not finish: {why}" if index == len(told) else "it was not reached"}
