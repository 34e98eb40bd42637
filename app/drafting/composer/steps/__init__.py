"""The kinds of steps, a module for each area of Blender. Importing a module adds its steps to the grammar."""

from __future__ import annotations

import importlib
from typing import Final

AREAS: Final = (
    "objects",
    "transforms",
    "meshes",
    "editing",
    "modifiers",
    "properties",
    "owners",
    "naming",
    "materials",
    "surfaces",
    "animation",
    "rigging",
    "rendering",
    "physics",
    "data",
    "reports",
    "arranging",
    "hooks",
    "nodes",
    "sequencer",
    "pencil",
    "scripting",
    "telling",
    "operations",
    "assemblies",
    "recipes",
    "remarks",
)


def load_steps() -> None:
    """Add every step to the grammar."""
    for area in AREAS:
        importlib.import_module(f"{__name__}.{area}")
