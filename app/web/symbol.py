"""An entry of the Blender API, with a link to the artifacts that use it."""

from __future__ import annotations

import asyncio

from fastapi import Request
from fastapi.responses import HTMLResponse

from app.errors import SymbolNotFound
from app.service.search import index_errors, reference_of
from app.web.routing import TheService, page, router


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
