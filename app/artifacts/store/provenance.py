"""The tools that drafted and judged a snippet, for its receipt."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from app.artifacts.store.artifact import Provenance
from app.jobs.run import MatrixRow, ModelCall
from app.verdict.verdict import Author
from harness.blenders import Blender

PACKAGES: Final = ("ruff", "mypy", "pyright")


def provenance(
    index: Mapping[str, str],
    blender: Blender,
    author: Author,
    calls: Sequence[ModelCall] = (),
    matrix: Sequence[MatrixRow] = (),
) -> Provenance:
    """The current versions of the checks, the `index` that was searched, the drafter with its models and prompts, and
    the further Blenders on which the snippet is proven.
    """
    return Provenance(
        blendproof=package("blendproof"),
        author=author,
        checks={name: package(name) for name in PACKAGES},
        index=dict(index),
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
