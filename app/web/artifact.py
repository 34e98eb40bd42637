"""An artifact with all of its files, artifacts like it, and its replay."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

from fastapi import Depends, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from app.artifacts.replay import Replay
from app.artifacts.store.artifact import ArtifactDetails, Receipt, is_same_build
from app.errors import SceneNotKept
from app.jobs.run import JobStatus
from app.service.service import Service
from app.verdict.verdict import Verdict
from app.web.asked import scene_bytes, scene_is_gone
from app.web.gallery import similar_to
from app.web.routing import TheService, check_signed_in, coloured_markup, page, router
from app.web.show import snippet_view, verdict_view

VIEWER_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' blob: data:; connect-src 'self' blob: data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
"""The policy of the 3D view alone: its library writes styles, and reads the textures in a scene as blobs."""


@router.get("/page/artifacts/{artifact_id}")
async def show_artifact(request: Request, service: TheService, artifact_id: str) -> HTMLResponse:
    """One artifact, with all of its files."""
    return await artifact_page(request, service, artifact_id, None)


@router.post("/page/artifacts/{artifact_id}/replay")
async def replay(
    request: Request,
    service: TheService,
    caller: Annotated[str, Depends(check_signed_in)],
    artifact_id: str,
    blender: Annotated[str, Form(max_length=20)] = "",
) -> HTMLResponse:
    """Make the artifact again, and show the comparison."""
    made = await service.replay(artifact_id, blender or None, caller)
    return await artifact_page(request, service, artifact_id, made)


@router.post("/page/artifacts/{artifact_id}/scene", response_model=None)
async def make_scene(
    request: Request, service: TheService, caller: Annotated[str, Depends(check_signed_in)], artifact_id: str
) -> HTMLResponse | RedirectResponse:
    """Make the artifact again to keep its scene, and show it; if it is not kept, show the comparison and the reason."""
    store = service.tools.artifacts
    artifact = await asyncio.to_thread(store.read, artifact_id)
    made = await service.replay(artifact_id, artifact.blender["version"], caller, keep_scene=True)
    if made.same and (await asyncio.to_thread(store.details, artifact_id)).glb:
        return RedirectResponse(f"/page/artifacts/{artifact_id}#take", 303)
    not_kept = "Blender could not export it as .glb within the limits."
    if not is_same_build(made.blender, made.was_blender):
        not_kept = "Its scene is not kept, because it is proven on another build of Blender than the one here."
    shown = not_kept if made.same and artifact.proven == "here" else None
    return await artifact_page(request, service, artifact_id, made, shown)


@router.get("/page/artifacts/{artifact_id}/view")
async def show_view(request: Request, service: TheService, artifact_id: str) -> HTMLResponse:
    """The 3D view of an artifact, for a frame in its page."""
    artifact = await asyncio.to_thread(service.tools.artifacts.details, artifact_id)
    if artifact.glb is None:
        raise SceneNotKept(f"The scene of artifact {artifact_id} is not kept as .glb.")
    shown = page(request, "view.html", artifact=artifact)
    shown.headers["Content-Security-Policy"] = VIEWER_POLICY
    return shown


@router.post("/page/artifacts/{artifact_id}/delete")
async def delete(service: TheService, artifact_id: str) -> RedirectResponse:
    """Delete the artifact."""
    await asyncio.to_thread(service.tools.gallery.delete, artifact_id)
    return RedirectResponse("/", 303)


async def artifact_page(
    request: Request, service: Service, artifact_id: str, made: Replay | None, not_kept: str | None = None
) -> HTMLResponse:
    store = service.tools.artifacts

    def read_files() -> tuple[ArtifactDetails, Verdict, Receipt, str]:
        snippet = store.content(artifact_id, "snippet.py").decode(errors="replace")
        return store.details(artifact_id), store.verdict(artifact_id), store.receipt(artifact_id), snippet

    details, verdict, receipt, snippet = await asyncio.to_thread(read_files)
    damaged = await asyncio.to_thread(store.damage, artifact_id)
    runs = await service.tools.runs.among([seen.run for seen in details.sightings], check_signed_in(request) or None)
    goes_on = next((run.id for run in runs if run.status is JobStatus.PROVEN), None)
    return page(
        request,
        "artifact.html",
        artifact=details,
        made=made,
        not_kept=not_kept,
        receipt=receipt,
        blenders=[blender.name for blender in service.tools.blenders],
        damaged=damaged,
        verdict=verdict_view(verdict),
        snippet=snippet_view(snippet, await coloured_markup(service, snippet), verdict.findings()),
        similar=await similar_to(service, artifact_id),
        runs={run.id for run in runs},
        goes_on=goes_on,
        scene_again=goes_on is not None and await scene_is_gone(service.tools.runs, goes_on),
        scene_bytes=scene_bytes(service.tools.settings.max_body_bytes),
    )
