"""The conversations of one run with models: append-only talks, each answer within the budget of the run and on record.

    prompt ─> Talk.ask ─> earlier messages of this talk + the new ones ─> Models ─> answer ─> record

A run that was interrupted finds earlier answers in its record, and does not ask twice.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pydantic import BaseModel

from app.jobs.budget import Budget
from app.jobs.progress import Progress
from app.jobs.run import ModelCall, SentMessage
from app.jobs.spending import call_of
from app.llm.answers import AnswerUnusable, CodeAnswer, read_json
from app.llm.message import Message, ModelUnavailable, tokens_of_all
from app.llm.models import Models
from app.llm.prompts import FilledPrompt
from harness import tracing
from harness.readers import Readers, ReadingFailed

if TYPE_CHECKING:
    from app.jobs.tables import JobStore

Form = TypeVar("Form", bound=BaseModel)
Read = TypeVar("Read")

UNUSABLE: Final = "That answer cannot be used: {}. Answer again, in the form that was asked for."


@dataclass(frozen=True)
class Talks:
    """The talks of one run."""

    run_id: str
    models: Models
    runs: JobStore
    progress: Progress
    readers: Readers
    budget: Budget

    async def ask(
        self,
        talk: str,
        step: str,
        filled: FilledPrompt,
        read: Callable[[str, str], Awaitable[Read]],
        pictures: Sequence[Path] = (),
        schema: dict[str, Any] | None = None,
    ) -> Read:
        """The result of `read` for the answer and the reason of its end; after AnswerUnusable it is asked once more.

        Raises AnswerUnusable for the second, ModelUnavailable, and BudgetSpent.
        """
        call = await self._ask(talk, step, filled, filled.user, pictures, schema)
        try:
            return await read(call.answer, call.finish)
        except AnswerUnusable as problem:
            again = await self._ask(talk, f"{step}, again", filled, UNUSABLE.format(problem), (), schema)
            return await read(again.answer, again.finish)

    async def ask_for_code(
        self,
        talk: str,
        step: str,
        filled: FilledPrompt,
        read: Callable[..., CodeAnswer],
        *more: object,
        pictures: Sequence[Path] = (),
    ) -> CodeAnswer:
        """The same for a snippet, which a reader looks for: `read` gets the answer, its `finish`, and `more`."""

        async def read_apart(answer: str, finish: str) -> CodeAnswer:
            try:
                said = await self.readers.ask(read, answer, finish, *more)
            except ReadingFailed as why:
                raise AnswerUnusable(f"the answer cannot be read: {why}") from None
            if said.problem:
                raise AnswerUnusable(said.problem)
            return said

        return await self.ask(talk, step, filled, read_apart, pictures)

    async def ask_for_json(
        self, talk: str, step: str, filled: FilledPrompt, form: type[Form], pictures: Sequence[Path] = ()
    ) -> Form:
        """The same for a small JSON object."""

        async def read(answer: str, _finish: str) -> Form:
            return read_json(answer, form)

        return await self.ask(talk, step, filled, read, pictures, form.model_json_schema())

    async def _ask(
        self,
        talk: str,
        step: str,
        filled: FilledPrompt,
        text: str,
        pictures: Sequence[Path],
        schema: dict[str, Any] | None,
    ) -> ModelCall:
        calls = await self.runs.records(self.run_id, ModelCall)
        earlier = [call for call in calls if call.talk == talk]
        asked = SentMessage(role="user", content=text, pictures=[path.name for path in pictures])
        sent = [asked] if earlier else [SentMessage(role="system", content=filled.system), asked]
        for call in earlier:
            if call.step == step and call.sent[-1] == asked:
                return call
        seconds = self.budget.seconds_left(calls)
        history = [message for call in earlier for message in messages_of(call)]
        new = [Message(message.role, message.content) for message in sent[:-1]]
        new.append(Message("user", text, tuple(pictures)))
        await self.progress.say(self.run_id, "model", step=step, state="asked")
        # Each question says all that it needs, but a complaint about an answer says nothing without that answer.
        needed = 1 if text == filled.user else 3
        try:
            with tracing.span("model", {"blendproof.step": step}):
                answer = await self.models.ask(in_window([*history, *new], self.models.window, needed), seconds, schema)
        except ModelUnavailable as problem:
            await self.progress.say(self.run_id, "model", step=step, state="failed", problem=str(problem))
            raise
        call = call_of(answer, len(calls) + 1, talk, step, filled.identity, sent)
        await self.runs.add_call(self.run_id, call)
        await self.progress.say(
            self.run_id,
            "model",
            step=step,
            state="answered",
            provider=call.provider,
            model=call.model,
            tokens_in=call.tokens_in,
            tokens_out=call.tokens_out,
            seconds=call.seconds,
            cached=call.cached,
        )
        return call


def messages_of(call: ModelCall) -> list[Message]:
    """The messages that a recorded call adds to its talk; pictures are not sent a second time."""
    return [*(Message(message.role, message.content) for message in call.sent), Message("assistant", call.answer)]


def in_window(messages: list[Message], window: int, needed: int = 1) -> list[Message]:
    """The messages without the oldest questions, each with its answer, that do not fit; the system's and the last
    `needed` ones stay.
    """
    kept = list(messages)
    while len(kept) > 1 + needed and tokens_of_all(kept) > window:
        del kept[1:3]
    return kept
