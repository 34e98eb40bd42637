"""The documentation as pages of the service, so that a message can lead to it."""

from __future__ import annotations

import asyncio
import functools
import itertools
import posixpath
import re
from collections.abc import Container, Sequence
from typing import Any

from fastapi import Request
from fastapi.responses import FileResponse, HTMLResponse
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from app.errors import NotFound
from app.handbook import shelf
from app.web.routing import page, router


@router.get("/page/docs/{name:path}", response_model=None)
async def show_guide(request: Request, name: str) -> HTMLResponse | FileResponse:
    """A page or a picture of the documentation. Raises NotFound."""
    if name.endswith(".png") and (picture := (await asyncio.to_thread(shelf)).get(name)):
        return FileResponse(picture)
    return page(request, "guide.html", **await asyncio.to_thread(read_guide, name.removesuffix(".md")))


@functools.cache
def read_guide(name: str) -> dict[str, Any]:
    """The title and the markup of a page; its headings have the anchors that links name. Raises NotFound."""
    there = shelf()
    file = there.get(f"{name}.md")
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
        token.children = followed(token.children or [], posixpath.dirname(name), there)
    markup = Markup(reader.renderer.render(tokens, reader.options, {}))
    return {"title": next((token.content for token in tokens if token.type == "inline"), name), "guide": markup}


def followed(tokens: Sequence[Token], folder: str, there: Container[str]) -> list[Token]:
    """The parts of a text in this folder of the documentation; links and pictures of what is not there become words."""
    kept: list[Token] = []
    leads = True
    for token in tokens:
        place = str(token.attrGet("href") or token.attrGet("src") or "").partition("#")[0]
        known = not place or "://" in place or posixpath.normpath(posixpath.join(folder, place)) in there
        if token.type == "link_open":
            leads = known
        if token.type == "image" and not known:
            kept.append(Token("text", "", 0, content=token.content))
        elif leads or not token.type.startswith("link_"):
            kept.append(token)
    return kept
