"""Runs inside Blender: reads what members hold, on one instance of each type that a scene with everything can reach.

The last argument is a JSON file of [[address, type, path], ...]; the answers are written beside it, as `answers.json`:
the source of each value, or why there is none.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import bpy

MOST = 60_000
PER_COLLECTION = 500
LEFT_OUT = {"rna_type", "depsgraph", "paired_output", "palette", "brush"}
"""Pointers that lead to what is freed soon, or end older Blenders."""
TREES = {
    "ShaderNodeTree": ("ShaderNode",),
    "CompositorNodeTree": ("CompositorNode",),
    "GeometryNodeTree": ("GeometryNode", "FunctionNode"),
    "TextureNodeTree": ("TextureNode",),
}


def main(file: Path) -> None:
    make_everything()
    things = instances()
    answers = {address: held(things.get(owner), path) for address, owner, path in json.loads(file.read_text())}
    file.with_name("answers.json").write_text(json.dumps(answers))


def held(thing: Any, path: str) -> dict[str, Any]:
    """The value at a path, which must also take its own value unless it is read-only."""
    if thing is None:
        return {"skipped": "no instance of the type"}
    try:
        value = eval(f"thing.{path}", {"thing": thing})
        if isinstance(value, bool | int | float | str):
            try:
                exec(f"thing.{path} = value", {"thing": thing, "value": value})
            except (AttributeError, TypeError, ValueError) as error:
                if "read-only" not in str(error):
                    return {"error": f"{type(error).__name__}: {error}"}
        return {"value": str(value) if isinstance(value, bool | int | float | str) else type(value).__name__}
    except Exception as error:  # whatever it raises is the answer
        return {"error": f"{type(error).__name__}: {error}"}


def make_everything() -> None:
    """One of each kind of data, modifier, constraint, node, effect and simulation; what is refused is left out."""
    scene = bpy.context.scene
    cube = bpy.data.objects.get("Cube")
    # An object outside of the scene is not evaluated, so that no simulation runs.
    apart = bpy.data.objects.new("Apart", bpy.data.meshes.new("Apart"))
    for owner in [apart, *_objects()]:
        for kind in _items("Modifier", "type"):
            _try(lambda c=owner.modifiers, k=kind: c.new(k, k))
        for kind in _items("Constraint", "type"):
            _try(lambda c=owner.constraints, k=kind: c.new(k))
    for kind in ("DOMAIN", "FLOW", "EFFECTOR"):
        modifier = _try(lambda: apart.modifiers.new("Fluid", "FLUID"))
        _try(lambda m=modifier, k=kind: setattr(m, "fluid_type", k))
    for kind in _items("Texture", "type"):
        _try(lambda k=kind: bpy.data.textures.new(k, k))
    for kind in _items("Light", "type"):
        _try(lambda k=kind: bpy.data.lights.new(k, k))
    # A class is there once its name was asked for.
    nodes = [name for name in dir(bpy.types) if _try(lambda n=name: issubclass(getattr(bpy.types, n), bpy.types.Node))]
    for tree, prefixes in TREES.items():
        group = _try(lambda t=tree: bpy.data.node_groups.new(t, t))
        for node in (name for name in nodes if name.startswith(prefixes) and "CustomGroup" not in name):
            _try(lambda g=group, n=node: g.nodes.new(n))
    _strips(scene)
    bpy.context.view_layer.objects.active = cube
    for operator in (bpy.ops.rigidbody.world_add, bpy.ops.rigidbody.object_add, bpy.ops.object.particle_system_add):
        _try(operator)


def _objects() -> list[Any]:
    made: list[Any] = []
    kinds: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("armatures", ()), ("cameras", ()), ("curves", ("CURVE",)), ("lattices", ()), ("metaballs", ()),
        ("speakers", ()), ("volumes", ()), ("hair_curves", ()), ("grease_pencils_v3", ()), ("grease_pencils", ()),
        ("lightprobes", ("SPHERE",)), ("lightprobes", ("VOLUME",)), ("lightprobes", ("PLANE",)),
    )  # fmt: skip
    for collection, arguments in kinds:
        data = _try(lambda c=collection, a=arguments: getattr(bpy.data, c).new("Made", *a))
        thing = _try(lambda d=data: bpy.data.objects.new("Made", d))
        made += [thing] if thing is not None else []
    return made


def _strips(scene: Any) -> None:
    editor = scene.sequence_editor_create()
    strips = editor.strips if hasattr(editor, "strips") else editor.sequences
    end = {"length": 9} if bpy.app.version >= (5, 0, 0) else {"frame_end": 9}
    for kind in ("COLOR", "TEXT", "ADJUSTMENT", "SPEED", "GAUSSIAN_BLUR", "MULTICAM"):
        _try(lambda k=kind: strips.new_effect(k, k, 1, frame_start=1, **end))
    _try(lambda: strips.new_scene("Scene", scene, 2, 1))
    _try(lambda: strips.new_meta("Meta", 3, 1))


def _try(make: Any) -> Any:
    try:
        return make()
    except Exception:  # this Blender has no such thing
        return None


def _items(type_name: str, prop: str) -> list[str]:
    return [item.identifier for item in getattr(bpy.types, type_name).bl_rna.properties[prop].enum_items]


def instances() -> dict[str, Any]:
    """One instance of each type, and of each base, that pointers and collections lead to."""
    found: dict[str, Any] = {}
    context = bpy.context
    waiting: list[Any] = [context.scene, context.view_layer, context.preferences, context.window_manager, bpy.data]
    seen: set[tuple[int, str]] = set()
    while waiting and len(seen) < MOST:
        thing = waiting.pop(0)
        known = thing.as_pointer(), thing.bl_rna.identifier
        if known in seen:
            continue
        seen.add(known)
        rna = thing.bl_rna
        while rna is not None:
            found.setdefault(rna.identifier, thing)
            rna = rna.base
        for prop in thing.bl_rna.properties:
            if prop.type in {"POINTER", "COLLECTION"} and prop.identifier not in LEFT_OUT:
                waiting.extend(_values(thing, prop))
    return found


def _values(thing: Any, prop: Any) -> list[Any]:
    value = _try(lambda: getattr(thing, prop.identifier))
    if value is None:
        return []
    if prop.type == "POINTER":
        return [value]
    items: list[Any] = _try(lambda: list(value[:PER_COLLECTION])) or []
    found = [item for item in items if hasattr(item, "bl_rna")]
    # Some collections are a type of their own.
    if prop.srna is not None and hasattr(value, "as_pointer"):
        found.append(value)
    return found


if __name__ == "__main__":
    main(Path(sys.argv[-1]))
    # Fluid simulations end the process badly.
    os._exit(0)
