"""Asks models for one job, within its budget and on its record.

A job that was interrupted finds its earlier answers in the record, and does not pay for them again.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final

from app.jobs.budget import Budget
from app.jobs.run import ModelCall, SentMessage
from app.llm.message import Answer, Message
from app.llm.models import Models
from harness import tracing

ASK_S: Final = 600.0
"""Seconds that one question may take."""
VARYING: Final = re.compile(r"\b\d+\.\d+ ?s(?:econds)?\b|\b0x[0-9a-f]{6,}\b")
"""The parts of the output of tests that differ when they are run again: durations and addresses."""

ON_RECORD: Final = tuple(field.name for field in fields(Answer) if field.name in ModelCall.model_fields)
"""The facts of an answer that are on record besides its text."""


async def keep_no_record(_call: ModelCall) -> None:
    """Keep a call nowhere, because no job is asked for."""


@dataclass
class Spending:
    """The models of one job. `record` writes a call down; `earlier` are those of the job before it was interrupted."""

    models: Models
    budget: Budget
    talk: str = ""
    record: Callable[[ModelCall], Awaitable[None]] = keep_no_record
    earlier: Sequence[ModelCall] = ()
    calls: list[ModelCall] = field(default_factory=list[ModelCall])
    """The calls of this job, with those that were made before."""

    def __post_init__(self) -> None:
        self.calls += self.earlier
        self._unused = list(self.earlier)

    def __bool__(self) -> bool:
        return bool(self.models)

    @property
    def window(self) -> int:
        """Tokens of a question."""
        return self.models.window

    @property
    def context(self) -> int:
        """Tokens of a question and its answer."""
        return self.models.context

    async def ask(
        self,
        messages: Sequence[Message],
        seconds: float = ASK_S,
        schema: dict[str, Any] | None = None,
        room: int | None = None,
        exactly: bool = False,
    ) -> Answer:
        """The answer of a model, as `Models.ask` gives it. Raises ModelUnavailable and BudgetSpent."""
        sent = [SentMessage(role=message.role, content=message.content) for message in messages]
        for call in self._unused:
            if same(call.sent, sent):
                self._unused.remove(call)
                return answer_of(call)
        left_s = min(self.budget.seconds_left(self.calls), seconds)
        number = len(self.calls) + 1
        with tracing.span("model", {"blendproof.step": f"question {number}"}):
            answer = await self.models.ask(messages, left_s, schema, room, exactly)
        call = call_of(answer, number, self.talk, f"question {number}", "", sent)
        self.calls.append(call)
        await self.record(call)
        return answer


def same(before: Sequence[SentMessage], now: Sequence[SentMessage]) -> bool:
    """True if two questions differ at most in durations and addresses."""

    def said(messages: Sequence[SentMessage]) -> list[tuple[str, str]]:
        return [(message.role, VARYING.sub("", message.content)) for message in messages]

    return said(before) == said(now)


def call_of(answer: Answer, number: int, talk: str, step: str, prompt: str, sent: list[SentMessage]) -> ModelCall:
    """The record of a question with its answer."""
    said = {name: getattr(answer, name) for name in ON_RECORD}
    return ModelCall(number=number, talk=talk, step=step, prompt=prompt, sent=sent, answer=answer.text, **said)


def answer_of(call: ModelCall) -> Answer:
    """The answer that was recorded."""
    return Answer(call.answer, **{name: getattr(call, name) for name in ON_RECORD})
