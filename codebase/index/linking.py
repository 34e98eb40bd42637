"""The edges of an index: made when needed, kept until a file changes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from codebase.errors import RepositoryError
from codebase.graph.build import edges_of
from codebase.graph.code import Code
from codebase.graph.links import Layout, Links
from codebase.index.store import open_index


def all_links(folder: Path, layout: Layout, code: Callable[[], Code]) -> Links:
    """All edges between the files of a layout; rebuilt if a file changed. Raises RepositoryIndexUnusable."""
    with open_index(folder) as store:
        kept = store.graph()
    if kept is not None and kept[0] == layout:
        return Links.unpack(*kept[1:])
    material = code()
    links = Links.of(*edges_of(material))
    if not material.is_whole:
        return links
    # If another process is writing to the index now, the edges are not kept, but still returned.
    with contextlib.suppress(RepositoryError), open_index(folder, to_write=True, wait_s=0.0) as store:
        store.put_graph(layout, *links.pack())
    return links
