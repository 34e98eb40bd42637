"""The filters that every list and search of artifacts takes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends, Query
from pydantic import BeforeValidator

from app.artifacts.search.index import Filters
from app.errors import InvalidRequest

# A form sends its empty fields too, which filter nothing.
Moment = Annotated[datetime | None, BeforeValidator(lambda given: given or None)]


def read_filters(
    blender: Annotated[
        str | None, Query(max_length=60, description="Version or series of the Blender.", examples=["5.0"])
    ] = None,
    symbol: Annotated[
        str | None,
        Query(max_length=200, description="Address of a symbol that the snippet uses.", examples=["bpy.types.Mesh"]),
    ] = None,
    object_type: Annotated[
        str | None, Query(max_length=40, description="Type of an object it made or changed.", examples=["MESH"])
    ] = None,
    engine: Annotated[
        str | None, Query(max_length=40, description="The engine that the scene is set to.", examples=["CYCLES"])
    ] = None,
    tag: Annotated[str | None, Query(max_length=60, description="One of its tags.", examples=["bevel"])] = None,
    since: Annotated[Moment, Query(description="Not older than this; UTC unless it has another offset.")] = None,
    until: Annotated[Moment, Query(description="Older than this.")] = None,
) -> Filters:
    """The filters in the form that the gallery takes."""
    return Filters(
        blender=blender or None,
        symbol=symbol or None,
        object_type=object_type or None,
        engine=engine or None,
        tag=tag or None,
        since=in_utc("since", since),
        until=in_utc("until", until),
    )


def in_utc(name: str, moment: datetime | None) -> str | None:
    if moment is None:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        return aware.astimezone(UTC).isoformat(timespec="milliseconds")
    except OverflowError:
        raise InvalidRequest(
            f"query.{name}: {moment.isoformat()} cannot be written in UTC",
            "Send a later time, such as 2026-01-31T12:00:00Z.",
        ) from None


TheFilters = Annotated[Filters, Depends(read_filters)]
