"""The documentation as pages of the service, so that a message can lead to it."""

from __future__ import annotations

import asyncio
import functools
import itertools
import re
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from markdown_it import MarkdownIt
from markupsafe import Markup

from app.errors import NotFound
from app.handbook import name_of, pages
from app.web.routing import page, router


@router.get("/page/docs/{name}")
async def show_guide(request: Request, name: str) -> HTMLResponse:
    """A page of the documentation. Raises NotFound."""
    return page(request, "guide.html", **await asyncio.to_thread(read_guide, name_of(name)))


@functools.cache
def read_guide(name: str) -> dict[str, Any]:
    """The title and the markup of a page; its headings have the anchors that links name. Raises NotFound."""
    file = pages().get(name)
    if file is None:
        raise NotFound(f"There is no page {name[:60]} in the documentation.", "`blendproof docs` lists the pages.")
    # Links lead from page to page by their names; whatever is HTML in the text is shown as text.
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(file.read_text(encoding="utf-8"))
    for before, token in itertools.pairwise(tokens):
        if before.type == "heading_open":
            before.attrSet("id", re.sub(r"[^\w\- ]", "", token.content.lower()).replace(" ", "-"))
        if token.type == "fence":
            token.attrSet("tabindex", "0")
    markup = Markup(reader.renderer.render(tokens, reader.options, {}))
    return {"title": next((token.content for token in tokens if token.type == "inline"), name), "guide": markup}
