"""A failure as a report tells it, what Blender says in some, and what triage makes of it."""

from __future__ import annotations

from dataclasses import dataclass

from harness.triage import Need, triage


@dataclass(frozen=True)
class Case:
    """One failure: the snippet raised at its last line unless `line` says otherwise."""

    snippet: str
    exception: str
    message: str
    line: int | None = None
    stderr: str = ""
    exit_code: int = 1


def judge(case: Case) -> Need | None:
    snippet = f"import bpy\n{case.snippet}"
    line = len(snippet.splitlines()) if case.line is None else case.line
    return triage(snippet, case.exception, case.message, line, case.stderr, case.exit_code)


def key(name: str) -> str:
    return f'bpy_prop_collection[key]: key "{name}" not found'


def index(at: int, size: int) -> str:
    return f"bpy_prop_collection[index]: index {at} out of range, size {size}"


def none_has_no(name: str) -> str:
    return f"'NoneType' object has no attribute '{name}'"


def poll(operator: str, said: str = "failed, context is incorrect") -> str:
    return f"Operator bpy.ops.{operator}.poll() {said}"


def no_operator(name: str) -> str:
    return f'Calling operator "bpy.ops.{name}" error, could not be found'


def no_file(name: str) -> str:
    return f"[Errno 2] No such file or directory: '{name}'"


EMPTY = "max() arg is an empty sequence"
MADE = "bpy.ops.mesh.primitive_cube_add()\n"
GPU = "GPU functions for drawing are not available in background mode"
ARGPARSE = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--out', required=True)\n"
ARGV = "import sys\nargv = sys.argv[sys.argv.index('--') + 1:]\n"


def assert_missing(outcome: str, what: str, missing: Need | None) -> None:
    assert missing is not None
    assert (missing.outcome, missing.what) == (outcome, what)
    assert missing.hint
