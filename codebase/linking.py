"""The edges of an index: made when they are asked for, kept until a file changes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from codebase.errors import RepositoryError
from codebase.graph.build import edges_of
from codebase.graph.code import Code
from codebase.graph.links import Layout, Links
from codebase.store import opened

FEW: Final = 0.1
"""The share of files that may have changed for a ranking to use the edges between the others."""


def all_links(folder: Path, layout: Layout, code: Callable[[], Code]) -> Links:
    """All edges, made again if a file changed. Raises IndexUnusable."""
    kept = kept_links(folder, layout)
    return kept[0] if kept and not kept[1] else made_links(folder, layout, code())


def near_links(folder: Path, layout: Layout, code: Callable[[], Code]) -> Links:
    """Edges for a ranking, which does without those of few files that changed just now. Raises IndexUnusable."""
    kept = kept_links(folder, layout)
    return kept[0] if kept and kept[1] <= FEW * len(layout) else made_links(folder, layout, code())


def kept_links(folder: Path, layout: Layout) -> tuple[Links, int] | None:
    """The edges that were kept, between files that are as they were, and how many contents changed since."""
    with opened(folder) as store:
        kept = store.graph()
    if kept is None:
        return None
    before, rows, rest = kept
    links = Links.unpack(rows, rest)
    if before == layout:
        return links, 0
    return links.moved(before, layout), len(set(before) ^ set(layout))


def made_links(folder: Path, layout: Layout, code: Code) -> Links:
    """All edges, which are kept unless another process writes to the index now."""
    links = Links.of(*edges_of(code))
    with contextlib.suppress(RepositoryError), opened(folder, to_write=True, wait_s=0.0) as store:
        store.put_graph(layout, *links.pack())
    return links
