"""Asks models, at any server that speaks the interface of OpenAI; one client for the whole service.

    question ─> fits the window? ─> provider 1 ── down ──> provider 2 ── ... ──> ModelUnavailable
                                       │ 429, 5xx: again after Retry-After, at most twice
                                       v
                                    Answer: text, tokens, seconds, cost

A key is used here and nowhere else: whatever a server says is cleared of it before anybody sees it.
"""

from __future__ import annotations

import asyncio
import base64
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import httpx2
import structlog
from openai import APIConnectionError, APIStatusError, APITimeoutError, AsyncOpenAI, OpenAIError
from pydantic import BaseModel, ValidationError

from app.llm.providers import Provider
from app.llm.scripted import ScriptedTransport
from app.metrics import Metrics

log = structlog.get_logger()

RETRIES: Final = 2
DOWN_S: Final = 30.0
"""A provider that did not answer is asked after the others for so long."""
PICTURE_TOKENS: Final = 1000
"""A picture of the sizes that we send counts as so many tokens; servers differ."""
CHARACTERS_A_TOKEN: Final = 3.0
"""Code has 3 to 4 characters a token; the lower figure errs on the safe side."""
ANSWER_TOKENS: Final = 8192
"""Tokens that are kept free for an answer; a quarter of a window that is smaller than four times that."""
SAID_LIMIT: Final = 300
REACH_S: Final = 5.0


class ModelUnavailable(Exception):
    """No model answered; the message says why, provider by provider."""


class QuestionTooLong(ModelUnavailable):
    """What must be asked does not fit the window of the model."""


@dataclass(frozen=True)
class Message:
    """One message of a conversation; pictures are paths of PNG files."""

    role: Literal["system", "user", "assistant"]
    content: str
    pictures: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Answer:
    """What a model answered. `finish` is the server's word for why it ended; `length` means cut off."""

    text: str
    finish: str
    provider: str
    model: str
    tokens_in: int
    tokens_out: int
    seconds: float
    cost: float


def tokens_of(text: str) -> int:
    """About how many tokens a text has; rather too many."""
    return int(len(text.encode()) / CHARACTERS_A_TOKEN) + 1


def tokens_of_all(messages: Sequence[Message]) -> int:
    """The same for messages, with a few tokens around each."""
    return sum(tokens_of(message.content) + 8 + PICTURE_TOKENS * len(message.pictures) for message in messages)


class Models:
    """The configured providers, in the order in which they are tried. With none, nothing is ever asked."""

    def __init__(self, providers: Sequence[Provider], metrics: Metrics | None = None) -> None:
        self._metrics = metrics or Metrics()
        self._endpoints = [_Endpoint(provider) for provider in providers]

    def __bool__(self) -> bool:
        return bool(self._endpoints)

    @property
    def window(self) -> int:
        """Tokens of the smallest window among the providers, the room for the answer taken off."""
        smallest = min(endpoint.provider.context for endpoint in self._endpoints)
        return smallest - answer_room(smallest)

    @property
    def sees(self) -> bool:
        """Whether every model takes pictures."""
        return all(endpoint.provider.images for endpoint in self._endpoints)

    def states(self) -> list[tuple[str, str | None]]:
        """Each provider with its model, and what was wrong when it was last asked."""
        return [(f"{one.provider.name} ({one.provider.model})", one.problem) for one in self._endpoints]

    async def ask(self, messages: Sequence[Message], seconds: float, schema: dict[str, Any] | None = None) -> Answer:
        """The answer of the first provider that gives one within `seconds`.

        `schema` asks for JSON of this form, at servers that can be asked for it. Raises ModelUnavailable.
        """
        if tokens_of_all(messages) > self.window:
            said = f"the question has about {tokens_of_all(messages)} tokens, and there is room for {self.window}"
            raise QuestionTooLong(said)
        problems: list[str] = []
        begun = time.monotonic()
        # Those that were down a moment ago come last, so that a run does not wait for them again and again.
        for endpoint in sorted(self._endpoints, key=lambda one: one.down_until > begun):
            left = seconds - (time.monotonic() - begun)
            if left <= 0:
                break
            try:
                async with asyncio.timeout(left):
                    answer = await endpoint.ask(messages, schema)
            except TimeoutError:
                endpoint.fail(f"it did not answer within the {left:.0f} s that were left")
            except _Failed as error:
                endpoint.fail(str(error))
            else:
                used = (answer.tokens_in, answer.tokens_out, answer.seconds, answer.cost)
                self._metrics.model_answered(answer.provider, *used)
                return answer
            self._metrics.model_failed(endpoint.provider.name)
            problems.append(f"{endpoint.provider.name}: {endpoint.problem}")
            log.warning("model did not answer", provider=endpoint.provider.name, problem=endpoint.problem)
        raise ModelUnavailable("; ".join(problems) or "no time was left")

    async def close(self) -> None:
        """Close every connection."""
        for endpoint in self._endpoints:
            await endpoint.close()


async def problem_of(provider: Provider) -> str | None:
    """What is wrong with a provider, told by its list of models; None where it answers and has the model."""
    if provider.name == "scripted":
        return None
    endpoint = _Endpoint(provider)
    try:
        async with asyncio.timeout(REACH_S):
            return await endpoint.lacks()
    except TimeoutError:
        return f"{provider.shown_url} did not answer within {REACH_S:g} s"
    except _Failed as error:
        return str(error)
    finally:
        await endpoint.close()


def answer_room(window: int) -> int:
    """Tokens of a window that are kept for the answer."""
    return min(ANSWER_TOKENS, window // 4)


class _Failed(Exception):
    """A provider gave no answer; the message is cleared of keys."""


class _Said(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    message: _Said
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Listed(BaseModel):
    id: str


class _Listing(BaseModel):
    """What is read of a list of models."""

    data: list[_Listed]


class _Completion(BaseModel):
    """What is read of a completion; servers differ in all the rest."""

    choices: list[_Choice]
    usage: _Usage | None = None


class _Endpoint:
    def __init__(self, provider: Provider) -> None:
        self.provider = provider
        self.problem: str | None = None
        self.down_until = 0.0
        self._pace = _Pace(provider.requests_per_minute)
        self._takes_schema = True
        transport = ScriptedTransport(provider.script) if provider.script and provider.name == "scripted" else None
        # Every request is counted here, so repeated ones too.
        self._http = httpx2.AsyncClient(
            transport=transport,
            timeout=provider.timeout_s,
            event_hooks={"request": [self._pace.wait]},
            # A proxy that is set for the world does not lead to this machine.
            trust_env=not provider.on_loopback,
        )
        self._client = AsyncOpenAI(
            api_key=provider.key.get_secret_value() if provider.key else "none",
            base_url=provider.url,
            timeout=provider.timeout_s,
            max_retries=RETRIES,
            http_client=self._http,
        )

    async def close(self) -> None:
        await self._client.close()

    def fail(self, problem: str) -> None:
        self.problem = problem
        self.down_until = time.monotonic() + DOWN_S

    async def ask(self, messages: Sequence[Message], schema: dict[str, Any] | None) -> Answer:
        begun = time.monotonic()
        try:
            text = await self._send(messages, schema if self._takes_schema else None)
        except APIStatusError as error:
            # A server that cannot be asked for JSON of a form says so in one of these ways.
            if not (schema and self._takes_schema and error.status_code in (400, 404, 415, 422, 501)):
                raise self._failed(error) from None
            text = await self._send_without_schema(messages)
        except OpenAIError as error:
            raise self._failed(error) from None
        except TimeoutError:
            raise _Failed(f"no answer within {self.provider.timeout_s:g} s") from None
        said = self._read(text)
        choice = said.choices[0]
        content = self.provider.scrub(choice.message.content or "")
        usage = said.usage or _Usage()
        tokens_in = usage.prompt_tokens or tokens_of_all(messages)
        tokens_out = usage.completion_tokens or tokens_of(content)
        self.problem, self.down_until = None, 0.0
        return Answer(
            text=content,
            finish=choice.finish_reason or "",
            provider=self.provider.name,
            model=self.provider.model,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            seconds=round(time.monotonic() - begun, 3),
            cost=self.provider.cost(tokens_in, tokens_out),
        )

    async def lacks(self) -> str | None:
        try:
            response = await self._client.get("/models", cast_to=httpx2.Response)
        except OpenAIError as error:
            raise self._failed(error) from None
        try:
            names = [one.id for one in _Listing.model_validate_json(response.text).data]
        except ValidationError:
            return "it answers, but not with a list of models"
        if self.provider.model in names:
            return None
        return self.provider.scrub(f"it has no model {self.provider.model}, but {', '.join(names) or 'none'}")[
            :SAID_LIMIT
        ]

    async def _send_without_schema(self, messages: Sequence[Message]) -> str:
        try:
            text = await self._send(messages, None)
        except OpenAIError as error:
            raise self._failed(error) from None
        self._takes_schema = False
        return text

    async def _send(self, messages: Sequence[Message], schema: dict[str, Any] | None) -> str:
        room = answer_room(self.provider.context)
        # OpenAI's own newest models know only the second name, most other servers only the first.
        limit = {"max_completion_tokens": room} if self.provider.name == "openai" else {"max_tokens": room}
        body: dict[str, Any] = {
            "model": self.provider.model,
            "messages": [as_sent(message) for message in messages],
            **limit,
        }
        if schema:
            form = {"name": "answer", "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        # The text itself, because servers answer what the types of the package do not know.
        # The package asks again after a timeout; all of that together must take no longer than one answer may.
        async with asyncio.timeout(self.provider.timeout_s + self._pace.longest_s):
            response = await self._client.post("/chat/completions", cast_to=httpx2.Response, body=body)
        return response.text

    def _read(self, text: str) -> _Completion:
        try:
            said = _Completion.model_validate_json(text)
        except (ValidationError, ValueError):
            shown = self.provider.scrub(" ".join(text.split()))[:SAID_LIMIT]
            raise _Failed(f"its answer is no completion: {shown or '(empty)'}") from None
        if not said.choices:
            raise _Failed("its answer has no choices")
        return said

    def _failed(self, error: OpenAIError) -> _Failed:
        """What went wrong in one sentence; nothing of the request is in it, and no key."""
        if isinstance(error, APITimeoutError):
            said = f"no answer within {self.provider.timeout_s:g} s"
        elif isinstance(error, APIConnectionError):
            cause = error.__cause__ or error
            said = f"{self.provider.shown_url} cannot be reached: {cause or type(cause).__name__}"
        elif isinstance(error, APIStatusError):
            said = f"it answered {error.status_code}: {error.message}"
        else:
            said = f"{type(error).__name__}: {error}"
        return _Failed(self.provider.scrub(" ".join(said.split()))[:SAID_LIMIT])


def as_sent(message: Message) -> Any:
    """The message in the form of the interface; pictures travel inside it."""
    if not message.pictures:
        return {"role": message.role, "content": message.content}
    parts: list[dict[str, Any]] = [{"type": "text", "text": message.content}]
    for path in message.pictures:
        data = base64.b64encode(path.read_bytes()).decode()
        parts.append({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}})
    return {"role": message.role, "content": parts}


class _Pace:
    """Lets at most so many requests go in any minute; the others wait their turn."""

    def __init__(self, per_minute: int | None) -> None:
        self._per_minute = per_minute
        self.longest_s: Final = 60.0 if per_minute else 0.0
        """Longest time for which a request waits."""
        self._sent: deque[float] = deque()
        self._turn = asyncio.Lock()

    async def wait(self, _request: httpx2.Request) -> None:
        if self._per_minute is None:
            return
        async with self._turn:
            if len(self._sent) >= self._per_minute:
                await asyncio.sleep(self._sent.popleft() + 60.0 - time.monotonic())
            self._sent.append(time.monotonic())
