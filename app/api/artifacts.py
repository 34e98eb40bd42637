"""The artifacts: what was proven, with its picture."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.responses import FileResponse

from app.api.common import ArtifactId, TheService, errors
from app.api.examples import ARTIFACT, REPORT, SNIPPET, json_example
from app.artifacts.store import Artifact
from app.errors import ArtifactNotFound, InvalidRequest
from app.request import ViewName

router = APIRouter(prefix="/artifacts", tags=["artifacts"])

# An artifact never changes, so whoever has it need not ask again.
FOREVER = {"Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}
PNG: dict[str, Any] = {
    "description": "The picture.",
    "content": {"image/png": {"schema": {"type": "string", "format": "binary"}, "example": "(bytes of a PNG)"}},
}


@router.get(
    "/{artifact_id}.png",
    summary="Get the picture of an artifact",
    response_class=FileResponse,
    responses={200: PNG, **errors(ArtifactNotFound, InvalidRequest)},
)
async def get_picture(artifact_id: ArtifactId, service: TheService) -> FileResponse:
    """The render that the proof looked at, as PNG."""
    path = service.tools.artifacts.file(artifact_id, "picture.png")
    return FileResponse(path, media_type="image/png", headers=FOREVER)


@router.get(
    "/{artifact_id}/views/{view}.png",
    summary="Get a further picture of an artifact",
    response_class=FileResponse,
    responses={200: PNG, **errors(ArtifactNotFound, InvalidRequest)},
)
async def get_view(artifact_id: ArtifactId, view: ViewName, service: TheService) -> FileResponse:
    """The picture from one of the further views that the request asked for."""
    return FileResponse(service.tools.artifacts.view(artifact_id, view), media_type="image/png", headers=FOREVER)


@router.get(
    "/{artifact_id}/snippet.py",
    summary="Get the snippet of an artifact",
    response_class=FileResponse,
    responses={
        200: {
            "description": "The proven snippet.",
            "content": {"text/x-python": {"schema": {"type": "string"}, "example": SNIPPET}},
        },
        **errors(ArtifactNotFound, InvalidRequest),
    },
)
async def get_snippet(artifact_id: ArtifactId, service: TheService) -> FileResponse:
    """The proven Python source, as it was run."""
    path = service.tools.artifacts.file(artifact_id, "snippet.py")
    return FileResponse(path, media_type="text/x-python; charset=utf-8", headers=FOREVER)


@router.get(
    "/{artifact_id}/report.json",
    summary="Get the report of an artifact",
    response_class=FileResponse,
    responses={
        200: json_example(REPORT, "Verdict and report."),
        **errors(ArtifactNotFound, InvalidRequest),
    },
)
async def get_report(artifact_id: ArtifactId, service: TheService) -> FileResponse:
    """The verdict, and the report of the execution with its claims and its evidence."""
    path = service.tools.artifacts.file(artifact_id, "report.json")
    return FileResponse(path, media_type="application/json", headers=FOREVER)


@router.get(
    "/{artifact_id}",
    summary="Get what is known of an artifact",
    responses={200: json_example(ARTIFACT, "The artifact."), **errors(ArtifactNotFound, InvalidRequest)},
)
async def get_artifact(artifact_id: ArtifactId, service: TheService) -> Artifact:
    """Where it came from, where its files are, and their hashes."""
    return service.tools.artifacts.read(artifact_id)
