"""Finds the views that answer a failed request: those whose URL pattern fits the end of its path."""

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
    """The routes that can lead to a path; only those that agree with most of its parts."""
    routes: list[tuple[int, Edge]] = []
    links = snapshot.links
    for edge in links.edges() if ROUTES in links.kinds else ():
        if edge.kind != ROUTES:
            continue
        lines = texts.lines(snapshot.paths[int(snapshot.unit_file[edge.source])])
        parts = agreeing(lines, edge.line, path)
        if parts is not None:
            routes.append((parts, edge))
    most = max((parts for parts, _ in routes), default=0)
    return [edge for parts, edge in routes if parts == most][:MOST]


def agreeing(lines: list[str], line: int, path: str) -> int | None:
    """The number of parts of a path that the pattern on a line covers; None if the path does not end in it."""
    patterns = list(PATTERN.findall(lines[line - 1])) if 0 < line <= len(lines) else []
    wanted = parts_of(path)
    ours = parts_of(VALUE.sub("\0", patterns[0].strip("^$"))) if patterns else None
    if ours is None or len(ours) > len(wanted) or (not ours and wanted):
        return None
    pairs = zip(reversed(ours), reversed(wanted), strict=False)
    return len(ours) if all("\0" in part or part == other for part, other in pairs) else None


def parts_of(path: str) -> list[str]:
    return [part for part in path.split("/") if part]
