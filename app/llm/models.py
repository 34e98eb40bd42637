"""Asks models, at any server with the OpenAI interface; one client for the whole service.

question ─> fits the window? ─> provider 1 ── down ──> provider 2 ── ... ──> ModelUnavailable
                 │                 │ endpoint.py, the address with the fewest questions under way first,
                 │                 │ and another one too if it takes long and the provider hedges
                 v                 v
    kept for the same question? ─> Answer: text, tokens, seconds, cost
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

import structlog

from app.llm.kept import KeptAnswers, ModelQuestion
from app.llm.message import (
    Answer,
    EndpointFailed,
    Message,
    ModelUnavailable,
    QuestionTooLong,
    answer_room,
    tokens_of_all,
)
from app.llm.providers import Provider

if TYPE_CHECKING:
    from app.llm.endpoint import Endpoint

log = structlog.get_logger()

REACH_S: Final = 5.0


class ModelAccount(Protocol):
    """Receives the counts of questions to models."""

    def model_answered(self, provider: str, tokens_in: int, tokens_out: int, seconds: float, cost: float) -> None:
        """A model gave an answer."""

    def model_failed(self, provider: str) -> None:
        """A model gave no answer."""

    def model_spared(self, provider: str) -> None:
        """A model was not asked, because its answer to the same question was kept."""


class NoAnswer(Exception):
    """One address gave no answer; the message says which and why."""


class Models:
    """The configured providers, in the order in which they are tried. Without any, no model is ever asked."""

    def __init__(
        self, providers: Sequence[Provider], account: ModelAccount | None = None, kept: KeptAnswers | None = None
    ) -> None:
        self._account = account
        self._kept = kept
        self._providers = providers
        self._endpoints = [open_endpoint(address) for provider in providers for address in provider.each()]

    def __bool__(self) -> bool:
        return bool(self._endpoints)

    @property
    def window(self) -> int:
        """Tokens of the smallest window among the providers, minus the room for the answer."""
        return self.context - answer_room(self.context)

    @property
    def sees(self) -> bool:
        """True if every model takes pictures."""
        return all(endpoint.provider.images for endpoint in self._endpoints)

    @property
    def small(self) -> bool:
        """True if one of the models is weak."""
        return any(endpoint.provider.small for endpoint in self._endpoints)

    def states(self) -> list[tuple[str, str | None]]:
        """Each provider with its model, and the problem of the last question to it, or to each of its addresses."""
        return [(f"{provider.name} ({provider.model})", self._problem_of(provider)) for provider in self._providers]

    def _problem_of(self, provider: Provider) -> str | None:
        asked = [endpoint for endpoint in self._endpoints if endpoint.provider.name == provider.name]
        several = len(asked) > 1
        said = [
            f"{endpoint.provider.shown_url}: {endpoint.problem}" if several else endpoint.problem
            for endpoint in asked
            if endpoint.problem
        ]
        return "; ".join(said) or None

    @property
    def context(self) -> int:
        """Tokens of the smallest window among the providers, question and answer together."""
        return min(endpoint.provider.context for endpoint in self._endpoints)

    async def ask(
        self,
        messages: Sequence[Message],
        seconds: float,
        schema: dict[str, Any] | None = None,
        room: int | None = None,
        exactly: bool = False,
    ) -> Answer:
        """The answer of the first provider that gives one within `seconds`.

        `schema` asks for JSON of this form, at servers that support it. `room` is the most tokens of the answer;
        `exactly` asks for the likeliest words, which is a temperature of 0. Raises ModelUnavailable.
        """
        window = self.window if room is None else self.context - room
        if tokens_of_all(messages) > window:
            said = f"the question has about {tokens_of_all(messages)} tokens, and there is room for {window}"
            raise QuestionTooLong(said)
        question = ModelQuestion(messages, schema, room, exactly)
        begun = time.monotonic()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                if answer := await self._find(question):
                    return answer
        problems: list[str] = []
        asked: set[Endpoint] = set()
        for endpoint in self._in_turn(begun):
            remaining = seconds - (time.monotonic() - begun)
            if remaining <= 0:
                break
            if endpoint in asked:
                continue
            try:
                with endpoint.counted():
                    answer = await self._hedged(endpoint, question, remaining, asked)
            except NoAnswer as why:
                problems.append(str(why))
                continue
            if self._kept:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(seconds - (time.monotonic() - begun)):
                        await self._kept.keep(question, endpoint.provider, answer)
            return answer
        raise ModelUnavailable("; ".join(problems) or "no time was left")

    async def _hedged(
        self, endpoint: Endpoint, question: ModelQuestion, remaining: float, asked: set[Endpoint]
    ) -> Answer:
        """The answer of an address or, if it takes long and its provider hedges, of a quicker one.

        The addresses that were asked are added to `asked`. Raises NoAnswer.
        """
        asked.add(endpoint)
        begun, after = time.monotonic(), endpoint.provider.hedge_after_s
        first = asyncio.create_task(self._asked(endpoint, question, remaining))
        tasks = {first}
        with contextlib.ExitStack() as counted:
            try:
                done, _ = await asyncio.wait(tasks, timeout=after)
                if not done and (other := self._other(endpoint, asked)):
                    asked.add(other)
                    counted.enter_context(other.counted())
                    tasks.add(asyncio.create_task(self._asked(other, question, remaining - (time.monotonic() - begun))))
                while tasks:
                    done, tasks = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                    for task in done:
                        if not task.exception():
                            return task.result()
                return first.result()
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    def _other(self, endpoint: Endpoint, asked: set[Endpoint]) -> Endpoint | None:
        """Another address of the same provider that is up and has a free place, the one with the least to do."""
        now, name = time.monotonic(), endpoint.provider.name
        others = [endpoint for endpoint in self._endpoints if endpoint.provider.name == name and endpoint not in asked]
        free = [endpoint for endpoint in others if endpoint.down_until <= now and endpoint.has_place]
        return min(free, key=lambda endpoint: endpoint.under_way, default=None)

    async def _asked(self, endpoint: Endpoint, question: ModelQuestion, remaining: float) -> Answer:
        """The answer of one address within this many seconds. Raises NoAnswer."""
        placed = False
        try:
            async with asyncio.timeout(remaining), endpoint.place():
                placed = True
                answer = await endpoint.ask(question.messages, question.schema, question.room, question.exactly)
        except TimeoutError:
            if not placed:
                # That is this service's own limit, and no fault of the provider.
                said = f"{endpoint.provider.name}: no place was free within the {remaining:.0f} s that were left"
                raise NoAnswer(said) from None
            endpoint.fail(f"it did not answer within the {remaining:.0f} s that were left")
        except EndpointFailed as error:
            endpoint.fail(str(error))
        else:
            if self._account:
                used = (answer.tokens_in, answer.tokens_out, answer.seconds, answer.cost)
                self._account.model_answered(answer.provider, *used)
            return answer
        if self._account:
            self._account.model_failed(endpoint.provider.name)
        log.warning("model did not answer", provider=endpoint.provider.name, problem=endpoint.problem)
        raise NoAnswer(f"{endpoint.provider.name}: {endpoint.problem}")

    def _in_turn(self, now: float) -> list[Endpoint]:
        """The addresses in the order in which they are asked: of a provider, the one with the least to do first.

        Those that were just down come last, so that a run does not wait for them again and again.
        """
        rank = {provider.name: number for number, provider in enumerate(self._providers)}
        return sorted(
            self._endpoints,
            key=lambda endpoint: (endpoint.down_until > now, rank[endpoint.provider.name], endpoint.under_way),
        )

    async def _find(self, question: ModelQuestion) -> Answer | None:
        """The answer that was kept for the same question, of the first provider that gave one."""
        for provider in self._providers if self._kept else ():
            if self._kept and (answer := await self._kept.find(question, provider)):
                if self._account:
                    self._account.model_spared(provider.name)
                return answer
        return None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_raised: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close every connection."""
        for endpoint in self._endpoints:
            await endpoint.close()
        if self._kept:
            self._kept.close()


async def problem_of(provider: Provider) -> str | None:
    """The problem of a provider, according to its list of models; None if it answers and has the model."""
    if provider.name == "scripted":
        return None
    endpoint = open_endpoint(provider)
    try:
        async with asyncio.timeout(REACH_S):
            return await endpoint.lacks()
    except TimeoutError:
        return f"{provider.shown_url} did not answer within {REACH_S:g} s"
    except EndpointFailed as error:
        return str(error)
    finally:
        await endpoint.close()


def open_endpoint(provider: Provider) -> Endpoint:
    """The provider, ready to be asked."""
    # Imported here, because the package takes a second to load, and a service without a model does not need it.
    from app.llm.endpoint import Endpoint

    return Endpoint(provider)
