"""The gallery of what was proven: newest first, found by words, by filters or by a picture."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from typing import Annotated, Any, Final, TypeVar

from fastapi import File, Query, Request, UploadFile
from fastapi.responses import HTMLResponse

from app.artifacts.search.hits import HitPage
from app.artifacts.uploads import picture_of
from app.errors import ArtifactNotFound, BlendproofError, GalleryNotReady
from app.http.filters import TheFilters
from app.service.service import Service
from app.web.asked import AskValues, scene_bytes
from app.web.routing import TheService, page, router

PAGE_SIZE: Final = 48
FARTHEST: Final = 1000
"""The most hits of a search that are passed over."""
SIMILAR: Final = 8
FILTERS: Final = ("blender", "object_type", "engine", "tag", "symbol", "since", "until")

EXAMPLES: Final = (
    "Add a torus called Ring with major radius 2, make it gold and shade it smooth",
    "Add a monkey called Suzanne at (0, 0, 1) and add a subdivision surface modifier with levels 2",
    "Make the cube glowing orange",
    "Use the recipe chair",
    "Use the recipe tree",
    "Use the recipe gear",
)
"""Requests that an empty gallery offers; each is proven without a model."""

Answer = TypeVar("Answer")


@router.get("/")
async def show_gallery(
    request: Request,
    service: TheService,
    filters: TheFilters,
    q: Annotated[str, Query(max_length=2000)] = "",
    before: Annotated[str | None, Query(max_length=60)] = None,
    offset: Annotated[int, Query(ge=0, le=FARTHEST)] = 0,
    ask: Annotated[str, Query(max_length=4000)] = "",
) -> HTMLResponse:
    """The artifacts, the newest first; with `q`, those that match the words."""
    gallery = service.tools.gallery
    found: HitPage | None = None
    following: dict[str, Any] | None = None
    try:
        if q.strip():
            found = await ask_gallery(service, gallery.search_words, q, filters, PAGE_SIZE, offset)
            artifacts = [hit.artifact for hit in found.hits]
            if offset + PAGE_SIZE < min(found.total, FARTHEST + 1) and len(artifacts) == PAGE_SIZE:
                following = {"offset": offset + PAGE_SIZE}
        else:
            artifacts, older = await ask_gallery(service, gallery.page, filters, PAGE_SIZE, before)
            following = {"before": older} if older else None
        facets = await ask_gallery(service, gallery.facets)
        problem = None
    except GalleryNotReady as error:
        artifacts, facets, problem = [], {}, error.body()
    return await gallery_page(
        request,
        service,
        artifacts=artifacts,
        facets=facets,
        found=found,
        q=q,
        following=following,
        asked=AskValues(words=ask),
        problem=problem,
    )


async def gallery_page(request: Request, service: Service, status: int = 200, **values: Any) -> HTMLResponse:
    """The gallery with these values; all others as on the first visit."""
    chosen = {name: value for name, value in request.query_params.items() if name in FILTERS and value}
    blank: dict[str, Any] = {
        "artifacts": [],
        "facets": {},
        "found": None,
        "q": "",
        "following": None,
        "asked": AskValues(),
        "scene_bytes": scene_bytes(service.tools.settings.max_body_bytes),
        "problem": None,
        "by_picture": False,
        "first_page": "before" not in request.query_params and "offset" not in request.query_params,
        "chosen": chosen,
        "examples": EXAMPLES,
        "blenders": [blender.name for blender in service.tools.blenders],
        "blender_problem": service.admission.blender_problem,
        "count": await asyncio.to_thread(service.tools.artifacts.count),
    }
    return page(request, "gallery.html", status, **{**blank, **values})


@router.post("/page/picture")
async def search_picture(
    request: Request, service: TheService, filters: TheFilters, picture: Annotated[UploadFile, File()]
) -> HTMLResponse:
    """The artifacts that look like the sent picture."""
    gallery = service.tools.gallery
    try:
        sent = await picture_of(await picture.read(), service.tools.readers)
        found = await ask_gallery(service, gallery.search_picture, sent, filters, PAGE_SIZE, 0)
        facets = await ask_gallery(service, gallery.facets)
    except BlendproofError as error:
        return await gallery_page(request, service, error.status, problem=error.body(), by_picture=True)
    artifacts = [hit.artifact for hit in found.hits]
    return await gallery_page(request, service, artifacts=artifacts, facets=facets, found=found, by_picture=True)


async def ask_gallery(service: Service, ask: Callable[..., Answer], *given: Any) -> Answer:
    """The answer of the gallery, computed in its own threads."""
    return await asyncio.get_running_loop().run_in_executor(service.tools.gallery.pool, functools.partial(ask, *given))


async def similar_to(service: Service, artifact_id: str) -> list[Any] | None:
    """The artifacts most like this one; None while the index is being made."""
    try:
        return (await ask_gallery(service, service.tools.gallery.similar, artifact_id, SIMILAR)).hits
    except ArtifactNotFound:
        return []
    except GalleryNotReady:
        return None
