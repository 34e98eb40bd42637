"""The page: the gallery of artifacts, an ask box, and a page per run, artifact and symbol.

    GET  /                          the gallery, or search results      POST /page/picture   search by a picture
    GET  /page/runs, /page/runs/ID  the runs, one run live              POST /page/ask       ask, then follow the run
    GET  /page/artifacts/ID         one artifact, with those like it    POST .../replay, .../delete
    GET  /page/symbols/ADDRESS      an entry of the Blender API         GET, POST /page/sign-in

The JSON interface has its own addresses. Every page is complete without the script.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, FastAPI, File, Form, Query, Request, Response, UploadFile
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, RedirectResponse
from fastapi.routing import APIRoute
from fastapi.staticfiles import StaticFiles
from pydantic import ValidationError

from app.api import session
from app.api.common import TheService, caller_of, check_site
from app.api.filters import TheFilters
from app.artifacts.pictures import open_upload
from app.artifacts.replay import Replay
from app.artifacts.search.hits import HitPage
from app.artifacts.store.artifact import ArtifactDetails, Receipt
from app.checks.verdict import Verdict
from app.errors import ArtifactNotFound, BlendproofError, GalleryNotReady, InvalidRequest, SymbolNotFound, Unauthorized
from app.runs.request import MAX_SNIPPET, GenerateRequest, ValidateRequest
from app.runs.run import UNFINISHED
from app.service.search import index_errors, reference_of
from app.service.service import Service
from app.web.colours import highlighted, plain
from app.web.show import attempts_shown, render, run_words, snippet_shown, steps_of, verdict_shown
from harness.readers import ReadingFailed

PAGE_SIZE = 48
RUNS_SHOWN = 60
SIMILAR = 8
FILES = "/page/files"
POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}

Answer = TypeVar("Answer")


class SignInNeeded(Exception):
    """The service has a token, and this browser is not signed in."""


class PageRoute(APIRoute):
    """A route that answers errors with a page, and sets the headers of every page."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler of the route, wrapped to do so."""
        handle = super().get_route_handler()

        async def with_page(request: Request) -> Response:
            try:
                response = await handle(request)
            except SignInNeeded:
                response = RedirectResponse("/page/sign-in", 303)
            except BlendproofError as error:
                response = page(request, "error.html", error.status, error=error.body())
            except RequestValidationError as error:
                said = "; ".join(f"{item['loc'][-1]}: {item['msg']}" for item in error.errors() if item["loc"])
                body = InvalidRequest(said[:1000], "Go back and correct it.").body()
                response = page(request, "error.html", 422, error=body)
            response.headers.update(HEADERS)
            return response

        return with_page


def check_signed_in(request: Request) -> str:
    """Let in requests with the cookie of a token, or with the token itself; answers whose it is."""
    caller = caller_of(request, request.headers.get("authorization", ""))
    if caller is None:
        raise SignInNeeded
    return caller


open_router = APIRouter(route_class=PageRoute, include_in_schema=False, dependencies=[Depends(check_site)])

router = APIRouter(
    route_class=PageRoute,
    include_in_schema=False,
    dependencies=[Depends(check_site), Depends(check_signed_in)],
)


def install(app: FastAPI) -> None:
    """Add the pages and the files they load to the application."""
    app.mount(FILES, StaticFiles(packages=[("app.web", "files")]))
    app.include_router(open_router)
    app.include_router(router)


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page from a template; every template also gets `path` and `signed_in`."""
    signed_in = session.COOKIE in request.cookies and bool(request.app.state.tokens)
    return HTMLResponse(render(template, path=request.scope["path"], signed_in=signed_in, **values), status)


async def ask_gallery(service: Service, ask: Callable[..., Answer], *given: Any) -> Answer:
    """The answer of the gallery, computed in its own threads."""
    return await asyncio.get_running_loop().run_in_executor(service.tools.gallery.pool, functools.partial(ask, *given))


Text = Annotated[str, Form(max_length=2 * MAX_SNIPPET)]


@router.get("/")
async def show_gallery(
    request: Request,
    service: TheService,
    filters: TheFilters,
    q: Annotated[str, Query(max_length=2000)] = "",
    before: Annotated[str | None, Query(max_length=40)] = None,
    offset: Annotated[int, Query(ge=0, le=1000)] = 0,
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
            if offset + PAGE_SIZE < found.total and len(artifacts) == PAGE_SIZE:
                following = {"offset": offset + PAGE_SIZE}
        else:
            artifacts, older = await ask_gallery(service, gallery.page, filters, PAGE_SIZE, before)
            following = {"before": older} if older else None
        facets = await ask_gallery(service, gallery.facets)
        problem = None
    except GalleryNotReady as error:
        artifacts, facets, problem = [], {}, error.body()
    return gallery_page(
        request,
        service,
        artifacts=artifacts,
        facets=facets,
        found=found,
        q=q,
        following=following,
        ask=ask,
        problem=problem,
    )


def gallery_page(request: Request, service: Service, status: int = 200, **values: Any) -> HTMLResponse:
    """The gallery with these values; all others as on the first visit."""
    chosen = {name: value for name, value in request.query_params.items() if name in FILTERS and value}
    blank: dict[str, Any] = {
        "artifacts": [],
        "facets": {},
        "found": None,
        "q": "",
        "following": None,
        "ask": "",
        "snippet": "",
        "problem": None,
        "by_picture": False,
        "first_page": "before" not in request.query_params and "offset" not in request.query_params,
        "chosen": chosen,
        "blenders": [blender.name for blender in service.tools.blenders],
        "blender_problem": service.admission.blender_problem,
        "count": service.tools.artifacts.count(),
    }
    return page(request, "gallery.html", status, **{**blank, **values})


FILTERS = ("blender", "object_type", "engine", "tag", "symbol", "since", "until")


@router.post("/page/picture")
async def search_picture(
    request: Request, service: TheService, filters: TheFilters, picture: Annotated[UploadFile, File()]
) -> HTMLResponse:
    """The artifacts that look like the sent picture."""
    gallery, data = service.tools.gallery, await picture.read()
    try:
        found = await ask_gallery(service, lambda: gallery.search_picture(open_upload(data), filters, PAGE_SIZE, 0))
        facets = await ask_gallery(service, gallery.facets)
    except BlendproofError as error:
        return gallery_page(request, service, error.status, problem=error.body(), by_picture=True)
    artifacts = [hit.artifact for hit in found.hits]
    return gallery_page(request, service, artifacts=artifacts, facets=facets, found=found, by_picture=True)


@router.post("/page/ask")
async def ask(
    request: Request,
    service: TheService,
    caller: Annotated[str, Depends(check_signed_in)],
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
        run = await service.submit(wanted, caller)
    except ValidationError as error:
        empty = not words.strip() and not snippet.strip()
        said = "Say what the snippet should do." if empty else error.errors()[0]["msg"]
        problem = InvalidRequest(said, "Correct it and ask again.").body()
        return gallery_page(request, service, 422, problem=problem, ask=words, snippet=snippet)
    except BlendproofError as error:
        return gallery_page(request, service, error.status, problem=error.body(), ask=words, snippet=snippet)
    return RedirectResponse(f"/page/runs/{run.id}", 303)


@router.get("/page/runs")
async def show_runs(
    request: Request, service: TheService, before: Annotated[str | None, Query(max_length=40)] = None
) -> HTMLResponse:
    """The runs, the newest first, including those that proved nothing."""
    found = await service.tools.runs.page(None, RUNS_SHOWN + 1, before)
    runs = found[:RUNS_SHOWN]
    older = runs[-1].id if len(found) > RUNS_SHOWN else None
    return page(request, "runs.html", runs=runs, older=older, words=run_words)


@router.get("/page/runs/{run_id}")
async def show_run(request: Request, service: TheService, run_id: str) -> HTMLResponse:
    """One run: its current stage, or how it ended."""
    run = await service.tools.runs.run(run_id)
    last = run.attempts[-1] if run.attempts else None
    artifact = None
    if run.artifact and service.tools.artifacts.has(run.artifact.id):
        # The run is shown even if its artifact is damaged.
        with contextlib.suppress(ArtifactNotFound):
            artifact = await asyncio.to_thread(service.tools.artifacts.read, run.artifact.id)
    return page(
        request,
        "run.html",
        run=run,
        words=run_words(run),
        unfinished=run.status in UNFINISHED,
        steps=steps_of(run),
        last=last,
        artifact=artifact,
        similar=await similar_to(service, artifact.id) if artifact else [],
        verdict=verdict_shown(last.verdict) if last else None,
        snippet=snippet_shown(last.snippet, await coloured(service, last.snippet), last.verdict.findings())
        if last
        else None,
        attempts=attempts_shown(run.attempts),
        unproven=service.tools.pictures.has_unproven(run.id),
    )


@router.get("/page/runs/{run_id}/progress")
async def show_progress(request: Request, service: TheService, run_id: str) -> HTMLResponse:
    """Only the part that changes during a run, for the script of the page."""
    run = await service.tools.runs.summary(run_id)
    return page(request, "progress.html", run=run, steps=steps_of(run), unfinished=run.status in UNFINISHED)


@router.post("/page/runs/{run_id}/cancel")
async def cancel_run(service: TheService, run_id: str) -> RedirectResponse:
    """End a run now."""
    await service.cancel(run_id)
    return RedirectResponse(f"/page/runs/{run_id}", 303)


@router.get("/page/artifacts/{artifact_id}")
async def show_artifact(request: Request, service: TheService, artifact_id: str) -> HTMLResponse:
    """One artifact, with all of its files."""
    return await artifact_page(request, service, artifact_id, None)


@router.post("/page/artifacts/{artifact_id}/replay")
async def replay(
    request: Request, service: TheService, artifact_id: str, blender: Annotated[str, Form(max_length=20)] = ""
) -> HTMLResponse:
    """Make the artifact again, and show the comparison."""
    return await artifact_page(request, service, artifact_id, await service.replay(artifact_id, blender or None))


@router.post("/page/artifacts/{artifact_id}/delete")
async def delete(service: TheService, artifact_id: str) -> RedirectResponse:
    """Delete the artifact."""
    await asyncio.to_thread(service.tools.gallery.delete, artifact_id)
    return RedirectResponse("/", 303)


async def artifact_page(request: Request, service: Service, artifact_id: str, made: Replay | None) -> HTMLResponse:
    store = service.tools.artifacts

    def read() -> tuple[ArtifactDetails, Verdict, Receipt, str]:
        snippet = store.content(artifact_id, "snippet.py").decode(errors="replace")
        return store.details(artifact_id), store.verdict(artifact_id), store.receipt(artifact_id), snippet

    details, verdict, receipt, snippet = await asyncio.to_thread(read)
    damaged = await asyncio.to_thread(store.damage, artifact_id)
    return page(
        request,
        "artifact.html",
        artifact=details,
        made=made,
        receipt=receipt,
        blenders=[blender.name for blender in service.tools.blenders],
        damaged=damaged,
        verdict=verdict_shown(verdict),
        snippet=snippet_shown(snippet, await coloured(service, snippet), verdict.findings()),
        similar=await similar_to(service, artifact_id),
        runs={run.id for run in await service.tools.runs.among([seen.run for seen in details.sightings])},
    )


async def coloured(service: Service, snippet: str) -> str:
    """The markup of a snippet, with colours if a reader can make them."""
    try:
        return await service.tools.readers.ask(highlighted, snippet)
    except ReadingFailed:
        return plain(snippet)


async def similar_to(service: Service, artifact_id: str) -> list[Any]:
    """The artifacts most like this one; none while the index is being made."""
    try:
        return (await ask_gallery(service, service.tools.gallery.similar, artifact_id, SIMILAR)).hits
    except (GalleryNotReady, ArtifactNotFound):
        return []


@router.get("/page/symbols/{address}")
async def show_symbol(request: Request, service: TheService, address: str) -> HTMLResponse:
    """An entry of the Blender API, with a link to the artifacts that use it."""
    retriever = service.tools.retriever
    with index_errors():
        wanted = reference_of(service.tools.blenders, service.tools.retriever, None)
        symbol = await asyncio.to_thread(retriever.symbol, address, wanted)
        reference = retriever.reference(wanted)
    if symbol is None:
        raise SymbolNotFound(f"There is no symbol {address} in the API of {reference.name}.")
    return page(request, "symbol.html", symbol=symbol, reference=reference)


@open_router.get("/page/sign-in")
async def show_sign_in(request: Request) -> HTMLResponse:
    """The form that asks for the token."""
    return page(request, "sign-in.html", wrong=False)


@open_router.post("/page/sign-in")
async def sign_in(request: Request, token: Annotated[str, Form(max_length=1000)]) -> Response:
    """Sign in a browser that sends the token."""
    tokens = request.app.state.tokens
    if not tokens:
        return RedirectResponse("/", 303)
    value = session.session_of(token)
    if session.caller_of("", value, tokens) is None:
        await request.app.state.guesses.slow_down()
        return page(request, "sign-in.html", Unauthorized.status, wrong=True)
    response = RedirectResponse("/", 303)
    secure = request.scope.get("scheme") == "https"
    response.set_cookie(session.COOKIE, value, httponly=True, samesite="strict", secure=secure, path="/")
    return response


@open_router.post("/page/sign-out")
async def sign_out() -> RedirectResponse:
    """Sign this browser out."""
    response = RedirectResponse("/page/sign-in", 303)
    response.delete_cookie(session.COOKIE, path="/")
    return response
