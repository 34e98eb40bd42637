"""What mypy finds in files after a change and did not find before.

Mypy runs in the sandbox of the tests, without the repository's own configuration, which could name plugins. Packages
that are not there, such as `bpy`, may be anything to it.
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

MYPY: Final = (
    *("python", "-m", "mypy", "--config-file=", "--cache-dir=/dev/null", "--ignore-missing-imports"),
    *("--follow-imports=silent", "--check-untyped-defs", "--explicit-package-bases", "--no-error-summary"),
    *("--no-color-output", "--no-pretty", "--show-error-codes", "--"),
)
FINDING: Final = re.compile(r"^(?P<path>[^:\n]+\.py):\d+(?::\d+)?: error: (?P<said>.*)$", re.MULTILINE)
MOST: Final = 50


async def new_types(files: Mapping[str, bytes], changed: Mapping[str, str], sandbox: Sandbox) -> list[str]:
    """The new findings in the changed Python files, each as `path: message`. Raises HarnessFault."""
    paths = [path for path in changed if path.endswith(".py")]
    if not paths:
        return []
    python = {path: content for path, content in files.items() if path.endswith((".py", ".pyi", "py.typed"))}
    new = python | {path: changed[path].encode("utf-8") for path in paths}
    before = await found(python, [path for path in paths if path in files], sandbox)
    after = await found(new, paths, sandbox)
    return list((after - before).elements())[:MOST]


async def found(files: Mapping[str, bytes], paths: Sequence[str], sandbox: Sandbox) -> Counter[str]:
    """The findings in files at these paths, without their lines, which a change moves."""
    if not paths:
        return Counter()
    plan = TestPlan(Suite("command", (*MYPY, *paths)), Interpreter(Path(sys.executable)), "mypy")
    done = await run_tests(plan, files, sandbox)
    return Counter(f"{one['path']}: {one['said']}" for one in FINDING.finditer(done.output))
