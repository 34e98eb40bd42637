"""One execution of a snippet: two Blender processes, one of which is the witness, and the report on both.

    snippet ─> process one ── saves start, after, again ──> kept ─> process two ─> evidence, pictures
               its words: claims        (out of its reach)          its words: evidence

Every way to end becomes one Outcome. What the launcher measured decides; claims only say more about it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import json
import os
import shutil
import signal
import stat
from pathlib import Path
from typing import Any, Final, cast

from harness import protocol
from harness.blenders import Blender
from harness.compare import added_by_repeat, changed_by_repeat, compare
from harness.launcher import HarnessFault, ProcessEnd, ProcessLimits, launch, printable
from harness.protocol import AFTER, AGAIN, EVIDENCE, START, Event, ExamineJob, Outcome, RenderSettings, RunJob
from harness.triage import triage

SNIPPET: Final = "snippet.py"
SAVED_LIMIT_BYTES: Final = 256 << 20
EVIDENCE_LIMIT_BYTES: Final = 32 << 20
FILES_LISTED: Final = 100

DEFAULT_RENDER: Final = RenderSettings()
DEFAULT_LIMITS: Final = ProcessLimits()

STOPPED: Final = {
    "time": Outcome.TIMED_OUT,
    "memory": Outcome.OUT_OF_MEMORY,
    "output": Outcome.OUTPUT_LIMIT,
    "disk": Outcome.DISK_LIMIT,
    "processes": Outcome.PROCESS_LIMIT,
}

ISOLATION: Final = {
    "rung": "process",
    "protects": "own process tree, home, work folder and environment; time, memory, disk, output and process limits",
    "does_not_protect": "files and network that the service's user can reach",
}


@dataclasses.dataclass(frozen=True)
class Order:
    """What to execute. `files` are put into the work folder, by name, before the snippet runs."""

    snippet: str
    arguments: tuple[str, ...] = ()
    files: tuple[tuple[str, bytes], ...] = ()
    setup_snippet: str | None = None
    setup_blend: bytes | None = None
    repeat: bool = True
    render: RenderSettings = DEFAULT_RENDER
    run_limits: ProcessLimits = DEFAULT_LIMITS
    examine_limits: ProcessLimits = DEFAULT_LIMITS


@dataclasses.dataclass(frozen=True)
class Ending:
    """How an execution, or its repetition, ended: the outcome and one sentence on why."""

    outcome: Outcome
    reason: str
    hint: str | None = None


PASSED: Final = Ending(Outcome.PASSED, "it ran to its end")


@dataclasses.dataclass(frozen=True)
class Folders:
    """Where one execution takes place. Neither process can reach the other's folder by its own name."""

    run: Path
    kept: Path
    examine: Path

    @classmethod
    def make(cls, folder: Path) -> Folders:
        """Create them below an empty or missing folder."""
        folders = cls(folder / "run", folder / "kept", folder / "examine")
        for process in (folders.run, folders.examine):
            for name in ("home", "tmp", "work", "out"):
                (process / name).mkdir(parents=True)
        folders.kept.mkdir()
        return folders

    def kept_file(self, name: str) -> Path | None:
        path = self.kept / name
        return path if path.exists() else None


async def execute(blender: Blender, order: Order, folder: Path) -> dict[str, Any]:
    """Execute the order in `folder`, which is made; pictures are left in `folder/examine/out`.

    Answers the report, a JSON object; see `report`. When our own parts fail its outcome is `harness_fault` and it says
    nothing of the snippet. No process is left when this returns or is cancelled.
    """
    folders = Folders.make(folder)
    run = examined = None
    evidence: dict[str, Any] = {}
    try:
        run = await run_snippet(blender, order, folders)
        ending = end_of_run(run, order, folders)
        if ending.outcome is Outcome.PASSED:
            examined = await examine_scene(blender, order, folders)
            ending, evidence = end_of_examination(examined, order, folders)
    except HarnessFault as fault:
        ending = Ending(Outcome.HARNESS_FAULT, str(fault), "This says nothing of the snippet; try again.")
    return report(blender, order, folders, ending, run, examined, evidence)


async def run_snippet(blender: Blender, order: Order, folders: Folders) -> ProcessEnd:
    """Process one: see `harness.inside.run`."""
    work = folders.run / "work"
    for name, content in order.files:
        (work / name).write_bytes(content)
    snippet = write_text(work / SNIPPET, order.snippet)
    setup_snippet = setup_blend = None
    if order.setup_snippet is not None:
        setup_snippet = write_text(folders.run / "setup.py", order.setup_snippet)
    if order.setup_blend is not None:
        setup_blend = folders.run / "setup.blend"
        setup_blend.write_bytes(order.setup_blend)

    def write_job(channel: int, stdout: int, stderr: int) -> Path:
        job = RunJob(
            snippet=str(snippet),
            arguments=list(order.arguments),
            setup_snippet=str(setup_snippet) if setup_snippet else None,
            setup_blend=str(setup_blend) if setup_blend else None,
            saved_folder=str(folders.run / "out"),
            repeat=order.repeat,
            render_limits=protocol.RenderLimits(),
            channel_fd=channel,
            stdout_fd=stdout,
            stderr_fd=stderr,
        )
        return write_text(folders.run / "job.json", protocol.to_json(job))

    def keep(name: str) -> None:
        if name in (START, AFTER, AGAIN):
            take_file(folders.run / "out" / name, folders.kept / name, SAVED_LIMIT_BYTES)

    command = blender.command(folders.run)
    return await launch(command, write_job, order.run_limits, folders.run, keep)


async def examine_scene(blender: Blender, order: Order, folders: Folders) -> ProcessEnd:
    """Process two: see `harness.inside.examine`."""
    again = folders.kept_file(AGAIN)

    def write_job(channel: int, _stdout: int, _stderr: int) -> Path:
        job = ExamineJob(
            start_blend=str(folders.kept / START),
            after_blend=str(folders.kept / AFTER),
            again_blend=str(again) if again else None,
            factory_start=order.setup_snippet is None and order.setup_blend is None,
            render=order.render,
            out_folder=str(folders.examine / "out"),
            channel_fd=channel,
        )
        return write_text(folders.examine / "job.json", protocol.to_json(job))

    command = blender.command(folders.examine)
    return await launch(command, write_job, order.examine_limits, folders.examine, lambda _name: None)


def end_of_run(run: ProcessEnd, order: Order, folders: Folders) -> Ending:
    """How the snippet's own process ended, up to the saved scene; what came later belongs to the repetition."""
    if folders.kept_file(AFTER):
        return PASSED
    if run.event(Event.BOOTED) is None and run.stopped_by is None:
        raise HarnessFault(f"Blender did not start: {run.log}")
    setup_failed = run.event(Event.SETUP_FAILED)
    if setup_failed:
        message = f"the setup raised {setup_failed.get('type')}: {setup_failed.get('message')}"
        return Ending(
            Outcome.SETUP_FAILED, message, "Mend the setup snippet or .blend that came with the request."
        )
    ended = run.event(Event.SNIPPET_ENDED)
    claimed = claimed_exception(ended)
    if claimed and run.stopped_by is None:
        return raised(claimed, ended or {}, run, order)
    forced = forced_end(run, order.run_limits)
    if forced:
        return crashed_for_want(forced, run, order)
    if folders.kept_file(START) is None:
        if order.setup_snippet is not None or order.setup_blend is not None:
            return Ending(Outcome.SETUP_FAILED, "the setup ended its process before the snippet could run")
        raise HarnessFault(f"Blender ended before the snippet was run: {run.log}")
    if ended:
        return Ending(Outcome.NO_RESULT, "it said that it ended, and left no scene that can be examined")
    return Ending(
        Outcome.EXITED_EARLY,
        f"it ended its process (exit code {run.exit_code}) before the scene could be saved",
        "Let the snippet run to its end instead of leaving through os._exit or a similar call.",
    )


def claimed_exception(ended: dict[str, Any] | None) -> dict[str, Any] | None:
    """The exception that an event tells of; None where it tells of none, or of something else."""
    claimed: Any = ended.get("exception") if ended else None
    return cast("dict[str, Any]", claimed) if isinstance(claimed, dict) else None


def forced_end(end: ProcessEnd, limits: ProcessLimits) -> Ending | None:
    """The ending of a process that was stopped by a limit or killed by a signal; None when it ended by itself."""
    if end.stopped_by in STOPPED:
        return Ending(STOPPED[end.stopped_by], limit_reason(end.stopped_by, limits))
    if end.signal is None:
        return None
    name = signal_name(end.signal)
    if end.signal == signal.SIGXFSZ:
        return Ending(Outcome.DISK_LIMIT, limit_reason("disk", limits))
    if end.peak_memory_bytes > 0.8 * limits.memory_bytes:
        return Ending(Outcome.OUT_OF_MEMORY, f"Blender crashed ({name}) close to its memory limit")
    return Ending(Outcome.CRASHED, f"Blender was ended by the signal {name}")


def limit_reason(limit: str, limits: ProcessLimits) -> str:
    mebibytes = 1 << 20
    return {
        "time": f"it was still running after {limits.wall_s:g} s",
        "memory": f"it used more than {limits.memory_bytes // mebibytes} MiB of memory",
        "output": f"it printed more than {limits.output_bytes // mebibytes} MiB",
        "disk": f"it wrote more than {limits.disk_bytes // mebibytes} MiB or {limits.files} files",
        "processes": f"it started more than {limits.processes} processes",
    }[limit]


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def raised(claimed: dict[str, Any], ended: dict[str, Any], run: ProcessEnd, order: Order) -> Ending:
    """The ending of a snippet that raised: a limit it ran into, something it lacks, or an ordinary exception."""
    kind, message, line = str(claimed.get("type")), str(claimed.get("message")), claimed.get("line")
    if kind == "MemoryError":
        return Ending(Outcome.OUT_OF_MEMORY, limit_reason("memory", order.run_limits))
    if claimed.get("errno") in (errno.EFBIG, errno.ENOSPC, errno.EDQUOT):
        return Ending(Outcome.DISK_LIMIT, limit_reason("disk", order.run_limits))
    exit_code = ended.get("exit_code")
    missing = triage(
        order.snippet,
        kind,
        message,
        line if isinstance(line, int) else None,
        run.stderr["text"],
        exit_code if isinstance(exit_code, int) else None,
    )
    if missing:
        return Ending(Outcome(missing.outcome), f"it needs {missing.what}", missing.hint)
    where = f" on line {line}" if line else ""
    return Ending(Outcome.RAISED, f"{kind}{where}: {message}" if message else f"{kind}{where}")


def crashed_for_want(forced: Ending, run: ProcessEnd, order: Order) -> Ending:
    """The same ending, unless Blender crashed because the snippet opens a menu or popup and there is no window."""
    if forced.outcome is not Outcome.CRASHED or run.signal is None:
        return forced
    missing = triage(order.snippet, "", "", None, run.stderr["text"], -run.signal)
    if missing is None:
        return forced
    return Ending(Outcome(missing.outcome), f"{forced.reason}: it needs {missing.what}", missing.hint)


def end_of_examination(examined: ProcessEnd, order: Order, folders: Folders) -> tuple[Ending, dict[str, Any]]:
    """Whether the witness could look, and what it saw."""
    unreadable = examined.event(Event.UNREADABLE)
    if unreadable:
        return Ending(
            Outcome.NO_RESULT, f"the scene it left cannot be opened: {unreadable.get('message')}"
        ), {}
    forced = forced_end(examined, order.examine_limits)
    if forced:
        during = "rendering" if examined.event(Event.DESCRIBED) else "describing"
        reason = f"{during} the scene it left did not end well: {forced.reason}"
        return Ending(Outcome.EXAMINATION_FAILED, reason), {}
    if examined.event(Event.FINISHED) is None:
        raise HarnessFault(f"the examination of a scene failed: {examined.log}")
    return PASSED, read_json(folders.examine / "out" / EVIDENCE, EVIDENCE_LIMIT_BYTES)


def report(
    blender: Blender,
    order: Order,
    folders: Folders,
    ending: Ending,
    run: ProcessEnd | None,
    examined: ProcessEnd | None,
    evidence: dict[str, Any],
) -> dict[str, Any]:
    """The report of one execution.

    `claims` is what the process that ran the snippet said; `evidence` was seen by the launcher and by the process that
    never ran it. What was not reached is null.
    """
    ended = (run.event(Event.SNIPPET_ENDED) if run else None) or {}
    return {
        "outcome": ending.outcome.value,
        "reason": ending.reason,
        "hint": ending.hint,
        "blender": {
            "version": blender.version,
            "build_hash": blender.build_hash,
            "kind": blender.kind,
            "python": blender.python,
        },
        "claims": {
            "exception": ended.get("exception"),
            "exit_code": ended.get("exit_code"),
            "registered": ended.get("registered") or [],
            "stdout": without_paths(run.stdout, folders) if run else None,
            "stderr": without_paths(run.stderr, folders) if run else None,
        },
        "evidence": {
            "scene": evidence.get("after"),
            "changes": compare(evidence["start"], evidence["after"]) if evidence else None,
            "repeat": repetition(run, order, evidence) if run and evidence and order.repeat else None,
            "render": evidence.get("render"),
            "files": left_files(folders.run / "work", {SNIPPET, *(name for name, _ in order.files)}),
            "processes": {
                "run": process_facts(run) if run else None,
                "examine": process_facts(examined) if examined else None,
            },
            "timings": timings(run, examined),
        },
        "isolation": ISOLATION,
    }


def without_paths(captured: dict[str, Any], folders: Folders) -> dict[str, Any]:
    """Captured output that names files as the snippet sees them, in its work folder."""
    return {**captured, "text": captured["text"].replace(f"{folders.run / 'work'}{os.sep}", "")}


def repetition(run: ProcessEnd, order: Order, evidence: dict[str, Any]) -> dict[str, Any]:
    """How the second execution in the same scene ended, what it added and what it changed."""
    ended = run.event(Event.AGAIN_ENDED)
    exception = claimed_exception(ended)
    forced = forced_end(run, order.run_limits)
    if exception:
        ending = Ending(Outcome.RAISED, f"{exception.get('type')}: {exception.get('message')}")
    elif evidence["again"] is None:
        ending = forced or Ending(Outcome.NO_RESULT, "it left no scene that can be examined")
    else:
        ending = PASSED
    again = evidence["again"]
    return {
        "outcome": ending.outcome.value,
        "reason": ending.reason,
        "added": added_by_repeat(evidence["after"], again) if again else [],
        "changed": changed_by_repeat(evidence["after"], again) if again else [],
    }


def process_facts(end: ProcessEnd) -> dict[str, Any]:
    """What was measured of one process from outside."""
    return {
        "exit_code": end.exit_code,
        "signal": signal_name(end.signal) if end.signal is not None else None,
        "stopped_by": end.stopped_by,
        "wall_s": round(end.wall_s, 3),
        "cpu_s": round(end.cpu_s, 3),
        "peak_memory_bytes": end.peak_memory_bytes,
        "leftover_processes": end.leftovers,
    }


PHASES: Final = {
    Event.BOOTED: "boot_s",
    Event.SAVED: "save_s",
    Event.SNIPPET_ENDED: "snippet_s",
    Event.AGAIN_ENDED: "repeat_s",
    Event.DESCRIBED: "describe_s",
    Event.RENDERED: "render_s",
}
"""What a process was doing until it sent an event."""


def timings(run: ProcessEnd | None, examined: ProcessEnd | None) -> dict[str, float]:
    """Seconds in each phase, on the launcher's clock; a phase that both processes have is the sum."""
    seconds: dict[str, float] = {}
    for end in (run, examined):
        before = 0.0
        for moment, event in end.events if end else []:
            phase = PHASES.get(event["event"])
            if phase:
                seconds[phase] = round(seconds.get(phase, 0.0) + moment - before, 4)
            before = moment
    seconds["total_s"] = round(sum(end.wall_s for end in (run, examined) if end), 4)
    return seconds


def left_files(work: Path, ours: set[str]) -> list[dict[str, Any]]:
    """Names (escaped) and sizes of what the snippet left in its work folder; links are not followed."""
    found: list[dict[str, Any]] = []
    for folder, _, names in os.walk(work):
        for name in sorted(names):
            path = Path(folder, name)
            shown = printable(os.fsencode(path.relative_to(work))).replace("\n", "\\n")
            if shown in ours or len(found) >= FILES_LISTED:
                continue
            with contextlib.suppress(OSError):
                found.append({"name": shown, "bytes": path.lstat().st_size})
    return found


def take_file(source: Path, target: Path, limit_bytes: int) -> None:
    """Move a regular file of bounded size out of a process's reach; anything else is left where it is."""
    with contextlib.suppress(OSError):
        status = source.lstat()
        if stat.S_ISREG(status.st_mode) and status.st_nlink == 1 and status.st_size <= limit_bytes:
            shutil.move(source, target)


def read_json(path: Path, limit_bytes: int) -> dict[str, Any]:
    """A JSON object from a file of bounded size; raises HarnessFault."""
    try:
        if path.stat().st_size > limit_bytes:
            raise HarnessFault(f"{path.name} is larger than {limit_bytes} bytes")
        value = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise HarnessFault(f"{path.name} cannot be read: {error}") from error
    if not isinstance(value, dict):
        raise HarnessFault(f"{path.name} holds no JSON object")
    return cast("dict[str, Any]", value)


def write_text(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
    return path
