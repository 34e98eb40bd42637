"""Runs each snippet of a folder twice in one Blender, and prints what the scene then holds.

Usage, with the interpreter of the Blender wheel: python -I drive_snippets.py FOLDER

For each *.py file, in order: factory settings, then two runs of it as __main__. One line of JSON tells what happened:
    {"snippet": name, "error": null or the traceback, "runs": [facts after the first run, after the second]}
"""

from __future__ import annotations

import json
import runpy
import sys
import traceback
from pathlib import Path
from typing import Any

import bpy

_CHANGES_BY_ITSELF = {"rna_type", "execution_time", "persistent_uid"}
_PLAIN = {"BOOLEAN", "ENUM", "FLOAT", "INT", "STRING"}


def main() -> None:
    """Drive every snippet of the folder."""
    for path in sorted(Path(sys.argv[1]).glob("*.py")):
        bpy.ops.wm.read_factory_settings()
        error: str | None = None
        runs: list[dict[str, Any]] = []
        try:
            for _ in range(2):
                runpy.run_path(str(path), run_name="__main__")
                bpy.context.view_layer.update()
                runs.append(facts())
        except Exception:
            error = traceback.format_exc()
        print(json.dumps({"snippet": path.name, "error": error, "runs": runs}), flush=True)


def facts() -> dict[str, Any]:
    """What the scene holds: how many of everything, each mesh object, each material."""
    active = bpy.context.view_layer.objects.active
    return {
        "counts": {name: len(getattr(bpy.data, name)) for name in ("objects", "meshes", "materials", "node_groups")},
        "active": active and active.name,
        "objects": {obj.name: of_object(obj) for obj in bpy.data.objects if obj.type == "MESH"},
        "materials": {material.name: of_material(material) for material in bpy.data.materials},
    }


def of_object(obj: Any) -> dict[str, Any]:
    """An object: its place, its mesh, its modifiers by name. `size` is that of the mesh without modifiers."""
    mesh = obj.data
    corners = [vertex.co for vertex in mesh.vertices]
    return {
        "location": plain(obj.location),
        "rotation": plain(obj.rotation_euler),
        "scale": plain(obj.scale),
        "size": [plain(max(co[axis] for co in corners) - min(co[axis] for co in corners)) for axis in range(3)],
        "vertices": len(mesh.vertices),
        "faces": len(mesh.polygons),
        "smooth": sum(face.use_smooth for face in mesh.polygons),
        "materials": [slot.material and slot.material.name for slot in obj.material_slots],
        "modifiers": {modifier.name: of_modifier(modifier) for modifier in obj.modifiers},
        "marks": {key: str(value) for key, value in obj.items()},
        "valid": not mesh.validate(),
    }


def of_modifier(modifier: Any) -> dict[str, Any]:
    """Every plain property of a modifier; no modifier has one that is a set."""
    return {
        each.identifier: plain(getattr(modifier, each.identifier))
        for each in modifier.bl_rna.properties
        if each.type in _PLAIN and each.identifier not in _CHANGES_BY_ITSELF
    }


def of_material(material: Any) -> dict[str, Any]:
    """The colour of a material and the inputs of its shader that are numbers or colours."""
    nodes = material.node_tree.nodes if material.node_tree else ()
    shader = next((node for node in nodes if node.type == "BSDF_PRINCIPLED"), None)
    inputs = (
        {each.name: plain(each.default_value) for each in shader.inputs if hasattr(each, "default_value")}
        if shader
        else {}
    )
    return {"viewport": plain(material.diffuse_color), "inputs": inputs}


def plain(value: Any) -> Any:
    """A value as JSON has it, rounded to what Blender's own precision is good for."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, bool | int | str):
        return value
    return [plain(part) for part in value]


if __name__ == "__main__":
    main()
