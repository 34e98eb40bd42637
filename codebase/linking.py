"""The graph of an index: made when it is asked for, kept until a file changes."""

from __future__ import annotations

import contextlib

from codebase.errors import RepositoryError
from codebase.graph.build import edges_of
from codebase.graph.graph import Graph
from codebase.graph.links import Layout, Links
from codebase.snapshot import Snapshot
from codebase.store import opened

FEW: float = 0.1
"""The share of files that may have changed for a ranking to use the edges of the others as they were."""


def graph_of(snapshot: Snapshot) -> Graph:
    """The whole graph, made again if a file changed. Raises IndexUnusable."""
    kept = kept_links(snapshot)
    return Graph(kept[0] if kept and not kept[1] else made_links(snapshot), len(snapshot.units))


def near_links(snapshot: Snapshot) -> Links:
    """Edges for a ranking, which does without those of the files that changed just now. Raises IndexUnusable."""
    kept = kept_links(snapshot)
    return kept[0] if kept and kept[1] <= FEW * len(snapshot.paths) else made_links(snapshot)


def layout_of(snapshot: Snapshot) -> Layout:
    """The files as the numbers of units rest on them."""
    return [(entry.path, entry.sha256, len(entry.parsed.units)) for entry in snapshot.entries]


def kept_links(snapshot: Snapshot) -> tuple[Links, int] | None:
    """The edges that were kept, between files that are as they were, and how many files changed since."""
    with opened(snapshot.folder) as store:
        kept = store.graph()
    if kept is None:
        return None
    before, rows, rest = kept
    now, links = layout_of(snapshot), Links.unpack(rows, rest)
    if before == now:
        return links, 0
    return links.moved(before, now), len(set(before) ^ set(now))


def made_links(snapshot: Snapshot) -> Links:
    """All edges, which are kept if no other process writes to the index now."""
    links = Links.of(*edges_of(snapshot.code))
    with contextlib.suppress(RepositoryError), opened(snapshot.folder, to_write=True, wait_s=0.0) as store:
        store.put_graph(layout_of(snapshot), *links.pack())
    return links
