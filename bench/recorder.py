"""A plugin of pytest that writes down what each failing test raised, as the program itself would print it.

RECORD names the file to write, RECORD_ROOT the folder of the sources, RECORD_TESTS a pattern of test files in it. The
frames of tests and of pytest are left out, so that the log is that of a program that uses them. With RECORD_CALLS
each call of a function of the sources is written too: where it was made, and what was called. If that is `all`, a row
is written per test, failed or not, with the functions that it reached.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import sys
import traceback
from collections.abc import Generator
from types import FrameType
from typing import Any

import pytest

ROOT = os.environ.get("RECORD_ROOT", "/nowhere") + "/"
TESTS = re.compile(os.environ.get("RECORD_TESTS", r"(^|/)tests?/|test[^/]*\.py$"))
CALLS: set[tuple[str, int, int, str, int]] = set()


def is_source(path: str) -> bool:
    return path.startswith(ROOT) and not TESTS.search(path[len(ROOT) :])


def cut(found: traceback.TracebackException) -> None:
    """Drop the frames before the first in the sources, of all errors in a chain."""
    frames = list(found.stack)
    while frames and not is_source(frames[0].filename):
        frames.pop(0)
    found.stack = traceback.StackSummary.from_list(frames)
    for one in (found.__cause__, found.__context__):
        if one is not None:
            cut(one)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: Any) -> Generator[None, Any, None]:
    CALLS.clear()
    if os.environ.get("RECORD_CALLS"):
        sys.setprofile(note)
    yield
    sys.setprofile(None)
    if os.environ.get("RECORD_CALLS") == "all":
        write({"test": item.nodeid, "reached": sorted({(call[3], call[4]) for call in CALLS})})


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: Any, call: Any) -> Generator[None, Any, None]:
    yield
    if call.when == "call" and call.excinfo is not None:
        record(item.nodeid, call.excinfo.value)


def record(test: str, error: BaseException) -> None:
    """Write down what a test raised, if it was raised in the sources."""
    found = traceback.TracebackException.from_exception(error)
    inner = [frame for frame in found.stack if frame.filename.startswith(ROOT)]
    if not inner or not is_source(inner[-1].filename):
        return
    cut(found)
    frames = [(frame.filename, frame.lineno, frame.name) for frame in found.stack if is_source(frame.filename)]
    write({"test": test, "log": "".join(found.format()), "frames": frames, "calls": sorted(CALLS)})


def write(row: dict[str, Any]) -> None:
    """Add a row to the record."""
    with open(os.environ["RECORD"], "a", encoding="utf-8") as file:  # noqa: PTH123 - as pytest loads it
        file.write(json.dumps(row) + "\n")


def note(frame: FrameType, event: str, _argument: Any) -> None:
    """Write a call down."""
    caller = frame.f_back
    if event == "call" and caller is not None:
        code, other = frame.f_code, caller.f_code
        # A generator is called once more for each of its values, wherever that is read.
        # What a test calls itself is reached too.
        is_generator = code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR)
        if (
            is_source(code.co_filename)
            and other.co_filename.startswith(ROOT)
            and len(CALLS) < 20_000
            and not is_generator
        ):
            place = (other.co_filename, other.co_firstlineno, caller.f_lineno)
            CALLS.add((*place, code.co_filename, code.co_firstlineno))
