"""The form of an example of an acceptance check."""

from __future__ import annotations

from typing import Any, NamedTuple


class Example(NamedTuple):
    """A phrase of a request, its check, and a near twin with the answer to that."""

    says: str
    check: dict[str, Any]
    twin: dict[str, Any]
    seen: str


def example_of(kind: str, says: str, check: dict[str, Any], change: dict[str, Any], seen: str) -> Example:
    """An example whose twin differs in these parts; a part that is None is left out there."""
    twin = {name: value for name, value in {**check, **change}.items() if value is not None}
    return Example(says, {"check": kind, **check}, {"check": kind, **twin}, seen)


def part_of(family: str, parts: list[dict[str, Any]]) -> dict[str, Any]:
    return {family: parts}
