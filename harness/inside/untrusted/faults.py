"""Faults of an add-on, as facts: the error and its lines in the add-on's own files."""

from __future__ import annotations

import os
import traceback
from typing import Any

from harness.inside.untrusted.exceptions import TEXT_LIMIT, text_of

MOST_FRAMES = 20


def facts_of(error: BaseException, folder: str) -> dict[str, Any]:
    """Type, message and frames of an error, outermost first: each with file, line, function and text.

    The files of the add-on are named relative to its folder; others only end the list. `importing` is true if the
    add-on was still being imported.
    """
    frames = traceback.extract_tb(error.__traceback__)
    shown = [own_frame(frame, folder) for frame in frames if frame.filename.startswith(folder + os.sep)]
    if isinstance(error, SyntaxError) and str(error.filename).startswith(folder + os.sep):
        place = os.path.relpath(str(error.filename), folder)
        shown.append({"file": place, "line": error.lineno or 1, "function": "", "text": (error.text or "").strip()})
    return {
        "type": type(error).__name__[:TEXT_LIMIT],
        "message": text_of(error),
        "module": missing_module(error),
        "importing": any(frame.name == "import_module" and "addon_utils" not in frame.filename for frame in frames),
        "frames": shown[-MOST_FRAMES:],
    }


def own_frame(frame: traceback.FrameSummary, folder: str) -> dict[str, Any]:
    place = os.path.relpath(frame.filename, folder)
    return {"file": place, "line": frame.lineno, "function": frame.name, "text": (frame.line or "")[:TEXT_LIMIT]}


def missing_module(error: BaseException) -> str | None:
    """The name of a module that cannot be found."""
    name = error.name if isinstance(error, ModuleNotFoundError) else None
    return name[:TEXT_LIMIT] if isinstance(name, str) else None
