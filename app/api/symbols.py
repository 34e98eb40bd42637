"""GET /symbols/{address}: one entry of the Blender API, whole."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path

from app.api.common import TheService, errors
from app.api.examples import SYMBOL, json_example
from app.api.search import BlenderName
from app.errors import IndexNotReady, InvalidRequest, SymbolNotFound
from app.search import SymbolBody, index_errors, symbol_body

router = APIRouter(prefix="/symbols", tags=["reference"])


@router.get(
    "/{address}",
    summary="Get a symbol",
    responses={200: json_example(SYMBOL, "The entry."), **errors(SymbolNotFound, InvalidRequest, IndexNotReady)},
)
async def get_symbol(
    service: TheService,
    address: Annotated[str, Path(max_length=200, description="Its address.", examples=["bpy.types.BevelModifier"])],
    blender: BlenderName = None,
) -> SymbolBody:
    """The symbol of exactly this address, or the only one that is written so in scripts, such as `BevelModifier`.

    Where there is none, `details` names the nearest addresses.
    """
    retriever = service.tools.retriever
    with index_errors():
        wanted = service.reference(blender)
        loop = asyncio.get_running_loop()
        symbol = await loop.run_in_executor(retriever.pool, retriever.symbol, address, wanted)
        if symbol is None:
            nearest = await loop.run_in_executor(retriever.pool, retriever.near, address, wanted)
            name = retriever.reference(wanted).name
            raise SymbolNotFound(f"There is no symbol {address} in {name}.", details={"nearest": nearest})
    return symbol_body(symbol)
