"""The edges of an index: made when they are asked for, kept until a file changes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from codebase.errors import RepositoryError
from codebase.graph.build import edges_of
from codebase.graph.code import Code
from codebase.graph.links import Layout, Links
from codebase.index.store import opened


def all_links(folder: Path, layout: Layout, code: Callable[[], Code]) -> Links:
    """All edges between the files of a layout; made again if a file changed. Raises IndexUnusable."""
    with opened(folder) as store:
        kept = store.graph()
    if kept is not None and kept[0] == layout:
        return Links.unpack(*kept[1:])
    links = Links.of(*edges_of(code()))
    # Another process that writes to the index now keeps them from being kept, and no more.
    with contextlib.suppress(RepositoryError), opened(folder, to_write=True, wait_s=0.0) as store:
        store.put_graph(layout, *links.pack())
    return links
