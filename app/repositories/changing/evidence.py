"""The evidence for a patch: tests that failed before it and pass now, and no other test that broke.

    before        the code and the tests as they were
    new tests     the code as it was, with the tests of the patch    shows that they fail without it
    old tests     the code of the patch, with the tests as they were shows that no test was bent to pass
    after         the code and the tests of the patch

Every test that decides is run twice: a test that once passes and once fails shows nothing.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from app.repositories.changing.record import Evidence, Kind, TestsSaid
from codebase.graph.testing import is_test
from harness.suites import SuiteRun, lost

RUNNERS: Final = re.compile(
    r"(^|/)(conftest\.py|\.?pytest\.(ini|toml)|tox\.(ini|toml)|setup\.(cfg|py)|pyproject\.toml|noxfile\.py|hatch_build\.py"
    r"|(GNU)?Makefile|(site|user)customize\.py|[^/]+\.(pth|egg-link|start)|\.?coveragerc|requirements[^/]*\.(txt|in)"
    r"|(mypy|\.mypy)\.ini|\.?pylintrc|\.flake8|\.?ruff\.toml)$",
    re.IGNORECASE,
)
"""Files that control how tests are run and code is judged, or run with them."""
BY_THEMSELVES: Final = re.compile(
    r"(^|/)\.(github|gitea|forgejo|gitlab|circleci|woodpecker|buildkite|husky|githooks|devcontainer|vscode|idea|zed"
    r"|fleet|cursor|claude|cargo|yarn|mvn)/"
    r"|(^|/)(\.(gitlab-ci|drone|cirrus|woodpecker|travis|appveyor|readthedocs|zuul|semaphore)[^/]*"
    r"|\.pre-commit-(config|hooks)\.ya?ml|\.?lefthook[^/]*|\.overcommit\.yml|\.lintstagedrc[^/]*"
    r"|\.env(rc|\.[^/]+)?|\.?mise[^/]*\.toml|\.tool-versions|\.gitattributes|\.lfsconfig|\.mailmap"
    r"|azure-pipelines[^/]*|bitbucket-pipelines\.yml|appveyor\.yml|cloudbuild\.ya?ml|Jenkinsfile|Dockerfile[^/]*"
    r"|(docker-)?compose[^/]*\.ya?ml|package\.json|\.(npm|yarn|pnpm)rc|\.yarnrc\.yml|\.pnpmfile\.cjs|build\.rs"
    r"|\.(ex|vim|nvim|lvim)rc|\.nvim\.lua|\.dir-locals(-2)?\.el|[^/]+\.(code-workspace|sublime-project))$",
    re.IGNORECASE,
)
"""Files that a server, an editor, a shell, a package manager or git runs or obeys before anybody has looked at them."""

MOST_FAILURES: Final = 5
MOST_OF_A_MESSAGE: Final = 300
NOT_IMPORTED: Final = "unittest.loader._FailedTest."

Files = Mapping[str, bytes]
Run = Callable[[Files, Sequence[str]], Awaitable[SuiteRun]]
"""Runs the tests on these files; only those in the given files, if there are any."""


@dataclass
class PatchTrial:
    """The trial of one patch; `before` is kept for the next."""

    run: Run
    old: Files
    before: SuiteRun
    reports: list[TestsSaid] = field(default_factory=list[TestsSaid])

    async def runs(self, of: str, files: Files, only: Sequence[str] = ()) -> SuiteRun:
        """One run, with a report."""
        done = await self.run(files, only)
        self.reports.append(run_report(of, done))
        return done


def run_report(of: str, done: SuiteRun) -> TestsSaid:
    """The report of a run."""
    failed = [result for result in done.results if result.outcome in ("failed", "error")]
    failures = [f"{result.name}: {result.message.strip()[:MOST_OF_A_MESSAGE]}" for result in failed[:MOST_FAILURES]]
    return TestsSaid(of=of, said=done.said, failures=failures, seconds=round(done.seconds, 2))


async def gather(
    trial: PatchTrial, kind: Kind, changed: Files, reached: Sequence[str], given: Sequence[str], lint: Sequence[str]
) -> Evidence:
    """Judge a patch. `reached` are files of tests to run first, `given` names of tests that must be mended."""
    trial.reports = [run_report("before", trial.before)]
    new = {**trial.old, **changed}
    tests = {path: text for path, text in changed.items() if is_test(path)}
    # Without the new tests too, because a test may replace parts of the code for all tests after it.
    unbent = {**trial.old, **{path: text for path, text in changed.items() if path not in tests}}
    if reached:
        first = await trial.runs("after, the tests it reaches", unbent, reached)
        early = failed_now(trial.before, first)
        if early:
            return evidence_of(trial, [], early, [], reached, lint, ["tests that it reaches fail now"])
    after = await trial.runs("after", new)
    kept = await trial.runs("after, with the tests as they were", unbent) if tests else after
    without = await trial.runs("before, with the new tests", {**trial.old, **tests}) if tests else trial.before
    broken, flaky = await run_again(trial, lost(trial.before, kept), unbent)
    mended = mended_by(without, after)
    if mended:
        # Once more, because a test that fails by chance would be no evidence.
        again = await trial.runs("before, once more", {**trial.old, **tests}), await trial.runs("after, once more", new)
        mended &= mended_by(*again)
    missing = list(lacking(kind, trial.before, after, mended, broken, given, reached))
    code = sorted(path for path in changed if path not in tests)
    if kind == "test" and code:
        missing.append(f"it is to change tests alone, and changes {', '.join(code)}")
    touched = sorted(path for path in changed if RUNNERS.search(path))
    if touched:
        missing.append(f"it changes how tests are run: {', '.join(touched)}")
    unasked = sorted(path for path in changed if BY_THEMSELVES.search(path))
    if unasked:
        missing.append(f"it changes what runs by itself: {', '.join(unasked)}")
    if lint:
        missing.append("ruff has new findings")
    return evidence_of(trial, sorted(mended), broken, flaky, reached, lint, missing)


def evidence_of(
    trial: PatchTrial,
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
        runs=trial.reports,
    )


def failed_now(before: SuiteRun, now: SuiteRun) -> list[str]:
    """Tests that passed before and fail in a run of some of them."""
    return sorted(before.names("passed") & now.names("failed", "error"))


async def run_again(trial: PatchTrial, broken: set[str], files: Files) -> tuple[list[str], list[str]]:
    """The broken tests, and the flaky ones: run again, these fail on the old code or pass on the new code."""
    if not broken:
        return [], []
    old = await trial.runs("before, once more", trial.old)
    new = await trial.runs("after, with the tests as they were, once more", files)
    flaky = broken & ((trial.before.names("passed") - old.names("passed")) | new.names("passed"))
    return sorted(broken - flaky), sorted(flaky)


def mended_by(before: SuiteRun, after: SuiteRun) -> set[str]:
    """Tests that pass after and failed before, alone or with the module that they are in."""
    failed = before.names("failed", "error")
    # A module that cannot be imported is reported as a test of its name.
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
    """The gaps in the evidence that a change of this kind needs."""
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
    """True if a person's name of a test fits a test: `tests/test_a.py::test_b`, `test_a.test_b`, or `test_b`.

    Parameters in brackets must be the same; a name without them fits the test with any.
    """
    plain, bracket, parameters = wanted.partition("[")
    plain = plain.replace(".py::", ".").replace("::", ".").replace("/", ".")
    name, _, given = test.partition("[")
    return f".{name.replace('::', '.')}".endswith(f".{plain}") and (not bracket or parameters == given)
