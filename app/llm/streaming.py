"""Reads an answer while a server writes it, and returns it as if it had come whole.

The connection is closed when the asker is cancelled or out of time, at which servers stop writing. A server that does
not know streams answers whole, which is read as that.
"""

from __future__ import annotations

import json
import time
from typing import Any, Final

import httpx2
from openai import AsyncOpenAI
from pydantic import BaseModel, ValidationError

from app.llm.message import EndpointFailed
from app.llm.providers import Provider

DATA: Final = "data:"
END: Final = "[DONE]"


class _Delta(BaseModel):
    content: str | None = None


class _StreamChoice(BaseModel):
    delta: _Delta = _Delta()
    finish_reason: str | None = None


class _StreamPart(BaseModel):
    """The fields that are read from a part of an answer."""

    choices: list[_StreamChoice] = []
    usage: dict[str, Any] | None = None
    error: Any = None


async def read_stream(client: AsyncOpenAI, body: dict[str, Any], provider: Provider) -> str:
    """The completion as one JSON text, with `first_token_s`; raises EndpointFailed and the errors of the package."""
    begun, first = time.monotonic(), None
    words, finish, usage = list[str](), None, None
    asked = {**body, "stream": True, "stream_options": {"include_usage": True}}
    # Servers differ in what they take, so nothing here is held to the types of the package.
    completions: Any = client.chat.completions.with_streaming_response
    try:
        async with completions.create(**asked) as response:
            if "event-stream" not in response.headers.get("content-type", ""):
                whole: str = await response.text()
                return whole
            async for line in response.iter_lines():
                chunk = chunk_in(line, provider)
                if chunk is None:
                    continue
                usage = chunk.usage or usage
                for choice in chunk.choices[:1]:
                    finish = choice.finish_reason or finish
                    if choice.delta.content:
                        first = first or round(time.monotonic() - begun, 3)
                        words.append(choice.delta.content)
    except httpx2.HTTPError as error:
        raise EndpointFailed(provider.shown(f"its answer broke off: {error or type(error).__name__}")) from None
    choices = [{"message": {"content": "".join(words)}, "finish_reason": finish}]
    return json.dumps({"choices": choices, "usage": usage, "first_token_s": first})


def chunk_in(line: str, provider: Provider) -> _StreamPart | None:
    """The part of an answer in a line of a stream; None for lines without one. Raises EndpointFailed."""
    if not line.startswith(DATA) or (text := line.removeprefix(DATA).strip()) == END:
        return None
    try:
        chunk = _StreamPart.model_validate_json(text)
    except ValidationError:
        raise EndpointFailed(f"a part of its answer is none: {provider.shown(text)}") from None
    if chunk.error is not None:
        raise EndpointFailed(f"it broke off: {provider.shown(json.dumps(chunk.error))}")
    return chunk
