"""The page: the gallery of artifacts, an ask box, and a page per run, artifact, symbol and change.

    GET  /                          the gallery, or search results      POST /page/picture   search by a picture
    GET  /page/jobs                 the jobs of all kinds, or /page/runs, /page/changes alone
    GET  /page/runs/ID              one run live                        POST .../cancel
                                                                        POST /page/ask       ask, then follow the run
    GET  /page/artifacts/ID         one artifact, with those like it    POST .../replay, .../delete
    GET  /page/symbols/ADDRESS      an entry of the Blender API         GET, POST /page/sign-in
    GET  /page/changes/ID           a change of a repository            POST .../cancel
    GET  /page/repositories[/NAME]  repositories, and one to ask        POST .../ask, .../change
    GET  /page/overview             the state of the service
    GET  /page/docs/NAME.md         a page of the documentation

The JSON interface has its own addresses. Every page is complete without the script.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, Response
from fastapi.staticfiles import StaticFiles

from app.errors import NotFound
from app.web import (
    addon_pages,
    artifact,
    change_pages,
    gallery,
    guide,
    job_list,
    overview,
    repository_pages,
    running,
    signing,
    symbol,
)
from app.web import ask_form as asking
from app.web.routing import HEADERS, open_router, page, router

FILES: Final = "/page/files"
ROUTES: Final = (
    gallery,
    asking,
    job_list,
    running,
    artifact,
    symbol,
    change_pages,
    addon_pages,
    repository_pages,
    guide,
    overview,
    signing,
)
"""The modules that add their routes to the routers when they are imported."""


class PageFiles(StaticFiles):
    """Files that a browser asks for anew, so that none of an older version is used together with newer ones."""

    def file_response(self, *given: Any, **named: Any) -> Response:
        """The file, or that it has not changed."""
        response = super().file_response(*given, **named)
        response.headers["Cache-Control"] = "no-cache"
        return response


def install(app: FastAPI) -> None:
    """Add the pages and the files they load to the application."""
    app.mount(FILES, PageFiles(packages=[("app.web", "files")]))
    # Browsers look here for an icon when they show a picture or JSON, which name no icon.
    app.add_api_route("/favicon.ico", show_icon, include_in_schema=False)
    app.include_router(open_router)
    app.include_router(router)


def no_such_page(request: Request) -> Response:
    """The page for an address that is none."""
    problem = NotFound("There is no such page.", "The gallery and the lists of jobs and repositories lead on.").body()
    shown = page(request, "error.html", NotFound.status, error=problem)
    shown.headers.update(HEADERS)
    return shown


def show_icon() -> FileResponse:
    """The icon of the page."""
    return FileResponse(Path(__file__).with_name("files") / "icon.svg")
