"""The tests of a repository before and after a change, in an interpreter that the operator set up."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.errors import InvalidRequest
from codebase.tree.suite import SuiteSettings
from harness.blenders import Blender, BlenderNotAvailable, choose
from harness.folders import passing_place
from harness.packages import site_of
from harness.readers import Readers
from harness.sandbox.ladder import Sandbox
from harness.suites import Interpreter, Kind, Suite, SuiteRun, run_suite

OWN_PYTHON: Final = "python"


class TestsRefused(InvalidRequest):
    __test__ = False
    code = "tests_refused"
    hint = "docs/repositories.md says how the tests of a repository are set up."


@dataclass(frozen=True)
class TestPlan:
    """The command of the tests, and their interpreter."""

    __test__ = False
    suite: Suite
    interpreter: Interpreter
    why: str


@dataclass(frozen=True)
class SuiteComparison:
    """The tests before and after a change."""

    before: SuiteRun
    after: SuiteRun
    broken: list[str]
    """Tests that passed before and do not pass now."""
    mended: list[str]
    """Tests that did not pass before and do now."""

    @property
    def worse(self) -> bool:
        """True if anything that passed before does not pass now."""
        return bool(self.broken) or (self.before.passed and not self.after.passed)


def plan_of(wanted: SuiteSettings, blenders: Sequence[Blender], default: Blender | None) -> TestPlan:
    """The plan for the settings of a repository; `default` is the Blender whose Python is used if they name none.

    Raises TestsRefused.
    """
    return TestPlan(suite_of(wanted), interpreter_of(wanted.interpreter, blenders, default), wanted.why)


def plan_or_why(wanted: SuiteSettings | None, blenders: Sequence[Blender], default: Blender | None) -> TestPlan | str:
    """The plan for the settings of a repository, or the reason why its tests are not run."""
    if wanted is None:
        return "the repository has no tests"
    try:
        return plan_of(wanted, blenders, default)
    except TestsRefused as error:
        return error.message


def suite_of(wanted: SuiteSettings) -> Suite:
    """The command, with its kind."""
    words = wanted.command
    kinds: dict[tuple[str, ...], Kind] = {
        ("python", "-m", "pytest"): "pytest",
        ("python", "-m", "unittest"): "unittest",
    }
    return Suite(kinds.get(words[:3], "command"), words)


def interpreter_of(name: str | None, blenders: Sequence[Blender], default: Blender | None) -> Interpreter:
    """The Python of a Blender by its series, or of the service. Never a path: a repository could name any folder.

    Raises TestsRefused.
    """
    if name == OWN_PYTHON or (name is None and default is None):
        return Interpreter(Path(sys.executable))
    try:
        blender = choose(blenders, name) if name is not None else default
    except BlenderNotAvailable as error:
        raise TestsRefused(f"The tests want the interpreter {name}: {error}") from error
    if blender is None or blender.kind != "module":
        raise TestsRefused(f"Blender {blender.version if blender else name} has no Python of its own that runs tests.")
    packages = site_of(blender) if blender.packages else None
    return Interpreter(blender.path, packages if packages and packages.is_dir() else None)


async def run_tests(
    plan: TestPlan, files: Mapping[str, bytes], sandbox: Sandbox, readers: Readers | None = None
) -> SuiteRun:
    """Run the tests on a copy of these files; `readers` read their output. Raises HarnessFault."""
    async with passing_place() as place:
        return await run_suite(plan.suite, files, plan.interpreter, sandbox, place, readers=readers)


def compare(before: SuiteRun, after: SuiteRun) -> SuiteComparison:
    """The tests before and after a change, with those that broke and those that pass again."""
    passed = before.names("passed"), after.names("passed")
    return SuiteComparison(before, after, sorted(passed[0] - passed[1]), sorted(passed[1] - passed[0]))
