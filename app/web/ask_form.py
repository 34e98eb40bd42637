"""The ask box, and going on from a run: words, or a snippet, become a run."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Annotated, Any, Final

from fastapi import Depends, File, Form, Request, Response, UploadFile
from fastapi.responses import RedirectResponse
from pydantic import ValidationError

from app.errors import BlendproofError, InvalidRequest, RequestTooLarge, RunNotFound
from app.jobs.request import GenerateRequest, Options, ValidateRequest
from app.web.asked import AskValues, lacks_scene, scene_bytes
from app.web.gallery import gallery_page
from app.web.routing import Text, TheService, check_signed_in, router

if TYPE_CHECKING:
    from app.jobs.tables import JobStore

SIDES: Final = ["three_quarter", "front", "right", "top"]
FRAMES: Final = 8
USUAL_SIZE: Final = 512
BLEND_BEGINS: Final = (b"BLENDER", b"\x28\xb5\x2f\xfd", b"\x1f\x8b")
"""The first bytes of .blend files: plain, and compressed by Zstandard or gzip."""
ONLY_ONCE: Final = ("accept", "max_attempts")
"""Options that a request does not take over from the run it goes on from: checks that fit the words of that run."""
Flag = Annotated[str, Form(max_length=10)]


def form_of(
    words: Text = "",
    snippet: Text = "",
    run: Annotated[str, Form(max_length=100)] = "",
    blender: Annotated[str, Form(max_length=60)] = "",
    size: Annotated[int | None, Form(ge=32, le=1024)] = None,
    sides: Flag = "",
    frames: Flag = "",
    heal: Flag = "",
) -> AskValues:
    """The values of the form."""
    code = snippet.replace("\r\n", "\n")
    return AskValues(words.strip(), code, run, blender, size, bool(sides), bool(frames), bool(heal))


@router.post("/page/ask")
async def ask(
    request: Request,
    service: TheService,
    caller: Annotated[str, Depends(check_signed_in)],
    asked: Annotated[AskValues, Depends(form_of)],
    blend: Annotated[UploadFile | None, File()] = None,
) -> Response:
    """Begin a run for the words or the snippet, and show it. With `run`, go on from that one."""
    try:
        if asked.run and not await service.sees(asked.run, caller):
            raise RunNotFound(f"There is no run {asked.run}.")
        options = await options_of(asked, service.tools.runs)
        if blend and blend.filename:
            scene = read_scene(await blend.read(), scene_bytes(service.tools.settings.max_body_bytes))
            options["setup"] = {"blend": base64.b64encode(scene).decode()}
        elif lacks_scene(options):
            raise InvalidRequest("The scene that this run began from is not kept.", "Choose its .blend file again.")
        run = await service.submit(request_of(asked, options), caller)
    except ValidationError as error:
        empty = not asked.words and not asked.snippet.strip()
        said = "Say what the snippet should do." if empty else error.errors()[0]["msg"]
        problem = InvalidRequest(said, "Correct it and ask again.").body()
        return await gallery_page(request, service, 422, problem=problem, asked=asked)
    except BlendproofError as error:
        return await gallery_page(request, service, error.status, problem=error.body(), asked=asked)
    return RedirectResponse(f"/page/runs/{run.id}", 303)


def request_of(asked: AskValues, options: dict[str, Any]) -> GenerateRequest | ValidateRequest:
    """The request; a snippet goes before words. Raises ValidationError."""
    if asked.snippet.strip():
        own = {"snippet": asked.snippet, "heal": asked.heal, "continues": asked.run or None}
        return ValidateRequest.model_validate({**options, **own})
    return GenerateRequest.model_validate({**options, "request": asked.words, "continues": asked.run or None})


async def options_of(asked: AskValues, runs: JobStore) -> dict[str, Any]:
    """The options of the form; if it goes on from a run, those of that run. Raises RunNotFound."""
    if asked.run:
        before = json.loads(await runs.request_text(asked.run))
        return {name: before[name] for name in Options.model_fields if name in before and name not in ONLY_ONCE}
    views = SIDES if asked.sides else None
    render = {"size": asked.size or USUAL_SIZE, "views": views, "frames": FRAMES if asked.frames else 0}
    return {"blender": asked.blender or None, "render": render}


def read_scene(content: bytes, most: int) -> bytes:
    """A .blend file as it was sent. Raises RequestTooLarge or InvalidRequest."""
    if len(content) > most:
        hint = "Send a smaller one, or let the operator raise BLENDPROOF_MAX_BODY_BYTES."
        raise RequestTooLarge(f"The scene has {len(content)} bytes, more than {most}.", hint)
    if not content.startswith(BLEND_BEGINS):
        raise InvalidRequest("The scene is not a .blend file.", "Choose a file that Blender saved.")
    return content
