"""Finds what answers a request that failed: the views whose URL pattern ends the path as the request does."""

from __future__ import annotations

import re
from typing import Final

from codebase.diagnosis.texts import Texts
from codebase.graph.edge import Edge
from codebase.index.snapshot import Snapshot

PATTERN: Final = re.compile(r"[\"']([^\"']*)[\"']")
VALUE: Final = re.compile(r"<[^<>]{1,100}>|\([^()]{0,100}\)")
MOST: Final = 5
ROUTES: Final = "routes"
"""The kind of the edges from a URL pattern to its view."""


def answering(snapshot: Snapshot, texts: Texts, path: str) -> list[Edge]:
    """The routes that can lead to a path, those that say most of it first."""
    found: list[tuple[int, Edge]] = []
    links = snapshot.links
    for edge in links.edges() if ROUTES in links.kinds else ():
        if edge.kind != ROUTES:
            continue
        lines = texts.lines(snapshot.paths[int(snapshot.unit_file[edge.source])])
        parts = agreeing(lines, edge.line, path)
        if parts is not None:
            found.append((parts, edge))
    most = max((parts for parts, _ in found), default=0)
    return [edge for parts, edge in found if parts == most][:MOST]


def agreeing(lines: list[str], line: int, path: str) -> int | None:
    """How many parts of a path the pattern on a line says; None if the path does not end in it."""
    patterns = list(PATTERN.findall(lines[line - 1])) if 0 < line <= len(lines) else []
    wanted = parts_of(path)
    ours = parts_of(VALUE.sub("\0", patterns[0].strip("^$"))) if patterns else None
    if ours is None or len(ours) > len(wanted) or (not ours and wanted):
        return None
    pairs = zip(reversed(ours), reversed(wanted), strict=False)
    return len(ours) if all("\0" in one or one == other for one, other in pairs) else None


def parts_of(path: str) -> list[str]:
    return [part for part in path.split("/") if part]
