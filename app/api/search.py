"""GET and POST /search: symbols of the Blender API by what they are for, artifacts by words or by a picture."""

from __future__ import annotations

import asyncio
import functools
from typing import Annotated, Literal

from fastapi import APIRouter, File, Query, UploadFile

from app.api.common import TheService, answers
from app.artifacts.uploads import picture_of
from app.errors import GalleryNotReady, IndexNotReady, InvalidRequest, PictureRefused, RequestTooLarge
from app.http.filters import TheFilters
from app.pipeline.known import known_answers
from app.service.artifact_search import ArtifactHits, artifact_hits
from app.service.search import (
    ExemplarHits,
    SymbolHits,
    index_errors,
    reference_body,
    reference_of,
)

router = APIRouter(tags=["reference"])

BlenderName = Annotated[
    str | None,
    Query(
        max_length=60, description="Version, series or reference; the default Blender's unless given.", examples=["5.0"]
    ),
]

Limit = Annotated[int, Query(ge=1, le=50, description="Most hits.")]
Offset = Annotated[int, Query(ge=0, le=1000, description="Artifacts only: how many of the best hits to skip.")]


@router.get(
    "/search",
    summary="Search the Blender API, or what was proven",
    responses=answers("HITS", "The symbols, the best first.", InvalidRequest, IndexNotReady, GalleryNotReady),
)
async def get_search(
    service: TheService,
    q: Annotated[
        str,
        Query(
            min_length=1,
            max_length=2000,
            pattern=r"\S",
            description="What to look for: words, a name of the user interface, an address.",
            examples=["round off the hard edges"],
        ),
    ],
    filters: TheFilters,
    kind: Annotated[
        Literal["symbols", "exemplars", "artifacts"],
        Query(description="The API; recipes, example scripts and artifacts with their code; or what was proven here."),
    ] = "symbols",
    blender: BlenderName = None,
    limit: Limit = 10,
    offset: Offset = 0,
) -> SymbolHits | ExemplarHits | ArtifactHits:
    """Symbols by meaning, by words and by name, each with the reason why it was chosen; exemplars by meaning; or
    artifacts by their words, their meaning and what their pictures show. The other filters and `offset` only apply to
    artifacts.

    A query may use the spelling of scripts (`mesh.primitive_uv_sphere_add`, `SubsurfModifier`) and the names of the
    user interface ("Principled BSDF").
    """
    searching = service.tools.metrics.searching
    if kind == "artifacts":
        gallery = service.tools.gallery
        with searching(kind):
            found = await asyncio.get_running_loop().run_in_executor(
                gallery.pool, gallery.search_words, q, filters, limit, offset
            )
        return artifact_hits(q, found)
    retriever = service.tools.retriever
    with index_errors():
        wanted = reference_of(service.tools.blenders, service.tools.retriever, blender)
        reference = retriever.reference(wanted)
        about = reference_body(reference)
        # In a pool of its own, so that many searches leave the threads of the runs alone.
        search = functools.partial(asyncio.get_running_loop().run_in_executor, retriever.pool)
        if kind == "exemplars":
            with searching(kind):
                near = await search(known_answers, retriever, service.tools.gallery, q, wanted, limit)
            return ExemplarHits(query=q, kind=kind, reference=about, hits=near)
        with searching(kind):
            hits = await search(retriever.search, q, wanted, limit)
        return SymbolHits(query=q, kind=kind, reference=about, hits=hits)


@router.post(
    "/search",
    summary="Search what was proven by a picture",
    responses=answers(
        "ARTIFACT_HITS",
        "The artifacts, the most alike first.",
        InvalidRequest,
        PictureRefused,
        RequestTooLarge,
        GalleryNotReady,
    ),
)
async def search_by_picture(
    service: TheService,
    filters: TheFilters,
    picture: Annotated[UploadFile, File(description="A PNG, JPEG or WebP of at most 8192 px per edge.")],
    limit: Limit = 10,
    offset: Offset = 0,
) -> ArtifactHits:
    """Near-duplicates first, by the hashes of their pictures; then, if CLIP has weights, artifacts that look alike."""
    gallery, data = service.tools.gallery, await picture.read()
    with service.tools.metrics.searching("picture"):
        sent = await picture_of(data, service.tools.readers)

        def search() -> ArtifactHits:
            return artifact_hits(None, gallery.search_picture(sent, filters, limit, offset))

        return await asyncio.get_running_loop().run_in_executor(gallery.pool, search)
