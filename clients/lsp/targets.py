"""The Blenders that a file is for: `[tool.blendproof] on` of a pyproject.toml, or the manifest of its add-on."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, cast

MOST = 8


def targets_of(file: Path) -> dict[str, Any]:
    """The Blenders of a file as a request has them; empty for the default one of the service.

    The nearest file that says so counts. An add-on is also for the oldest Blender that its manifest allows.
    """
    for folder in file.parents:
        if named := names(value_in(read(folder / "pyproject.toml"), "tool", "blendproof", "on")):
            return {"blender": named[0], "verify_on": named[1:MOST]}
        oldest = read(folder / "blender_manifest.toml").get("blender_version_min")
        if oldest and isinstance(oldest, str):
            return {"verify_on": [".".join(oldest.split(".")[:2])]}
    return {}


def value_in(tables: object, *keys: str) -> object:
    """The value under these keys, each in the table of the one before; None if one is no table or has no such key."""
    for key in keys:
        tables = cast("dict[str, object]", tables).get(key) if isinstance(tables, dict) else None
    return tables


def names(value: object) -> list[str]:
    """The names in a list; none if it is no list."""
    return [str(name) for name in cast("list[object]", value)] if isinstance(value, list) else []


def read(file: Path) -> dict[str, Any]:
    """The tables of a TOML file; none if it is not there or cannot be read."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
