"""One provider: a server with the OpenAI interface, asked again if it is busy.

429, 5xx: again after Retry-After, at most twice. The key is used here and nowhere else: it is removed from all text of
the server before that is shown or logged.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import time
from collections import deque
from collections.abc import AsyncGenerator, Generator, Sequence
from typing import Any, Final

import httpx2
from openai import APIConnectionError, APIStatusError, APITimeoutError, AsyncOpenAI, OpenAIError
from pydantic import BaseModel, ValidationError

from app.llm.message import Answer, EndpointFailed, Message, answer_room, tokens_of, tokens_of_all
from app.llm.providers import Provider
from app.llm.scripted import ScriptedTransport
from app.llm.streaming import read_stream

RETRIES: Final = 2
DOWN_S: Final = 30.0
"""Seconds for which a provider that did not answer is asked after the others."""
MANY: Final = 1 << 30


class Endpoint:
    def __init__(self, provider: Provider) -> None:
        self.provider = provider
        self.problem: str | None = None
        self.down_until = 0.0
        self.under_way = 0
        """Questions that were sent there, or wait for a place, and have no answer yet."""
        self._places = asyncio.Semaphore(provider.requests_at_once or MANY)
        self._pace = _Pace(provider.requests_per_minute)
        self._takes_schema = True
        self._takes_temperature = True
        transport = ScriptedTransport(provider.script) if provider.script and provider.name == "scripted" else None
        # Every request is counted here, including repeated ones.
        self._http = httpx2.AsyncClient(
            transport=transport,
            timeout=provider.timeout_s,
            event_hooks={"request": [self._pace.count]},
            # A proxy for the internet does not lead to this machine.
            trust_env=not provider.on_loopback,
        )
        self._client = AsyncOpenAI(
            api_key=provider.key.get_secret_value() if provider.key else "none",
            base_url=provider.url,
            timeout=provider.timeout_s,
            max_retries=RETRIES,
            http_client=self._http,
        )

    @property
    def has_place(self) -> bool:
        """True if a question would be sent at once."""
        return not self._places.locked() and self._pace.wait_s() <= 0

    async def close(self) -> None:
        await self._client.close()

    def fail(self, problem: str) -> None:
        self.problem = problem
        self.down_until = time.monotonic() + DOWN_S

    @contextlib.contextmanager
    def counted(self) -> Generator[None, None, None]:
        """Count one more question under way."""
        self.under_way += 1
        try:
            yield
        finally:
            self.under_way -= 1

    @contextlib.asynccontextmanager
    async def place(self) -> AsyncGenerator[None]:
        """One of the places for `ask`, held as soon as it is free and the pace allows one more request."""
        async with self._places:
            await self._pace.take_turn()
            yield

    async def ask(
        self, messages: Sequence[Message], schema: dict[str, Any] | None, room: int | None, exactly: bool
    ) -> Answer:
        begun = time.monotonic()
        asked = {"temperature": 0} if exactly and self._takes_temperature else {}
        try:
            text = await self._send(messages, schema if self._takes_schema else None, room, asked)
        except APIStatusError as error:
            # A server without support for JSON schemas, or for another temperature, answers in one of these ways.
            refused = error.status_code in (400, 404, 415, 422, 501)
            if not (refused and ((schema and self._takes_schema) or (asked and "temperature" in error.message))):
                raise self._failed(error) from None
            text = await self._send_plainly(messages, schema, room)
        except OpenAIError as error:
            raise self._failed(error) from None
        except TimeoutError:
            raise EndpointFailed(f"no answer within {self.provider.timeout_s:g} s") from None
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
            first_token_s=said.first_token_s,
        )

    async def lacks(self) -> str | None:
        try:
            response = await self._client.get("/models", cast_to=httpx2.Response)
        except OpenAIError as error:
            raise self._failed(error) from None
        try:
            names = [entry.id for entry in _ModelListing.model_validate_json(response.text).data]
        except ValidationError:
            return "it answers, but not with a list of models"
        if self.provider.model in names:
            return None
        return self.provider.shown(f"it has no model {self.provider.model}, but {', '.join(names) or 'none'}")

    async def _send_plainly(self, messages: Sequence[Message], schema: dict[str, Any] | None, room: int | None) -> str:
        """Send it without the options that the server just refused, and never send them again."""
        try:
            text = await self._send(messages, None, room, {})
        except OpenAIError as error:
            raise self._failed(error) from None
        if schema:
            self._takes_schema = False
        else:
            self._takes_temperature = False
        return text

    async def _send(
        self, messages: Sequence[Message], schema: dict[str, Any] | None, room: int | None, asked: dict[str, Any]
    ) -> str:
        most = answer_room(self.provider.context) if room is None else room
        # The newest models of OpenAI know only the second name, most other servers only the first.
        limit = {"max_completion_tokens": most} if self.provider.name == "openai" else {"max_tokens": most}
        body: dict[str, Any] = {
            "model": self.provider.model,
            "messages": [as_sent(message) for message in messages],
            **limit,
            **asked,
        }
        if schema:
            form = {"name": "answer", "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        # The raw text, because servers answer values that the types of the package do not know.
        # The package asks again after a timeout; all tries together may take as long as one answer.
        async with asyncio.timeout(self.provider.timeout_s):
            if self.provider.stream:
                return await read_stream(self._client, body, self.provider)
            response = await self._client.post("/chat/completions", cast_to=httpx2.Response, body=body)
        return response.text

    def _read(self, text: str) -> _ServerCompletion:
        try:
            said = _ServerCompletion.model_validate_json(text)
        except (ValidationError, ValueError):
            shown = self.provider.shown(text)
            raise EndpointFailed(f"its answer is not a completion: {shown or '(empty)'}") from None
        if not said.choices:
            raise EndpointFailed("its answer has no choices")
        return said

    def _failed(self, error: OpenAIError) -> EndpointFailed:
        """The problem in one sentence, without the key or any part of the request."""
        if isinstance(error, APITimeoutError):
            said = f"no answer within {self.provider.timeout_s:g} s"
        elif isinstance(error, APIConnectionError):
            cause = error.__cause__ or error
            said = f"{self.provider.shown_url} cannot be reached: {cause or type(cause).__name__}"
        elif isinstance(error, APIStatusError):
            said = f"it answered {error.status_code}: {error.message}"
        else:
            said = f"{type(error).__name__}: {error}"
        return EndpointFailed(self.provider.shown(said))


class _ChoiceMessage(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    message: _ChoiceMessage
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _ListedModel(BaseModel):
    id: str


class _ModelListing(BaseModel):
    """The fields that are read from a list of models."""

    data: list[_ListedModel]


class _ServerCompletion(BaseModel):
    """The fields that are read from a completion; servers differ in all others."""

    choices: list[_Choice]
    usage: _Usage | None = None
    first_token_s: float | None = None
    """Not sent by the server: see `streaming.py`."""


def as_sent(message: Message) -> Any:
    """The message in the form of the interface, with its pictures inside."""
    if not message.pictures:
        return {"role": message.role, "content": message.content}
    parts: list[dict[str, Any]] = [{"type": "text", "text": message.content}]
    for path in message.pictures:
        data = base64.b64encode(path.read_bytes()).decode()
        parts.append({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}})
    return {"role": message.role, "content": parts}


class _Pace:
    """Limits the requests per minute; the others wait their turn."""

    def __init__(self, per_minute: int | None) -> None:
        self._sent: deque[float] = deque(maxlen=per_minute or 0)
        """The times of the most recent requests, as many as may be in a minute; empty if any number may be."""
        self._turns = 0
        """Turns that were taken for a request that was not sent yet."""
        self._lock = asyncio.Lock()

    def wait_s(self) -> float:
        """Seconds until one more request may be sent."""
        is_full = self._sent and len(self._sent) == self._sent.maxlen
        return self._sent[0] + 60.0 - time.monotonic() if is_full else 0.0

    async def take_turn(self) -> None:
        """Wait until one more request may be sent."""
        async with self._lock:
            if (seconds := self.wait_s()) > 0:
                await asyncio.sleep(seconds)
            self._sent.append(time.monotonic())
            self._turns += 1

    async def count(self, _request: httpx2.Request) -> None:
        """Count a request that no turn was taken for: one that is sent again."""
        if self._turns:
            self._turns -= 1
        else:
            self._sent.append(time.monotonic())
