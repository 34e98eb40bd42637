"""The needs of a snippet that failed, as triage reads them in its text: in a reader, if there are readers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeVar, TypeVarTuple

from harness.claims import ExecutionClaims, SwallowedError, line_of_crash
from harness.launcher import ProcessEnd
from harness.readers import Readers, ReadingFailed, read_by
from harness.triage import Need, triage
from harness.triage.editors import CONTEXT_IN_WINDOW

NEAR_LINES: Final = 100
NEAR_WIDTH: Final = 300
TRIAGED: Final = 100_000
"""Characters of a snippet that is read once for each swallowed error."""

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


async def need_of_run(readers: Readers | None, snippet: str, run: ProcessEnd, claims: ExecutionClaims) -> Need | None:
    """The need of a snippet that raised, or at which Blender crashed; None if a need is not the reason."""
    stderr = run.stderr["text"]
    if (raised := claims.exception) and run.stopped_by is None:
        message, line = raised.message, raised.line
        return await apart(readers, triage, snippet, raised.type, message, line, stderr, claims.exit_code)
    if run.signal is not None:
        return await apart(readers, triage, snippet, "", "", line_of_crash(stderr), stderr, -run.signal)
    return None


async def needs_of_swallowed(readers: Readers | None, snippet: str, errors: list[SwallowedError]) -> list[str | None]:
    """For each error that Blender swallowed, the thing that this Blender cannot have, such as a window; None if that is
    no excuse.
    """
    return await apart(readers, needed_for_all, snippet, errors) or [None] * len(errors) if errors else []


async def apart(
    readers: Readers | None, function: Callable[[*Arguments], Result], *arguments: *Arguments
) -> Result | None:
    """The function's result for a text; None if the text is too much for a reader."""
    try:
        return await read_by(readers, function, *arguments)
    except ReadingFailed:
        return None


def needed_for_all(snippet: str, errors: list[SwallowedError]) -> list[str | None]:
    """The need behind each of the errors."""
    return [need_of(error, snippet) for error in errors]


def need_of(error: SwallowedError, snippet: str) -> str | None:
    """The need of the code that a Blender with a window would meet; None if it failed for a reason of its own."""
    if "object has no attribute" in error.message and error.message.startswith("'Context'"):
        return "an editor in a window"
    if "'GraphicsCard'" in error.message or "GPU functions for drawing" in error.message:
        return "a graphics card"
    asked = [member for member in asked_of_window(snippet, error.line) if "'NoneType' object" in error.message]
    missed = [CONTEXT_IN_WINDOW[name] for name in [*error.missed, *asked] if name in CONTEXT_IN_WINDOW]
    if missed and "None" in error.message:
        return missed[-1]
    if len(snippet) > TRIAGED:
        return None
    need = triage(snippet, error.type, error.message, error.line, "", None)
    return need.what if need and need.outcome != "needs_scene" else None


def asked_of_window(snippet: str, line: int | None) -> list[str]:
    """The members of a context, such as `area`, that the line reads, itself or by a variable set shortly before."""
    lines = [each[:NEAR_WIDTH] for each in snippet.splitlines()[max(0, line - NEAR_LINES) : line]] if line else []
    if not lines:
        return []
    held = re.findall(r"\b(\w+) *= *(?:\w+\.)?context\.(\w+)", "\n".join(lines))
    by_name = [member for name, member in held if re.search(rf"\b{name}\.", lines[-1])]
    return [*by_name, *re.findall(r"\bcontext\.(\w+)", lines[-1])]
