"""The scene that a snippet left as glTF, exported by a process of its own that never runs the snippet.

`harness/inside/witness/export.py` is that process. Nothing is proven by it: if it fails, there is no such file.
"""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

from harness import protocol, tracing
from harness.assertions import keep_nothing
from harness.folders import write_text
from harness.order import MODEL, Order
from harness.place import ExecutionPlace
from harness.protocol import AFTER, EventName, ExportJob
from harness.sandbox.ladder import Sandbox


async def export_scene(place: ExecutionPlace, order: Order, hidden: list[str], sandbox: Sandbox) -> None:
    """Have the scene exported, and kept beside the .blend; the witness has ended."""
    async with place.folders.unused("assert"):
        own = place.folders.of("assert")
        out = own / "out" / MODEL
        with place.folders.beside_the_files([AFTER]) as scenes:

            def write_job(channel: int, _stdout: int, _stderr: int) -> Path:
                inside = str(place.folders.inside(out))
                job = ExportJob(scenes[AFTER], hidden, inside, call_filter=sandbox.job_filter(), channel_fd=channel)
                return write_text(own / "job.json", protocol.to_json(job))

            with tracing.span("process export"):
                end = await place.launch("assert", write_job, order.examine_limits, keep_nothing)
        whole = end.event(EventName.FINISHED) is not None and end.exit_code == 0
        if whole and out.exists() and stat.S_ISREG(out.lstat().st_mode):
            shutil.move(out, place.folders.kept / MODEL)
