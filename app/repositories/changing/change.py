"""Begins a change, keeps what came of it, and commits what is accepted on a branch of its own."""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from app.errors import InvalidRequest, NotFound
from app.llm.client import Models
from app.repositories.changing.evidence import Run, Trial
from app.repositories.changing.loop import Changing, Spent, State, compiled
from app.repositories.changing.record import Change, ChangeAttempt, Plan, Status
from app.repositories.tasks import Problem, Project, read
from app.repositories.testing import TestPlan, run_tests
from codebase.commits import branch_off, files_of
from codebase.errors import RepositoryError
from codebase.finding import mended
from codebase.git import git
from codebase.relations import is_a_test
from codebase.secrets import is_secret
from codebase.snapshot import Snapshot
from harness.readers import Readers
from harness.sandbox.ladder import Sandbox
from harness.suites import SuiteRun

MOST_FILE_BYTES: Final = 1 << 20
MOST_PLACES: Final = 16
DEPTH: Final = 5
"""Steps of the graph from what is touched to a test."""
MOST_TOKENS: Final = 200_000
ASK_S: Final = 600.0
RUFF: Final = (sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--exit-zero", "--select=E9,F")


class ChangeRefused(InvalidRequest):
    code = "change_refused"
    hint = "See docs/repositories.md for what a change needs."


class ChangeNotFound(NotFound):
    code = "change_not_found"
    hint = "`blendproof repo change` prints the id of a change."


@dataclass(frozen=True)
class Bench:
    """What changes are made with."""

    models: Models
    plan: TestPlan
    sandbox: Sandbox
    readers: Readers | None = None
    say: Callable[[str], None] = lambda _what: None


async def change(
    name: str, project: Project, request: str, bench: Bench, given: Sequence[str] = (), branch: bool = True
) -> Change:
    """Change a repository as is asked. Raises ChangeRefused, ModelUnavailable, RepositoryError and HarnessFault."""
    begun = time.monotonic()
    commit = await asyncio.to_thread(commit_of, project.root)
    files, _ = await asyncio.to_thread(files_of, project.root, commit, MOST_FILE_BYTES)
    bench.say("running the tests as they are")
    run = runner(bench)
    trial = Trial(run, files, await run(files, ()))
    reading = await asyncio.to_thread(read, project, request, MOST_PLACES, bench.models.window * 2, [])
    if isinstance(reading, Problem):
        raise ChangeRefused(reading.message)
    texts = texts_of(files)
    changing = Changing(
        request=request,
        given=given,
        texts=texts,
        reading=reading,
        trial=trial,
        models=bench.models,
        seconds=ASK_S,
        most_tokens=MOST_TOKENS,
        reached=lambda changed: asyncio.to_thread(tests_reaching, project, set(changed), files),
        lint=lambda changed: new_findings(texts, changed),
        say=bench.say,
    )
    state, note = await taken_to_its_end(changing)
    made = record(name, request, commit, state, changing, note)
    if branch and made.status == "accepted":
        encoded = {path: text.encode("utf-8") for path, text in state.get("changed", {}).items()}
        made.branch = await asyncio.to_thread(
            branch_off, project.root, commit, f"blendproof/{made.id}", encoded, message_of(made)
        )
    made.seconds = round(time.monotonic() - begun, 2)
    keep(project.folder, made)
    return made


async def taken_to_its_end(changing: Changing) -> tuple[State, str]:
    """Where a change stands in the end, and why it ended early, if it did."""
    state: State = {}
    try:
        async for now in compiled().astream({}, context=changing, stream_mode="values"):
            state = now
    except Spent as spent:
        return state, f"Ended early: {spent}."
    return state, ""


def commit_of(root: Path) -> str:
    """The commit that a change begins at. Raises ChangeRefused."""
    try:
        return git(root, "rev-parse", "--verify", "HEAD^{commit}").decode().strip()
    except RepositoryError as error:
        raise ChangeRefused(f"{root} is no Git repository with a commit, which a branch needs: {error}") from error


def texts_of(files: Mapping[str, bytes]) -> dict[str, str]:
    """The files that may be changed: those that are UTF-8, without secrets."""
    found: dict[str, str] = {}
    for path, content in files.items():
        if not is_secret(path) and b"\0" not in content:
            try:
                found[path] = content.decode("utf-8")
            except UnicodeDecodeError:
                continue
    return found


def runner(bench: Bench) -> Run:
    """Runs all tests, or those in some files if pytest runs them."""

    async def run(files: Mapping[str, bytes], only: Sequence[str]) -> SuiteRun:
        suite = bench.plan.suite
        if only and suite.kind == "pytest":
            suite = replace(suite, command=(*suite.command[:3], *only))
        return await run_tests(replace(bench.plan, suite=suite), files, bench.sandbox, bench.readers)

    return run


def tests_reaching(project: Project, changed: set[str], files: Mapping[str, bytes]) -> list[str]:
    """The files of the tests from which the graph leads to what is touched, such as were there before."""
    snapshot, _ = mended(project.root, project.folder)
    starts = [unit for unit, file in enumerate(snapshot.unit_file.tolist()) if snapshot.paths[file] in changed]
    if not starts:
        return []
    steps = snapshot.graph.tests(starts, DEPTH, lambda unit: is_a_test(snapshot, unit))
    return sorted({path for step in steps if (path := path_of(snapshot, step.unit)) in files})


def path_of(snapshot: Snapshot, unit: int) -> str:
    return snapshot.paths[int(snapshot.unit_file[unit])]


async def new_findings(old: Mapping[str, str], changed: Mapping[str, str]) -> list[str]:
    """What ruff finds in changed Python files and did not find before."""
    found: list[str] = []
    for path, text in changed.items():
        if path.endswith(".py"):
            before, after = await ruff(old.get(path, "")), await ruff(text)
            found += [f"{path}: {remark}" for remark in (after - before).elements()]
    return found


async def ruff(text: str) -> Counter[str]:
    """The findings of ruff in a text: names that are not defined, imports that are not used, and the like."""
    command = (*RUFF, "--output-format=json", "--stdin-filename=text.py", "-")
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    said, _ = await process.communicate(text.encode("utf-8"))
    rows: list[dict[str, Any]] = json.loads(said or b"[]")
    return Counter(f"{row['code']} {row['message']}" for row in rows)


def record(name: str, request: str, commit: str, state: State, changing: Changing, note: str) -> Change:
    """What came of a change."""
    plan, attempts = state.get("plan"), state.get("attempts", [])
    status, why = verdict(plan, attempts)
    notes = [note, why, *([f"Answers that could not be read: {changing.told[-1]}"] if changing.told else [])]
    return Change(
        id=f"c-{secrets.token_hex(8)}",
        repository=name,
        request=request,
        commit=commit,
        status=status,
        plan=plan,
        attempts=attempts,
        branch=None,
        model=changing.model,
        tokens_in=changing.tokens_in,
        tokens_out=changing.tokens_out,
        seconds=0.0,
        note=" ".join(part for part in notes if part),
    )


def verdict(plan: Plan | None, attempts: Sequence[ChangeAttempt]) -> tuple[Status, str]:
    """What a change is, and why."""
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


def keep(folder: Path, made: Change) -> None:
    """Keep what came of a change in the folder of the index."""
    place = folder / "changes"
    place.mkdir(parents=True, exist_ok=True)
    unfinished = place / f".{made.id}.part"
    unfinished.write_text(made.model_dump_json(indent=1), encoding="utf-8")
    unfinished.replace(place / f"{made.id}.json")


def kept(folder: Path, id: str) -> Change:
    """A change that was made. Raises ChangeNotFound."""
    file = folder / "changes" / f"{id}.json"
    if not id.replace("-", "").isalnum() or not file.is_file():
        raise ChangeNotFound(f"There is no change {id}.")
    return Change.model_validate_json(file.read_bytes())
