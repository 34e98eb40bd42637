"""Writes errors: in our shape, and below /v1 in that of OpenAI."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from pydantic import BaseModel
from starlette.responses import Response

from app.errors import BlendproofError, ErrorBody, Unauthorized

OPENAI: Final = "/v1/"
KINDS: Final = {401: "authentication_error", 429: "rate_limit_error", 503: "server_error", 500: "server_error"}


class OpenAIError(BaseModel):
    """An error, as OpenAI's clients read it."""

    message: str
    type: str
    param: str | None
    code: str


class OpenAIErrorBody(BaseModel):
    """The body of an error below /v1."""

    error: OpenAIError


def openai_error(status: int, body: ErrorBody) -> OpenAIErrorBody:
    """An error of ours as OpenAI's clients read it."""
    place, _, _ = body.message.partition(":")
    param = place.removeprefix("body.") if place.startswith("body.") else None
    kind = KINDS.get(status, "invalid_request_error")
    return OpenAIErrorBody(
        error=OpenAIError(message=f"{body.message} {body.hint}", type=kind, param=param, code=body.code)
    )


def openai_errors(*kinds: type[BlendproofError]) -> dict[int | str, dict[str, Any]]:
    """The error responses of an operation below /v1, for its documentation."""
    return error_examples((Unauthorized, *kinds), openai_error)


def errors(*kinds: type[BlendproofError]) -> dict[int | str, dict[str, Any]]:
    """The error responses of an operation that needs the token, for its documentation."""
    return open_errors(Unauthorized, *kinds)


def open_errors(*kinds: type[BlendproofError]) -> dict[int | str, dict[str, Any]]:
    """The error responses of an operation that needs no token."""
    return error_examples(kinds, lambda _status, body: body)


def error_examples(
    kinds: Sequence[type[BlendproofError]], shaped: Callable[[int, ErrorBody], BaseModel]
) -> dict[int | str, dict[str, Any]]:
    """The responses with these errors, each with an example in its shape."""
    documented: dict[int | str, dict[str, Any]] = {}
    for kind in kinds:
        body = ErrorBody(code=kind.code, message="What was wrong, and where.", hint=kind.hint, details={})
        shown = shaped(kind.status, body)
        entry = documented.setdefault(
            kind.status,
            {"model": type(shown), "description": "", "content": {"application/json": {"examples": {}}}},
        )
        entry["content"]["application/json"]["examples"][kind.code] = {"value": shown.model_dump()}
        entry["description"] = " or ".join(filter(None, [entry["description"], f"`{kind.code}`"]))
    return documented


def error_response(path: str, status: int, body: ErrorBody, headers: dict[str, str]) -> Response:
    """The response with an error, for a request to this path."""
    shaped: dict[str, Any] = (openai_error(status, body) if path.startswith(OPENAI) else body).model_dump()
    # As ASCII, because a quoted part of a request may be half of a surrogate pair, which UTF-8 cannot encode.
    content = json.dumps(shaped, default=str, separators=(",", ":"))
    return Response(content, status_code=status, headers=headers, media_type="application/json")
