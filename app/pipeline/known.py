"""Known answers: recipes of the cookbook, example scripts of Blender, and snippets proven here."""

from __future__ import annotations

from app.artifacts.exemplars import merge
from app.artifacts.gallery import Gallery
from app.prompting.exemplar import Exemplar
from app.retrieval.retriever import Retriever
from ingest.reference_store import ReferenceIndexUnusable


def known_answers(
    retriever: Retriever, gallery: Gallery, request: str, blender: str | None, limit: int
) -> list[Exemplar]:
    """Snippets that answer similar requests, nearest first, without near-duplicates.

    Artifacts count only if they were proven here and answer no benchmark. Raises the exceptions of
    `Retriever.exemplars`.
    """
    recipes = retriever.exemplars(request, blender, 2 * limit)
    try:
        series = retriever.reference(blender).series
    except ReferenceIndexUnusable:
        series = None
    return merge([*recipes, *gallery.exemplars(request, series, 2 * limit)], limit)
