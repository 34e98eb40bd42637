"""The files that an add-on wrote, read by a process of its own that never ran the add-on.

`harness/inside/untrusted/written.py` keeps them in the work folder; `harness/inside/witness/read_back.py` reads them.
"""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any, Final

from harness.endings import forced_end
from harness.folders import files_below, write_text
from harness.launcher import ProcessEnd, ProcessLimits
from harness.place import ColdPlace
from harness.protocol import WRITTEN, EventName, ReadBackJob, to_json
from harness.sandbox.ladder import Sandbox

MOST_FILES: Final = 40
NOT_READ: Final = "not read back: its reader ended before"
"""Takes the place of a problem."""
LIMITS: Final = ProcessLimits(wall_s=60.0, events=2 + 2 * MOST_FILES)


async def read_back(place: ColdPlace, sandbox: Sandbox) -> dict[str, str]:
    """The problem of each file by its name, empty if it can be read, or NOT_READ. The add-on's process has ended."""
    folders = place.folders
    kept = folders.work / WRITTEN
    if kept.is_symlink() or folders.work.is_symlink():
        return {}
    found = [path for path, _ in files_below(kept) if stat.S_ISREG(path.lstat().st_mode)]
    found.sort()
    files = found[:MOST_FILES]
    if not files:
        return {}

    def write_job(channel: int, _stdout: int, _stderr: int) -> Path:
        inside = [str(folders.inside(path)) for path in files]
        job = ReadBackJob(inside, call_filter=sandbox.job_filter(), channel_fd=channel)
        return write_text(folders.examine / "job.json", to_json(job))

    end = await place.launch("examine", write_job, LIMITS, lambda _name, _events: None)
    return {**{path.name: NOT_READ for path in found}, **problems_of([path.name for path in files], end)}


def problems_of(names: list[str], end: ProcessEnd) -> dict[str, str]:
    """The report of the process on each file, as far as it came. One that it was stopped at was not read."""
    told: dict[str, str] = {}
    for _, event in end.events:
        number: Any = event.get("number")
        if not isinstance(number, int) or not 0 <= number < len(names):
            continue
        if event["event"] == EventName.OPENING and not end.stopped_by:
            forced = forced_end(end, LIMITS)
            told[names[number]] = forced.reason if forced else "Blender ended while it read it"
        elif event["event"] == EventName.OPENED:
            told[names[number]] = str(event.get("problem"))
    return told
