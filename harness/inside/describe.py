"""Describes a scene in plain JSON values: what a person would check by looking.

Geometry is evaluated: modifiers, shape keys and drivers are applied. Lengths are metres in world space, rotations
radians.
"""

from __future__ import annotations

import array
import hashlib
import math
from typing import Any, cast

import bpy

OBJECT_LIMIT = 2000
INSTANCE_LIMIT = 20000
MESHLIKE = {"MESH", "CURVE", "SURFACE", "META", "FONT"}
RENDERABLE = MESHLIKE | {"CURVES", "POINTCLOUD", "VOLUME", "GPENCIL", "GREASEPENCIL", "HAIR"}
UNTOLD = {"name", "type", "is_active", "filepath"}
"""Settings that do not affect the result, or are reported elsewhere."""

COUNTED = (
    "objects", "meshes", "curves", "metaballs", "armatures", "lattices", "cameras", "lights", "materials", "textures",
    "images", "node_groups", "collections", "actions", "particles", "worlds", "scenes", "texts", "shape_keys",
)  # fmt: skip


def describe() -> dict[str, Any]:
    """The open file's current scene, its objects and the data blocks of the file."""
    scene = bpy.context.scene
    depsgraph = bpy.context.evaluated_depsgraph_get()
    boxes, instancers = world_boxes(depsgraph)
    rendered = rendered_names()
    objects = list(scene.objects)
    return {
        "scene": describe_scene(scene),
        "objects": {
            obj.name: {
                # The exact box of the object's own mesh comes first, unless the object has instances.
                "bounds": as_bounds(boxes.get(obj.name)),
                **describe_object(obj, depsgraph, obj.name in instancers),
                "hidden_in_render": obj.hide_render or obj.name not in rendered,
            }
            for obj in objects[:OBJECT_LIMIT]
        },
        "objects_left_out": max(0, len(objects) - OBJECT_LIMIT),
        "materials": {material.name: describe_material(material) for material in bpy.data.materials},
        "collections": {
            collection.name: sorted(obj.name for obj in collection.objects)[:OBJECT_LIMIT]
            for collection in bpy.data.collections
        },
        "counts": {name: len(getattr(bpy.data, name)) for name in COUNTED if hasattr(bpy.data, name)},
    }


def describe_scene(scene: Any) -> dict[str, Any]:
    world = scene.world
    return {
        "name": scene.name,
        "engine": scene.render.engine,
        "camera": scene.camera.name if scene.camera else None,
        "active_object": active_name(),
        "selected": sorted(obj.name for obj in scene.objects if obj.select_get()),
        "frame_current": scene.frame_current,
        "frame_start": scene.frame_start,
        "frame_end": scene.frame_end,
        "settings": fingerprint(scene, scene.render, scene.view_settings, scene.unit_settings),
        "world": {"name": world.name, "color": numbers(world.color), "nodes": node_facts(world)} if world else None,
    }


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


def describe_object(obj: Any, depsgraph: Any, has_instances: bool) -> dict[str, Any]:
    matrix = world_matrix(obj, depsgraph)
    geometry, bounds = describe_geometry(obj, depsgraph, matrix)
    return {
        "type": obj.type,
        "data": obj.data.name if obj.data else None,
        "parent": obj.parent.name if obj.parent else None,
        "location": numbers(matrix.translation),
        "rotation": numbers(matrix.to_euler()),
        "scale": numbers(matrix.to_scale()),
        "dimensions": numbers(obj.dimensions),
        "collections": sorted(collection.name for collection in obj.users_collection),
        "materials": [slot.material.name if slot.material else None for slot in obj.material_slots],
        "modifiers": [describe_settings(modifier) for modifier in obj.modifiers],
        "constraints": [describe_settings(constraint) for constraint in obj.constraints],
        "animation": describe_animation(obj),
        "settings": fingerprint(obj, obj.data),
        "has_instances": has_instances,
        **({"bounds": bounds} if bounds and not has_instances else {}),
        **geometry,
        **describe_kind(obj),
    }


def world_matrix(obj: Any, depsgraph: Any) -> Any:
    """The object's world matrix, even if it is hidden from evaluation and Blender has not computed it."""
    if obj.name in depsgraph.objects or (obj.parent and obj.parent_type != "OBJECT"):
        return obj.matrix_world
    if obj.parent:
        return world_matrix(obj.parent, depsgraph) @ obj.matrix_parent_inverse @ obj.matrix_basis
    return obj.matrix_basis


def fingerprint(*owners: Any) -> str:
    """A short hash of the custom properties and of every setting that differs from its default, to detect changes."""
    facts = [(changed_settings(owner), custom_properties(owner)) for owner in owners if owner is not None]
    return hashlib.sha256(repr(facts).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def custom_properties(owner: Any) -> list[tuple[str, str]]:
    """Names and values, without the properties that Blender itself registers: those are settings."""
    if not isinstance(owner, bpy.types.ID):
        return []
    names = [name for name in owner.keys() if name != "cycles"]  # noqa: SIM118 - iterating the owner gives no names
    return sorted((name, repr(plain(owner[name]))) for name in names)


def describe_geometry(obj: Any, depsgraph: Any, matrix: Any) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Evaluated vertices and faces of an object with a mesh form, and the exact world box of its vertices.

    `finite` is false if a coordinate is not a number; `shape` is a short hash of the local coordinates.
    """
    if obj.type not in MESHLIKE:
        return {}, None
    evaluated = obj.evaluated_get(depsgraph)
    try:
        mesh = evaluated.to_mesh()
    except RuntimeError:
        return {"vertices": 0, "faces": 0, "smooth_faces": 0, "finite": True, "shape": None}, None
    local = coordinates(mesh)
    smooth = array.array("b", bytes(len(mesh.polygons)))
    mesh.polygons.foreach_get("use_smooth", smooth)
    facts: dict[str, Any] = {
        "vertices": len(mesh.vertices),
        "faces": len(mesh.polygons),
        "smooth_faces": sum(smooth),
        "finite": math.isfinite(sum(local)),
        "shape": hashlib.sha256(local.tobytes()).hexdigest()[:16],
    }
    mesh.transform(matrix)
    world = coordinates(mesh)
    evaluated.to_mesh_clear()
    if not world or not math.isfinite(sum(world)):
        return facts, None
    low = [min(world[axis::3]) for axis in range(3)]
    high = [max(world[axis::3]) for axis in range(3)]
    return facts, as_bounds((low, high))


def as_bounds(box: tuple[list[float], list[float]] | None) -> dict[str, Any] | None:
    """A box in the form of the description."""
    return {"min": numbers(box[0]), "max": numbers(box[1])} if box else None


def coordinates(mesh: Any) -> array.array[float]:
    """x, y and z of every vertex, in one flat array."""
    values = array.array("f", bytes(12 * len(mesh.vertices)))
    mesh.vertices.foreach_get("co", values)
    return values


def describe_kind(obj: Any) -> dict[str, Any]:
    """The main settings of a light or a camera."""
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


def changed_settings(item: Any) -> dict[str, Any]:
    """Every writable setting that differs from its default, except those of the display."""
    settings: dict[str, Any] = {}
    for prop in item.bl_rna.properties:
        name = prop.identifier
        if name in UNTOLD or prop.is_readonly or name.startswith("show_") or prop.type == "COLLECTION":
            continue
        value = plain(getattr(item, name))
        if value != plain(default_of(prop)):
            settings[name] = value
    return settings


def default_of(prop: Any) -> Any:
    if prop.type == "POINTER":
        return None
    if getattr(prop, "is_array", False):
        return prop.default_array
    if getattr(prop, "is_enum_flag", False):
        return prop.default_flag
    return prop.default


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
            facts[name.lower().replace(" ", "_")] = plain(shader.inputs[name].default_value)
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


def world_boxes(depsgraph: Any) -> tuple[dict[str, tuple[list[float], list[float]]], set[str]]:
    """World bounding box (minimum, maximum) of each object that renders, and the names of those with instances.

    The box of an object with instances encloses the instances.
    """
    instancers: set[str] = set()
    boxes: dict[str, tuple[list[float], list[float]]] = {}
    for index, instance in enumerate(depsgraph.object_instances):
        if index >= INSTANCE_LIMIT:
            break
        if instance.object.type not in RENDERABLE:
            continue
        owner = instance.parent if instance.is_instance else instance.object
        if instance.is_instance:
            instancers.add(owner.name)
        corners = [
            [sum(row[axis] * corner[axis] for axis in range(3)) + row[3] for row in instance.matrix_world[:3]]
            for corner in instance.object.bound_box
        ]
        low, high = boxes.setdefault(owner.name, ([math.inf] * 3, [-math.inf] * 3))
        for corner in corners:
            for axis in range(3):
                low[axis] = min(low[axis], corner[axis])
                high[axis] = max(high[axis], corner[axis])
    return boxes, instancers


def plain(value: Any) -> Any:
    """A property value as JSON: numbers rounded, vectors as lists, data blocks by name."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return tidy(value)
    if isinstance(value, set):
        return sorted(cast("set[str]", value))
    if hasattr(value, "name"):
        return value.name
    try:
        return [plain(part) for part in value]
    except TypeError:
        return None


def numbers(values: Any) -> list[float | None]:
    return [tidy(value) for value in values]


def tidy(value: float) -> float | None:
    """Six significant digits, the precision of Blender's own floats; None if the value is not finite."""
    return float(f"{value:.6g}") + 0.0 if math.isfinite(value) else None
