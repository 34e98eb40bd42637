"""Writes errors: in our shape, and below /v1 in that of OpenAI."""

from __future__ import annotations

import json
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
    documented: dict[int | str, dict[str, Any]] = {}
    every: list[type[BlendproofError]] = [Unauthorized, *kinds]
    for kind in every:
        example = ErrorBody(code=kind.code, message="What was wrong, and where.", hint=kind.hint, details={})
        entry = documented.setdefault(
            kind.status,
            {"model": OpenAIErrorBody, "description": "", "content": {"application/json": {"examples": {}}}},
        )
        shown = openai_error(kind.status, example).model_dump()
        entry["content"]["application/json"]["examples"][kind.code] = {"value": shown}
        entry["description"] = " or ".join(filter(None, [entry["description"], f"`{kind.code}`"]))
    return documented


def error_response(path: str, status: int, body: ErrorBody, headers: dict[str, str]) -> Response:
    """The response with an error, for a request to this path."""
    shaped: dict[str, Any] = (openai_error(status, body) if path.startswith(OPENAI) else body).model_dump()
    # As ASCII, because a quoted part of a request may be half of a surrogate pair, which UTF-8 cannot encode.
    content = json.dumps(shaped, default=str, separators=(",", ":"))
    return Response(content, status_code=status, headers=headers, media_type="application/json")
