"""The door for chat clients: the interface of OpenAI, answered with proven snippets.

messages ─> turns.py ─> a run ─> its progress as text ─> snippet, verdict, address of the picture
                          ^ cancelled if the client goes away
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncGenerator
from typing import Annotated, Any, Final, Literal

import anyio
from fastapi import APIRouter, Body, Request, Response
from pydantic import BaseModel, Field
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.responses import JSONResponse

from app.api.common import JOB_ERRORS, TheCaller, TheService, run_when_ended
from app.api.error_bodies import openai_error, openai_errors
from app.api.examples import json_example
from app.api.turns import Conversation, read_turns
from app.errors import (
    BlendproofError,
    InvalidRequest,
    ModelNotAvailable,
    ModelUnknown,
    RequestNotUnderstood,
    RunFinished,
    RunNotFound,
)
from app.jobs.brief import brief_of, event_line
from app.jobs.request import GenerateRequest
from app.jobs.run import Run
from app.service.service import Service

router = APIRouter(prefix="/v1", tags=["chat"])

NAME: Final = "blendproof"
ON: Final = f"{NAME}-"
"""Before the name of a Blender, in the name of a model."""


class StreamOptions(BaseModel):
    """The parts of a stream besides the answer."""

    include_usage: bool = False


class ChatRequest(Conversation):
    """A conversation. Everything else that clients send, such as a temperature, is ignored: the proof decides."""

    model: str = Field(default=NAME, max_length=200)
    stream: bool = False
    stream_options: StreamOptions | None = None
    n: Literal[1] | None = None


class Model(BaseModel):
    """A model of the list: this service, on a Blender."""

    id: str
    object: Literal["model"] = "model"
    created: int = 0
    owned_by: str = NAME


class ModelList(BaseModel):
    """All models."""

    object: Literal["list"] = "list"
    data: list[Model]


class Completion(BaseModel):
    """An answer of OpenAI's form."""

    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    choices: list[dict[str, Any]]
    usage: dict[str, int]


@router.get(
    "/models",
    summary="List the models for chat clients",
    responses={200: json_example("MODELS", "The models."), **openai_errors()},
)
async def list_models(service: TheService) -> ModelList:
    """`blendproof`, which proves on the default Blender, and one per Blender."""
    names = [NAME, *(f"{ON}{blender.name}" for blender in service.tools.blenders)]
    return ModelList(data=[Model(id=name) for name in names])


@router.post(
    "/chat/completions",
    summary="Answer a chat with a proven snippet",
    response_model=Completion,
    responses={
        200: json_example("COMPLETION", "The answer; with `stream`, server-sent events with its parts."),
        **openai_errors(
            *JOB_ERRORS,
            ModelUnknown,
            RequestNotUnderstood,
            ModelNotAvailable,
        ),
    },
)
async def complete(
    chat: Annotated[ChatRequest, Body()],
    request: Request,
    service: TheService,
    caller: TheCaller,
) -> Response:
    """The last message of the user is the request. If an answer before it has a snippet, the request changes that.

    A client that goes away cancels the run.
    """
    words, earlier = read_turns(chat.messages)
    asked = GenerateRequest(request=words, earlier=earlier, blender=blender_of(chat.model, service))
    answer = ChatAnswer(service, await service.submit(asked, caller), chat.model, str(request.base_url))
    if chat.stream:
        usage = bool(chat.stream_options and chat.stream_options.include_usage)
        return EventSourceResponse(answer.parts(usage), sep="\n")
    return await answer.whole(request)


def blender_of(model: str, service: Service) -> str | None:
    """The Blender that a model stands for; None for the default one, which any other name stands for too.

    Raises ModelUnknown for a Blender that is not here.
    """
    if not model.startswith(ON):
        return None
    wanted = model.removeprefix(ON)
    try:
        return service.admission.choose_blender(wanted, "body.model").name
    except InvalidRequest as error:
        raise ModelUnknown(error.message) from None


class ChatAnswer:
    """The answer to one request, which a run works on."""

    def __init__(self, service: Service, run: Run, model: str, address: str) -> None:
        self._service = service
        self._id = run.id
        self._model = model
        self._address = address.rstrip("/")
        self._created = int(time.time())

    async def whole(self, request: Request) -> Response:
        """The whole answer, or status 499 if the client goes away; raises the errors of `run_when_ended`."""
        waiting = asyncio.create_task(run_when_ended(self._service, self._id))
        gone = asyncio.create_task(until_gone(request))
        try:
            await asyncio.wait([waiting, gone], return_when=asyncio.FIRST_COMPLETED)
            if not waiting.done():
                return Response(status_code=499)
            run = await waiting
        finally:
            gone.cancel()
            waiting.cancel()
            await self._cancel()
        message = {"role": "assistant", "content": self._text(run), "refusal": None}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
        return JSONResponse(self._shell("chat.completion", [choice]) | {"usage": usage_of(run)})

    async def parts(self, usage: bool) -> AsyncGenerator[ServerSentEvent, None]:
        """The answer in parts: the progress as a quotation, then the rest. An error is the last part."""
        try:
            yield self._part({"role": "assistant", "content": ""})
            async for event in self._service.follow(self._id, 0):
                if text := event_line(event):
                    yield self._part({"content": f"> {text}\n"})
            run = await run_when_ended(self._service, self._id)
            yield self._part({"content": f"\n{self._text(run)}"})
            yield self._part({}, "stop")
            if usage:
                yield data(self._shell("chat.completion.chunk", []) | {"usage": usage_of(run)})
            yield ServerSentEvent(data="[DONE]")
        except BlendproofError as error:
            yield data(openai_error(error.status, error.body()).model_dump())
        finally:
            await self._cancel()

    async def _cancel(self) -> None:
        """End the run if it has not ended, also while whoever asked is being cancelled; one of a service that stops is
        kept.
        """
        if self._service.stopping:
            return
        with anyio.CancelScope(shield=True), contextlib.suppress(RunFinished, RunNotFound):
            await self._service.work.cancel(self._id)

    def _text(self, run: Run) -> str:
        brief = brief_of(run)
        parts = [brief.text]
        if brief.picture:
            parts.append(f"![Picture]({self._address}{brief.picture})")
        return "\n\n".join([*parts, f"Run: {self._address}/page/runs/{run.id}"])

    def _part(self, delta: dict[str, str], finish: str | None = None) -> ServerSentEvent:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return data(self._shell("chat.completion.chunk", [choice]))

    def _shell(self, kind: str, choices: list[dict[str, Any]]) -> dict[str, Any]:
        known = {"id": f"chatcmpl-{self._id}", "object": kind, "created": self._created, "model": self._model}
        return {**known, "choices": choices}


def data(content: dict[str, Any]) -> ServerSentEvent:
    """An event without a name, which is how OpenAI sends parts."""
    return ServerSentEvent(data=json.dumps(content))


def usage_of(run: Run) -> dict[str, int]:
    """The tokens that models used for a run; zeros if no model was asked."""
    sent = sum(call.tokens_in for call in run.model_calls)
    answered = sum(call.tokens_out for call in run.model_calls)
    return {"prompt_tokens": sent, "completion_tokens": answered, "total_tokens": sent + answered}


async def until_gone(request: Request) -> None:
    """Wait until the client goes away."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
