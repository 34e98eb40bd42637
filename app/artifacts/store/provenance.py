"""The tools that drafted and judged a snippet, for its receipt."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from app.artifacts.store.artifact import Provenance
from app.retrieval.retriever import Retriever
from app.runs.run import MatrixRow, ModelCall
from app.verdict.verdict import Author
from harness.blenders import Blender
from ingest.store import IndexUnusable

PACKAGES: Final = ("ruff", "mypy", "pyright")


def provenance(
    retriever: Retriever,
    blender: Blender,
    author: Author,
    calls: Sequence[ModelCall] = (),
    matrix: Sequence[MatrixRow] = (),
) -> Provenance:
    """The current versions of the checks and the index, the drafter with its models and prompts, and the further
    Blenders on which the snippet is proven.
    """
    try:
        catalogue = retriever.catalogue()
        reference = retriever.reference(blender.version)
        index = {reference.name: reference.fingerprint, "embedding": catalogue.model}
    except IndexUnusable:
        index = {}
    return Provenance(
        blendproof=package("blendproof"),
        author=author,
        checks={name: package(name) for name in PACKAGES},
        index=index,
        model=", ".join(dict.fromkeys(f"{call.provider}: {call.model}" for call in calls)) or None,
        prompts={call.talk: call.prompt for call in calls},
        holds_on={row.blender: row.build_hash for row in matrix if row.proven and row.blender != blender.version},
    )


@functools.cache
def package(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"
