"""GET /search: symbols of the Blender API by what they are for."""

from __future__ import annotations

import asyncio
import functools
from typing import Annotated, Literal

from fastapi import APIRouter, Query

from app.api.common import TheService, errors
from app.api.examples import HITS, json_example
from app.errors import IndexNotReady, InvalidRequest
from app.search import ExemplarHits, SymbolHits, exemplar_body, hit_body, index_errors, reference_body

router = APIRouter(tags=["reference"])

BlenderName = Annotated[
    str | None,
    Query(
        max_length=60, description="Version, series or reference; the default Blender's unless given.", examples=["5.0"]
    ),
]


@router.get(
    "/search",
    summary="Search the Blender API",
    responses={200: json_example(HITS, "The symbols, the best first."), **errors(InvalidRequest, IndexNotReady)},
)
async def get_search(
    service: TheService,
    q: Annotated[
        str,
        Query(
            min_length=1,
            max_length=2000,
            pattern=r"\S",
            description="What is looked for: words, a name of the user interface, an address.",
            examples=["round off the hard edges"],
        ),
    ],
    kind: Annotated[
        Literal["symbols", "exemplars"], Query(description="The API, or recipes and example scripts with their code.")
    ] = "symbols",
    blender: BlenderName = None,
    limit: Annotated[int, Query(ge=1, le=50, description="Most hits.")] = 10,
) -> SymbolHits | ExemplarHits:
    """Symbols by meaning, by words and by name, each with the reason why it was chosen; or exemplars by meaning.

    Spelling of scripts (`mesh.primitive_uv_sphere_add`, `SubsurfModifier`) and names of the user interface ("Principled
    BSDF") are understood.
    """
    retriever = service.tools.retriever
    with index_errors():
        wanted = service.reference(blender)
        reference = retriever.reference(wanted)
        about = reference_body(reference)
        # In a pool of its own, so that many searches leave the threads of the runs alone.
        search = functools.partial(asyncio.get_running_loop().run_in_executor, retriever.pool)
        if kind == "exemplars":
            near = await search(retriever.exemplars, q, wanted, limit)
            return ExemplarHits(query=q, kind=kind, reference=about, hits=[exemplar_body(one) for one in near])
        hits = await search(retriever.search, q, wanted, limit)
        return SymbolHits(query=q, kind=kind, reference=about, hits=[hit_body(hit) for hit in hits])
