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
        if named := names(read(folder / "pyproject.toml").get("tool", {}).get("blendproof", {}).get("on")):
            return {"blender": named[0], "verify_on": named[1:MOST]}
        if oldest := read(folder / "blender_manifest.toml").get("blender_version_min"):
            return {"verify_on": [".".join(str(oldest).split(".")[:2])]}
    return {}


def names(value: object) -> list[str]:
    """The names in a list; none if it is no list."""
    return [str(name) for name in cast("list[object]", value)] if isinstance(value, list) else []


def read(file: Path) -> dict[str, Any]:
    """The tables of a TOML file; none if it is not there or cannot be read."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return {}
