"""Runs snippets inside Blender, each in a fork of one warm process: the standard library and bpy only.

    PYTHON in_blender.py [--twice] JOBS.json RESULTS.json
    blender -b --factory-startup --python in_blender.py -- [--twice] JOBS.json RESULTS.json

JOBS is a list of snippets. RESULTS has null for each that ran to its end, otherwise the line, type and message of its
exception; line 0 if the process died. With `--twice` this value is `raised`; if the snippet ran to its end, there are
also `again`, the same for a second execution in the same scene, and `holds`, the inventories before, between and after.
Only for our own snippets: nothing is isolated.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy

sys.path.insert(0, str(Path(__file__).parents[2]))

Result = Any


def main() -> None:
    """Run every job and write what became of it."""
    jobs = json.loads(Path(sys.argv[-2]).read_text(encoding="utf-8"))
    act = run_twice if "--twice" in sys.argv else run
    bpy.ops.wm.read_factory_settings()
    results = [in_a_fork(snippet, act) for snippet in jobs]
    Path(sys.argv[-1]).write_text(json.dumps(results), encoding="utf-8")


def in_a_fork(snippet: str, act: Callable[[str], Result]) -> Result:
    """What became of the snippet in a process of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            result = act(snippet)
        with os.fdopen(writer, "wb") as answers:
            answers.write(json.dumps(result).encode())
        # Skip Blender's own clean-up, which is not made for a forked process.
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answers:
        answer = answers.read()
    os.waitpid(child, 0)
    died = {"line": 0, "type": "Died", "message": "the process died"}
    return json.loads(answer) if answer else died if act is run else {"raised": died}


def run_twice(snippet: str) -> dict[str, Any]:
    """Execute the snippet, and again if it ran to its end; the inventories are those of saved files."""
    from harness.inside.scene.inventory import inventory

    bpy.ops.wm.save_as_mainfile(filepath=str(Path.cwd() / "start.blend"), copy=True)
    raised = run(snippet)
    if raised is not None:
        return {"raised": raised}
    bpy.ops.wm.save_as_mainfile(filepath=str(Path.cwd() / "after.blend"), copy=True)
    again = run(snippet)
    bpy.ops.wm.save_as_mainfile(filepath=str(Path.cwd() / "again.blend"), copy=True)
    holds: dict[str, Any] = {}
    for name in ("start", "after", "again"):
        bpy.ops.wm.open_mainfile(filepath=str(Path.cwd() / f"{name}.blend"), load_ui=False, use_scripts=False)
        holds[name] = inventory()
    return {"raised": None, "again": again, "holds": holds}


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
        return {
            "line": frames[-1] if frames else 0,
            "type": type(error).__name__,
            "message": str(error),
            "frames": frames,
        }
    return None


if __name__ == "__main__":
    main()
