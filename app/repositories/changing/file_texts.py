"""Tasks of a change on the texts of a repository: in a worker for the service, here for the command line."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Final, TypeVar

from pydantic import BeforeValidator, PlainSerializer

from app.llm.answers import AnswerUnusable, read_json
from app.repositories.changing.patch_answers import changed_by
from app.repositories.changing.record import Plan, Review
from app.repositories.project import Project, TaskProblem
from app.repositories.tasks import as_text, or_problem
from codebase.ask.finding import fresh_snapshot
from codebase.ask.relations import is_a_test
from codebase.errors import NotARepository, RepositoryError
from codebase.tree.commits import branch_off, entries_of, files_of
from codebase.tree.git import git
from codebase.tree.patches import check, patch_between
from codebase.tree.suite import SuiteSettings, suite_of

DEPTH: Final = 5
"""Most steps of the graph from a changed unit to a test."""
RUFF: Final = (sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--exit-zero", "--select=E9,F")
RUFF_S: Final = 30.0

Form = TypeVar("Form", Plan, Review)

Content = Annotated[
    bytes,
    PlainSerializer(lambda content: base64.b64encode(content).decode(), when_used="json"),
    BeforeValidator(lambda given: base64.b64decode(given) if isinstance(given, str) else given),
]
"""The bytes of a file, which JSON takes in base64."""


@dataclass(frozen=True)
class CommitFiles:
    """The files of the last commit by path, the others with the reason, and the settings of the test suite."""

    commit: str
    files: dict[str, Content]
    skipped: dict[str, str]
    wanted: SuiteSettings | None


@dataclass(frozen=True)
class PatchResult:
    """The files that an answer changes, whole by path, and their unified diff; or the problem of the answer."""

    changed: dict[str, str]
    patch: str = ""
    problem: str = ""


def files_of_commit(root: Path, most_file_bytes: int, most_bytes: int) -> CommitFiles | TaskProblem:
    """The files of the last commit, without those that are larger than `most_file_bytes`."""

    def read() -> CommitFiles:
        commit = commit_of(root)
        size = sum(size for *_, size in entries_of(root, commit) if 0 <= size <= most_file_bytes)
        if size > most_bytes:
            raise NotARepository(f"The files of {root.name} take {size >> 20} MB, and at most {most_bytes >> 20} fit.")
        contents, skipped = files_of(root, commit, most_file_bytes)
        return CommitFiles(commit, contents, skipped, suite_of(contents))

    return or_problem(read)


def commit_of(root: Path) -> str:
    """The commit that a change begins at. Raises NotARepository."""
    try:
        return git(root, "rev-parse", "--verify", "HEAD^{commit}").decode().strip()
    except RepositoryError as error:
        raise NotARepository(f"{root} is no Git repository with a commit, which a branch needs: {error}") from error


def apply_answer(answer: str, finish: str, texts: dict[str, str], closed: list[str]) -> PatchResult:
    """Apply the answer of a model to these texts. Nothing is written at or below paths that are `closed`: links,
    submodules, and files that were left out."""
    try:
        changed = changed_by(as_text(answer), finish, texts)
        if not changed:
            raise AnswerUnusable("the answer changes nothing: write files or functions as they are to be")
        for path in changed:
            see_that_it_is_open(path, closed)
        see_that_they_fit({*texts, *closed, *changed}, changed)
        return PatchResult(changed, unified_diff(texts, changed))
    except (AnswerUnusable, RepositoryError) as error:
        return PatchResult({}, problem=as_text(str(error)))


def read_plan(answer: str) -> Plan | TaskProblem:
    """The plan in an answer."""
    return in_form(answer, Plan)


def read_review(answer: str) -> Review | TaskProblem:
    """The review in an answer."""
    return in_form(answer, Review)


def in_form(answer: str, form: type[Form]) -> Form | TaskProblem:
    """An answer in a form."""
    try:
        return read_json(as_text(answer), form)
    except AnswerUnusable as error:
        return TaskProblem("AnswerUnusable", as_text(str(error)))


def see_that_it_is_open(path: str, closed: Collection[str]) -> None:
    """Raise AnswerUnusable if a path is closed, or below a closed one."""
    parents = {path, *map(str, PurePosixPath(path).parents)}
    if parents & set(closed):
        raise AnswerUnusable(f"{path} cannot be changed: it is a link, a submodule, below one of them, or was left out")


def see_that_they_fit(paths: Collection[str], changed: Collection[str]) -> None:
    """Raise AnswerUnusable if a changed path is a file where another has a folder, or the other way round."""
    folders = {str(parent): path for path in paths for parent in PurePosixPath(path).parents}
    for path in changed:
        if path in folders:
            raise AnswerUnusable(f"{path} cannot be a file: {folders[path]} is below it")
        above = next((str(parent) for parent in PurePosixPath(path).parents if str(parent) in paths), None)
        if above:
            raise AnswerUnusable(f"{path} cannot be written: {above} is a file")


def unified_diff(old: Mapping[str, str], changed: Mapping[str, str]) -> str:
    """The patch as a unified diff that git applies. Raises PatchDoesNotApply."""
    diff = "".join(patch_between(path, old.get(path), text) for path, text in sorted(changed.items()))
    before = {path: old[path].encode() for path in changed if path in old}
    check(diff, before, {path: text.encode() for path, text in changed.items()})
    return diff


def applies(patch: str, old: dict[str, bytes], new: dict[str, bytes]) -> bool | TaskProblem:
    """Check that git applies a patch to the old files and gets the new ones."""

    def see() -> bool:
        check(patch, old, new)
        return True

    return or_problem(see)


def reaching(project: Project, changed: list[str]) -> list[str] | TaskProblem:
    """The files of the tests from which the graph leads to changed files."""

    def follow() -> list[str]:
        snapshot, _ = fresh_snapshot(project.root, project.folder)
        files: list[int] = snapshot.unit_file.tolist()
        starts = [unit for unit, file in enumerate(files) if snapshot.paths[file] in changed]
        steps = snapshot.graph.tests(starts, DEPTH, lambda unit: is_a_test(snapshot, unit)) if starts else []
        return sorted({as_text(snapshot.paths[files[step.unit]]) for step in steps})

    return or_problem(follow)


def new_findings(old: dict[str, str], changed: dict[str, str]) -> list[str]:
    """Findings of ruff in changed Python files that were not there before."""
    findings: list[str] = []
    for path, text in changed.items():
        if path.endswith(".py"):
            new = ruff(text) - ruff(old.get(path, ""))
            findings += [f"{path}: {remark}" for remark in new.elements()]
    return findings


def ruff(text: str) -> Counter[str]:
    """The findings of ruff in a text: undefined names, unused imports, and the like."""
    command = (*RUFF, "--output-format=json", "--stdin-filename=text.py", "-")
    try:
        done = subprocess.run(command, input=text.encode("utf-8"), capture_output=True, timeout=RUFF_S, check=False)
    except subprocess.TimeoutExpired:
        return Counter([f"ruff does not end within {RUFF_S:g} s"])
    rows: list[dict[str, Any]] = json.loads(done.stdout or b"[]")
    return Counter(f"{row['code']} {row['message']}" for row in rows)


def commit_on_branch(root: Path, commit: str, name: str, changed: dict[str, bytes], message: str) -> str | TaskProblem:
    """Commit changed files on a new branch; returns its name."""
    return or_problem(lambda: branch_off(root, commit, name, changed, message))
