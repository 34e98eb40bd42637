"""POST /generate: words in, a proven snippet out. POST /validate: your own snippet in, the same verdict out."""

from __future__ import annotations

from fastapi import APIRouter, Response

from app.api.common import IdempotencyKey, Prefer, TheCaller, TheService, answer, run_responses
from app.errors import ModelNotAvailable, RequestNotUnderstood
from app.jobs.request import GenerateRequest, ValidateRequest
from app.jobs.run import Run

router = APIRouter(tags=["runs"])


@router.post(
    "/generate",
    summary="Ask for a snippet in words",
    response_description="The finished run",
    responses=run_responses(
        "The finished run; `status` says whether its snippet is proven.", RequestNotUnderstood, ModelNotAvailable
    ),
)
async def generate(
    request: GenerateRequest,
    service: TheService,
    caller: TheCaller,
    response: Response,
    prefer: Prefer = None,
    idempotency_key: IdempotencyKey = None,
) -> Run:
    """Draft a snippet, judge it, run it in Blender and render it.

    Answers when the run has ended, or at once with 202 when the caller sends `Prefer: respond-async`. A request that
    is not understood as a whole is refused; `details` then names the words, and the sentences that are understood.
    """
    return await answer(service, await service.submit(request, caller, idempotency_key), prefer, response)


@router.post(
    "/validate",
    summary="Judge a snippet of your own",
    response_description="The finished run",
    responses=run_responses("The finished run; `status` says whether the snippet is proven."),
)
async def validate(
    request: ValidateRequest,
    service: TheService,
    caller: TheCaller,
    response: Response,
    prefer: Prefer = None,
    idempotency_key: IdempotencyKey = None,
) -> Run:
    """Judge a snippet, run it in Blender and render what it makes.

    A snippet that fails is an ordinary answer (200) whose verdict says where and why. Answers when the run has ended,
    or at once with 202 when the caller sends `Prefer: respond-async`.
    """
    return await answer(service, await service.submit(request, caller, idempotency_key), prefer, response)
