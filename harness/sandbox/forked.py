"""Runs a Python program in a process that is forked and confined in the way of a warm Blender's jobs.

`python -I -S -B forked.py ORDER`, ORDER being a JSON object: `jail` (a JailSpec), `filter`, `folder`, and `arguments`,
the program with its arguments; `apart` if the process is no job, but reads texts, and enters namespaces itself. The
program's exit code is passed on. The sandbox's self-test attacks from in here.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
import types
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    # Started as a program, it finds its neighbours by its own place: the folder above is out of reach.
    sys.modules["harness"] = types.ModuleType("harness")
    sys.modules["harness"].__path__ = [str(Path(__file__).parents[1])]

from harness.sandbox.jail import FAILED, JailSpec, confine, narrow, withdraw


def main() -> None:
    """Fork, run the program in the child, and end with its exit code; see the module."""
    order: dict[str, Any] = json.loads(sys.argv[1])
    child = os.fork()
    if child == 0:
        try:
            jail = JailSpec(**order["jail"])
            if order["apart"] and jail.namespaces:
                withdraw(jail)
            confine(jail, (), order["folder"], {})
            if order["filter"]:
                narrow(order["filter"])
        except OSError as error:
            os.write(2, f"the sandbox could not be set up: {error}\n".encode())
            os._exit(FAILED)
        sys.argv[:] = order["arguments"]
        runpy.run_path(sys.argv[0], run_name="__main__")
        sys.stdout.flush()
        os._exit(0)
    os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 0xFF)


if __name__ == "__main__":
    main()
