"""Runs the tests of a repository in the sandbox: processes are allowed, a network is not.

    files ── written to work/ ──> the command, in an interpreter that the operator set up ──> results, output, exit code
             scratch/ is its home and temporary folder; it writes only to these two

The results are claims, because the tests run in the process that writes them. Its ending is measured outside, and a
run has passed only if both agree.
"""

from __future__ import annotations

import dataclasses
import json
import shutil
import stat
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

from harness.blenders import A_USER
from harness.folders import write_new
from harness.launcher import KEEPER_LOST, Command, HarnessFault, ProcessEnd, ProcessLimits, run_program
from harness.readers import Readers, ReadingFailed, read_by
from harness.sandbox import runtime
from harness.sandbox.ladder import Sandbox

Kind = Literal["pytest", "unittest", "command"]
Outcome = Literal["passed", "failed", "error", "skipped"]

LIMITS: Final = ProcessLimits(
    wall_s=300.0, disk_bytes=1 << 30, files=20_000, processes=64, output_bytes=16 << 20, log_kept_bytes=256 << 10
)
UNITTEST: Final = Path(__file__).with_name("suite_of_unittest.py")
PATH: Final = "/usr/local/bin:/usr/bin:/bin"
MOST_RESULT_BYTES: Final = 16 << 20
MOST_RESULTS: Final = 100_000
MESSAGE_LIMIT: Final = 2000
PYTHON: Final = "python"
SOURCES: Final = "src"
"""The folder that many repositories keep their packages in. They are not installed, so it is put on the path."""


@dataclasses.dataclass(frozen=True)
class Suite:
    """The command of the tests. `command` begins with `python` or a program of the system; of pytest and unittest it is
    the whole command, such as `("python", "-m", "pytest", "tests")`."""

    kind: Kind
    command: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Interpreter:
    """A Python that the operator set up. `packages` is a folder of packages for it, or None."""

    path: Path
    packages: Path | None = None


@dataclasses.dataclass(frozen=True)
class TestResult:
    """The result of one test, by the word of its process."""

    __test__ = False  # It is no test, though pytest would take it for one.

    name: str
    outcome: Outcome
    message: str = ""


@dataclasses.dataclass(frozen=True)
class SuiteRun:
    """One run of all tests. `problem` is the reason why there is no result of each, or none is believed."""

    passed: bool
    results: tuple[TestResult, ...]
    problem: str
    output: str
    exit_code: int | None
    seconds: float

    def names(self, *outcomes: Outcome) -> set[str]:
        """The tests that ended in one of these ways."""
        return {result.name for result in self.results if result.outcome in outcomes}

    @property
    def said(self) -> str:
        """The run in one line."""
        counts = {outcome: sum(result.outcome == outcome for result in self.results) for outcome in OUTCOMES}
        counted = ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)
        return "; ".join(part for part in (counted, self.problem) if part) or "no tests"


USE: Final = "use "
"""Begins the names of tests that use something that an add-on registers."""


def lost(before: SuiteRun, after: SuiteRun) -> set[str]:
    """The tests that passed before and do not pass after.

    A use of something that is registered no more is none: it was renamed or removed on purpose, or its add-on does not
    register, which is a test of its own.
    """
    there = {result.name for result in after.results}
    gone = before.names("passed") - after.names("passed")
    return {name for name in gone if name in there or not name.startswith(USE)}


OUTCOMES: Final[tuple[Outcome, ...]] = ("passed", "failed", "error", "skipped")
ENDS: Final[Mapping[str, Outcome]] = {"failure": "failed", "error": "error", "skipped": "skipped"}
"""The element of a test that did not pass, in a JUnit file, with its outcome."""


async def run_suite(
    suite: Suite,
    files: Mapping[str, bytes],
    interpreter: Interpreter,
    sandbox: Sandbox,
    folder: Path,
    limits: ProcessLimits = LIMITS,
    readers: Readers | None = None,
) -> SuiteRun:
    """Run the tests of a repository with these files, by path. `folder` is missing; its contents stay.

    The results are read by `readers`, or here if there are none. Raises HarnessFault if a part of ours fails.
    """
    work, scratch = folder / "work", folder / "scratch"
    for place in (work, scratch / "home", scratch / "tmp"):
        place.mkdir(parents=True)
    for name, content in files.items():
        write_new(work / name, content)
    inside = sandbox.place_of(folder)
    results = "scratch/results"
    arguments = arguments_of(suite, interpreter, str(inside / results))
    if isinstance(arguments, str):
        return SuiteRun(False, (), arguments, "", None, 0.0)
    readable = [*runtime.of_module(interpreter.path), str(UNITTEST)]
    readable += [str(interpreter.packages)] if interpreter.packages else []
    jail = sandbox.jail(readable, [str(work), str(scratch)], str(folder))
    own = [inside / "work" / SOURCES] if any(path.startswith(f"{SOURCES}/") for path in files) else []
    command = Command(arguments, environment_of(inside / "scratch", interpreter, own), inside / "work", jail)
    size = sum(map(len, files.values()))
    bounded = dataclasses.replace(limits, disk_bytes=limits.disk_bytes + size, files=limits.files + len(files))
    end = await run_program(command, bounded, [work, scratch])
    if jail and end.stopped_by == KEEPER_LOST:
        raise HarnessFault("the process that watches over the tests is lost")
    return await run_of(suite, end, folder / results, readers)


def arguments_of(suite: Suite, interpreter: Interpreter, results: str) -> list[str] | str:
    """The command with its results asked for, or why it cannot be run."""
    program, *rest = suite.command
    if program != PYTHON:
        found = shutil.which(program, path=PATH)
        return [found, *rest] if found else f"There is no program {program} in {PATH.replace(':', ', ')}."
    if suite.kind == "pytest":
        rest += [f"--junitxml={results}", "-p", "no:cacheprovider"]
    elif suite.kind == "unittest":
        rest = [str(UNITTEST), results, *rest[2:]]
    return [str(interpreter.path), *rest]


def environment_of(scratch: Path, interpreter: Interpreter, own: Sequence[Path]) -> dict[str, str]:
    """The whole environment of the tests, with nothing of ours. Imports are looked for in `own` first."""
    places = [*map(str, own), *([str(interpreter.packages)] if interpreter.packages else [])]
    return {
        "PATH": PATH,
        "HOME": str(scratch / "home"),
        "TMPDIR": str(scratch / "tmp"),
        "LANG": "C.UTF-8",
        **A_USER,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        **({"PYTHONPATH": ":".join(places)} if places else {}),
    }


async def run_of(suite: Suite, end: ProcessEnd, file: Path, readers: Readers | None) -> SuiteRun:
    """The result of a run, from its ending and the results that it wrote."""
    results: tuple[TestResult, ...] = ()
    problem = ended_badly(end)
    if not problem and suite.kind != "command":
        try:
            read = pytest_results if suite.kind == "pytest" else unittest_results
            told = await read_by(readers, read, written(file))
            results, problem = told.results, told.problem
        except (ValueError, ReadingFailed) as error:
            problem = f"There are no results: {error}."
    failed = any(result.outcome in ("failed", "error") for result in results)
    if not problem and not results and suite.kind != "command":
        problem = "There are no tests."
    elif not problem and suite.kind != "command" and failed != (end.exit_code != 0):
        problem = f"The results do not agree with the exit code {end.exit_code}, and are not believed."
    elif not problem and suite.kind == "command" and end.exit_code:
        problem = f"The command ended with exit code {end.exit_code}."
    return SuiteRun(not problem and not failed, results, problem, end.log, end.exit_code, end.wall_s)


def ended_badly(end: ProcessEnd) -> str:
    """The reason why a run did not come to its end; empty if it did."""
    if end.stopped_by:
        return f"It was stopped at its limit of {end.stopped_by}."
    if end.signal is not None:
        return f"It died of signal {end.signal}."
    return ""


def written(file: Path) -> bytes:
    """The results that tests wrote. Raises ValueError."""
    try:
        status = file.lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_RESULT_BYTES:
            raise ValueError("what was written is no plain file, or too large")
        return file.read_bytes()
    except OSError as error:
        raise ValueError(f"nothing was written ({error.strerror})") from error


@dataclasses.dataclass(frozen=True)
class WrittenResults:
    """The results that were written, or the reason why they cannot be read."""

    results: tuple[TestResult, ...] = ()
    problem: str = ""


def pytest_results(data: bytes) -> WrittenResults:
    """The results in a JUnit file."""
    try:
        return WrittenResults(of_pytest(data))
    except ValueError as error:
        return WrittenResults(problem=f"There are no results: {error}.")


def unittest_results(data: bytes) -> WrittenResults:
    """The results that `suite_of_unittest.py` wrote."""
    try:
        return WrittenResults(of_unittest(data))
    except ValueError as error:
        return WrittenResults(problem=f"There are no results: {error}.")


def of_pytest(data: bytes) -> tuple[TestResult, ...]:
    """The results in a JUnit file. Raises ValueError."""
    # As UTF-8, and without NUL, which is in every letter of UTF-16: another encoding would hide declarations.
    text = data.decode()
    if any(mark in text for mark in ("<!DOCTYPE", "<!ENTITY", "\0")):
        raise ValueError("the JUnit file has declarations, which pytest does not write")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise ValueError(f"the JUnit file cannot be read: {error}") from error
    found: list[TestResult] = []
    for case in root.iter("testcase"):
        name = "::".join(part for part in (case.get("classname"), case.get("name")) if part)
        tag = next((tag for tag in ENDS if case.find(tag) is not None), None)
        told = case.find(tag) if tag else None
        message = ((told.get("message") or "") if told is not None else "")[:MESSAGE_LIMIT]
        found.append(TestResult(name, ENDS[tag] if tag else "passed", message))
    return limited(found)


def of_unittest(data: bytes) -> tuple[TestResult, ...]:
    """The results that `suite_of_unittest.py` wrote. Raises ValueError."""
    try:
        rows: Any = json.loads(data)
        results = [TestResult(str(name), OUTCOMES[OUTCOMES.index(end)], str(said)) for name, end, said in rows]
    except (RecursionError, TypeError, ValueError) as error:
        raise ValueError("the results have another form") from error
    return limited(results)


def limited(results: list[TestResult]) -> tuple[TestResult, ...]:
    """The results, if there are not too many. Raises ValueError."""
    if len(results) > MOST_RESULTS:
        raise ValueError(f"there are more than {MOST_RESULTS} results")
    return tuple(results)
