"""Changes a repository: the loop, as a graph.

    retrieved passages ─> plan ─> patch ─> test ─> review ─> end
                            │       ^  │      │       │
                            v       └──┴──────┴───────┘  again, at most three rounds
                           end

The files are those of the last commit. Nothing is written to the working tree or its index: the tests run on copies in
the sandbox, and what is accepted is committed on a branch of its own.
"""

# LangGraph types its builder calls only in part.
# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from app.errors import InvalidRequest
from app.jobs.spending import Spending
from app.llm.message import Message, tokens_of
from app.llm.prompts import FilledPrompt, prompt
from app.repositories.changing.evidence import PatchTrial, gather
from app.repositories.changing.file_texts import Form, PatchResult, read_plan, read_review
from app.repositories.changing.record import ChangeAttempt, Plan
from app.repositories.hands import Hands
from app.repositories.project import TaskProblem
from app.repositories.questions import as_data, behind_bars, file_as_data
from codebase.ask.passages import Passage, PassageSelection

ROUNDS: Final = 3
MOST_SAID: Final = 4000
"""Characters of the output of tests that a model is shown."""
MOST_TYPES: Final = 20
SHARE_OF_FILES: Final = 2
"""The files to change get one part of this many of the window."""


class ChangeState(TypedDict, total=False):
    """The state of a change."""

    plan: Plan | None
    changed: dict[str, str]
    attempts: list[ChangeAttempt]
    done: bool


@dataclass
class Changing:
    """One change under way: its material and its tools."""

    request: str
    given: Sequence[str]
    """Names of tests that must be mended."""
    texts: dict[str, str]
    """The texts of the commit that may be changed, by path."""
    reading: PassageSelection
    trial: PatchTrial
    models: Spending
    patched: Callable[[str, str], Awaitable[PatchResult]]
    """Applies an answer to the texts."""
    reached: Callable[[Mapping[str, str]], Awaitable[list[str]]]
    """The files of the tests that reach the changed files."""
    lint: Callable[[Mapping[str, str]], Awaitable[list[str]]]
    """New findings of ruff in changed files."""
    types: Callable[[Mapping[str, str]], Awaitable[list[str]]]
    """New findings of mypy in changed files."""
    read: Hands
    """Reads answers, which are texts of a stranger."""
    say: Callable[[str], None]
    unreadable: list[str] = field(default_factory=list[str])

    async def ask(self, filled: FilledPrompt) -> tuple[str, str]:
        """The answer of a model, and how it finished. Raises ModelUnavailable and BudgetSpent."""
        answer = await self.models.ask([Message("system", filled.system), Message("user", filled.user)])
        return answer.text, answer.finish

    async def ask_for(self, read: Callable[[str], Form | TaskProblem], filled: FilledPrompt) -> Form | None:
        """An answer in a form, asked for at most twice; None if neither can be read."""
        for _ in range(2):
            text, _finish = await self.ask(filled)
            try:
                return await self.read(read, text)
            except InvalidRequest as error:
                self.unreadable.append(str(error))
        return None

    @property
    def room(self) -> int:
        """Tokens of a question."""
        return self.models.window


async def plan(state: ChangeState, runtime: Runtime[Changing]) -> ChangeState:
    """Have a model plan the change."""
    changing = runtime.context
    changing.say("planning")
    filled = prompt("planner").fill(
        structure=behind_bars(changing.reading.structure),
        passages="\n".join(map(as_data, fitting(changing.reading.passages, changing.room // 2))),
        tests=test_outcome(changing),
        request=changing.request,
    )
    plan_or_none = await changing.ask_for(read_plan, filled)
    return {"plan": plan_or_none, "attempts": [], "done": plan_or_none is None or plan_or_none.kind == "read"}


async def patch(state: ChangeState, runtime: Runtime[Changing]) -> ChangeState:
    """Have a model write the patch, and apply it to the files."""
    changing, attempts = runtime.context, state.get("attempts", [])
    number = len(attempts) + 1
    changing.say(f"attempt {number}: patching")
    text, finish = await changing.ask(question(changing, plan_in(state), attempts))
    try:
        made = await changing.patched(text, finish)
    except InvalidRequest as error:
        # The answer is too much for the process that reads it; a shorter one may not be.
        made = PatchResult({}, problem=str(error))
    attempt = ChangeAttempt(number=number, patch=made.patch, problem=made.problem)
    return {"changed": made.changed, "attempts": [*attempts, attempt]}


async def test(state: ChangeState, runtime: Runtime[Changing]) -> ChangeState:
    """Gather the evidence for the patch."""
    changing, attempts = runtime.context, state.get("attempts", [])
    changing.say(f"attempt {len(attempts)}: testing")
    changed = state.get("changed", {})
    reached, lint = await changing.reached(changed), await changing.lint(changed)
    encoded = {path: text.encode("utf-8") for path, text in changed.items()}
    evidence = await gather(changing.trial, plan_in(state).kind, encoded, reached, changing.given, lint)
    if not evidence.missing:
        evidence.types = await changing.types(changed)
    problem = "; ".join(evidence.missing)
    last = attempts[-1].model_copy(update={"evidence": evidence, "problem": problem})
    return {"attempts": [*attempts[:-1], last]}


async def review(state: ChangeState, runtime: Runtime[Changing]) -> ChangeState:
    """Have a model review a patch that has its evidence; it may only ask for another round."""
    changing, attempts = runtime.context, state.get("attempts", [])
    changing.say(f"attempt {len(attempts)}: reviewing")
    last = attempts[-1]
    mended = ", ".join(last.evidence.mended if last.evidence else [])
    filled = prompt("reviewer").fill(
        request=changing.request,
        plan=plan_in(state).model_dump_json(),
        patch=behind_bars(last.patch),
        tests=f"failed before and pass now: {mended or 'none'}; none broke{new_type_findings(last)}",
    )
    opinion = await changing.ask_for(read_review, filled)
    rejected = opinion is not None and not opinion.meets
    problem = ""
    if opinion and rejected:
        problem = f"the review: {'; '.join(opinion.concerns) or 'it does not meet the request'}"
    return {"attempts": [*attempts[:-1], last.model_copy(update={"review": opinion, "problem": problem})]}


def after_plan(state: ChangeState) -> str:
    return END if state.get("done") else "patch"


def after_patch(state: ChangeState) -> str:
    return next_round(state) if state.get("attempts", [])[-1].problem else "test"


def after_test(state: ChangeState) -> str:
    return next_round(state) if state.get("attempts", [])[-1].problem else "review"


def next_round(state: ChangeState) -> str:
    """Another round if there is a problem and a round is left."""
    attempts = state.get("attempts", [])
    return "patch" if attempts[-1].problem and len(attempts) < ROUNDS else END


def compile_graph() -> Any:
    """The graph."""
    graph = StateGraph(ChangeState, context_schema=Changing)
    graph.add_node("plan", plan)
    graph.add_node("patch", patch)
    graph.add_node("test", test)
    graph.add_node("review", review)
    graph.add_edge(START, "plan")
    graph.add_conditional_edges("plan", after_plan, ["patch", END])
    graph.add_conditional_edges("patch", after_patch, ["patch", "test", END])
    graph.add_conditional_edges("test", after_test, ["patch", "review", END])
    graph.add_conditional_edges("review", next_round, ["patch", END])
    return graph.compile()


def plan_in(state: ChangeState) -> Plan:
    plan_of_change = state.get("plan")
    assert plan_of_change is not None
    return plan_of_change


def question(changing: Changing, plan: Plan, attempts: Sequence[ChangeAttempt]) -> FilledPrompt:
    """The question for a patch: the files of the plan, whole if they fit, and other code if there is room."""
    room = changing.room // SHARE_OF_FILES
    files: list[str] = []
    for path in dict.fromkeys(plan.files):
        text = changing.texts.get(path)
        written = file_as_data(path, text) if text is not None else f"{path}: a new file"
        if tokens_of(written) <= room:
            room -= tokens_of(written)
            files.append(written)
        else:
            parts = [passage for passage in changing.reading.passages if passage.path == path]
            files += map(as_data, fitting(parts, room))
    others = [passage for passage in changing.reading.passages if passage.path not in plan.files]
    return prompt("patcher").fill(
        request=changing.request,
        plan=plan.model_dump_json(),
        files="\n".join(files),
        passages="\n".join(map(as_data, fitting(others, changing.room // 5))),
        tests=test_outcome(changing),
        before=last_failure(attempts),
    )


def fitting(passages: Sequence[Passage], room: int) -> list[Passage]:
    """As many passages as fit into `room` tokens, the best first."""
    kept: list[Passage] = []
    for passage in passages:
        room -= tokens_of(passage.text) + 40
        if room >= 0:
            kept.append(passage)
    return kept


def test_outcome(changing: Changing) -> str:
    """The outcome of the tests before the change, with the end of their output if some fail."""
    before = changing.trial.before
    failing = sorted(before.names("failed", "error"))
    output = f"\nThe end of their output:\n{behind_bars(before.output[-MOST_SAID:])}" if failing else ""
    return f"{before.said}{'; failing: ' if failing else ''}{', '.join(failing[:20])}{output}"


def new_type_findings(attempt: ChangeAttempt) -> str:
    """New findings of mypy, in words for a model."""
    findings = attempt.evidence.types[:MOST_TYPES] if attempt.evidence else []
    return (
        f". New findings of a type checker, which may be wrong:\n{behind_bars(chr(10).join(findings))}"
        if findings
        else ""
    )


def last_failure(attempts: Sequence[ChangeAttempt]) -> str:
    """The failure of the last attempt, in words for a model."""
    if not attempts:
        return ""
    last = attempts[-1]
    broken = f" Broken: {', '.join(last.evidence.broken[:20])}." if last.evidence and last.evidence.broken else ""
    return (
        f"Your attempt {last.number} did not do: {last.problem}.{broken}\nIts patch, against the files above:\n"
        f"{behind_bars(last.patch) or '(none)'}\nWrite the whole change again."
    )
