"""The messages between the service and Blender: plain dataclasses, the standard library only.

    service ── RunJob ──────> a process that runs untrusted code, saves scenes ── its words are claims
            ── ExamineJob ──> the witness: opens what was saved, never runs it ── its words are evidence

A job travels as a JSON file. The answers travel as events, one JSON object per line, over a socket that the process
inherits. A `saved` event is answered by one newline once the file is out of the process's reach.
"""

from __future__ import annotations

import dataclasses
import enum
import json
import re
from typing import Any, Final


class Outcome(str, enum.Enum):  # noqa: UP042 - Blender 3.4 brings a Python without StrEnum
    """The outcome of one execution. The set is closed: every end is one of these."""

    PASSED = "passed"
    RAISED = "raised"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    OUTPUT_LIMIT = "output_limit"
    DISK_LIMIT = "disk_limit"
    PROCESS_LIMIT = "process_limit"
    CRASHED = "crashed"
    EXITED_EARLY = "exited_early"
    NO_RESULT = "no_result"
    NEEDS_SCENE = "needs_scene"
    NEEDS_FILE = "needs_file"
    NEEDS_ARGUMENTS = "needs_arguments"
    NEEDS_ADDON = "needs_addon"
    NEEDS_WINDOW = "needs_window"
    SETUP_FAILED = "setup_failed"
    EXAMINATION_FAILED = "examination_failed"
    HARNESS_FAULT = "harness_fault"


VIEWS: Final = ("three_quarter", "front", "right", "back", "left", "top")
"""The sides from which a subject can be shown. The first is the default."""

CAMERA: Final = "camera"
"""The view of the snippet's own camera; left out if it made none."""

FACE: Final = "face"
"""The front, or the top or the right of a thing that lies flat or stands sideways."""

BLANK_DEVIATION: Final = 1.0
"""Standard deviation of the brightness (0 to 255) below which a picture shows nothing."""


ELSEWHERE: Final = ("python", "file", "registered")
"""The kinds of acceptance checks that the witness does not make: they need the caller's code, the files that were left,
or the process that ran the snippet."""

RENAMED_SOCKETS: Final = (
    ("Fac", "Factor"),
    ("Specular", "Specular IOR Level"),
    ("Transmission", "Transmission Weight"),
    ("Subsurface", "Subsurface Weight"),
    ("Emission", "Emission Color"),
    ("Clearcoat", "Coat Weight"),
    ("Clearcoat Roughness", "Coat Roughness"),
    ("Sheen", "Sheen Weight"),
)
"""Sockets that have the first name on some Blenders and the second on the rest."""


@dataclasses.dataclass(frozen=True)
class RenderSettings:
    """The settings of the render of evidence: a square of `size_px`, `samples` per pixel, one picture per view.

    A scene that moves gets `frames` more pictures, spread over its movement. Without views there is no picture at all.
    Pictures after the first are squares of `further_px`; None makes them as large as the first.
    """

    size_px: int = 256
    samples: int = 16
    engine: str = "cycles"
    views: tuple[str, ...] = VIEWS[:1]
    frames: int = 0
    further_px: int | None = None


@dataclasses.dataclass(frozen=True)
class RenderLimits:
    """The limits that a snippet's own render calls are brought down to."""

    size_px: int = 256
    samples: int = 4
    frames: int = 2


MAY_LEAVE_HOOKS: Final = re.compile(
    r"bl_info|def register\b|register_class|handlers|timers|draw_handler_add|subscribe_rna|driver_namespace"
    r"|driver_add|drivers\.new|\bupdate\s*=|\bget\s*=|\bset\s*=|\bitems\s*=|\bpoll\s*=|_(MT|PT|HT)_\w+\.(append|prepend)"
)
"""A snippet without any of these leaves nothing for Blender to call, and is compiled as it is."""


class RunPart:
    """The part of a process that runs untrusted code in an execution; each is a process of its own."""

    SETUP: Final = "setup"
    """Run the caller's setup, save the start."""
    FIRST: Final = "first"
    """Run the snippet on the start, save its scene."""
    SECOND: Final = "second"
    """Run it on the scene of the first, save again."""
    CALLS: Final = "calls"
    """Run it on the start once more, then have Blender call its callbacks."""


@dataclasses.dataclass(frozen=True)
class RunJob:
    """A process that runs untrusted code: open the scene, run the snippet, do the rest of its part. Absolute paths.

    `scene` is the .blend to begin with, empty for factory settings; it keeps its path if it is `named`, and otherwise
    is removed once it is open, as if it had never been saved. `elsewhere` is true if the snippet is answered as by a
    user's own Blender. `accept` are the acceptance checks that the process may
    have to answer for, by their number. `packages` is the folder of what was added to this Blender, empty if there is
    nothing. `deadline` is when the process is stopped, on the monotonic clock. `call_filter` is the system call filter
    to load first, as base64; empty for none.
    """

    part: str
    snippet: str
    arguments: list[str]
    scene: str
    named: bool
    elsewhere: bool
    saved_folder: str
    render_limits: RenderLimits
    accept: list[tuple[int, dict[str, Any]]]
    packages: str
    deadline: float
    call_filter: str
    channel_fd: int
    stdout_fd: int
    stderr_fd: int


@dataclasses.dataclass(frozen=True)
class ExamineJob:
    """The witness: describe the saved scenes; frame, light and render the second. Paths and filter as in RunJob.

    `framed` is the box that each picture shows instead of the subject, through a camera of the harness: its least and
    greatest x, y and z (metres, world space).
    """

    start_blend: str
    after_blend: str
    again_blend: str | None
    factory_start: bool
    render: RenderSettings
    view_limit_s: float
    accept: list[dict[str, Any]]
    framed: list[float] | None
    out_folder: str
    call_filter: str
    channel_fd: int


@dataclasses.dataclass(frozen=True)
class AssertJob:
    """One process per assertion of the caller: run it on the scene the snippet left. Path and filter as in RunJob."""

    after_blend: str
    assertion: str
    call_filter: str
    channel_fd: int


@dataclasses.dataclass(frozen=True)
class ExportJob:
    """Export the scene that the snippet left as glTF, without running any of it. Paths and filter as in RunJob.

    `hidden` names the objects that the pictures do not show either.
    """

    after_blend: str
    hidden: list[str]
    out_file: str
    call_filter: str
    channel_fd: int


@dataclasses.dataclass(frozen=True)
class ReadBackJob:
    """Read files that an add-on wrote, without the add-on. Absolute paths; filter as in RunJob."""

    files: list[str]
    call_filter: str
    channel_fd: int


WRITTEN: Final = "written"
"""The folder beside an add-on's, for the files that its operators write, each named by the number of its use."""


@dataclasses.dataclass(frozen=True)
class AddonJob:
    """Register a whole add-on, unregister it, and register it again. Absolute paths; `packages` and `call_filter` as in
    RunJob.

    `folder` holds the add-on: the module or package `module`. An extension is a package with a manifest of its own.
    Then all that it registered is used, but not what `skip` names by kind and name; without `skip`, nothing is. If
    `thorough`, it is used in all situations and settings, and the lines that ran are reported. If `pictures`, there
    is a window, and each use of PICTURE waits until a picture of it was taken.
    """

    folder: str
    module: str
    extension: bool
    skip: list[str] | None
    thorough: bool
    pictures: bool
    packages: str
    call_filter: str
    channel_fd: int
    stdout_fd: int
    stderr_fd: int


BACKGROUND: Final = "--background"
"""The argument of an executable that opens no window."""
PICTURE: Final = "window"
"""The kind of the use of an editor that shows what an add-on draws there."""
MOST_USED: Final = 200
"""Most panels, menus and operators of an add-on that are used."""
MOST_SETTINGS: Final = 300
"""Most values of their switches and choices that are tried."""
MANIFEST_SCHEMA: Final = 1
"""Version of the manifest's format."""


@dataclasses.dataclass(frozen=True)
class ManifestJob:
    """Dump the API of the build into a file. It involves no snippet; the path is absolute."""

    out_file: str


@dataclasses.dataclass(frozen=True)
class WaitJob:
    """Warm up: load all that a job needs and wait for one on CONTROL_FD.

    With `forks`, a forked process does each job, and its files in the shared folders are removed; without, this
    process does a single job.
    """

    forks: bool
    shared: list[str]


FORKING_ENVIRONMENT: Final = {"OPENBLAS_NUM_THREADS": "1", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
"""Environment that only a forking Blender starts with: numpy without threads, and memory in large pages, of which a
fork has fewer to copy. Jobs do not see it."""
CONTROL_FD: Final = 9
"""The descriptor of a warm Blender's socket to the keeper."""
JOB_FDS: Final = (3, 4, 5)
"""Descriptors of a warm Blender's job: channel, standard output and standard error."""

Job = RunJob | ExamineJob | AssertJob | ExportJob | ReadBackJob | AddonJob | ManifestJob | WaitJob
PHASES: Final = {
    RunJob: "run",
    ExamineJob: "examine",
    AssertJob: "assert",
    ExportJob: "export",
    ReadBackJob: "read back",
    AddonJob: "addon",
    ManifestJob: "manifest",
    WaitJob: "wait",
}


def to_json(job: Job) -> str:
    """The job as JSON text, for `job_from_json`."""
    return json.dumps({"phase": PHASES[type(job)], **dataclasses.asdict(job)})


def job_from_json(text: str) -> Job:
    """The job from the text of `to_json`."""
    fields: dict[str, Any] = json.loads(text)
    phase = fields.pop("phase")
    if phase == "manifest":
        return ManifestJob(**fields)
    if phase == "wait":
        return WaitJob(**fields)
    if phase == "assert":
        return AssertJob(**fields)
    if phase == "export":
        return ExportJob(**fields)
    if phase == "read back":
        return ReadBackJob(**fields)
    if phase == "addon":
        return AddonJob(**fields)
    if phase == "run":
        fields["render_limits"] = RenderLimits(**fields["render_limits"])
        return RunJob(**fields)
    views = tuple(fields["render"].pop("views"))
    fields["render"] = RenderSettings(views=views, **fields["render"])
    return ExamineJob(**fields)


class EventName:
    """The names of the events, in the order of sending."""

    BOOTED: Final = "booted"
    SAVED: Final = "saved"
    SETUP_FAILED: Final = "setup_failed"
    SNIPPET_ENDED: Final = "snippet_ended"
    AGAIN_ENDED: Final = "again_ended"
    OPENING: Final = "opening"
    OPENED: Final = "opened"
    PROVOKING: Final = "provoking"
    PROVOKED: Final = "provoked"
    UNREADABLE: Final = "unreadable"
    TOO_LARGE: Final = "too_large"
    TOO_MUCH_TO_TELL: Final = "too_much_to_tell"
    NOT_EXAMINED: Final = "not_examined"
    DESCRIBED: Final = "described"
    NOT_RENDERED: Final = "not_rendered"
    RENDERED: Final = "rendered"
    ASSERTED: Final = "asserted"
    MANIFEST: Final = "manifest"
    ADDON_STEP: Final = "addon_step"
    FINISHED: Final = "finished"
    USING: Final = "using"
    TRYING: Final = "trying"
    USED: Final = "used"
    COVERED: Final = "covered"


START: Final = "start.blend"
AFTER: Final = "after.blend"
AGAIN: Final = "again.blend"
EVIDENCE: Final = "evidence.json"
EVIDENCE_LIMIT_BYTES: Final = 32 << 20
"""The most bytes of the witness's evidence on all scenes; `harness.wording` bounds its part of a report."""
