"""The artifacts: proven snippets with their pictures; list, replay, export and import them."""

from __future__ import annotations

import asyncio
import hashlib
import tempfile
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel

from app.api.common import ArtifactId, TheCaller, TheService, answers
from app.api.error_bodies import errors
from app.api.examples import example, file_example
from app.artifacts.pictures import shrunk
from app.artifacts.replay import Replay
from app.artifacts.store import archive
from app.artifacts.store.artifact import Artifact, ArtifactDetails
from app.errors import (
    ArchiveRefused,
    ArtifactDamaged,
    ArtifactNotFound,
    BlenderMissing,
    GalleryNotReady,
    InvalidRequest,
    RequestTooLarge,
    RunFailed,
    SandboxMissing,
    SceneNotKept,
    ServiceBusy,
)
from app.http.filters import TheFilters
from app.service.artifact_search import ArtifactHits, artifact_hits

router = APIRouter(prefix="/artifacts", tags=["artifacts"])

# The files of an artifact never change, so a client may keep them for a day. Shared caches may not: the service may
# have a token, and the artifact may be deleted.
KEPT = {"Cache-Control": "private, max-age=86400, immutable", "X-Content-Type-Options": "nosniff"}
PNG: dict[str, Any] = file_example("image/png", "The picture.")
Known = Annotated[
    str | None,
    Header(
        alias="If-None-Match",
        max_length=1000,
        description="The `ETag` of the file that the client has: if it is the same, the answer is 304 without it.",
        examples=['"0123456789abcdef"'],
    ),
]


def cacheable(content: bytes, media_type: str, known: str | None) -> Response:
    """A file that never changes, or 304 if the client has it already."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    if known is not None and (
        known.strip() == "*" or tag in [sent.strip().removeprefix("W/") for sent in known.split(",")]
    ):
        return Response(status_code=304, headers={**KEPT, "ETag": tag})
    return Response(content, media_type=media_type, headers={**KEPT, "ETag": tag})


async def file_response(
    read: Callable[[str, Any], bytes], artifact_id: str, name: str, media_type: str, known: str | None
) -> Response:
    """A file of an artifact, as it was published. Raises ArtifactNotFound and ArtifactDamaged."""
    return cacheable(await asyncio.to_thread(read, artifact_id, name), media_type, known)


async def picture_response(
    read: Callable[[str, Any], bytes], artifact_id: str, name: str, size: int | None, known: str | None
) -> Response:
    """A picture of an artifact, not larger than `size`. Raises ArtifactNotFound, ArtifactDamaged, PictureRefused."""
    content = await asyncio.to_thread(read, artifact_id, name)
    if size is not None:
        content = await asyncio.to_thread(shrunk, content, size)
    return cacheable(content, "image/png", known)


Size = Annotated[int | None, Query(ge=32, le=2048, description="Longest edge in pixels; as it is unless given.")]
View = Annotated[
    str,
    Path(pattern=r"^[a-z0-9_]{1,40}$", description="A view or a frame, as the artifact names it.", examples=["top"]),
]


class ArtifactPage(BaseModel):
    """Some artifacts, the newest first. `next` is the `before` of the next page, null on the last."""

    artifacts: list[Artifact]
    next: str | None


class Imported(BaseModel):
    """The artifacts of an archive: those that are new here, each under a name of its own that begins with `i-`, and
    those whose content was here already."""

    new: list[str]
    known: list[str]


@router.get(
    "",
    summary="List the artifacts",
    responses=answers("ARTIFACT_PAGE", "One page.", InvalidRequest, ArtifactNotFound, GalleryNotReady),
)
async def list_artifacts(
    service: TheService,
    filters: TheFilters,
    limit: Annotated[int, Query(ge=1, le=200, description="Most artifacts per page.")] = 50,
    before: Annotated[
        str | None,
        Query(description="Only artifacts older than this one: an id, or `next`.", examples=[example("ARTIFACT_ID")]),
    ] = None,
) -> ArtifactPage:
    """The artifacts that pass the filters, the newest first."""
    gallery = service.tools.gallery
    found, following = await asyncio.get_running_loop().run_in_executor(
        gallery.pool, gallery.page, filters, limit, before
    )
    return ArtifactPage(artifacts=found, next=following)


@router.get(
    "/export",
    summary="Export artifacts as one archive",
    response_class=StreamingResponse,
    responses={
        200: file_example("application/x-tar", "A .tar with one folder per artifact."),
        **errors(InvalidRequest, GalleryNotReady),
    },
)
async def export_artifacts(service: TheService, filters: TheFilters) -> StreamingResponse:
    """Every artifact that passes the filters, to back up or to import elsewhere."""
    gallery = service.tools.gallery
    ids = await asyncio.get_running_loop().run_in_executor(gallery.pool, gallery.ids, filters)
    return StreamingResponse(
        archive.export(gallery.store, ids),
        media_type="application/x-tar",
        headers={"Content-Disposition": 'attachment; filename="blendproof-artifacts.tar"'},
    )


@router.post(
    "/import",
    summary="Import an archive of artifacts",
    responses=answers("IMPORTED", "The artifacts of the archive.", ArchiveRefused, InvalidRequest, RequestTooLarge),
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/x-tar": {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
async def import_artifacts(service: TheService, request: Request) -> Imported:
    """Add the artifacts of an exported archive; the body is the archive itself.

    Each artifact is checked against its own receipt, and refused if it differs. Imported artifacts are searched and
    shown, but prove nothing here: a run or a replay makes its own proof of the same snippet.
    """
    gallery = service.tools.gallery
    with tempfile.TemporaryFile(dir=service.tools.settings.data_folder) as file:
        async for piece in request.stream():
            await asyncio.to_thread(file.write, piece)
        file.seek(0)
        new, known = await asyncio.to_thread(gallery.import_archive, file, service.tools.readers)
    return Imported(new=new, known=known)


@router.get(
    "/{artifact_id}.png",
    summary="Get the picture of an artifact",
    response_class=Response,
    responses={200: PNG, **errors(ArtifactNotFound, ArtifactDamaged, InvalidRequest)},
)
async def get_picture(artifact_id: ArtifactId, service: TheService, size: Size = None, known: Known = None) -> Response:
    """The render that the proof judged, as PNG."""
    return await picture_response(service.tools.artifacts.content, artifact_id, "picture.png", size, known)


@router.get(
    "/{artifact_id}.blend",
    summary="Get the scene of an artifact",
    response_class=Response,
    responses={
        200: file_example("application/x-blender", "The scene."),
        **errors(ArtifactNotFound, SceneNotKept, ArtifactDamaged, InvalidRequest),
    },
)
async def get_scene(artifact_id: ArtifactId, service: TheService, known: Known = None) -> Response:
    """The scene that the snippet left, if a run asked for it with `keep_scene`. An untrusted process saved it: open it
    with Blender's Auto Run off."""
    content = await asyncio.to_thread(service.tools.artifacts.scene, artifact_id)
    return cacheable(content, "application/x-blender", known)


@router.get(
    "/{artifact_id}.glb",
    summary="Get the scene of an artifact as glTF",
    response_class=Response,
    responses={
        200: file_example("model/gltf-binary", "The scene."),
        **errors(ArtifactNotFound, SceneNotKept, ArtifactDamaged, InvalidRequest),
    },
)
async def get_glb(artifact_id: ArtifactId, service: TheService, known: Known = None) -> Response:
    """The same scene, exported by the process that never ran the snippet; it holds no scripts."""
    content = await asyncio.to_thread(service.tools.artifacts.scene, artifact_id, "glb")
    return cacheable(content, "model/gltf-binary", known)


@router.get(
    "/{artifact_id}/views/{view}.png",
    summary="Get a further picture of an artifact",
    response_class=Response,
    responses={200: PNG, **errors(ArtifactNotFound, ArtifactDamaged, InvalidRequest)},
)
async def get_view(
    artifact_id: ArtifactId, view: View, service: TheService, size: Size = None, known: Known = None
) -> Response:
    """The picture of one further view, or of one frame, that the request asked for."""
    return await picture_response(service.tools.artifacts.view, artifact_id, view, size, known)


@router.get(
    "/{artifact_id}/snippet.py",
    summary="Get the snippet of an artifact",
    response_class=Response,
    responses={
        200: file_example("text/x-python", "The proven snippet.", example("SNIPPET")),
        **errors(ArtifactNotFound, ArtifactDamaged, InvalidRequest),
    },
)
async def get_snippet(artifact_id: ArtifactId, service: TheService, known: Known = None) -> Response:
    """The proven Python source, as it was run."""
    return await file_response(
        service.tools.artifacts.content, artifact_id, "snippet.py", "text/x-python; charset=utf-8", known
    )


@router.get(
    "/{artifact_id}/report.json",
    summary="Get the report of an artifact",
    response_class=Response,
    responses=answers("REPORT", "Verdict and report.", ArtifactNotFound, ArtifactDamaged, InvalidRequest),
)
async def get_report(artifact_id: ArtifactId, service: TheService, known: Known = None) -> Response:
    """The verdict, and the report of the execution with its claims and its evidence."""
    return await file_response(service.tools.artifacts.content, artifact_id, "report.json", "application/json", known)


@router.get(
    "/{artifact_id}/contact-sheet.png",
    summary="Get the contact sheet of an artifact",
    response_class=Response,
    responses={200: PNG, **errors(ArtifactNotFound, ArtifactDamaged, InvalidRequest)},
)
async def get_contact_sheet(
    artifact_id: ArtifactId, service: TheService, size: Size = None, known: Known = None
) -> Response:
    """All pictures of an artifact in one, if it has several."""
    return await picture_response(service.tools.artifacts.content, artifact_id, "contact-sheet.png", size, known)


@router.get(
    "/{artifact_id}/receipt.json",
    summary="Get the receipt of an artifact",
    response_class=Response,
    responses=answers("RECEIPT", "How to make it again.", ArtifactNotFound, ArtifactDamaged, InvalidRequest),
)
async def get_receipt(artifact_id: ArtifactId, service: TheService, known: Known = None) -> Response:
    """Everything needed to make the artifact again, with the hashes of all results."""
    return await file_response(service.tools.artifacts.content, artifact_id, "receipt.json", "application/json", known)


@router.get(
    "/{artifact_id}/similar",
    summary="Find artifacts like this one",
    responses=answers(
        "SIMILAR",
        "The artifacts, the most alike first.",
        ArtifactNotFound,
        ArtifactDamaged,
        InvalidRequest,
        GalleryNotReady,
    ),
)
async def get_similar(
    artifact_id: ArtifactId,
    service: TheService,
    limit: Annotated[int, Query(ge=1, le=50, description="Most hits.")] = 10,
) -> ArtifactHits:
    """Near-duplicates by the hashes of their pictures first, then artifacts that look or read alike."""
    gallery = service.tools.gallery
    found = await asyncio.get_running_loop().run_in_executor(gallery.pool, gallery.similar, artifact_id, limit)
    return artifact_hits(artifact_id, found)


@router.post(
    "/{artifact_id}/replay",
    summary="Make an artifact again",
    responses=answers(
        "REPLAY",
        "How the replay came out.",
        ArtifactNotFound,
        ArtifactDamaged,
        InvalidRequest,
        BlenderMissing,
        SandboxMissing,
        ServiceBusy,
        RunFailed,
    ),
)
async def replay_artifact(
    artifact_id: ArtifactId,
    service: TheService,
    caller: TheCaller,
    blender: Annotated[
        str | None,
        Query(max_length=20, description="Version or series; the default Blender unless given.", examples=["5.0"]),
    ] = None,
    keep_scene: Annotated[
        bool,
        Query(description="Keep its scene as .blend and .glb, if it comes out the same on the build of its proof."),
    ] = False,
) -> Replay:
    """Run it again from its receipt, without a model or network, and compare geometry and picture with the original.

    An import that comes out the same is judged anew: `verdict` is that of the replay, and `proof` the artifact that is
    proven here by it. What the archive says of it is quoted there.
    """
    return await service.replay(artifact_id, blender, caller, keep_scene)


@router.delete(
    "/{artifact_id}",
    summary="Delete an artifact",
    responses=answers("ARTIFACT_DETAILS", "The artifact as it was.", ArtifactNotFound, ArtifactDamaged, InvalidRequest),
)
async def delete_artifact(artifact_id: ArtifactId, service: TheService) -> ArtifactDetails:
    """Delete an artifact with all its files. The runs that produced it are kept."""
    details = await asyncio.to_thread(service.tools.artifacts.details, artifact_id)
    await asyncio.to_thread(service.tools.gallery.delete, artifact_id)
    return details


@router.get(
    "/{artifact_id}",
    summary="Get an artifact",
    responses=answers("ARTIFACT_DETAILS", "The artifact.", ArtifactNotFound, ArtifactDamaged, InvalidRequest),
)
async def get_artifact(artifact_id: ArtifactId, service: TheService) -> ArtifactDetails:
    """Its origin, its sightings, and the addresses and hashes of its files."""
    return await asyncio.to_thread(service.tools.artifacts.details, artifact_id)
