"""Runs snippets inside Blender, each in a fork of one warm process: the standard library and bpy only.

    PYTHON in_blender.py JOBS.json RESULTS.json

JOBS is a list of snippets. RESULTS has for each null where it ran to its end, else the line, type and message of what
it raised; line 0 where the process died. This is for snippets that we wrote: nothing is isolated.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

import bpy


def main() -> None:
    """Run every job and write what became of it."""
    jobs = json.loads(Path(sys.argv[-2]).read_text(encoding="utf-8"))
    bpy.ops.wm.read_factory_settings()
    results = [in_a_fork(snippet) for snippet in jobs]
    Path(sys.argv[-1]).write_text(json.dumps(results), encoding="utf-8")


def in_a_fork(snippet: str) -> dict[str, Any] | None:
    """What the snippet raised, in a process of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            result = run(snippet)
        os.write(writer, json.dumps(result).encode())
        # Blender's own clean-up is for a process that did not fork.
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answers:
        answer = answers.read()
    os.waitpid(child, 0)
    died = {"line": 0, "type": "Died", "message": "the process died"}
    return json.loads(answer) if answer else died


def run(snippet: str) -> dict[str, Any] | None:
    """Execute the snippet as the main module, without its output."""
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    sys.argv = ["snippet.py"]
    try:
        exec(compile(snippet, "snippet.py", "exec", dont_inherit=True), {"__name__": "__main__"})
    except BaseException as error:
        frames = [
            frame.lineno or 0 for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "snippet.py"
        ]
        return {"line": frames[-1] if frames else 0, "type": type(error).__name__, "message": str(error)}
    return None


if __name__ == "__main__":
    main()
