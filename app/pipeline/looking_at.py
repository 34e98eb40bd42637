"""One place of a snippet, for editors: the entry that is named there on each Blender, and what may be written there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from app.jobs.request import MAX_SNIPPET, without_mark
from app.pipeline.state import Tools
from app.reading.place.named import address_at, differences, gone, symbol_of
from app.reading.place.offers import Offer, offers_at
from harness.blenders import Blender, BlenderNotAvailable
from harness.readers import ReadingFailed
from ingest.manifest import Manifest
from ingest.symbol import Symbol


class PlaceRequest(BaseModel):
    """A place of a snippet. The snippet may be unfinished if only offers are asked for."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    snippet: Annotated[
        str,
        Field(max_length=MAX_SNIPPET, examples=["import bpy\nbpy.ops.mesh.primitive_torus_add()\n"]),
        AfterValidator(without_mark),
    ]
    """The Python code; it is read, not executed."""
    line: int = Field(ge=1, le=1_000_000, examples=[2])
    """The line, from 1."""
    column: int = Field(ge=1, le=1_000_000, examples=[20])
    """The column, in characters, from 1."""
    blender: str | None = Field(default=None, max_length=60)
    """The Blender; the default one unless given."""
    verify_on: list[str] = Field(default=[], max_length=8)
    """Further Blenders, with which the entry is compared."""
    offers: bool = False
    """True answers what may be written there, false what is named there."""


class NamedThere(BaseModel):
    """The entry of the API that is named at a place, or what may be written there."""

    blender: str
    address: str = ""
    """The address of the entry; empty if none is known."""
    symbol: Symbol | None = None
    """The entry; null if this Blender does not have it."""
    gone: str = ""
    """The advice of the book of changes on an entry that this Blender does not have."""
    elsewhere: dict[str, list[str]] = {}
    """By further Blender, how the entry differs there; empty if it is the same."""
    offers: list[Offer] = []


async def look_at(tools: Tools, asked: PlaceRequest, blenders: Sequence[Blender]) -> NamedThere:
    """Look at a place of a snippet, on the first of these Blenders; the entry is compared with the others.

    Raises BlenderNotAvailable.
    """
    target, *others = blenders
    manifest = await asyncio.to_thread(tools.manifests.of, target)
    place = asked.snippet, asked.line, asked.column, manifest
    try:
        if asked.offers:
            return NamedThere(blender=target.name, offers=await tools.readers.ask(offers_at, *place))
        address = await tools.readers.ask(address_at, *place)
    except ReadingFailed:
        address = ""
    if not address:
        return NamedThere(blender=target.name)
    return await asyncio.to_thread(compared, tools, address, target, manifest, others)


def compared(tools: Tools, address: str, target: Blender, manifest: Manifest, others: Sequence[Blender]) -> NamedThere:
    """The entry of an address, compared with other Blenders; those whose API cannot be read are left out."""
    symbol = symbol_of(address, manifest)
    elsewhere: dict[str, list[str]] = {}
    for blender in others:
        try:
            elsewhere[blender.name] = differences(symbol, symbol_of(address, tools.manifests.of(blender)))
        except BlenderNotAvailable:
            continue
    advice = "" if symbol else gone(address, manifest)
    return NamedThere(blender=target.name, address=address, symbol=symbol, gone=advice, elsewhere=elsewhere)
