"""Lines of an add-on that ran. It is measured in the add-on's own process, so it is a claim."""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Iterator
from typing import Any, Final

MOST_FILES: Final = 400
MOST_RANGES: Final = 500
"""Ranges of one file."""
MOST_IN_ALL: Final = 50_000
FILES_TOLD: Final = 8
"""Files in one message, which has a limit: with MOST_RANGES each and paths of the longest kind they fit."""


class Coverage:
    """Notes each line of the files below a folder when it runs, from `begin` on."""

    def __init__(self, folder: str) -> None:
        self._below = folder + os.sep
        self._ran: dict[str, set[int]] = {}

    def begin(self) -> None:
        """Note lines from now on."""
        sys.settrace(self._called)

    def pause(self) -> None:
        """Note none until the next `begin`."""
        sys.settrace(None)

    def _called(self, frame: types.FrameType, _event: str, _argument: Any) -> Any:
        path = frame.f_code.co_filename
        if not path.startswith(self._below):
            return None
        ran = self._ran.setdefault(path, set())
        ran.add(frame.f_lineno)

        def line(inner: types.FrameType, _event: str, _argument: Any) -> Any:
            ran.add(inner.f_lineno)
            return line

        return line

    def facts(self) -> dict[str, dict[str, Any]]:
        """Per Python file, by its path in the folder: `lines` that can run, `ran`, and the ranges that did not.

        These are the first of them if `cut`. Files beyond MOST_IN_ALL of them are left out.
        """
        files: dict[str, dict[str, Any]] = {}
        room = MOST_IN_ALL
        for path in python_files(self._below):
            with open(path, "rb") as file:
                source = file.read()
            try:
                lines = lines_of(compile(source, path, "exec", dont_inherit=True))
            except (SyntaxError, ValueError):
                continue
            ran = self._ran.get(path, set()) & lines
            missed = list(ranges(sorted(lines), ran))
            room -= min(len(missed), MOST_RANGES)
            if room < 0:
                break
            files[os.path.relpath(path, self._below)] = {
                "lines": len(lines),
                "ran": len(ran),
                "missed": missed[:MOST_RANGES],
                "cut": len(missed) > MOST_RANGES,
            }
        return files


def in_messages(files: dict[str, dict[str, Any]]) -> Iterator[dict[str, dict[str, Any]]]:
    """The files in parts that each fit into a message."""
    told = list(files.items())
    for first in range(0, len(told), FILES_TOLD):
        yield dict(told[first : first + FILES_TOLD])


def python_files(folder: str) -> list[str]:
    """The Python files below a folder, each whole path."""
    found = [os.path.join(root, name) for root, _, names in os.walk(folder) for name in names if name.endswith(".py")]
    return sorted(found)[:MOST_FILES]


def lines_of(code: types.CodeType) -> set[int]:
    """The lines that can run, without the one on which each function's frame begins."""
    lines = {line for _, _, line in code.co_lines() if line}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            lines |= lines_of(constant)
    return lines


def ranges(lines: list[int], ran: set[int]) -> Iterator[list[int]]:
    """The stretches of lines that did not run, each with its first and last line."""
    first: int | None = None
    last = 0
    for line in lines:
        if line in ran:
            if first is not None:
                yield [first, last]
            first = None
        else:
            first = line if first is None else first
            last = line
    if first is not None:
        yield [first, last]
