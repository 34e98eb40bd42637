"""The edges that frameworks make in small repositories."""

from __future__ import annotations

from collections.abc import Mapping

from codebase.graph.build import edges_of
from tests.codebase.graphs import code_of

LANGUAGE = ("uses", "imports", "inherits", "tests")
"""Kinds of edges that a framework does not make."""


def frames(files: Mapping[str, str], source: str) -> list[tuple[str, str, int]]:
    """Kind, target and line of the edges of frameworks from a unit, `path::name`."""
    return [(kind, target, line) for kind, target, _, line in found_in(files, source)]


def makes(files: Mapping[str, str], source: str) -> set[tuple[str, str, str]]:
    """Kind, target and certainty of the edges of frameworks from a unit, `path::name`."""
    return {(kind, target, certainty) for kind, target, certainty, _ in found_in(files, source)}


def found_in(files: Mapping[str, str], source: str) -> list[tuple[str, str, str, int]]:
    code = code_of(files)
    edges, _ = edges_of(code)

    def named(unit: int) -> str:
        return f"{code.owner(unit).path}::{code.units[unit].name}"

    return [
        (edge.kind, named(edge.target), edge.certainty, edge.line)
        for edge in edges
        if named(edge.source) == source and edge.kind not in LANGUAGE
    ]
