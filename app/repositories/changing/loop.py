"""Changes a repository: the loop, as a graph.

    what was retrieved ─> plan ─> patch ─> test ─> review ─> end
                            │       ^  │      │       │
                            v       └──┴──────┴───────┘  again, at most three rounds
                           end

The files are those of the last commit. Nothing is written to the working tree or its index: the tests run on copies in
the sandbox, and what is accepted is committed on a branch of its own.
"""

# LangGraph types its builder calls only in part.
# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from app.errors import InvalidRequest
from app.llm.message import Message, tokens_of
from app.llm.prompts import FilledPrompt, prompt
from app.repositories.changing.evidence import Trial, gather
from app.repositories.changing.file_texts import Form, Patched, read_plan, read_review
from app.repositories.changing.record import ChangeAttempt, Plan
from app.repositories.changing.spending import Spending
from app.repositories.hands import Hands
from app.repositories.questions import as_data, quoted
from app.repositories.tasks import Problem
from codebase.ask.passages import Passage, PassageSelection

ROUNDS: Final = 3
MOST_SAID: Final = 4000
"""Characters of the output of tests that a model is shown."""
MOST_TYPES: Final = 20
SHARE_OF_FILES: Final = 2
"""One part of so many of the window is for the files to change."""


class State(TypedDict, total=False):
    """Where a change stands."""

    plan: Plan | None
    changed: dict[str, str]
    attempts: list[ChangeAttempt]
    done: bool


@dataclass
class Changing:
    """One change under way: what it works on, and what was used."""

    request: str
    given: Sequence[str]
    """Names of tests that must be mended."""
    texts: dict[str, str]
    """The texts of the commit that may be changed, by path."""
    reading: PassageSelection
    trial: Trial
    models: Spending
    patched: Callable[[str, str], Awaitable[Patched]]
    """What an answer makes of the texts."""
    reached: Callable[[Mapping[str, str]], Awaitable[list[str]]]
    """The files of the tests that what is touched leads to."""
    lint: Callable[[Mapping[str, str]], Awaitable[list[str]]]
    """New findings of ruff in changed files."""
    types: Callable[[Mapping[str, str]], Awaitable[list[str]]]
    """New findings of mypy in changed files."""
    read: Hands
    """Reads answers, which are texts of a stranger."""
    say: Callable[[str], None]
    told: list[str] = field(default_factory=list[str])

    async def ask(self, filled: FilledPrompt) -> tuple[str, str]:
        """The answer of a model, and how it finished. Raises ModelUnavailable and BudgetSpent."""
        answer = await self.models.ask([Message("system", filled.system), Message("user", filled.user)])
        return answer.text, answer.finish

    async def ask_for(self, read: Callable[[str], Form | Problem], filled: FilledPrompt) -> Form | None:
        """An answer in a form, asked for twice at most; None if neither can be read."""
        for _ in range(2):
            text, _finish = await self.ask(filled)
            try:
                return await self.read(read, text)
            except InvalidRequest as error:
                self.told.append(str(error))
        return None

    @property
    def room(self) -> int:
        """Tokens of a question."""
        return self.models.window


async def plan(state: State, runtime: Runtime[Changing]) -> State:
    """Have a model say what it means to do."""
    changing = runtime.context
    changing.say("planning")
    filled = prompt("planner").fill(
        structure=quoted(changing.reading.structure),
        passages="\n".join(map(as_data, fitting(changing.reading.passages, changing.room // 2))),
        tests=told_of_tests(changing),
        request=changing.request,
    )
    found = await changing.ask_for(read_plan, filled)
    return {"plan": found, "attempts": [], "done": found is None or found.kind == "read"}


async def patch(state: State, runtime: Runtime[Changing]) -> State:
    """Have a model write the patch, and see what it makes of the files."""
    changing, attempts = runtime.context, state.get("attempts", [])
    number = len(attempts) + 1
    changing.say(f"attempt {number}: patching")
    text, finish = await changing.ask(question(changing, plan_in(state), attempts))
    try:
        made = await changing.patched(text, finish)
    except InvalidRequest as error:
        # It is too much for the process that reads it, and a shorter one may do.
        made = Patched({}, problem=str(error))
    attempt = ChangeAttempt(number=number, patch=made.patch, problem=made.problem)
    return {"changed": made.changed, "attempts": [*attempts, attempt]}


async def test(state: State, runtime: Runtime[Changing]) -> State:
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


async def review(state: State, runtime: Runtime[Changing]) -> State:
    """Have a model look at a patch that has its evidence; it may ask for another round, and for nothing else."""
    changing, attempts = runtime.context, state.get("attempts", [])
    changing.say(f"attempt {len(attempts)}: reviewing")
    last = attempts[-1]
    mended = ", ".join(last.evidence.mended if last.evidence else [])
    filled = prompt("reviewer").fill(
        request=changing.request,
        plan=plan_in(state).model_dump_json(),
        patch=quoted(last.patch),
        tests=f"failed before and pass now: {mended or 'none'}; none broke{told_of_types(last)}",
    )
    said = await changing.ask_for(read_review, filled)
    rejected = said is not None and not said.meets
    problem = f"the review: {'; '.join(said.concerns) or 'it does not meet the request'}" if said and rejected else ""
    return {"attempts": [*attempts[:-1], last.model_copy(update={"review": said, "problem": problem})]}


def after_plan(state: State) -> str:
    return END if state.get("done") else "patch"


def after_patch(state: State) -> str:
    return next_round(state) if state.get("attempts", [])[-1].problem else "test"


def after_test(state: State) -> str:
    return next_round(state) if state.get("attempts", [])[-1].problem else "review"


def next_round(state: State) -> str:
    """Another round if there is a problem and one is left."""
    attempts = state.get("attempts", [])
    return "patch" if attempts[-1].problem and len(attempts) < ROUNDS else END


def compiled() -> Any:
    """The graph."""
    graph = StateGraph(State, context_schema=Changing)
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


def plan_in(state: State) -> Plan:
    found = state.get("plan")
    assert found is not None
    return found


def question(changing: Changing, plan: Plan, attempts: Sequence[ChangeAttempt]) -> FilledPrompt:
    """What a model is asked for a patch: the files of the plan, whole if they fit, and other code if there is room."""
    room = changing.room // SHARE_OF_FILES
    files: list[str] = []
    for path in dict.fromkeys(plan.files):
        text = changing.texts.get(path)
        written = f"<file path={json.dumps(path)}>\n{text}</file>" if text is not None else f"{path}: a new file"
        if tokens_of(written) <= room:
            room -= tokens_of(written)
            files.append(written)
        else:
            parts = [one for one in changing.reading.passages if one.path == path]
            files += map(as_data, fitting(parts, room))
    others = [one for one in changing.reading.passages if one.path not in plan.files]
    return prompt("patcher").fill(
        request=changing.request,
        plan=plan.model_dump_json(),
        files="\n".join(files),
        passages="\n".join(map(as_data, fitting(others, changing.room // 5))),
        tests=told_of_tests(changing),
        before=told_of(attempts),
    )


def fitting(passages: Sequence[Passage], room: int) -> list[Passage]:
    """As many passages as so many tokens hold, the best first."""
    kept: list[Passage] = []
    for one in passages:
        room -= tokens_of(one.text) + 40
        if room >= 0:
            kept.append(one)
    return kept


def told_of_tests(changing: Changing) -> str:
    """How the tests end as they are, with what they print of failures."""
    before = changing.trial.before
    failing = sorted(before.names("failed", "error"))
    output = f"\nThe end of their output:\n{quoted(before.output[-MOST_SAID:])}" if failing else ""
    return f"{before.said}{'; failing: ' if failing else ''}{', '.join(failing[:20])}{output}"


def told_of_types(attempt: ChangeAttempt) -> str:
    """What mypy finds now and did not find before."""
    found = attempt.evidence.types[:MOST_TYPES] if attempt.evidence else []
    return f". New findings of a type checker, which may be wrong:\n{quoted(chr(10).join(found))}" if found else ""


def told_of(attempts: Sequence[ChangeAttempt]) -> str:
    """What became of the attempts before."""
    if not attempts:
        return ""
    last = attempts[-1]
    broken = f" Broken: {', '.join(last.evidence.broken[:20])}." if last.evidence and last.evidence.broken else ""
    return (
        f"Your attempt {last.number} did not do: {last.problem}.{broken}\nIts patch, against the files above:\n"
        f"{quoted(last.patch) or '(none)'}\nWrite the whole change again."
    )
