"""Takes a change of the kind `change` to its end, and commits what is accepted on a branch of its own."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from app.errors import InvalidRequest
from app.jobs.budget import BudgetSpent
from app.jobs.spending import Spending
from app.llm.message import ModelUnavailable
from app.repositories.changing.evidence import PatchTrial, Run
from app.repositories.changing.file_texts import (
    CommitFiles,
    PatchResult,
    apply_answer,
    commit_on_branch,
    files_of_commit,
    new_findings,
    reaching,
)
from app.repositories.changing.loop import ChangeState, Changing, compile_graph
from app.repositories.changing.record import Change, ChangeAttempt, Plan, Status
from app.repositories.changing.types import new_types
from app.repositories.hands import Hands, here
from app.repositories.project import Project
from app.repositories.tasks import read_passages
from app.repositories.testing import TestPlan, plan_of, run_tests
from codebase.index.secrets import is_secret
from harness.blenders import Blender
from harness.readers import Readers
from harness.sandbox.ladder import Sandbox
from harness.suites import SuiteRun, TestResult

MOST_FILE_BYTES: Final = 1 << 20
MOST_BYTES: Final = 256 << 20
MOST_PLACES: Final = 16

VALUED: Final = frozenset(("-c", "-k", "-m", "-n", "-o", "-p", "-r", "-W"))
"""Short options of pytest that have a value; of a long one without `=` the next word may be it."""

Answer = TypeVar("Answer")
Register = Callable[[Mapping[str, bytes]], Awaitable[Sequence[TestResult]]]
"""Registers the add-ons among files, each on each Blender that was asked for: a test that passes or fails."""


class ChangeRefused(InvalidRequest):
    code = "change_refused"
    hint = "See docs/changes.md for what a change needs."


@dataclass(frozen=True)
class Bench:
    """The tools of changes. `ask` works on texts, and `write` makes branches."""

    models: Spending
    sandbox: Sandbox
    blenders: Sequence[Blender] = ()
    """Blenders whose Python may run tests."""
    register: Register | None = None
    readers: Readers | None = None
    ask: Hands = here
    write: Hands = here
    say: Callable[[str], None] = lambda _text: None
    typed: bool = True
    """True if mypy reads the files before and after."""
    most_bytes: int = MOST_BYTES
    """Most bytes of all files of a commit."""


async def change(made: Change, project: Project, bench: Bench) -> None:
    """Change a repository as requested; the result is written into the record.

    Raises ChangeRefused and other InvalidRequests, ModelUnavailable and HarnessFault.
    """
    begun = time.monotonic()
    commit = await bench.ask(files_of_commit, project.root, MOST_FILE_BYTES, bench.most_bytes)
    made.commit = commit.commit
    run = runner(bench, plan_for(commit, bench))
    bench.say("running the tests as they are")
    trial = PatchTrial(run, commit.files, await run(commit.files, ()))
    bench.say("reading")
    reading = await bench.ask(read_passages, project, made.request, MOST_PLACES, bench.models.window * 2, list[str]())
    texts = texts_of(commit.files)

    async def patch(text: str, finish: str) -> PatchResult:
        return await bench.ask(apply_answer, text, finish, texts, list(commit.skipped))

    async def reached(changed: Mapping[str, str]) -> list[str]:
        return [path for path in await bench.ask(reaching, project, list(changed)) if path in commit.files]

    async def lint(changed: Mapping[str, str]) -> list[str]:
        return await bench.ask(new_findings, {path: texts.get(path, "") for path in changed}, dict(changed))

    async def types(changed: Mapping[str, str]) -> list[str]:
        return await new_types(commit.files, changed, bench.sandbox) if bench.typed else []

    tools = (patch, reached, lint, types, bench.ask, bench.say)
    changing = Changing(made.request, made.tests, texts, reading, trial, bench.models, *tools)
    state, note = await run_to_its_end(changing, made)
    status = conclude(made, note, changing.unreadable)
    if made.on_branch and status == "accepted":
        encoded = {path: text.encode("utf-8") for path, text in state.get("changed", {}).items()}
        await branch(made, project, bench.write, encoded, message_of(made))
    # Last, because a caller that polls takes it for the end.
    made.count(bench.models.calls)
    made.status = status
    made.seconds = round(time.monotonic() - begun, 2)


async def run_to_its_end(changing: Changing, made: Change) -> tuple[ChangeState, str]:
    """The final state of a change, and the reason if it ended early. The record follows each step."""
    state: ChangeState = {}
    try:
        async for now in compile_graph().astream({}, context=changing, stream_mode="values"):
            state = now
            made.plan, made.attempts = state.get("plan"), state.get("attempts", [])
    except BudgetSpent as spent:
        return state, f"Ended early: {spent}."
    except ModelUnavailable as error:
        if made.plan is None:
            raise
        return state, f"Ended early, because no model answered: {error}."
    return state, ""


async def branch(made: Change, project: Project, write: Hands, changed: dict[str, bytes], message: str) -> None:
    """Commit changed files on a branch of the change. A repository that cannot be written keeps its patch.

    Once begun, it is finished: a cancellation meanwhile comes too late, and the record names the branch.
    """
    assert made.commit is not None
    name = f"blendproof/{made.id}"
    try:
        made.branch = await finished(write(commit_on_branch, project.root, made.commit, name, changed, message))
    except InvalidRequest as error:
        made.note = f"{made.note} There is no branch: {error}".strip()


async def finished(work: Awaitable[Answer]) -> Answer:
    """The result of work that goes on to its end if it is cancelled."""
    doing = asyncio.ensure_future(work)
    while not doing.done():
        try:
            await asyncio.wait([doing])
        except asyncio.CancelledError:
            if task := asyncio.current_task():
                task.uncancel()
    return doing.result()


def plan_for(commit: CommitFiles, bench: Bench) -> TestPlan | None:
    """The plan of the tests; None if registering is the only test. Raises ChangeRefused and TestsRefused."""
    if commit.wanted is not None:
        return plan_of(commit.wanted, bench.blenders, None)
    if bench.register is None:
        raise ChangeRefused(
            "The repository has no tests: write one first, because tests are the evidence for a change.",
            "For an add-on, name the Blenders to register it on: that is a test too.",
        )
    return None


def texts_of(files: Mapping[str, bytes]) -> dict[str, str]:
    """The files that may be changed: those that are UTF-8, without secrets."""
    texts: dict[str, str] = {}
    for path, content in files.items():
        if not is_secret(path) and b"\0" not in content:
            try:
                texts[path] = content.decode("utf-8")
            except UnicodeDecodeError:
                continue
    return texts


def narrowed(command: Sequence[str], files: Mapping[str, bytes], only: Sequence[str]) -> tuple[str, ...]:
    """A command of pytest for some files: its options, without the files and folders that it names."""
    words = list(command[:3])
    for before, word in itertools.pairwise(command[2:]):
        path = word.partition("::")[0].removeprefix("./").rstrip("/")
        is_place = path in ("", ".") or path in files or any(name.startswith(f"{path}/") for name in files)
        if not is_place or before in VALUED or (before.startswith("--") and "=" not in before):
            words.append(word)
    return (*words, *only)


def runner(bench: Bench, plan: TestPlan | None) -> Run:
    """Run all tests, or those in some files if pytest runs them. Registering counts as a test of all files."""

    async def run(files: Mapping[str, bytes], only: Sequence[str]) -> SuiteRun:
        done = NOTHING
        if plan is not None:
            suite = plan.suite
            if only and suite.kind == "pytest":
                suite = replace(suite, command=narrowed(suite.command, files, only))
            done = await run_tests(replace(plan, suite=suite), files, bench.sandbox, bench.readers)
        if bench.register is None or only:
            return done
        more = await bench.register(files)
        passed = done.passed and all(result.outcome == "passed" for result in more)
        return replace(done, passed=passed, results=(*done.results, *more))

    return run


NOTHING: Final = SuiteRun(True, (), "", "", 0, 0.0)
"""The run of no tests."""


def conclude(made: Change, note: str, unreadable: Sequence[str]) -> Status:
    """The status of a change with its plan and attempts; its note and patch are written."""
    status, reason = verdict(made.plan, made.attempts)
    notes = [note, reason, *([f"Answers that could not be read: {unreadable[-1]}"] if unreadable else [])]
    made.note = " ".join(part for part in notes if part)
    made.patch = made.attempts[-1].patch if made.attempts else ""
    return status


def verdict(plan: Plan | None, attempts: Sequence[ChangeAttempt]) -> tuple[Status, str]:
    """The status of a change, and the reason."""
    if plan is None:
        return "failed", "The model gave no plan."
    if plan.kind == "read":
        return "nothing_to_change", "This is a question: `blendproof repo ask` answers it."
    if not attempts:
        return "failed", "There is no patch."
    last = attempts[-1]
    if not last.problem and last.evidence and last.review:
        return "accepted", ""
    if last.evidence is None:
        return "failed", f"No patch applies: {last.problem}."
    if last.evidence.broken:
        return "failed", f"The patch breaks tests: {last.problem}."
    return "proposal", f"Without the evidence it is a proposal: {last.problem or 'no model reviewed it'}."


def message_of(made: Change) -> str:
    """The message of the commit: the goal, the steps with their places, and the evidence."""
    plan, evidence = made.plan, made.attempts[-1].evidence
    assert plan is not None and evidence is not None
    goal = " ".join(plan.goal.split())
    lines = [goal if len(goal) <= 72 else f"{goal[:69]}...", ""]
    lines += [f"- {step.place + ': ' if step.place else ''}{' '.join(step.do.split())}" for step in plan.steps]
    lines += ["", *(f"Failed before and passes now: {test}" for test in evidence.mended)]
    return "\n".join(lines) + f"\nChange: {made.id}\n"
