"""New findings of mypy in files after a change.

Mypy runs in the sandbox of the tests, without the repository's own configuration, which could name plugins. Packages
that are missing, such as `bpy`, may be anything to it.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from app.repositories.testing import TestPlan, run_tests
from harness.sandbox.ladder import Sandbox
from harness.suites import Interpreter, Suite

# Without psutil, which mypy asks for the cores if it is there, and which finds no /proc/cpuinfo in the sandbox.
START: Final = "import sys; sys.modules['psutil'] = None; from mypy.__main__ import console_entry; console_entry()"
MYPY: Final = (
    *("python", "-c", START, "--config-file=", "--cache-dir=/dev/null", "--ignore-missing-imports"),
    *("--follow-imports=silent", "--check-untyped-defs", "--no-error-summary"),
    *("--no-color-output", "--no-pretty", "--show-error-codes", "--"),
)
FINDING: Final = re.compile(r"^(?P<path>[^:\n]+\.py):\d+(?::\d+)?: error: (?P<said>.*)$", re.MULTILINE)
MOST: Final = 50


async def new_types(files: Mapping[str, bytes], changed: Mapping[str, str], sandbox: Sandbox) -> list[str]:
    """The new findings in the changed Python files, each as `path: message`; or the reason if there are none. Raises
    HarnessFault."""
    paths = [path for path in changed if path.endswith(".py")]
    if not paths:
        return []
    python = {path: content for path, content in files.items() if path.endswith((".py", ".pyi", "py.typed"))}
    new = python | {path: changed[path].encode("utf-8") for path in paths}
    try:
        before = await findings(python, [path for path in paths if path in files], sandbox)
        after = await findings(new, paths, sandbox)
    except GaveUp as error:
        return [f"mypy gave up: {error}"]
    return list((after - before).elements())[:MOST]


class GaveUp(Exception):
    """Mypy did not finish; the message is its first line."""


async def findings(files: Mapping[str, bytes], paths: Sequence[str], sandbox: Sandbox) -> Counter[str]:
    """The findings in files at these paths, without their lines, which a change moves. Raises GaveUp."""
    if not paths:
        return Counter()
    plan = TestPlan(Suite("command", (*MYPY, *paths)), Interpreter(Path(sys.executable)), "mypy")
    done = await run_tests(plan, files, sandbox)
    if done.exit_code not in (0, 1):
        raise GaveUp(done.output.strip().partition("\n")[0][:300] or done.problem)
    return Counter(f"{match['path']}: {match['said']}" for match in FINDING.finditer(done.output))
