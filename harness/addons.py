"""Whole add-ons: registered, unregistered, registered again and used in a Blender of their own, in the sandbox.

        files of an add-on ── written to a work folder ──> Blender: enable, disable, enable, use ──> reported steps

The reports are claims: the add-on runs in the same process. The ending of the process is measured outside.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import dataclasses
import itertools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, cast

from harness.blenders import Blender
from harness.display import Display, open_display, png, why_no_display
from harness.endings import last_error_line
from harness.folders import write_new, write_text
from harness.launcher import Events, HarnessFault, ProcessEnd, ProcessLimits
from harness.packages import site_of
from harness.place import cold_place
from harness.protocol import MOST_SETTINGS, MOST_USED, PICTURE, AddonJob, EventName, to_json
from harness.reading_back import read_back
from harness.sandbox.ladder import Sandbox
from harness.shaders import shaders_of

LIMITS: Final = ProcessLimits(
    wall_s=90.0, files=20_000, output_bytes=32 << 20, events=32 + 40 * MOST_USED + MOST_SETTINGS
)
"""Each use is announced in each situation."""
STEPS: Final = ("register", "unregister", "register again")
MANIFEST: Final = "blender_manifest.toml"
WELL: Final = frozenset({"drawn", "finished", "called", "cancelled", "shown"})
ENDED: Final = "ended Blender"
MOST_CRASHES: Final = 3
"""Most Blenders that are started again for one add-on."""
AGAIN_S: Final = 120.0
"""Seconds on the clock after which none is started again."""
NOT_TRIED: Final = "not tried"
CUT_OFF: Final = "TooLong"
"""The type of the problem of a use that did not end in its time."""
STUCK: Final = "Timeout (0:00:"
"""Part of the output of a process that was ended because Blender did not return."""
MOST_PICTURES: Final = 32
WINDOW_S: Final = 180.0
"""Further seconds for a Blender with a window, which opens it and draws it without a graphics card."""
MOST_SAID: Final = 200
"""The most characters of the result of a use."""


@dataclasses.dataclass(frozen=True)
class Addon:
    """The files of an add-on. `module` is its name in Python; `files` are keyed by path below the folder that holds it,
    such as `module/__init__.py` or `module.py`."""

    module: str
    files: dict[str, bytes]

    @property
    def is_extension(self) -> bool:
        """True if it has a manifest, by which Blender 4.2 and later know extensions."""
        return f"{self.module}/{MANIFEST}" in self.files


@dataclasses.dataclass(frozen=True)
class AddonFrame:
    """One line of a traceback, in a file of the add-on."""

    file: str
    line: int
    function: str
    text: str


@dataclasses.dataclass(frozen=True)
class AddonProblem:
    """The cause of a failed step. `frames` are those in the add-on, outermost first; `module` is a missing one."""

    type: str
    message: str
    frames: tuple[AddonFrame, ...] = ()
    module: str | None = None

    @property
    def said(self) -> str:
        """The problem in one line."""
        where = f"{self.frames[-1].file}:{self.frames[-1].line}: " if self.frames else ""
        return f"{where}{self.type}: {' '.join(self.message.split())}"


@dataclasses.dataclass(frozen=True)
class Use:
    """The use of one thing that an add-on registered: `kind` and `name` of its class, `how` it went in words.

    `setting` is the value of a property that was tried, empty for its defaults; `situation` is where.
    """

    kind: str
    name: str
    how: str
    problem: AddonProblem | None = None
    setting: str = ""
    situation: str = ""
    prepared: bool = False
    """True if an operator has properties that its caller is to set."""

    @property
    def what(self) -> str:
        return f"{self.kind} {self.name} {self.setting}".rstrip()


@dataclasses.dataclass(frozen=True)
class WrittenFile:
    """A file that a use wrote, read by a process that never ran the add-on; `problem` is empty if it could."""

    use: str
    ending: str
    problem: str


@dataclasses.dataclass(frozen=True)
class FileCoverage:
    """The lines of a file that can run, how many of them did, and the stretches that did not."""

    lines: int
    ran: int
    missed: tuple[tuple[int, int], ...]
    cut: bool = False
    """True if there are further stretches than those."""
    whole: bool = True
    """False if an earlier Blender ended without telling its lines, so that a stretch may have run there."""

    def reaches(self, line: int) -> bool | None:
        """True if a line ran; None if it is not known."""
        if any(first <= line <= last for first, last in self.missed):
            return False if self.whole else None
        return None if self.cut and line > self.missed[-1][1] else True


@dataclasses.dataclass(frozen=True)
class Registration:
    """The progress of an add-on on one Blender: the number of STEPS that it did, and the failure of the next one.

    `left_behind` is still registered after `unregister`; `output` is the add-on's output.
    """

    blender: str
    done: int
    problem: AddonProblem | None
    left_behind: tuple[str, ...]
    output: str
    seconds: float
    loaded: tuple[str, ...] = ()
    """The files of the add-on that were imported by then, keyed as in `Addon`."""
    uses: tuple[Use, ...] = ()
    """Its registrations, each used once, without a window."""
    coverage: dict[str, FileCoverage] = dataclasses.field(default_factory=dict[str, FileCoverage])
    """The lines that ran, per file, keyed as in `Addon`; empty unless it was used thoroughly. A file that is not there
    was not told of."""
    manifest: tuple[str, ...] = ()
    """The problems of its manifest, as Blender's own tool names them."""
    other_wheels: tuple[str, ...] = ()
    """Its wheels that are for another Python or machine."""
    written: tuple[WrittenFile, ...] = ()
    """The files that its operators wrote, as far as Blender knows their formats."""
    pictures: dict[str, bytes] = dataclasses.field(default_factory=dict[str, bytes], repr=False)
    """Pictures of Blender's window as PNG, by what they show; empty without a window."""

    @property
    def passed(self) -> bool:
        """True if it was registered, unregistered and registered again."""
        return self.done == len(STEPS)

    @property
    def said(self) -> str:
        """The registration in one line."""
        if self.passed:
            return "registers, unregisters and registers again"
        problem = self.problem.said if self.problem else "the process ended early"
        return f"does not {STEPS[self.done]}: {problem}"

    @property
    def used(self) -> str:
        """The results of its uses in one line, with the number of each."""
        counts = collections.Counter(use.how.partition(":")[0] for use in self.uses)
        return ", ".join(f"{count} {how}" for how, count in counts.items())

    @property
    def raising(self) -> tuple[Use, ...]:
        """The uses that raised, and did well in no situation."""
        return tuple(use for use in self.uses if use.problem and use.how not in WELL)

    def newly_raising(self, before: Registration) -> tuple[Use, ...]:
        """The uses that raise now and did well before; a use that was cut off may have met a busy machine."""
        well = {place for place, use in _placed(before.uses) if use.how in WELL}
        return tuple(
            use for place, use in _placed(self.uses) if place in well and use.problem and use.problem.type != CUT_OFF
        )

    def is_worse_than(self, before: Registration) -> bool:
        """True if it came further before, or a use that did well then raises now."""
        return self.done < before.done or bool(self.newly_raising(before))


def _placed(uses: Iterable[Use]) -> Iterator[tuple[tuple[str, int], Use]]:
    """Each use with its name and its place among those of the same name: classes of several files may share one."""
    seen: collections.Counter[str] = collections.Counter()
    for use in uses:
        seen[use.what] += 1
        yield (use.what, seen[use.what]), use


async def use_addon(
    blender: Blender, addon: Addon, sandbox: Sandbox, folder: Path, thorough: bool = False
) -> Registration:
    """Register an add-on on a Blender of its own, and use its registrations. `folder` is empty or missing.

    If `thorough`, in every situation and with every value of its switches and choices. A use that Blender does not
    survive is left out in another Blender, so that the rest is tried too. Raises HarnessFault.
    """
    async with contextlib.AsyncExitStack() as opened:
        display = None
        if thorough and blender.kind == "executable" and why_no_display(sandbox) is None:
            # Without a display it is used without a window.
            with contextlib.suppress(HarnessFault):
                shaders = await shaders_of(blender, sandbox)
                display = await opened.enter_async_context(open_display(sandbox, folder / "display", shaders))
        return await use_on(blender, addon, sandbox, folder, thorough, display)


async def use_on(
    blender: Blender, addon: Addon, sandbox: Sandbox, folder: Path, thorough: bool, display: Display | None
) -> Registration:
    done = await launch_addon(blender, addon, sandbox, folder / "first", [], thorough, display)
    for turn in range(MOST_CRASHES):
        tried = [use for use in done.uses if use.how != NOT_TRIED]
        if len(tried) == len(done.uses) or not any(use.how == ENDED for use in tried[-1:]) or done.seconds > AGAIN_S:
            break
        skip = [use.what for use in tried]
        more = await launch_addon(blender, addon, sandbox, folder / f"more{turn}", skip, thorough, display)
        if not more.passed:
            break
        # A process that ended early told no lines.
        seconds = done.seconds + more.seconds
        done = dataclasses.replace(
            done,
            uses=(*tried, *more.uses),
            seconds=seconds,
            coverage={file: dataclasses.replace(facts, whole=False) for file, facts in more.coverage.items()},
            pictures={**done.pictures, **more.pictures},
            written=(*done.written, *more.written),
        )
    return done


async def launch_addon(
    blender: Blender,
    addon: Addon,
    sandbox: Sandbox,
    folder: Path,
    skip: Sequence[str] | None,
    thorough: bool = False,
    display: Display | None = None,
) -> Registration:
    """Register an add-on in one process, and use all but the names to `skip`; None uses nothing.

    On a `display` Blender has a window, of which pictures are taken.
    """
    pictures: dict[str, bytes] = {}
    asked = itertools.count()

    def take_picture(name: str, _events: Events) -> None:
        # A name more than once, or more names, are no work: who finds the channel could ask without end.
        if display and name not in pictures and next(asked) < MOST_PICTURES:
            with contextlib.suppress(HarnessFault):
                pictures[name] = display.pixels()

    with cold_place(blender, sandbox, folder, display) as place:
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
                thorough=thorough,
                pictures=display is not None,
                packages=str(packages) if packages and packages.is_dir() else "",
                call_filter=sandbox.job_filter(),
                channel_fd=channel,
                stdout_fd=stdout,
                stderr_fd=stderr,
            )
            return write_text(folders.run / "job.json", to_json(job))

        size = sum(map(len, addon.files.values()))
        wall_s = LIMITS.wall_s + (WINDOW_S if display else 0.0)
        limits = dataclasses.replace(LIMITS, disk_bytes=LIMITS.disk_bytes + 2 * size, wall_s=wall_s)
        end = await place.launch("run", write_job, limits, take_picture)
        read = await read_back(place, sandbox) if thorough else {}
    names = {number: name for number in pictures if (name := announced(number, end, PICTURE))}
    shown = {name: await asyncio.to_thread(png, pictures[number]) for number, name in names.items()}
    written = [
        WrittenFile(use, f".{ending}", problem)
        for (number, _, ending), problem in ((name.partition("."), problem) for name, problem in read.items())
        if (use := announced(number, end, "Operator"))
    ]
    return dataclasses.replace(registration_of(blender, end), pictures=shown, written=tuple(written))


def announced(number: str, end: ProcessEnd, of_kind: str) -> str:
    """The name of the use of this number and kind, as the process announced it; empty if it did not."""
    names: Any = (end.event(EventName.USING) or {}).get("names")
    with contextlib.suppress(TypeError, ValueError, LookupError):
        kind, name, _ = names[int(number)]
        return str(name)[:MOST_SAID] if kind == of_kind else ""
    return ""


def registration_of(blender: Blender, end: ProcessEnd) -> Registration:
    """The progress of the add-on, from the reports of the process and its ending."""
    steps = [event for _, event in end.events if event["event"] == EventName.ADDON_STEP][: len(STEPS)]
    problem = None
    done = 0
    for name, step in zip(STEPS, steps, strict=False):
        problem = read_problem(step.get("problem"))
        if problem or step.get("step") != name:
            break
        done += 1
    if problem is None and (done < len(STEPS) or end.event(EventName.FINISHED) is None):
        done, problem = min(done, len(STEPS) - 1), AddonProblem(*early_end(end))
    output = (end.stdout["text"] + end.stderr["text"]).strip()
    left = texts_in(steps[1].get("left")) if len(steps) > 1 else ()
    loaded = texts_in(steps[0].get("loaded")) if steps else ()
    uses = uses_in(end) if done == len(STEPS) else ()
    read = end.event(EventName.MANIFEST) or {}
    manifest, others = texts_in(read.get("problems")), texts_in(read.get("others"))
    covered = coverage_in(end)
    return Registration(blender.name, done, problem, left, output, end.wall_s, loaded, uses, covered, manifest, others)


def uses_in(end: ProcessEnd) -> tuple[Use, ...]:
    """The uses, in the order announced beforehand, those without a result last: Blender may not survive one of them."""
    results: dict[int, Use] = {}
    began: int | None = None
    try:
        using = end.event(EventName.USING) or {"names": []}
        names = [(str(kind), str(name), str(setting)) for kind, name, setting in using["names"]]
        for _, event in end.events:
            if event["event"] == EventName.TRYING:
                began = int(event["number"])
            elif event["event"] == EventName.USED:
                number = int(event["number"])
                kind, name, setting = names[number]
                said, situation = (str(event[of])[:MOST_SAID] for of in ("how", "situation"))
                problem = read_problem(event["problem"])
                prepared = event["prepared"] is True
                results[number] = Use(kind, name, said, problem, setting, situation, prepared)
        lost = None if ended_well(end) or began in results else began
        uses = [results[number] for number in sorted(results)]
        if lost is not None:
            kind, name, setting = names[lost]
            uses.append(Use(kind, name, ENDED, AddonProblem(*early_end(end)), setting))
        waiting = [each for number, each in enumerate(names) if number not in results and number != lost]
        return (*uses, *(Use(kind, name, NOT_TRIED, setting=setting) for kind, name, setting in waiting))
    except (TypeError, KeyError, ValueError, IndexError):
        return ()


def coverage_in(end: ProcessEnd) -> dict[str, FileCoverage]:
    """The lines that the process says ran."""
    try:
        told = [event for _, event in end.events if event["event"] == EventName.COVERED]
        files: dict[str, Any] = {name: facts for event in told for name, facts in event["files"].items()}
        return {
            str(name): FileCoverage(
                int(facts["lines"]),
                int(facts["ran"]),
                missed := tuple((int(a), int(b)) for a, b in facts["missed"]),
                bool(facts["cut"] and missed),
            )
            for name, facts in files.items()
        }
    except (TypeError, KeyError, ValueError, AttributeError):
        return {}


def ended_well(end: ProcessEnd) -> bool:
    return not (end.stopped_by or end.signal or end.exit_code)


def texts_in(value: Any) -> tuple[str, ...]:
    """A list of texts from a process; empty if the value is no list."""
    return tuple(str(text) for text in cast("list[object]", value)) if isinstance(value, list) else ()


def early_end(end: ProcessEnd) -> tuple[str, str]:
    """The ending of a process that did not report its steps."""
    if end.exit_code == 1 and STUCK in end.stderr["text"]:
        return CUT_OFF, "Blender did not return from it"
    if end.stopped_by:
        return "Stopped", f"it reached its limit of {end.stopped_by}"
    if end.signal is not None:
        return "Crashed", f"Blender crashed with signal {end.signal}"
    return "EndedEarly", f"the process ended with exit code {end.exit_code}"


def read_problem(value: Any) -> AddonProblem | None:
    """The problem that a process reported; a value of another form is a problem too."""
    if value is None:
        return None
    try:
        frames = tuple(
            AddonFrame(str(f["file"]), int(f["line"]), str(f["function"]), str(f["text"])) for f in value["frames"]
        )
        module = value["module"]
        return AddonProblem(
            str(value["type"]), last_error_line(str(value["message"])), frames, None if module is None else str(module)
        )
    except (TypeError, KeyError, ValueError):
        return AddonProblem("Unreadable", "the process did not tell what went wrong")
