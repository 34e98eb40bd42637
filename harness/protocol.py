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
    """Process one: set the scene, run the snippet, save, run it again, save again. Paths are absolute."""

    snippet: str
    arguments: list[str]
    setup_snippet: str | None
    setup_blend: str | None
    saved_folder: str
    repeat: bool
    render_limits: RenderLimits
    channel_fd: int
    stdout_fd: int
    stderr_fd: int


@dataclasses.dataclass(frozen=True)
class ExamineJob:
    """Process two: describe the saved scenes, frame, light and render the second. Paths are absolute."""

    start_blend: str
    after_blend: str
    again_blend: str | None
    factory_start: bool
    render: RenderSettings
    view_limit_s: float
    out_folder: str
    channel_fd: int


MANIFEST_SCHEMA: Final = 1
"""Version of the form in which the manifest is written."""


@dataclasses.dataclass(frozen=True)
class ManifestJob:
    """Dump the API of the build into a file. No snippet is near; the path is absolute."""

    out_file: str


Job = RunJob | ExamineJob | ManifestJob
PHASES: Final = {RunJob: "run", ExamineJob: "examine", ManifestJob: "manifest"}


def to_json(job: Job) -> str:
    """The job as the JSON text that `job_from_json` reads back."""
    return json.dumps({"phase": PHASES[type(job)], **dataclasses.asdict(job)})


def job_from_json(text: str) -> Job:
    """The job written by `to_json`."""
    fields: dict[str, Any] = json.loads(text)
    phase = fields.pop("phase")
    if phase == "manifest":
        return ManifestJob(**fields)
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
    DESCRIBED: Final = "described"
    RENDERED: Final = "rendered"
    FINISHED: Final = "finished"


START: Final = "start.blend"
AFTER: Final = "after.blend"
AGAIN: Final = "again.blend"
EVIDENCE: Final = "evidence.json"
