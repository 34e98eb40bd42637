"""One whole entry of the Blender API; and the changes of the API between two Blenders."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from app.api.common import TheService, answers
from app.api.search import BlenderName
from app.blenders.api_differences import KINDS, ChangeFilter, Kind, SymbolChanges, changes_asked_for, symbols_used
from app.errors import BlenderMissing, IndexNotReady, InvalidRequest, SymbolNotFound
from app.jobs.request import MAX_SNIPPET
from app.service.search import index_errors, reference_of
from app.service.service import Service
from harness.blenders import BlenderNotAvailable
from harness.readers import ReadingFailed
from ingest.symbol import Symbol

router = APIRouter(prefix="/symbols", tags=["reference"])


LESS: Final = "Send less of it, or nest less deeply."

OneBlender = Annotated[str, Field(min_length=1, max_length=60)]


class DiffQuery(BaseModel):
    """The changes to list, and the two Blenders."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    old: OneBlender = Field(alias="from", examples=["4.5"])
    """The old Blender, such as `4.5`; it must be installed here."""
    new: OneBlender | None = Field(default=None, alias="to", examples=["5.0"])
    """The new Blender; it must be installed here. The default Blender unless given."""
    kind: list[Kind] = Field(default=list(KINDS), max_length=len(KINDS))
    """Only changes of these kinds."""
    prefix: str = Field(default="", max_length=200, examples=["bpy.types.SceneEEVEE"])
    """Only addresses that begin with this."""
    limit: int = Field(default=100, ge=1, le=500)
    """Most changes per page."""
    offset: int = Field(default=0, ge=0, le=1_000_000)
    """The number of changes to skip."""


class DiffBody(DiffQuery):
    """The same, limited to what a snippet uses."""

    snippet: str = Field(min_length=1, max_length=MAX_SNIPPET)
    """Only the symbols that this Python code uses."""


@router.get(
    "/diff",
    summary="See what changed between two Blenders",
    responses=answers("CHANGES", "The changes.", InvalidRequest, BlenderMissing),
)
async def get_diff(service: TheService, query: Annotated[DiffQuery, Query()]) -> SymbolChanges:
    """The symbols of the API that are removed, renamed, added or changed from one Blender to another.

    Both are read from the manifests of the installed builds. A new name is a `guess` unless it was tried.
    """
    return await diff_of(service, query, "query", None)


@router.post(
    "/diff",
    summary="See what changed in the symbols that a snippet uses",
    responses=answers("CHANGES", "The changes.", InvalidRequest, BlenderMissing),
)
async def post_diff(service: TheService, body: DiffBody) -> SymbolChanges:
    """The same, limited to the symbols that a snippet uses. The snippet is read, not executed."""
    return await diff_of(service, body, "body", body.snippet)


async def diff_of(service: Service, query: DiffQuery, where: str, snippet: str | None) -> SymbolChanges:
    old = service.admission.choose_blender(query.old, f"{where}.from")
    new = service.admission.choose_blender(query.new, f"{where}.to")
    tools = service.tools
    try:
        builds = [await asyncio.to_thread(tools.manifests.of, blender) for blender in (old, new)]
        used = None if snippet is None else await tools.readers.ask(symbols_used, snippet, builds)
        wanted = ChangeFilter(query.kind, query.prefix, used)
        return await asyncio.to_thread(changes_asked_for, builds[0], builds[1], wanted, query.offset, query.limit)
    except BlenderNotAvailable as error:
        raise BlenderMissing(str(error)) from error
    except ReadingFailed as why:
        raise InvalidRequest(f"{where}.snippet: this snippet is too much to be read: {why}", LESS) from None


@router.get(
    "/{address}",
    summary="Get a symbol",
    responses=answers("SYMBOL", "The entry.", SymbolNotFound, InvalidRequest, IndexNotReady),
)
async def get_symbol(
    service: TheService,
    address: Annotated[str, Path(max_length=200, description="Its address.", examples=["bpy.types.BevelModifier"])],
    blender: BlenderName = None,
) -> Symbol:
    """The symbol at exactly this address, or the only one that scripts write this way, such as `BevelModifier`.

    If there is none, `details` names the nearest addresses.
    """
    retriever = service.tools.retriever
    with index_errors():
        wanted = reference_of(service.tools.blenders, service.tools.retriever, blender)
        loop = asyncio.get_running_loop()
        symbol = await loop.run_in_executor(retriever.pool, retriever.symbol, address, wanted)
        if symbol is None:
            nearest = await loop.run_in_executor(retriever.pool, retriever.near, address, wanted)
            name = retriever.reference(wanted).name
            raise SymbolNotFound(f"There is no symbol {address} in {name}.", details={"nearest": nearest})
    return symbol
