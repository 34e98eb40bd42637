"""Reads versions, of Blender and of Python."""

from __future__ import annotations


def version_key(version: str) -> tuple[int, ...]:
    """A version as a key for comparison: (5, 0, 1) of `5.0.1`. Parts that are not numbers are left out."""
    return tuple(int(part) for part in version.split(".") if part.isdecimal())


def series_of(version: str) -> str:
    """The first two parts of a version, such as `5.0` of `5.0.1`, which decide its API."""
    return ".".join(version.split(".")[:2])
