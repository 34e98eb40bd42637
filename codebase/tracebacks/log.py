"""Reads a log: every error in it with its frames, the requests that failed, and the versions it names.

    text -> lines without colours and HTML -> each reader takes every line -> errors in the order of the log

Takes time in proportion to the length of the log. Never raises.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from typing import Final

from codebase.tracebacks.cleaning import lines_of
from codebase.tracebacks.error import Error, Log
from codebase.tracebacks.javascript import JavaScriptReader
from codebase.tracebacks.python import PythonReader
from codebase.tracebacks.web import WebReader

VERSIONS: Final = {
    "blender": re.compile(
        r"\bBlender (?:version )?(\d\.\d{1,2}(?:\.\d{1,2})?)\b"
        r"|[Bb]lender(?: Foundation)?[\\/ ](?:Blender[\\/ ])?(\d\.\d{1,2})[\\/]"
        r"|[\\/][Bb]lender-(\d\.\d{1,2}(?:\.\d{1,2})?)"
    ),
    "django": re.compile(r"Django Version: (\d[\w.]*)|\bDjango version (\d[\w.]*?),"),
    "python": re.compile(r"Python Version: (\d[\w.]*)|\bPython (\d\.\d+(?:\.\d+)?)\b|[\\/]python(\d\.\d+)[\\/]"),
}
MOST_ERRORS: Final = 20
"""Only the last errors are kept: a log that repeats itself says nothing new."""
FIRST_FRAMES, LAST_FRAMES = 20, 60
"""Only these frames are kept: a recursion repeats the same ones."""


def read_log(text: str) -> Log:
    """Everything that a log holds."""
    lines, left_out = lines_of(text)
    python, javascript, web = PythonReader(), JavaScriptReader(), WebReader()
    versions: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        python.feed(number, line)
        javascript.feed(number, line)
        web.feed(number, line)
        read_versions(line, versions)
    errors = with_page(python.finish(), web)
    stacks = [error for error in javascript.finish() if not any(error.line == other.line for other in errors)]
    ordered = sorted([*errors, *stacks, *web.events], key=lambda error: error.line)
    return Log(tuple(distinct(ordered)[-MOST_ERRORS:]), tuple(web.requests[-MOST_ERRORS:]), versions, left_out)


def read_versions(line: str, versions: dict[str, str]) -> None:
    """Note the first version of each program that a line names."""
    for program, form in VERSIONS.items():
        if program not in versions and program in line.lower():
            match = form.search(line)
            if match:
                versions[program] = next(group for group in match.groups() if group)


def with_page(errors: list[Error], web: WebReader) -> list[Error]:
    """The errors of Python, the last one with the name, message, place and template of an error page."""
    if web.exception and (not errors or not errors[-1].type):
        last = errors.pop() if errors else Error("", "", (web.place,) if web.place else (), 1)
        name = web.exception.get("type", "")
        errors.append(dataclasses.replace(last, type=name, message=web.exception.get("message", "")))
    if web.template is not None:
        last = errors.pop() if errors else Error("TemplateSyntaxError", "", (), 1)
        errors.append(dataclasses.replace(last, frames=(*last.frames, web.template)))
    return [cut(error) for error in errors]


def cut(error: Error) -> Error:
    """An error with the first and last of very many frames."""
    frames = error.frames
    if len(frames) <= FIRST_FRAMES + LAST_FRAMES:
        return error
    return dataclasses.replace(error, frames=(*frames[:FIRST_FRAMES], *frames[-LAST_FRAMES:]))


def distinct(errors: Iterable[Error]) -> list[Error]:
    """Each error once, the last time it was printed; related errors stay next to it."""
    kept: dict[tuple[object, ...], Error] = {}
    for error in errors:
        key = (error.type, error.message, error.frames)
        kept.pop(key, None)
        kept[key] = error
    return list(kept.values())
