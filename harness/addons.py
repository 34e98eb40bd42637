"""Whole add-ons: registered, unregistered, registered again and used in a Blender of their own, in the sandbox.

    files of an add-on ── written to a work folder ──> Blender: enable, disable, enable, use ──> steps, as it tells them

What it tells are claims: the add-on runs in the same process. How the process ended is measured outside.
"""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, cast

from harness.blenders import Blender
from harness.endings import reduced
from harness.folders import write_new, write_text
from harness.launcher import Events, ProcessEnd, ProcessLimits
from harness.packages import site_of
from harness.place import cold_place
from harness.protocol import MOST_USED, AddonJob, Event, to_json
from harness.sandbox.ladder import Sandbox

LIMITS: Final = ProcessLimits(wall_s=60.0, files=20_000, events=32 + MOST_USED)
STEPS: Final = ("register", "unregister", "register again")
MANIFEST: Final = "blender_manifest.toml"
WELL: Final = frozenset({"drawn", "finished", "cancelled"})
ENDED: Final = "ended Blender"
MOST_CRASHES: Final = 3
"""Most Blenders that are started again for one add-on."""
NOT_TRIED: Final = "not tried"
CUT_OFF: Final = "TooLong"
"""The type of the problem of what did not end in its time."""
MOST_TOLD: Final = 200
"""Most characters of how a use went."""


@dataclasses.dataclass(frozen=True)
class Addon:
    """The files of an add-on. `module` is its name in Python; `files` are keyed by path below the folder that holds it,
    such as `module/__init__.py` or `module.py`."""

    module: str
    files: dict[str, bytes]

    @property
    def is_extension(self) -> bool:
        """Whether it has a manifest, by which Blender 4.2 and later know extensions."""
        return f"{self.module}/{MANIFEST}" in self.files


@dataclasses.dataclass(frozen=True)
class Frame:
    """One line of a traceback, in a file of the add-on."""

    file: str
    line: int
    function: str
    text: str


@dataclasses.dataclass(frozen=True)
class Problem:
    """What a step failed at. `frames` are those in the add-on, outermost first; `module` is one that is missing."""

    type: str
    message: str
    frames: tuple[Frame, ...] = ()
    module: str | None = None

    @property
    def said(self) -> str:
        """It in one line."""
        where = f"{self.frames[-1].file}:{self.frames[-1].line}: " if self.frames else ""
        return f"{where}{self.type}: {' '.join(self.message.split())}"


@dataclasses.dataclass(frozen=True)
class Use:
    """How one thing that an add-on registered did when it was used: `kind` and `name` of its class, `how` in words."""

    kind: str
    name: str
    how: str
    problem: Problem | None = None

    @property
    def what(self) -> str:
        return f"{self.kind} {self.name}"


@dataclasses.dataclass(frozen=True)
class Registration:
    """How far an add-on came on one Blender: how many of STEPS it did, and what the next one failed at.

    `left` is what was still registered after it was unregistered; `output` is what it printed.
    """

    blender: str
    done: int
    problem: Problem | None
    left: tuple[str, ...]
    output: str
    seconds: float
    loaded: tuple[str, ...] = ()
    """The files of the add-on that were imported by then, keyed as in `Addon`."""
    uses: tuple[Use, ...] = ()
    """What it registered, each used once, in Blender's start scene and without a window."""

    @property
    def passed(self) -> bool:
        """Whether it was registered, unregistered and registered again."""
        return self.done == len(STEPS)

    @property
    def said(self) -> str:
        """It in one line."""
        if self.passed:
            return "registers, unregisters and registers again"
        problem = self.problem.said if self.problem else "the process ended early"
        return f"does not {STEPS[self.done]}: {problem}"

    @property
    def used(self) -> str:
        """How what it registered did, in one line: how many of it did how."""
        counts = collections.Counter(one.how.partition(":")[0] for one in self.uses)
        return ", ".join(f"{count} {how}" for how, count in counts.items())

    @property
    def raising(self) -> tuple[Use, ...]:
        """What raised when it was used."""
        return tuple(one for one in self.uses if one.problem)

    def newly_raising(self, before: Registration) -> tuple[Use, ...]:
        """What raised when it was used, and did well before; what was cut off may have met a busy machine."""
        well = {one.what for one in before.uses if one.how in WELL}
        return tuple(one for one in self.raising if one.what in well and one.problem and one.problem.type != CUT_OFF)

    def is_worse_than(self, before: Registration) -> bool:
        """Whether it came further before, or what did well then raised now."""
        return self.done < before.done or bool(self.newly_raising(before))


async def register_addon(blender: Blender, addon: Addon, sandbox: Sandbox, folder: Path) -> Registration:
    """Register an add-on on a Blender of its own. `folder` is empty or missing. Raises HarnessFault."""
    return await launched(blender, addon, sandbox, folder, None)


async def use_addon(blender: Blender, addon: Addon, sandbox: Sandbox, folder: Path) -> Registration:
    """Register an add-on on a Blender of its own, and use what it registered. Arguments and errors as above.

    What Blender does not survive is left out in another Blender, so that the rest is tried too.
    """
    done = await launched(blender, addon, sandbox, folder / "first", [])
    for turn in range(MOST_CRASHES):
        tried = [one for one in done.uses if one.how != NOT_TRIED]
        if len(tried) == len(done.uses) or not tried or tried[-1].how != ENDED:
            break
        more = await launched(blender, addon, sandbox, folder / f"more{turn}", [one.what for one in tried])
        if not more.passed:
            break
        done = dataclasses.replace(done, uses=(*tried, *more.uses), seconds=done.seconds + more.seconds)
    return done


async def launched(
    blender: Blender, addon: Addon, sandbox: Sandbox, folder: Path, skip: Sequence[str] | None
) -> Registration:
    """Register an add-on in one process, and use all but what is to be skipped; None uses nothing."""
    with cold_place(blender, sandbox, folder) as place:
        folders = place.folders
        there = folders.work / "addons"
        for name, content in addon.files.items():
            write_new(there / name, content)
        packages = site_of(blender) if blender.packages else None

        def write_job(channel: int, stdout: int, stderr: int) -> Path:
            job = AddonJob(
                folder=str(folders.inside(there)),
                module=addon.module,
                extension=addon.is_extension,
                skip=None if skip is None else list(skip),
                packages=str(packages) if packages and packages.is_dir() else "",
                call_filter=sandbox.job_filter(),
                channel_fd=channel,
                stdout_fd=stdout,
                stderr_fd=stderr,
            )
            return write_text(folders.run / "job.json", to_json(job))

        size = sum(map(len, addon.files.values()))
        limits = dataclasses.replace(LIMITS, disk_bytes=LIMITS.disk_bytes + 2 * size)
        end = await place.launch("run", write_job, limits, keep_nothing)
    return registration_of(blender, end)


def keep_nothing(_name: str, _events: Events) -> None:
    """Nothing is saved while an add-on is registered."""


def registration_of(blender: Blender, end: ProcessEnd) -> Registration:
    """How far it came, from what the process told and how it ended."""
    steps = [event for _, event in end.events if event["event"] == Event.ADDON_STEP][: len(STEPS)]
    problem = None
    done = 0
    for name, step in zip(STEPS, steps, strict=False):
        problem = read_problem(step.get("problem"))
        if problem or step.get("step") != name:
            break
        done += 1
    if problem is None and (done < len(STEPS) or end.event(Event.FINISHED) is None):
        done, problem = min(done, len(STEPS) - 1), Problem(*early_end(end))
    output = (end.stdout["text"] + end.stderr["text"]).strip()
    left = texts_in(steps[1].get("left")) if len(steps) > 1 else ()
    loaded = texts_in(steps[0].get("loaded")) if steps else ()
    uses = uses_in(end) if done == len(STEPS) else ()
    return Registration(blender.name, done, problem, left, output, end.wall_s, loaded, uses)


def uses_in(end: ProcessEnd) -> tuple[Use, ...]:
    """How each thing did, in the order told beforehand: Blender may not survive one of them, and then tries no more."""
    told = [event for _, event in end.events if event["event"] == Event.USED]
    try:
        names = [(str(kind), str(name)) for kind, name in (end.event(Event.USING) or {"names": []})["names"]]
        each = zip(names, told, strict=False)
        uses = [Use(*name, str(one["how"])[:MOST_TOLD], read_problem(one["problem"])) for name, one in each]
    except (TypeError, KeyError, ValueError):
        return ()
    if len(uses) < len(names) and not ended_well(end):
        uses.append(Use(*names[len(uses)], ENDED, Problem(*early_end(end))))
    return (*uses, *(Use(*name, NOT_TRIED) for name in names[len(uses) :]))


def ended_well(end: ProcessEnd) -> bool:
    return not (end.stopped_by or end.signal or end.exit_code)


def texts_in(told: Any) -> tuple[str, ...]:
    """A list of texts that a process told; nothing if it is no list."""
    return tuple(str(one) for one in cast("list[object]", told)) if isinstance(told, list) else ()


def early_end(end: ProcessEnd) -> tuple[str, str]:
    """What ended a process before it told of its steps."""
    if end.stopped_by:
        return "Stopped", f"it reached its limit of {end.stopped_by}"
    if end.signal is not None:
        return "Crashed", f"Blender crashed with signal {end.signal}"
    return "EndedEarly", f"the process ended with exit code {end.exit_code}"


def read_problem(told: Any) -> Problem | None:
    """The problem that a process told of; whatever has another form is a problem too."""
    if told is None:
        return None
    try:
        frames = tuple(
            Frame(str(f["file"]), int(f["line"]), str(f["function"]), str(f["text"])) for f in told["frames"]
        )
        module = told["module"]
        return Problem(
            str(told["type"]), reduced(str(told["message"])), frames, None if module is None else str(module)
        )
    except (TypeError, KeyError, ValueError):
        return Problem("Unreadable", "the process did not tell what went wrong")
