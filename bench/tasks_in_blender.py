"""Runs snippets and their checks inside Blender, each pair in a fork of one warm process: stdlib and bpy only.

    PYTHON tasks_in_blender.py JOBS.json RESULTS.json

A job is {"setup": ..., "snippet": ..., "check": ...}; a result {"failed": null or "setup", "snippet", "repeat" or
"check", "message": ..., "seconds": ...}. Nothing is isolated: only for our own snippets and checks.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

import bpy

LIMIT_S = 60
COUNTED = ("objects", "meshes", "curves", "materials", "collections", "node_groups", "actions", "lights", "cameras")


def main() -> None:
    """Run every job and write what became of it."""
    jobs = json.loads(Path(sys.argv[-2]).read_text(encoding="utf-8"))
    bpy.ops.wm.read_factory_settings()
    results = [in_a_fork(job) for job in jobs]
    Path(sys.argv[-1]).write_text(json.dumps(results), encoding="utf-8")


def in_a_fork(job: dict[str, str]) -> dict[str, Any]:
    """The result of the job, in a process and a folder of its own."""
    reader, writer = os.pipe()
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        os.close(reader)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            result = run(job)
        os.write(writer, json.dumps(result).encode())
        # Skip Blender's own clean-up, which is not made for a forked process.
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answers:
        answer = answers.read()
    os.waitpid(child, 0)
    result = json.loads(answer) if answer else {"failed": "snippet", "message": "the process died"}
    return {**result, "seconds": time.monotonic() - started}


def run(job: dict[str, str]) -> dict[str, Any]:
    """Setup, snippet, check, snippet again; the first of them that raises is what failed."""
    import signal

    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    sys.argv = ["snippet.py"]
    signal.alarm(LIMIT_S)
    part = "setup"
    try:
        execute(job["setup"])
        part = "snippet"
        execute(job["snippet"])
        once = counts()
        part = "check"
        space: dict[str, Any] = {"__name__": "check"}
        exec(compile(job["check"], "check.py", "exec", dont_inherit=True), space)
        space["check"](bpy)
        part = "repeat"
        execute(job["snippet"])
        if counts() != once:
            raise RuntimeError(f"a second run adds or removes something: {once} -> {counts()}")
    except BaseException as error:
        lines = [f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
        return {"failed": part, "message": f"{type(error).__name__}: {error} ({lines[-1]})"}
    return {"failed": None, "message": ""}


def execute(source: str) -> None:
    """Run a source as the main module."""
    exec(compile(source, "snippet.py", "exec", dont_inherit=True), {"__name__": "__main__"})


def counts() -> dict[str, int]:
    """The number of data blocks of each kind that something uses: the others are not saved."""
    return {name: sum(block.users > 0 for block in getattr(bpy.data, name)) for name in COUNTED}


if __name__ == "__main__":
    main()
