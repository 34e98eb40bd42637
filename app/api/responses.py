"""OpenAI's newer interface, `POST /v1/responses`: the same conversation and answer as in `chat.py`, in another form.

input, previous_response_id ─> messages ─> chat.py ─> its answer, or its parts, as output
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import AsyncGenerator, AsyncIterable
from typing import Annotated, Any, Final, cast

from fastapi import APIRouter, Body, Request, Response
from pydantic import BaseModel, Field
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.responses import JSONResponse

from app.api.chat import NAME, ChatRequest, Model, StreamOptions, complete, list_models
from app.api.common import JOB_ERRORS, TheCaller, TheService
from app.api.error_bodies import openai_errors
from app.api.examples import json_example
from app.api.turns import MOST_MESSAGES, ChatMessage, ContentPart, Role
from app.errors import InvalidRequest, ModelNotAvailable, ModelUnknown, RequestNotUnderstood, RunNotFound
from app.jobs.brief import fenced
from app.jobs.run import UNFINISHED
from app.service.service import Service

router = APIRouter(prefix="/v1", tags=["chat"])

OF_RUN: Final = "resp_"
"""Before the id of a run, in the id of a response."""
TALK: Final = f"{OF_RUN}talk-"
"""Before the id of an answer in words, which no run worked on."""
SPOKEN: Final = ("input_text", "output_text", "text")
"""The types of parts that are read; `chat.py` refuses the others."""


class InputItem(BaseModel):
    """A turn of a conversation; items of other types are passed over."""

    type: str = "message"
    role: Role = "user"
    content: str | list[ContentPart] = ""


class ResponsesRequest(BaseModel):
    """A request. Everything else that clients send is ignored: the proof decides."""

    model: str = Field(default=NAME, max_length=200)
    input: str | Annotated[list[InputItem], Field(max_length=MOST_MESSAGES)]
    """The request, or a conversation whose last message of the user is the request."""
    previous_response_id: str | None = Field(default=None, max_length=100)
    """A response to go on from: the request changes its snippet."""
    stream: bool = False


class OpenAIResponse(BaseModel):
    """An answer of the form of OpenAI's responses."""

    id: str
    object: str
    status: str
    model: str
    output: list[dict[str, Any]]
    usage: dict[str, Any] | None


@router.get(
    "/models/{model}",
    summary="Get a model for chat clients",
    responses={200: json_example("MODEL", "The model."), **openai_errors(ModelUnknown, InvalidRequest)},
)
async def get_model(model: str, service: TheService) -> Model:
    """One model of the list."""
    known = {one.id: one for one in (await list_models(service)).data}
    if model not in known:
        raise ModelUnknown(f"There is no model {model[:200]!r}.")
    return known[model]


@router.post(
    "/responses",
    summary="Answer with a proven snippet, in the form of responses",
    response_model=OpenAIResponse,
    responses={
        200: json_example("RESPONSE", "The answer; with `stream`, server-sent events with its parts."),
        **openai_errors(*JOB_ERRORS, ModelUnknown, RequestNotUnderstood, ModelNotAvailable, RunNotFound),
    },
)
async def respond(
    asked: Annotated[ResponsesRequest, Body()], request: Request, service: TheService, caller: TheCaller
) -> Response:
    """The request changes the snippet of an earlier answer, if there is one.

    A client that goes away cancels the run.
    """
    earlier = await earlier_messages(asked.previous_response_id, service, caller)
    # The first messages of a long input give way to the snippet that it goes on from.
    messages = [*earlier, *messages_of(asked.input)[len(earlier) - MOST_MESSAGES :]]
    usage = StreamOptions(include_usage=True)
    chat = ChatRequest(messages=messages, model=asked.model, stream=asked.stream, stream_options=usage)
    answer = await complete(chat, request, service, caller)
    if isinstance(answer, EventSourceResponse):
        parts = cast("AsyncGenerator[ServerSentEvent]", cast("Any", answer).body_iterator)
        return EventSourceResponse(events(parts, asked.model), sep="\n")
    if answer.status_code != 200:
        return answer
    said = json.loads(bytes(answer.body))
    return JSONResponse(whole(said["id"], asked.model, said["choices"][0]["message"]["content"], said["usage"]))


def messages_of(given: str | list[InputItem]) -> list[ChatMessage]:
    """The input as messages of a chat. Raises InvalidRequest if there are none."""
    if isinstance(given, str):
        return [ChatMessage(role="user", content=given)]
    messages = [
        ChatMessage.model_validate({"role": item.role, "content": as_text(item.content)})
        for item in given
        if item.type == "message"
    ]
    if not messages:
        raise InvalidRequest("body.input: there is no message.", "Say in one what the snippet is to do.")
    return messages


def as_text(content: str | list[ContentPart]) -> str | list[ContentPart]:
    """The content with the names that a chat has for parts of text."""
    if isinstance(content, str):
        return content
    return [part.model_copy(update={"type": "text"}) if part.type in SPOKEN else part for part in content]


async def earlier_messages(response: str | None, service: Service, caller: str) -> list[ChatMessage]:
    """The requests up to an earlier response, and their snippet, as messages; none if no snippet was written.

    Raises RunNotFound.
    """
    if response is None or response.startswith(TALK):
        return []
    run_id = response.removeprefix(OF_RUN)
    if not await service.sees(run_id, caller):
        raise RunNotFound(f"There is no response {response}.")
    run = await service.tools.runs.run(run_id)
    if run.status in UNFINISHED:
        raise InvalidRequest(f"body.previous_response_id: {response} has not ended.", "Wait for its end.")
    asked: dict[str, Any] = json.loads(await service.tools.runs.request_text(run_id))
    earlier: dict[str, Any] = asked.get("earlier") or {}
    # A run without a snippet, such as a refused one, leaves what it went on from.
    snippet: str | None = run.snippet or earlier.get("snippet")
    if snippet is None:
        return []
    said: list[str] = [*earlier.get("requests", []), *([asked.get("request", "")] if run.snippet else [])]
    answer = ChatMessage(role="assistant", content=fenced(snippet))
    return [turn for words in said or [""] for turn in (ChatMessage(role="user", content=words), answer)]


async def events(parts: AsyncIterable[ServerSentEvent], model: str) -> AsyncGenerator[ServerSentEvent]:
    """The parts of a chat as events of a response."""
    text, name, usage, number = "", "", None, 0

    def event(kind: str, **facts: Any) -> ServerSentEvent:
        nonlocal number
        number += 1
        return ServerSentEvent(event=kind, data=json.dumps({"type": kind, "sequence_number": number - 1, **facts}))

    place: dict[str, Any] = {}
    async with contextlib.aclosing(cast("AsyncGenerator[ServerSentEvent]", parts)) as opened:
        async for part in opened:
            if part.data == "[DONE]":
                break
            chunk = json.loads(str(part.data))
            if "error" in chunk:
                yield event("response.failed", response=whole(name, model, text, None, error=chunk["error"]))
                return
            if not name:
                name = chunk["id"]
                place = {"item_id": message_id(name), "output_index": 0, "content_index": 0}
                begun: dict[str, Any] = {**whole(name, model, "", None), "status": "in_progress", "output": []}
                yield event("response.created", response=begun)
                yield event("response.output_item.added", output_index=0, item=message(name, "", "in_progress"))
                yield event("response.content_part.added", **place, part=spoken(""))
            usage = chunk.get("usage") or usage
            delta = chunk["choices"][0]["delta"].get("content") if chunk["choices"] else None
            if delta:
                text += delta
                yield event("response.output_text.delta", **place, delta=delta, logprobs=[])
    yield event("response.output_text.done", **place, text=text, logprobs=[])
    yield event("response.content_part.done", **place, part=spoken(text))
    yield event("response.output_item.done", output_index=0, item=message(name, text, "completed"))
    yield event("response.completed", response=whole(name, model, text, usage))


def whole(
    name: str, model: str, text: str, usage: dict[str, int] | None, error: dict[str, Any] | None = None
) -> dict[str, Any]:
    """A response to the chat of this name."""
    return {
        "id": name.replace("chatcmpl-", OF_RUN),
        "object": "response",
        "created_at": int(time.time()),
        "status": "failed" if error else "completed",
        "model": model,
        "output": [message(name, text, "completed")],
        "usage": usage and used(usage),
        "error": error and {"code": "server_error", "message": error["message"]},
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "parallel_tool_calls": False,
        "tool_choice": "none",
        "tools": [],
    }


def message(name: str, text: str, status: str) -> dict[str, Any]:
    """The one item of the output."""
    content = [spoken(text)] if text else []
    return {"id": message_id(name), "type": "message", "role": "assistant", "status": status, "content": content}


def message_id(name: str) -> str:
    """The id of that item."""
    return name.replace("chatcmpl-", "msg_")


def spoken(text: str) -> dict[str, Any]:
    """A part of text."""
    return {"type": "output_text", "text": text, "annotations": []}


def used(usage: dict[str, int]) -> dict[str, Any]:
    """The tokens that models used, under the names of responses."""
    return {
        "input_tokens": usage["prompt_tokens"],
        "output_tokens": usage["completion_tokens"],
        "total_tokens": usage["total_tokens"],
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
