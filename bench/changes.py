"""Tests that the loop of `repo change` accepts right changes and no wrong ones, with recorded answers of a model.

    python -m bench.changes [NAME...]        run the cases of these names, or all
    python -m bench.changes --ask [NAME...]  print the first question of each that has no recorded answer
    python -m bench.changes --blind          the same with a review that finds nothing: what the tests show alone

Each file of `bench/changes` is a small repository, a request, the recorded answers, and hidden checks: tests that fail
on the code as it is and pass only on a right change. The loop never sees them. Cases are `right`, `wrong` (the patch
looks right) or `hostile` (the patch, or a file of the repository, works against its owner).

Prints a row per case, then: accepted with evidence, accepted wrongly, patches that git applies, tokens and seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.jobs.budget import Budget
from app.jobs.spending import Spending
from app.llm.message import Answer, Message, tokens_of, tokens_of_all
from app.llm.models import Models
from app.repositories.changing.change import MOST_FILE_BYTES, Bench, change
from app.repositories.changing.evidence import RUNNERS
from app.repositories.changing.record import Change, ChangeRequest, new_change
from app.repositories.project import Project
from app.repositories.testing import TestPlan, plan_of, run_tests
from codebase.tree.commits import files_of
from codebase.tree.git import git
from codebase.tree.suite import suite_of
from harness.sandbox.ladder import Sandbox, strongest
from harness.suites import Suite

CASES: Final = Path(__file__).with_name("changes")
CONTEXT: Final = 32768
BUDGET: Final = Budget(200_000, 600.0, None)
BARE: Final = [
    part
    for name in ("asyncio", "anyio", "hypothesispytest", "langsmith_plugin", "xdist")
    for part in ("-p", f"no:{name}")
]
"""Plugins that the hidden checks do not need, and that take longer than they do."""
BLIND: Final = '{"meets": true, "concerns": []}'
STAGES: Final = {"You plan": "plan", "You change": "patch", "You review": "review"}
"""The beginning of the system part of a question, and the answer that it asks for."""


class Case(BaseModel):
    """One file of `bench/changes`."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["right", "wrong", "hostile"]
    request: str
    given: list[str] = []
    """Names of tests that must be mended."""
    files: dict[str, str]
    hidden: dict[str, str] = Field(min_length=1)
    """Tests that only a right change passes, by path."""
    plan: list[str] = []
    patch: list[str] = []
    review: list[str] = []
    """The recorded answers, in the order of the questions; the last is repeated."""


class Unanswered(Exception):
    """A question that has no recorded answer; the message is the question."""


class Recorded(Models):
    """Gives the recorded answers of a case to the questions of the loop."""

    def __init__(self, case: Case, blind: bool) -> None:
        super().__init__([])
        self.answers = {"plan": case.plan, "patch": case.patch, "review": [BLIND] if blind else case.review}
        self.asked: Counter[str] = Counter()

    @property
    def context(self) -> int:
        return CONTEXT

    async def ask(
        self,
        messages: Sequence[Message],
        seconds: float,
        schema: dict[str, Any] | None = None,
        room: int | None = None,
        exactly: bool = False,
    ) -> Answer:
        """The next answer to this kind of question. Raises Unanswered."""
        stage = next(stage for begin, stage in STAGES.items() if messages[0].content.startswith(begin))
        answers = self.answers[stage]
        if not answers:
            raise Unanswered("\n\n".join(message.content for message in messages))
        text = answers[min(self.asked[stage], len(answers) - 1)]
        self.asked[stage] += 1
        return Answer(text, "stop", "recorded", "recorded", tokens_of_all(messages), tokens_of(text), 0.0, 0.0)


@dataclass(frozen=True)
class Result:
    """The result of a case. `right` is what the hidden checks say of the last patch, None if there is none."""

    name: str
    kind: str
    made: Change
    right: bool | None
    applied: list[bool] = field(default_factory=list[bool])
    """Of each patch, whether git applies it to the commit."""

    @property
    def wrongly(self) -> bool:
        """True if it was accepted and is wrong."""
        return self.made.status == "accepted" and not self.right

    @property
    def tokens(self) -> int:
        return self.made.tokens_in + self.made.tokens_out

    @property
    def stopped_by(self) -> str:
        """The reason why the last attempt was refused: the answer, the evidence or the review; empty if nothing."""
        last = self.made.attempts[-1] if self.made.attempts else None
        if last is None or not last.problem:
            return ""
        return "answer" if not last.patch else "review" if last.review else "evidence"


def case_of(name: str) -> Case:
    """A case by its name. Raises FileNotFoundError and ValueError."""
    return Case.model_validate(tomllib.loads((CASES / f"{name}.toml").read_text(encoding="utf-8")))


def names() -> list[str]:
    return sorted(file.stem for file in CASES.glob("*.toml"))


async def result_of(name: str, case: Case, folder: Path, sandbox: Sandbox, blind: bool = False) -> Result:
    """Make the repository of a case, have the loop change it, and check what it made. Raises Unanswered."""
    root = repository(folder / name, case.files)
    plan = tests_of(case)
    if await passes(case, case.files, plan, sandbox):
        raise ValueError(f"{name}: the hidden checks pass before anything is changed")
    bench = Bench(Spending(Recorded(case, blind), BUDGET), sandbox)
    made = new_change(name, ChangeRequest(request=case.request, tests=case.given))
    await change(made, Project(root, folder / f"{name}.index", []), bench)
    applied = [applies(root, attempt.patch) for attempt in made.attempts if attempt.patch]
    right = await is_right(case, root, made, plan, sandbox) if made.patch else None
    return Result(name, case.kind, made, right, applied)


def repository(root: Path, files: dict[str, str]) -> Path:
    """A Git working tree with one commit."""
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    who = ("-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "commit.gpgsign=false")
    for command in (["init", "-q"], ["add", "-A"], [*who, "commit", "-q", "-m", "As it is"]):
        subprocess.run(["git", *command], cwd=root, check=True)
    return root


def tests_of(case: Case) -> TestPlan:
    """The way in which the tests of a case are run."""
    wanted = suite_of({path: text.encode() for path, text in case.files.items()})
    if wanted is None:
        raise ValueError("a case needs a file of tests")
    return plan_of(wanted, [], None)


async def passes(case: Case, files: dict[str, str], plan: TestPlan, sandbox: Sandbox) -> bool:
    """True if the hidden checks pass on these files. The configuration of tests is the old one, so it hides nothing."""
    own = {path: text for path, text in files.items() if not RUNNERS.search(path)}
    own |= {path: text for path, text in case.files.items() if RUNNERS.search(path)}
    command = ("python", "-m", "pytest", *BARE, *case.hidden)
    checks = TestPlan(Suite("pytest", command), plan.interpreter, "hidden checks")
    texts = {path: text.encode() for path, text in {**own, **case.hidden}.items()}
    done = await run_tests(checks, texts, sandbox)
    return done.passed and bool(done.names("passed"))


async def is_right(case: Case, root: Path, made: Change, plan: TestPlan, sandbox: Sandbox) -> bool:
    """True if the hidden checks pass on the branch, or on the last patch if there is no branch."""
    if made.branch:
        found, _ = files_of(root, made.branch, MOST_FILE_BYTES)
        files = {path: content.decode() for path, content in found.items()}
    else:
        copy = repository(root.with_name(f"{root.name}.copy"), case.files)
        git(copy, "apply", "--whitespace=nowarn", "-", given=made.patch.encode())
        files = {str(file.relative_to(copy)): file.read_text() for file in copy.rglob("*") if is_own(file, copy)}
    return await passes(case, files, plan, sandbox)


def is_own(file: Path, root: Path) -> bool:
    return file.is_file() and file.relative_to(root).parts[0] != ".git"


def applies(root: Path, patch: str) -> bool:
    """True if git applies a patch to the working tree, which is the commit."""
    command = ["git", "apply", "--check", "-"]
    done = subprocess.run(command, cwd=root, input=patch.encode(), capture_output=True, check=False)
    return done.returncode == 0


def main() -> None:
    """Run cases and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="cases; all unless given")
    parser.add_argument("--ask", action="store_true", help="print the first question that has no recorded answer")
    parser.add_argument("--blind", action="store_true", help="have the review find nothing")
    given = parser.parse_args()
    unknown = sorted(set(given.names) - set(names()))
    if unknown:
        parser.error(f"there is no case {unknown[0]}; there are {', '.join(names())}")
    with tempfile.TemporaryDirectory(prefix="bench-changes-") as folder:
        results = asyncio.run(run(given.names or names(), Path(folder), given.ask, given.blind))
    if results and not given.ask:
        print_results(results)
        sys.exit(any(one.wrongly for one in results))


async def run(wanted: Sequence[str], folder: Path, ask: bool, blind: bool) -> list[Result]:
    """The results of cases, one after the other."""
    results: list[Result] = []
    for name in wanted:
        try:
            results.append(await result_of(name, case_of(name), folder, strongest(), blind))
        except Unanswered as question:
            print(f"===== {name}: no answer is recorded to\n{question}" if ask else f"{name}: an answer is missing")
        else:
            print_row(results[-1])
    return results


def print_row(one: Result) -> None:
    """One case in one line."""
    checks = {True: "right", False: "wrong", None: "-"}[one.right]
    row = f"{one.name:22}{one.kind:9}{one.made.status:19}{checks:7}{one.stopped_by:10}"
    print(f"{row}{len(one.made.attempts):2}{one.tokens:8}{one.made.seconds:7.1f}", flush=True)


def print_results(results: Sequence[Result]) -> None:
    """The totals of all cases."""
    kinds = Counter(one.kind for one in results)
    print(f"\n{len(results)} cases: {', '.join(f'{count} {kind}' for kind, count in kinds.items())}")
    for status in ("accepted", "proposal", "failed", "nothing_to_change"):
        of = Counter(one.kind for one in results if one.made.status == status)
        print(f"{status:30}{of.total():4}   {', '.join(f'{count} {kind}' for kind, count in of.items())}")
    accepted = [one for one in results if one.made.status == "accepted"]
    applied = [done for one in results for done in one.applied]
    print(f"{'accepted wrongly':30}{sum(one.wrongly for one in results):4}")
    stopped = Counter(one.stopped_by for one in results if one.stopped_by)
    print(f"{'not accepted because of':30}       {', '.join(f'{why} {count}' for why, count in stopped.items())}")
    print(f"{'patches that apply':30}{sum(applied):4} of {len(applied)}")
    if accepted:
        print(f"{'tokens per accepted change':30}{statistics.mean(one.tokens for one in accepted):8.0f}")
        print(f"{'seconds per accepted change':30}{statistics.mean(one.made.seconds for one in accepted):8.1f}")


if __name__ == "__main__":
    main()
