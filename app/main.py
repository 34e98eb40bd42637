"""The HTTP application: routers, error bodies, size limit, and the service behind them."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re
import sqlite3
from importlib.metadata import version
from typing import Any, ClassVar

import structlog
from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.responses import HTMLResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.routing import Route

from app.api import (
    addons,
    artifacts,
    changes,
    chat,
    cookbook,
    generate,
    health,
    jobs,
    mcp,
    metrics,
    quick_check,
    repositories,
    responses,
    runs,
    search,
    symbols,
)
from app.api.common import check_token
from app.api.door import BodyLimit, Door, Guesses, KnownHost
from app.api.error_bodies import error_response
from app.api.invalid import invalid_request
from app.api.observing import RequestObserver
from app.errors import BlendproofError, ErrorBody, InvalidRequest, NotFound, StorageFailed
from app.http.requests import check_own, check_site
from app.service.service import Service
from app.settings import LOOPBACK
from app.web import pages

DOCS_FILES = "/docs/files"
INTERFACE = "/openapi.json"
JSON_BODIES = (
    "/generate",
    "/validate",
    "/check",
    "/check/place",
    "/addons",
    "/v1/chat/completions",
    "/v1/responses",
)
VERSION = version("blendproof")
LARGE_BODIES = (
    *JSON_BODIES,
    mcp.PATH,
    "/symbols/diff",
    "/search",
    "/repositories/[^/]+/(ask|diagnose|search)",
    "/page/picture",
    "/page/ask",
    "/page/repositories/[^/]+/ask",
)
"""The paths that take bodies of up to `max_body_bytes`, as regular expressions."""
ARCHIVES = "/artifacts/import"
DOCS_POLICY = (
    "default-src 'none'; script-src 'self' {script}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
DESCRIPTION = """
Ask for Blender Python in words, get back a snippet **proven** in Blender, with the evidence. Without a model, requests
are read in a small command language; with one, in plain words.

Every error has the same body: `code`, `message`, `hint`, `details`. A snippet that fails is not an error: its run
ends with a verdict.
"""


class Application(FastAPI):
    """An application whose interface is described once per process: each has the same routes, and it takes a second."""

    interface: ClassVar[dict[str, Any]] = {}

    def openapi(self) -> dict[str, Any]:
        if not self.interface:
            Application.interface = super().openapi()
        return self.interface


def create_app(service: Service) -> FastAPI:
    """The application over an open service."""
    settings = service.tools.settings
    app = Application(
        title="Blendproof",
        version=VERSION,
        description=DESCRIPTION,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        swagger_ui_oauth2_redirect_url=None,
    )
    app.state.service = service
    # The files of the documentation page come from a package, so that it works without a network.
    app.mount(DOCS_FILES, StaticFiles(packages=[("fastapi_swagger", "resources")]))
    app.add_route(INTERFACE, show_interface, include_in_schema=False)
    app.add_api_route("/docs", show_docs, include_in_schema=False, response_class=HTMLResponse)
    # Probes send no token; without one they learn little. First of all, because the routes of a router are made when
    # one is looked for that is not found before it.
    app.include_router(health.router, dependencies=[Depends(check_site)])
    for module in (
        generate,
        runs,
        artifacts,
        search,
        symbols,
        cookbook,
        repositories,
        changes,
        addons,
        quick_check,
        jobs,
        chat,
        responses,
        metrics,
    ):
        app.include_router(module.router, dependencies=[Depends(check_site), Depends(check_token), Depends(check_own)])
    pages.install(app)
    app.router.routes.append(Route(mcp.PATH, mcp.McpDoor(service, VERSION)))
    larger: dict[str, tuple[int, str]] = {
        **dict.fromkeys(LARGE_BODIES, (settings.max_body_bytes, "BLENDPROOF_MAX_BODY_BYTES")),
        ARCHIVES: (settings.max_archive_bytes, "BLENDPROOF_MAX_ARCHIVE_BYTES"),
    }
    app.add_middleware(BodyLimit, larger=larger, files=[ARCHIVES])
    app.state.guesses = Guesses()
    app.state.tokens = settings.all_tokens()
    app.add_middleware(Door, tokens=app.state.tokens, guesses=app.state.guesses)
    if settings.on_loopback:
        # A page in the user's browser must not reach the service through a name that it has pointed at loopback.
        app.add_middleware(KnownHost, names=[*LOOPBACK, "[::1]"])
    app.add_middleware(RequestObserver, metrics=service.tools.metrics)
    app.add_exception_handler(BlendproofError, answer_error)
    app.add_exception_handler(sqlite3.Error, answer_storage)
    app.add_exception_handler(RequestValidationError, answer_invalid)
    app.add_exception_handler(HTTPException, answer_http)
    app.add_exception_handler(Exception, answer_fault)
    return app


def show_interface(request: Request) -> Response:
    """The description of the interface. No coroutine, so that it is made in a thread: the first time takes a second."""
    return JSONResponse(request.app.openapi())


async def show_docs() -> HTMLResponse:
    """The documentation of the interface, to read and try."""
    shown = get_swagger_ui_html(
        openapi_url=INTERFACE,
        title="Blendproof",
        swagger_js_url=f"{DOCS_FILES}/swagger-ui-bundle.js",
        swagger_css_url=f"{DOCS_FILES}/swagger-ui.css",
        swagger_favicon_url=f"{DOCS_FILES}/favicon-32x32.png",
    )
    [script] = re.findall(rb"<script>(.*?)</script>", bytes(shown.body), re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script).digest()).decode()
    shown.headers["Content-Security-Policy"] = DOCS_POLICY.format(script=f"'sha256-{digest}'")
    return shown


async def answer_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, BlendproofError)
    return error_response(path_of(request), error.status, error.body(), error.headers)


async def answer_storage(request: Request, error: Exception) -> Response:
    """The data folder is full, read-only or damaged."""
    return await answer_error(request, StorageFailed(f"The runs cannot be read or written: {error}."))


async def answer_invalid(request: Request, error: Exception) -> Response:
    """A malformed request, as FastAPI found it, in our error body."""
    assert isinstance(error, RequestValidationError)
    if path_of(request) in JSON_BODIES and "json" not in request.headers.get("content-type", ""):
        problem = InvalidRequest("body: it was not sent as JSON.", "Send the header `Content-Type: application/json`.")
        return await answer_error(request, problem)
    route = request.scope.get("route")
    path = str(getattr(route, "path", request.scope["path"]))
    interface = await asyncio.to_thread(request.app.openapi)
    problem = invalid_request(error.errors(), error.body, interface, path, request.method)
    return error_response(path_of(request), InvalidRequest.status, problem.body(), {})


async def answer_http(request: Request, error: Exception) -> Response:
    """An unknown address or method, or a body that cannot be read, in our error body."""
    assert isinstance(error, HTTPException)
    if error.status_code == 400:
        unread = InvalidRequest(f"body: {error.detail}", "Send the body as JSON, in UTF-8.")
        return error_response(path_of(request), unread.status, unread.body(), {})
    if error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
        # Only a browser that is led to an address which is none; all others answer the same to whoever asks.
        return pages.no_such_page(request)
    code = {404: NotFound.code, 405: "method_not_allowed"}.get(error.status_code, "http_error")
    body = ErrorBody(code=code, message=str(error.detail), hint=NotFound.hint, details={})
    return error_response(path_of(request), error.status_code, body, dict(error.headers or {}))


async def answer_fault(request: Request, error: Exception) -> Response:
    """A fault of the service: the log has the traceback; the caller gets none."""
    structlog.get_logger().error("request failed", exc_info=error)
    fault = BlendproofError("The service failed on this request.")
    return error_response(path_of(request), 500, fault.body(), {})


def path_of(request: Request) -> str:
    path: str = request.scope["path"]
    return path
