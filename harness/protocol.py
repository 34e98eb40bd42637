"""What the two sides of the glass say to each other: plain dataclasses, the standard library only.

    service ── RunJob ──────> process one: runs the snippet, saves scenes      ── its words are claims
            ── ExamineJob ──> process two: opens what was saved, never runs it ── its words are evidence

A job travels as a JSON file. The answers travel as events, one JSON object a line, over a socket that the process
inherits; an event that says `saved` is answered by one newline once the file is out of the process's reach.
"""

from __future__ import annotations

import dataclasses
import enum
import json
from typing import Any, Final


class Outcome(str, enum.Enum):  # noqa: UP042 - Blender 3.4 brings a Python without StrEnum
    """How one execution ended. The set is closed: whatever happens is one of these."""

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
    NEEDS_WINDOW = "needs_window"
    SETUP_FAILED = "setup_failed"
    EXAMINATION_FAILED = "examination_failed"
    HARNESS_FAULT = "harness_fault"


VIEWS: Final = ("three_quarter", "front", "right", "back", "left", "top")
"""The sides a subject can be shown from. The first is the default."""

ENGINES: Final = ("cycles", "workbench")
"""The engines the harness renders with; both work on a CPU."""


@dataclasses.dataclass(frozen=True)
class RenderSettings:
    """How the evidence is rendered: a square of `size_px`, `samples` a pixel, one picture for each view.

    Of a scene that moves, `frames` more pictures are taken, spread over its movement.
    """

    size_px: int = 256
    samples: int = 16
    engine: str = "cycles"
    views: tuple[str, ...] = VIEWS[:1]
    frames: int = 0


@dataclasses.dataclass(frozen=True)
class RenderLimits:
    """What a snippet's own render calls are brought down to."""

    size_px: int = 256
    samples: int = 4
    frames: int = 2


@dataclasses.dataclass(frozen=True)
class RunJob:
    """Process one: set the scene, run the snippet, save, run it again, save again. Paths are absolute.

    `call_filter` is the system call filter to begin with, as base64, and empty for none.
    """

    snippet: str
    arguments: list[str]
    setup_snippet: str | None
    setup_blend: str | None
    saved_folder: str
    render_limits: RenderLimits
    call_filter: str
    channel_fd: int
    stdout_fd: int
    stderr_fd: int


@dataclasses.dataclass(frozen=True)
class ExamineJob:
    """Process two: describe the saved scenes, frame, light and render the second. Paths and filter are as above."""

    start_blend: str
    after_blend: str
    again_blend: str | None
    factory_start: bool
    render: RenderSettings
    view_limit_s: float
    accept: list[dict[str, Any]]
    out_folder: str
    call_filter: str
    channel_fd: int


@dataclasses.dataclass(frozen=True)
class AssertJob:
    """Process three: run the caller's own assertions on the scene the snippet left. Path and filter are as above."""

    after_blend: str
    assertions: list[str]
    call_filter: str
    channel_fd: int


MANIFEST_SCHEMA: Final = 1
"""Version of the form in which the manifest is written."""


@dataclasses.dataclass(frozen=True)
class ManifestJob:
    """Dump the API of the build into a file. No snippet is near; the path is absolute."""

    out_file: str


@dataclasses.dataclass(frozen=True)
class WaitJob:
    """Be warm: load all that a job needs and wait for one on CONTROL_FD.

    With `forks` each job is done by a process that is forked for it, and what it leaves in the shared folders is taken
    away; without, one job is done, by this process.
    """

    forks: bool
    shared: list[str]


FORKING_ENVIRONMENT: Final = {"OPENBLAS_NUM_THREADS": "1", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
"""What a Blender that forks is started with, beside the rest: numpy without threads, and memory in large pages, of
which a fork has less to copy. Jobs do not see it."""
CONTROL_FD: Final = 9
"""Where a warm Blender has its socket to the keeper."""
JOB_FDS: Final = (3, 4, 5)
"""Channel, standard output and standard error of a job that a warm Blender does."""

Job = RunJob | ExamineJob | AssertJob | ManifestJob | WaitJob
PHASES: Final = {
    RunJob: "run",
    ExamineJob: "examine",
    AssertJob: "assert",
    ManifestJob: "manifest",
    WaitJob: "wait",
}


def to_json(job: Job) -> str:
    """The job as the JSON text that `job_from_json` reads back."""
    return json.dumps({"phase": PHASES[type(job)], **dataclasses.asdict(job)})


def job_from_json(text: str) -> Job:
    """The job written by `to_json`."""
    fields: dict[str, Any] = json.loads(text)
    phase = fields.pop("phase")
    if phase == "manifest":
        return ManifestJob(**fields)
    if phase == "wait":
        return WaitJob(**fields)
    if phase == "assert":
        return AssertJob(**fields)
    if phase == "run":
        fields["render_limits"] = RenderLimits(**fields["render_limits"])
        return RunJob(**fields)
    views = tuple(fields["render"].pop("views"))
    fields["render"] = RenderSettings(views=views, **fields["render"])
    return ExamineJob(**fields)


class Event:
    """The names of the events, in the order in which they are sent."""

    BOOTED: Final = "booted"
    SAVED: Final = "saved"
    SETUP_FAILED: Final = "setup_failed"
    SNIPPET_ENDED: Final = "snippet_ended"
    AGAIN_ENDED: Final = "again_ended"
    UNREADABLE: Final = "unreadable"
    NOT_EXAMINED: Final = "not_examined"
    DESCRIBED: Final = "described"
    RENDERED: Final = "rendered"
    ASSERTED: Final = "asserted"
    FINISHED: Final = "finished"


START: Final = "start.blend"
AFTER: Final = "after.blend"
AGAIN: Final = "again.blend"
EVIDENCE: Final = "evidence.json"
