"""Modules: well-known names that are used but never imported, and modules that are gone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import Change
from app.healing.rule import Rule
from app.healing.sight import Sight

IMPORTS: Final = {
    **{name: f"import {name}" for name in ("bpy", "bmesh", "math", "mathutils", "random", "os", "sys", "json")},
    **{name: f"from mathutils import {name}" for name in ("Color", "Euler", "Matrix", "Quaternion", "Vector")},
    "Path": "from pathlib import Path",
}
"""Names with only one meaning in a Blender script, with the statement that imports them."""

UNDEFINED: Final = re.compile(r"[Uu]ndefined name `(\w+)`|name '(\w+)' is not defined")


def missing_imports(sight: Sight) -> Iterator[Change]:
    said = [match.group(1) or match.group(2) for message in sight.said for match in UNDEFINED.finditer(message)]
    for name in dict.fromkeys(said):
        source = IMPORTS.get(name)
        if source and not any(sight.code(line) == source for line in sight.module.body):
            reason = f"`{name}` is used and never imported: added `{source}`"
            yield Change(reason, sight.module, new_import=source)


def unused_bgl(sight: Sight) -> Iterator[Change]:
    """`import bgl` if nothing else of it is used any more."""
    if "bgl" in sight.manifest.modules or re.search(r"\bbgl\.", sight.text):
        return
    for imported in sight.all(cst.Import):
        if [sight.code(alias.name) for alias in imported.names] == ["bgl"] and not imported.names[0].asname:
            yield sight.instead(imported, reason="`bgl` is gone since 5.0, and nothing here uses it")
        elif "bgl" in [sight.code(alias) for alias in imported.names]:
            rest = [sight.code(alias).rstrip(", ") for alias in imported.names if sight.code(alias.name) != "bgl"]
            source = f"import {', '.join(rest)}"
            yield sight.instead(imported, source, reason="`bgl` is gone since 5.0, and nothing here uses it")


_STATES: Final = {
    "bgl.glEnable(bgl.GL_BLEND)": "gpu.state.blend_set('ALPHA')",
    "bgl.glDisable(bgl.GL_BLEND)": "gpu.state.blend_set('NONE')",
    "bgl.glEnable(bgl.GL_DEPTH_TEST)": "gpu.state.depth_test_set('LESS_EQUAL')",
    "bgl.glDisable(bgl.GL_DEPTH_TEST)": "gpu.state.depth_test_set('NONE')",
    "bgl.glEnable(bgl.GL_LINE_SMOOTH)": "",
    "bgl.glDisable(bgl.GL_LINE_SMOOTH)": "",
}
_NUMBERS: Final = {"bgl.glLineWidth": "gpu.state.line_width_set", "bgl.glPointSize": "gpu.state.point_size_set"}


def bgl_states(sight: Sight) -> Iterator[Change]:
    if "bgl" in sight.manifest.modules:
        return
    for call in sight.all(cst.Call):
        statement, source = sight.alone(call), sight.code(call)
        name = sight.code(call.func)
        if statement is None:
            continue
        if source in _STATES:
            new = [_STATES[source]] if _STATES[source] else []
            yield sight.instead(
                statement, *new, reason=f"`{name}` is a state of `gpu` now", new_import="import gpu" if new else ""
            )
        elif name in _NUMBERS and len(call.args) == 1:
            new_source = f"{_NUMBERS[name]}({sight.code(call.args[0].value)})"
            yield sight.instead(
                statement, new_source, reason=f"`{name}` is a state of `gpu` now", new_import="import gpu"
            )


RULES: Final = (
    Rule("missing-import", "`bpy`, `math`, `Vector` and their like, used and never imported", missing_imports),
    Rule("bgl-states", "5.0: states that `bgl` set", bgl_states),
    Rule("unused-bgl", "5.0: an import of `bgl` that nothing uses", unused_bgl),
)
