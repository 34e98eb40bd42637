"""The ask box: words or a snippet become a run."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Form, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import ValidationError

from app.api.common import TheService
from app.errors import BlendproofError, InvalidRequest
from app.runs.request import GenerateRequest, ValidateRequest
from app.web.gallery import gallery_page
from app.web.routing import Text, router


@router.post("/page/ask")
async def ask(
    request: Request,
    service: TheService,
    words: Text = "",
    snippet: Text = "",
    blender: Annotated[str, Form(max_length=20)] = "",
    size: Annotated[int, Form(ge=32, le=1024)] = 512,
    sides: Annotated[str, Form(max_length=10)] = "",
    frames: Annotated[str, Form(max_length=10)] = "",
    heal: Annotated[str, Form(max_length=10)] = "",
) -> Response:
    """Begin a run for the words or the snippet, and show it."""
    views = ["three_quarter", "front", "right", "top"] if sides else None
    options: dict[str, Any] = {
        "blender": blender or None,
        "render": {"size": size, "views": views, "frames": 8 if frames else 0},
    }
    try:
        wanted: GenerateRequest | ValidateRequest
        if snippet.strip():
            code = snippet.replace("\r\n", "\n")
            wanted = ValidateRequest.model_validate({**options, "snippet": code, "heal": bool(heal)})
        else:
            wanted = GenerateRequest.model_validate({**options, "request": words.strip()})
        run = await service.submit(wanted)
    except ValidationError as error:
        empty = not words.strip() and not snippet.strip()
        said = "Say what the snippet should do." if empty else error.errors()[0]["msg"]
        problem = InvalidRequest(said, "Correct it and ask again.").body()
        return gallery_page(request, service, 422, problem=problem, ask=words, snippet=snippet)
    except BlendproofError as error:
        return gallery_page(request, service, error.status, problem=error.body(), ask=words, snippet=snippet)
    return RedirectResponse(f"/page/runs/{run.id}", 303)
