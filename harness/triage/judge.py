"""Asks each judge in turn for the need of a failed run."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from harness.triage.addon import missing_addon
from harness.triage.arguments import missing_arguments
from harness.triage.editors import PACKAGE_OF
from harness.triage.failure import RunFailure
from harness.triage.file import missing_file
from harness.triage.scene import missing_scene
from harness.triage.statement import FailurePlace
from harness.triage.window import missing_window

MESSAGE_READ: Final = 2000
STDERR_READ: Final = 8000

_INNER: Final = re.compile(
    r"Traceback \(most recent call last\):\n(?P<frames>(?:[ \t]+[^\n]*\n)*)(?P<type>[A-Za-z_][\w.]*)"
    r"(?:: (?P<said>.*?))?(?=\nLocation: |\n[ \t]*$|\Z)",
    re.DOTALL,
)
_FRAMES: Final = re.compile(r'File "([^"]+)", line (\d+)')

Outcome = Literal["needs_scene", "needs_file", "needs_arguments", "needs_addon", "needs_window"]


@dataclass(frozen=True)
class Need:
    """One need of a run: `what` names it, `hint` says how a request can meet it."""

    outcome: Outcome
    what: str
    hint: str


_HINTS: Final[dict[Outcome, str]] = {
    "needs_scene": "Send a setup snippet or a .blend file that has it, or create it first.",
    "needs_file": "Send the file with the request, or make its content in the snippet.",
    "needs_addon": "What it does cannot be guessed. Do the same without it, or run this in a Blender that has it "
    "(`blendproof blenders add PATH`).",
    "needs_arguments": "Send the arguments with the request, or give them default values in the snippet.",
    "needs_window": "Run this in Blender's window, or do the same through bpy.data, which needs no window.",
}

# The first answer counts. The scene comes last, because it makes the broadest guesses.
_JUDGES: Final[dict[Outcome, Callable[[RunFailure], str | None]]] = {
    "needs_window": missing_window,
    "needs_arguments": missing_arguments,
    "needs_addon": missing_addon,
    "needs_file": missing_file,
    "needs_scene": missing_scene,
}


def triage(
    snippet: str, exception: str, message: str, line: int | None, stderr: str, exit_code: int | None
) -> Need | None:
    """The need of the snippet, or None if it raised for a reason of its own.

    `exception` is the name of the exception's type, `line` the failing line of the snippet (1-based), or None if
    unknown. `exit_code` is negative for a signal, as in `subprocess`. Never raises. Only a limited part of the message
    and of stderr is read, so that no pattern takes long.
    """
    said, printed = message.strip()[:MESSAGE_READ], stderr[-STDERR_READ:]
    if inner := _INNER.search(said):
        # An operator of the snippet raised, and the call of it only passes that on.
        frames = _FRAMES.findall(inner["frames"])
        exception, said = inner["type"].rpartition(".")[2], (inner["said"] or "").strip()
        line = int(frames[-1][1]) if frames and frames[-1][0].endswith("snippet.py") else line
    failure = RunFailure(exception, said, printed, exit_code, FailurePlace.of(snippet, line))
    try:
        for outcome, judge in _JUDGES.items():
            what = judge(failure)
            if what is not None:
                return Need(outcome, what, _hint(outcome, what))
    except (RecursionError, ValueError):
        # Deep nesting, or a statement that `ast.unparse` cannot write down again.
        return None
    return None


def _hint(outcome: Outcome, what: str) -> str:
    """Advice on how to meet the need."""
    package = re.fullmatch(r'Python package "(\w+)"', what)
    if package:
        name = PACKAGE_OF.get(package[1], package[1])
        return f"The operator can add it to this Blender: `blendproof blenders packages add VERSION {name}`."
    if outcome == "needs_file" and '"//' in what:
        return f"`//` is the folder of the .blend file, and this scene is not saved in one. {_HINTS[outcome]}"
    return _HINTS[outcome]
