"""Describes a scene in plain JSON values: what a person would check by looking.

Geometry is evaluated: modifiers, shape keys and drivers are applied. Lengths are metres in world space, rotations
radians. A part that cannot be described is left at nothing and named in `faults`: it must not void the others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from typing import Any

import bpy
from mathutils import Matrix

from harness.inside.geometry import as_bounds, describe_geometry, evaluated_objects, world_boxes, world_matrix
from harness.inside.settings import changed_settings, fingerprint, numbers, plain, tidy

OBJECT_LIMIT = 10_000
FAULT_LIMIT = 20
TEXT_LIMIT = 300

COUNTED = (
    "objects", "meshes", "curves", "metaballs", "armatures", "lattices", "cameras", "lights", "materials", "textures",
    "images", "node_groups", "collections", "actions", "particles", "worlds", "scenes", "texts", "shape_keys",
)  # fmt: skip

UNTOLD_OBJECT: dict[str, Any] = {
    "bounds": None, "data": None, "parent": None, "location": [0.0] * 3, "rotation": [0.0] * 3, "scale": [1.0] * 3,
    "dimensions": [0.0] * 3, "collections": [], "materials": [], "modifiers": [], "constraints": [], "animation": None,
    "settings": "", "has_instances": False, "hidden_in_render": False,
}  # fmt: skip
"""What is told of an object that cannot be described at all."""


class Describer:
    """What describing one object needs to know of the whole scene, and what could not be described."""

    def __init__(self) -> None:
        self.faults: list[dict[str, str]] = []
        self.depsgraph = bpy.context.evaluated_depsgraph_get()
        self.evaluated = evaluated_objects(self.depsgraph)
        self.boxes, self.instancers = self.part("the instances", ({}, set()), lambda: world_boxes(self.depsgraph))
        self.rendered = rendered_names()
        self.collections = collections_by_object()
        self.fingerprints: dict[int, str] = {}

    def part(self, of: str, otherwise: Any, make: Callable[[], Any]) -> Any:
        """What `make` returns; `otherwise`, and a fault, if it fails."""
        try:
            return make()
        except MemoryError:
            raise
        except Exception as error:
            if len(self.faults) < FAULT_LIMIT:
                self.faults.append({"of": of, "fault": f"{type(error).__name__}: {error}"[:TEXT_LIMIT]})
            return otherwise

    def settings_of(self, obj: Any) -> str:
        """The fingerprint of an object and its data; that of data is made once for all who share it."""
        if obj.data is None:
            return fingerprint(obj)
        address = obj.data.as_pointer()
        if address not in self.fingerprints:
            self.fingerprints[address] = fingerprint(obj.data)
        return hashlib.sha256((fingerprint(obj) + self.fingerprints[address]).encode()).hexdigest()[:16]


def describe() -> dict[str, Any]:
    """The open file's current scene, its objects and the data blocks of the file."""
    scene = bpy.context.scene
    teller = Describer()
    objects = by_name(scene.objects)
    return {
        "scene": describe_scene(scene, teller),
        "objects": {
            name: teller.part(
                f'object "{name}"', {**UNTOLD_OBJECT, "type": obj.type}, partial(describe_object, obj, teller)
            )
            for name, obj in list(objects.items())[:OBJECT_LIMIT]
        },
        "objects_left_out": max(0, len(objects) - OBJECT_LIMIT),
        "materials": {
            material.name: teller.part(f'material "{material.name}"', {}, partial(describe_material, material))
            for material in bpy.data.materials
        },
        "collections": {
            collection.name: sorted(obj.name for obj in collection.objects)[:OBJECT_LIMIT]
            for collection in bpy.data.collections
        },
        "counts": {name: len(getattr(bpy.data, name)) for name in COUNTED if hasattr(bpy.data, name)},
        "faults": teller.faults,
    }


def by_name(objects: Any) -> dict[str, Any]:
    """Objects by name. One from a library whose name is taken has that of the library too."""
    found: dict[str, Any] = {}
    for obj in sorted(objects, key=lambda obj: obj.library is not None):
        found[obj.name if obj.name not in found else obj.name_full] = obj
    return found


def describe_scene(scene: Any, teller: Describer) -> dict[str, Any]:
    world, owners = scene.world, (scene, scene.render, scene.view_settings, scene.unit_settings)
    return {
        "name": scene.name,
        "engine": scene.render.engine,
        "camera": scene.camera.name if scene.camera else None,
        "active_object": active_name(),
        "selected": sorted(obj.name for obj in scene.objects if obj.select_get()),
        "frame_current": scene.frame_current,
        "frame_start": scene.frame_start,
        "frame_end": scene.frame_end,
        "settings": teller.part("the scene's settings", "", lambda: fingerprint(*owners)),
        "world": teller.part("the world", None, lambda: describe_world(world)) if world else None,
    }


def describe_world(world: Any) -> dict[str, Any]:
    return {"name": world.name, "color": numbers(world.color), "nodes": node_facts(world)}


def active_name() -> str | None:
    active = bpy.context.view_layer.objects.active
    return active.name if active else None


def rendered_names() -> set[str]:
    """Names of the objects in collections that render in the active view layer."""
    names: set[str] = set()
    waiting = [bpy.context.view_layer.layer_collection]
    while waiting:
        layer = waiting.pop()
        if layer.collection.hide_render:
            continue
        if not layer.exclude:
            names |= {obj.name for obj in layer.collection.objects}
        waiting.extend(layer.children)
    return names


def collections_by_object() -> dict[int, list[str]]:
    """The names of each object's collections, by its address; Blender looks through all collections for each object."""
    found: dict[int, list[str]] = {}
    for collection in [*bpy.data.collections, *(scene.collection for scene in bpy.data.scenes)]:
        for obj in collection.objects:
            found.setdefault(obj.as_pointer(), []).append(collection.name)
    return found


def describe_object(obj: Any, teller: Describer) -> dict[str, Any]:
    def part(title: str, otherwise: Any, make: Callable[[], Any]) -> Any:
        return teller.part(f'{title} of object "{obj.name}"', otherwise, make)

    matrix = part("the place", Matrix.Identity(4), lambda: world_matrix(obj, teller.evaluated))
    geometry, own_box = part("the geometry", ({}, None), lambda: describe_geometry(obj, teller.depsgraph, matrix))
    has_instances = obj.name_full in teller.instancers
    box = (None if has_instances else own_box) or teller.boxes.get(obj.name_full)
    return {
        "bounds": as_bounds(box),
        "type": obj.type,
        "data": obj.data.name if obj.data else None,
        "parent": obj.parent.name if obj.parent else None,
        "location": numbers(matrix.translation),
        "rotation": numbers(matrix.to_euler()),
        "scale": numbers(matrix.to_scale()),
        "dimensions": numbers(obj.dimensions),
        "collections": sorted(teller.collections.get(obj.as_pointer(), [])),
        "materials": [slot.material.name if slot.material else None for slot in obj.material_slots],
        "modifiers": part("the modifiers", [], lambda: [describe_settings(one) for one in obj.modifiers]),
        "constraints": part("the constraints", [], lambda: [describe_settings(one) for one in obj.constraints]),
        "animation": part("the animation", None, lambda: describe_animation(obj)),
        "settings": part("the settings", "", lambda: teller.settings_of(obj)),
        "has_instances": has_instances,
        **geometry,
        **part("the kind", {}, lambda: describe_kind(obj)),
        "hidden_in_render": obj.hide_render or obj.name not in teller.rendered,
    }


def describe_kind(obj: Any) -> dict[str, Any]:
    """The main settings of a light or a camera."""
    if obj.data is None:
        return {}
    if obj.type == "LIGHT":
        return {
            "light": {
                "type": obj.data.type,
                "energy": tidy(obj.data.energy),
                "color": numbers(obj.data.color),
            }
        }
    if obj.type == "CAMERA":
        return {"camera": {"type": obj.data.type, "lens": tidy(obj.data.lens)}}
    return {}


def describe_settings(item: Any) -> dict[str, Any]:
    """Name, type and every setting of a modifier or constraint that differs from its default."""
    return {"name": item.name, "type": item.type, "settings": changed_settings(item)}


def describe_animation(obj: Any) -> dict[str, Any] | None:
    """Action, curves, keyframes and drivers of the object itself; None if it has none."""
    data = obj.animation_data
    if data is None or (data.action is None and not data.drivers):
        return None
    curves = list(action_curves(data)) if data.action else []
    frames = [point.co[0] for curve in curves for point in curve.keyframe_points]
    return {
        "action": data.action.name if data.action else None,
        "curves": sorted(f"{curve.data_path}[{curve.array_index}]" for curve in curves),
        "keyframes": len(frames),
        "frame_range": [tidy(min(frames)), tidy(max(frames))] if frames else None,
        "drivers": sorted(driver.data_path for driver in data.drivers),
    }


def action_curves(data: Any) -> list[Any]:
    """The curves of the action's slot for this data block; before slots (4.4), all curves of the action."""
    action = data.action
    if not hasattr(action, "layers"):
        return list(action.fcurves)
    slot = data.action_slot
    return [
        curve
        for layer in action.layers
        for strip in layer.strips
        for bag in [strip.channelbag(slot) if slot else None]
        if bag
        for curve in bag.fcurves
    ]


def describe_material(material: Any) -> dict[str, Any]:
    facts = {"diffuse_color": numbers(material.diffuse_color), "nodes": node_facts(material)}
    tree = material.node_tree if material.use_nodes else None
    shader = next((node for node in tree.nodes if node.type == "BSDF_PRINCIPLED"), None) if tree else None
    if shader:
        for name in ("Base Color", "Metallic", "Roughness"):
            socket = shader.inputs.get(name)
            facts[name.lower().replace(" ", "_")] = plain(socket.default_value) if socket else None
    return facts


def node_facts(owner: Any) -> dict[str, Any] | None:
    """Node types and number of links of a node tree, with a hash of the values of its unlinked inputs."""
    tree = owner.node_tree if owner.use_nodes else None
    if tree is None:
        return None
    values = [
        plain(socket.default_value)
        for node in tree.nodes
        for socket in node.inputs
        if hasattr(socket, "default_value") and not socket.is_linked
    ]
    return {
        "types": sorted(node.bl_idname for node in tree.nodes),
        "links": len(tree.links),
        "values": hashlib.sha256(repr(values).encode()).hexdigest()[:16],
    }
