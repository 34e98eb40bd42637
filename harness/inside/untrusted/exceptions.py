"""An exception of untrusted code as facts: type, message, traceback, line."""

from __future__ import annotations

import os
import traceback
from typing import Any

from harness import protocol
from harness.inside.untrusted.tracing import names_there

HARNESS = os.path.dirname(os.path.abspath(protocol.__file__))
TEXT_LIMIT = 4000
TRACEBACK_LIMIT = 16000


def exception_facts(error: BaseException, path: str) -> dict[str, Any]:
    """Type, message, traceback from the snippet's first frame on, and the last of its lines in it."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(HARNESS)]
    first = next((index for index, frame in enumerate(frames) if frame.filename == path), len(frames))
    own_lines = [frame.lineno for frame in frames if frame.filename == path]
    line = own_lines[-1] if own_lines else None
    if isinstance(error, SyntaxError) and error.filename == path:
        line = error.lineno
    message = text_of(error)
    lines = ["Traceback (most recent call last):\n", *traceback.format_list(frames[first:])]
    text = "".join(lines) + type(error).__name__ + (f": {message}" if message else "")
    return {
        "type": type(error).__name__[:TEXT_LIMIT],
        "message": message,
        "line": line,
        "errno": error_number(error),
        "names_there": there(error, path),
        "traceback": text.replace(path, os.path.basename(path))[-TRACEBACK_LIMIT:],
    }


def error_number(error: BaseException) -> int | None:
    """The number of an operating system error; the exception's own `errno` may be anything."""
    try:
        number = error.errno if isinstance(error, OSError) else None
    except BaseException:
        return None
    return number if isinstance(number, int) else None


def there(error: BaseException, path: str) -> list[str] | None:
    """The names that exist in place of one that is missing; the search for them may fail in any way."""
    try:
        return names_there(error, path)
    except BaseException:
        return None


def text_of(error: BaseException) -> str:
    """The exception's message. Its own `__str__` may raise."""
    try:
        return str(error).strip()[:TEXT_LIMIT]
    except BaseException:
        return "(the message of this exception cannot be printed)"


def exit_code(error: SystemExit) -> int:
    """The exit status of a process that raises it; the code may be of a class that claims to equal anything."""
    try:
        code = error.code
    except BaseException:
        return 1
    if code is None:
        return 0
    return int.__and__(code, 0xFF) if isinstance(code, int) else 1
