"""The answers of a search for symbols and exemplars, the same for the HTTP interface and the command line."""

from __future__ import annotations

import dataclasses
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Literal

from pydantic import BaseModel

from app.errors import IndexNotReady, InvalidRequest
from app.prompting.exemplar import Exemplar
from app.retrieval.retriever import Retriever, SymbolMatch
from ingest.reference_store import IndexedReference, ReferenceIndexUnusable, ReferenceNotIndexed
from search.exporting import ModelUnusable

if TYPE_CHECKING:
    from harness.blenders import Blender

MODEL_HINT: Final = "The operator can choose another model: BLENDPROOF_EMBEDDING_MODEL, BLENDPROOF_CROSS_ENCODER."


class ReferenceBody(BaseModel):
    """The reference that was searched: the API of one build, or a published one."""

    name: str
    series: str
    source: str
    symbols: int
    dense: bool
    """True if search goes by meaning too; false while an ingest has not come that far."""


class SymbolHits(BaseModel):
    """The symbols of a search, the best first."""

    query: str
    kind: Literal["symbols"]
    reference: ReferenceBody
    hits: list[SymbolMatch]


class ExemplarHits(BaseModel):
    """The exemplars of a search, the nearest first."""

    query: str
    kind: Literal["exemplars"]
    reference: ReferenceBody
    hits: list[Exemplar]


def reference_body(reference: IndexedReference) -> ReferenceBody:
    """The reference as it is answered."""
    return ReferenceBody.model_validate(dataclasses.asdict(reference))


def reference_of(blenders: Sequence[Blender], retriever: Retriever, wanted: str | None) -> str | None:
    """The reference to search for a Blender: the build of that version, or of the default Blender.

    None, which means the newest there is, if nothing is wanted and the default Blender is not indexed.
    """
    if wanted or not blenders:
        return wanted
    default = blenders[0]
    indexed = retriever.catalogue().references
    return next((name for name in (default.version, f"{default.series}-published") if name in indexed), None)


@contextmanager
def index_errors() -> Generator[None, None, None]:
    """Turn what a search of the index raises into errors that say who must act."""
    try:
        yield
    except ReferenceNotIndexed as error:
        raise InvalidRequest(str(error), "Ask for one of these, or let the operator ingest it.") from error
    except ReferenceIndexUnusable as error:
        raise IndexNotReady(str(error)) from error
    except ModelUnusable as error:
        raise IndexNotReady(str(error), MODEL_HINT) from error
