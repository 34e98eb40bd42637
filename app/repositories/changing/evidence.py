"""The evidence for a patch: which tests failed before it and pass now, and that nothing else broke.

    before        the code and the tests as they were
    new tests     the code as it was, with the tests of the patch    shows that they fail without it
    old tests     the code of the patch, with the tests as they were shows that no test was bent to pass
    after         the code and the tests of the patch

Whatever decides is run twice: a test that once passes and once fails shows nothing.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from app.repositories.changing.record import Evidence, Kind, TestsSaid
from codebase.graph.testing import is_test
from harness.suites import SuiteRun

RUNNERS: Final = re.compile(
    r"(^|/)(conftest\.py|pytest\.ini|\.?pytest\.toml|tox\.ini|setup\.(cfg|py)|pyproject\.toml|noxfile\.py|Makefile"
    r"|(site|user)customize\.py|[^/]+\.pth)$"
)
"""Files that say how tests are run, or run with them."""

MOST_FAILURES: Final = 5
MOST_OF_A_MESSAGE: Final = 300
NOT_IMPORTED: Final = "unittest.loader._FailedTest."

Files = Mapping[str, bytes]
Run = Callable[[Files, Sequence[str]], Awaitable[SuiteRun]]
"""Runs the tests on these files; those in the given files alone, if there are any."""


@dataclass
class Trial:
    """The trial of one patch; `before` is kept for the next."""

    run: Run
    old: Files
    before: SuiteRun
    said: list[TestsSaid] = field(default_factory=list[TestsSaid])

    async def runs(self, of: str, files: Files, only: Sequence[str] = ()) -> SuiteRun:
        """One run, which is told of."""
        done = await self.run(files, only)
        self.said.append(said_of(of, done))
        return done


def said_of(of: str, done: SuiteRun) -> TestsSaid:
    """What is told of a run."""
    failed = [one for one in done.results if one.outcome in ("failed", "error")]
    failures = [f"{one.name}: {one.message.strip()[:MOST_OF_A_MESSAGE]}" for one in failed[:MOST_FAILURES]]
    return TestsSaid(of=of, said=done.said, failures=failures, seconds=round(done.seconds, 2))


async def gather(
    trial: Trial, kind: Kind, changed: Files, reached: Sequence[str], given: Sequence[str], lint: Sequence[str]
) -> Evidence:
    """Judge a patch. `reached` are files of tests to run first, `given` names of tests that must be mended."""
    trial.said = [said_of("before", trial.before)]
    new = {**trial.old, **changed}
    tests = {path: text for path, text in changed.items() if is_test(path)}
    # Without the new tests too: a test may replace parts of the code for all that run after it.
    unbent = {**trial.old, **{path: text for path, text in changed.items() if path not in tests}}
    if reached:
        first = await trial.runs("after, the tests it reaches", unbent, reached)
        early = failed_now(trial.before, first)
        if early:
            return made(trial, [], early, [], reached, lint, ["tests that it reaches fail now"])
    after = await trial.runs("after", new)
    kept = await trial.runs("after, with the tests as they were", unbent) if tests else after
    without = await trial.runs("before, with the new tests", {**trial.old, **tests}) if tests else trial.before
    broken, flaky = await settled(trial, trial.before.names("passed") - kept.names("passed"), unbent)
    mended = mended_by(without, after)
    if mended:
        # Once more: a test that fails by chance would be evidence of nothing.
        again = await trial.runs("before, once more", {**trial.old, **tests}), await trial.runs("after, once more", new)
        mended &= mended_by(*again)
    missing = list(lacking(kind, trial.before, after, mended, broken, given, reached))
    code = sorted(path for path in changed if path not in tests)
    if kind == "test" and code:
        missing.append(f"it is to change tests alone, and changes {', '.join(code)}")
    touched = sorted(path for path in changed if RUNNERS.search(path))
    if touched:
        missing.append(f"it changes how tests are run: {', '.join(touched)}")
    if lint:
        missing.append("ruff has new findings")
    return made(trial, sorted(mended), broken, flaky, reached, lint, missing)


def made(
    trial: Trial,
    mended: list[str],
    broken: list[str],
    flaky: list[str],
    reached: Sequence[str],
    lint: Sequence[str],
    missing: list[str],
) -> Evidence:
    return Evidence(
        mended=mended,
        broken=broken,
        flaky=flaky,
        reached=list(reached),
        lint=list(lint),
        missing=missing,
        runs=trial.said,
    )


def failed_now(before: SuiteRun, now: SuiteRun) -> list[str]:
    """Tests that passed before and fail in a run of some of them."""
    return sorted(before.names("passed") & now.names("failed", "error"))


async def settled(trial: Trial, broken: set[str], files: Files) -> tuple[list[str], list[str]]:
    """What is broken, and what is flaky: run again, it fails on the old code or passes on the new."""
    if not broken:
        return [], []
    old = await trial.runs("before, once more", trial.old)
    new = await trial.runs("after, with the tests as they were, once more", files)
    flaky = broken & ((trial.before.names("passed") - old.names("passed")) | new.names("passed"))
    return sorted(broken - flaky), sorted(flaky)


def mended_by(before: SuiteRun, after: SuiteRun) -> set[str]:
    """Tests that pass after and were seen to fail before, alone or with the module that they stand in."""
    failed = before.names("failed", "error")
    # A module that cannot be imported is told as a test of its name.
    modules = {name.removeprefix(NOT_IMPORTED) for name in failed if "::" not in name}
    return {
        test
        for test in after.names("passed")
        if test in failed or any(test.startswith((f"{m}::", f"{m}.")) for m in modules)
    }


def lacking(
    kind: Kind,
    before: SuiteRun,
    after: SuiteRun,
    mended: set[str],
    broken: Sequence[str],
    given: Sequence[str],
    reached: Sequence[str],
) -> list[str]:
    """What is missing for the evidence that a change of this kind needs."""
    missing = [f"{len(broken)} tests that passed before do not pass now"] if broken else []
    if after.problem:
        missing.append(f"the tests could not be judged: {after.problem}")
    elsewhere = [name for name in given if not any(fits(name, test) for test in mended)]
    missing += [f"{name} did not fail before and pass after" for name in elsewhere]
    if kind in ("fix", "feature") and not mended:
        missing.append("no test failed before and passes now")
    if kind == "test" and not after.names("passed") - before.names("passed"):
        missing.append("there is no new test that passes")
    if kind == "refactor" and not (before.names("passed") and reached):
        missing.append("no test that passes reaches what it touches")
    return missing


def fits(wanted: str, test: str) -> bool:
    """Whether a name that a person wrote is that of a test: `tests/test_a.py::test_b`, `test_a.test_b`, or `test_b`."""
    plain = wanted.replace(".py::", ".").replace("::", ".").replace("/", ".")
    return f".{test.replace('::', '.')}".endswith(f".{plain}")
