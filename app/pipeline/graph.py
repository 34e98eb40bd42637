"""The loop of a run.

    retrieve ─> draft ─> screen ─┬─> check ───┬─> judge ─> heal ─┬─> matrix ─┬─> publish ─> end
                  │        ^     └─> execute ─┘     ^       │    │           └─> end
                  v        │     └── forbidden ─────┘       │    └─> publish or end
                 end       └─────────── healed ─────────────┘
               (refused)

`check` and `execute` run at the same time and `judge` waits for both. `matrix` is for runs with `verify_on`; in a
portable run it stands between `judge` and `heal`. Of a run with several `variants`, `heal` goes back to `draft` until
all are judged. The graph is made in this module only; its nodes are plain functions,
in `drafting.py`, `judging.py`, `healing.py`, `matrix.py`, and the others in `nodes.py`. A checkpoint is on disk before
each step begins, so a run goes on after a crash at the step where it was: a step that had not ended is done again.
"""

# LangGraph types its builder calls only in part.
# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from typing import Any, ParamSpec, TypeVar, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import START, StateGraph
from langgraph.types import RetryPolicy

from app.jobs.request import MOST_ATTEMPTS
from app.pipeline import nodes
from app.pipeline.context import RunContext
from app.pipeline.drafting import draft
from app.pipeline.healing import RULE_HEALINGS, heal
from app.pipeline.judges import may_pass
from app.pipeline.judging import judge
from app.pipeline.matrix import judge_matrix
from app.pipeline.state import State, first_state
from harness import tracing

Given = ParamSpec("Given")
Update = TypeVar("Update")

STEPS = 10 + 5 * (1 + MOST_ATTEMPTS) * (1 + RULE_HEALINGS)
"""More steps than the longest run takes: five for each attempt, and each one by a model may be healed by rules."""


class RunGraph:
    """The compiled graph over an open store of checkpoints."""

    def __init__(self, saver: BaseCheckpointSaver[Any]) -> None:
        graph = StateGraph(State, context_schema=RunContext)
        graph.add_node("retrieve", traced(nodes.retrieve))
        graph.add_node("draft", traced(draft))
        graph.add_node("screen", traced(nodes.screen))
        graph.add_node("check", traced(nodes.check))
        # A fault of ours gets one more try before the run is given up.
        again = RetryPolicy(max_attempts=2, retry_on=may_pass)
        graph.add_node("execute", traced(nodes.execute), retry_policy=again)
        graph.add_node("judge", traced(judge))
        graph.add_node("heal", traced(heal))
        graph.add_node("matrix", traced(judge_matrix))
        graph.add_node("publish", traced(nodes.publish))
        graph.add_edge(START, "retrieve")
        self._saver = saver
        self._graph = graph.compile(checkpointer=self._saver)

    async def run(self, context: RunContext) -> State:
        """Take a run to its end, from its last checkpoint if it has one; answers where it stands then."""
        config: RunnableConfig = {"configurable": {"thread_id": context.run_id}, "recursion_limit": STEPS}
        before = await self._graph.aget_state(config)
        begun = "number" in before.values
        if before.created_at and not begun:
            # A service of an earlier release left a state of another form.
            await self.forget(context.run_id)
            await context.tools.runs.forget_attempts(context.run_id)
        start = None if begun else first_state()
        end: Any = await self._graph.ainvoke(start, config, context=context, durability="sync")
        return cast(State, end)

    async def last_checkpoint(self, run_id: str) -> str | None:
        """The id of the last checkpoint of a run; None if it has none."""
        checkpoint = await self._saver.aget_tuple({"configurable": {"thread_id": run_id}})
        return checkpoint.checkpoint["id"] if checkpoint else None

    async def forget(self, run_id: str) -> None:
        """Delete the checkpoints of a run that has ended."""
        await self._saver.adelete_thread(run_id)


def traced(step: Callable[Given, Awaitable[Update]]) -> Callable[Given, Awaitable[Update]]:
    """The node with a span per call. LangGraph reads its annotations, which stay."""

    @functools.wraps(step)
    async def do(*given: Given.args, **named: Given.kwargs) -> Update:
        with tracing.span(f"step {step.__name__}"):
            return await step(*given, **named)

    return do
