"""The page: the gallery of artifacts, an ask box, and a page per run, artifact and symbol.

    GET  /                          the gallery, or search results      POST /page/picture   search by a picture
    GET  /page/runs, /page/runs/ID  the runs, one run live              POST /page/ask       ask, then follow the run
    GET  /page/artifacts/ID         one artifact, with those like it    POST .../replay, .../delete
    GET  /page/symbols/ADDRESS      an entry of the Blender API         GET, POST /page/sign-in

The JSON interface has its own addresses. Every page is complete without the script.
"""

from __future__ import annotations

from typing import Final

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from app.web import artifact, asking, gallery, running, signing, symbol
from app.web.routing import open_router, router

FILES: Final = "/page/files"
ROUTES: Final = (gallery, asking, running, artifact, symbol, signing)
"""The modules that add their routes to the routers when they are imported."""


def install(app: FastAPI) -> None:
    """Add the pages and the files they load to the application."""
    app.mount(FILES, StaticFiles(packages=[("app.web", "files")]))
    app.include_router(open_router)
    app.include_router(router)
