"""The door for chat clients: the interface of OpenAI, answered with proven snippets.

messages ─> turns.py ─> a run ─> its progress as text ─> snippet, verdict, address of the picture
                          ^ cancelled if the client goes away
"""

from __future__ import annotations

import contextlib
import functools
import json
import secrets
import time
from collections.abc import AsyncGenerator
from typing import Annotated, Any, Final, Literal

import anyio
from fastapi import APIRouter, Body, Request, Response
from pydantic import BaseModel, Field
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.responses import JSONResponse

from app.api.common import JOB_ERRORS, TheCaller, TheService, run_when_ended, unless_gone
from app.api.error_bodies import openai_error, openai_errors
from app.api.examples import json_example
from app.api.small_talk import small_talk
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
    address = str(request.base_url).rstrip("/")
    blender = blender_of(chat.model, service)
    if earlier is None and (talk := small_talk(words, address, bool(service.tools.models))):
        return said(talk, chat)
    asked = GenerateRequest(request=words, earlier=earlier, blender=blender)
    answer = ChatAnswer(service, await service.submit(asked, caller), chat.model, address)
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
        self._address = address
        self._created = int(time.time())

    async def whole(self, request: Request) -> Response:
        """The whole answer, or status 499 if the client goes away; raises the errors of `run_when_ended`."""
        try:
            run = await unless_gone(request, ended_run(self._service, self._id))
        finally:
            await self._cancel()
        if run is None:
            return Response(status_code=499)
        return JSONResponse(self._shell("chat.completion", [choice_of(self._text(run))]) | {"usage": usage_of(run)})

    async def parts(self, usage: bool) -> AsyncGenerator[ServerSentEvent, None]:
        """The answer in parts: the progress as a quotation, then the rest. An error is the last part."""
        try:
            yield self._part({"role": "assistant", "content": ""})
            async for event in self._service.follow(self._id, 0):
                if text := event_line(event):
                    yield self._part({"content": f"> {text}\n"})
            run = await ended_run(self._service, self._id)
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
        return data(self._shell("chat.completion.chunk", [part_of(delta, finish)]))

    def _shell(self, kind: str, choices: list[dict[str, Any]]) -> dict[str, Any]:
        return shell(self._id, kind, self._created, self._model, choices)


async def ended_run(service: Service, run_id: str) -> Run:
    """The run when it has ended, also one whose request was not understood: its reason is the answer."""
    try:
        return await run_when_ended(service, run_id)
    except RequestNotUnderstood:
        return await service.finished(run_id)


def said(text: str, chat: ChatRequest) -> Response:
    """An answer in words, which no run works on."""
    whole = functools.partial(shell, f"talk-{secrets.token_hex(8)}", created=int(time.time()), model=chat.model)
    if not chat.stream:
        return JSONResponse(whole("chat.completion", choices=[choice_of(text)]) | {"usage": usage_of(None)})

    async def parts() -> AsyncGenerator[ServerSentEvent, None]:
        yield data(whole("chat.completion.chunk", choices=[part_of({"role": "assistant", "content": text}, None)]))
        yield data(whole("chat.completion.chunk", choices=[part_of({}, "stop")]))
        if chat.stream_options and chat.stream_options.include_usage:
            yield data(whole("chat.completion.chunk", choices=[]) | {"usage": usage_of(None)})
        yield ServerSentEvent(data="[DONE]")

    return EventSourceResponse(parts(), sep="\n")


def shell(name: str, kind: str, created: int, model: str, choices: list[dict[str, Any]]) -> dict[str, Any]:
    """An answer, or a part of one, around its choices."""
    return {"id": f"chatcmpl-{name}", "object": kind, "created": created, "model": model, "choices": choices}


def choice_of(text: str) -> dict[str, Any]:
    """The one choice of a whole answer."""
    message = {"role": "assistant", "content": text, "refusal": None}
    return {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}


def part_of(delta: dict[str, str], finish: str | None) -> dict[str, Any]:
    """The one choice of a part of an answer."""
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}


def data(content: dict[str, Any]) -> ServerSentEvent:
    """An event without a name, which is how OpenAI sends parts."""
    return ServerSentEvent(data=json.dumps(content))


def usage_of(run: Run | None) -> dict[str, int]:
    """The tokens that models used for a run; zeros if no model was asked."""
    calls = run.model_calls if run else []
    sent, answered = sum(call.tokens_in for call in calls), sum(call.tokens_out for call in calls)
    return {"prompt_tokens": sent, "completion_tokens": answered, "total_tokens": sent + answered}
