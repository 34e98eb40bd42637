"""Reads versions, of Blender and of Python."""

from __future__ import annotations


def version_key(version: str) -> tuple[int, ...]:
    """A version to compare with others: (5, 0, 1) of `5.0.1`; what is no number is left out."""
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def series_of(version: str) -> str:
    """The first two parts of a version, such as `5.0` of `5.0.1`: what its API depends on."""
    return ".".join(version.split(".")[:2])
