"""Describes a scene in plain JSON values: the facts that a person would check by looking.

Geometry is evaluated as for a render: modifiers, shape keys and drivers are applied. Things that renders do not have
are described as a viewport has them. Lengths are metres in world space, rotations radians. A part that cannot be
described is left empty and named in `faults`: it must not void the others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from typing import Any

import bpy
from mathutils import Matrix

from harness.inside.scene.code import code_of_scene
from harness.inside.scene.geometry import (
    RENDERABLE,
    are_finite,
    as_bounds,
    describe_geometry,
    evaluated_objects,
    finite_points,
    world_boxes,
    world_matrix,
)
from harness.inside.scene.names import tell_apart, title, title_or_none, titled
from harness.inside.scene.rendered import as_rendered
from harness.inside.scene.settings import (
    changed_settings,
    custom_properties,
    fingerprint,
    modifier_inputs,
    numbers,
    plain,
    tidy,
)
from harness.inside.scene.viewport import Glance, glance, glances, is_finer, other_in_viewport

OBJECT_LIMIT = 10_000
FAULT_LIMIT = 20
TEXT_LIMIT = 300
MOST_PROPERTIES = 16
PROPERTY_LIMIT = 80

COUNTED = (
    "objects", "meshes", "curves", "metaballs", "armatures", "lattices", "cameras", "lights", "materials", "textures",
    "images", "node_groups", "collections", "actions", "particles", "worlds", "scenes", "texts", "shape_keys",
)  # fmt: skip

EMPTY_DESCRIPTION: dict[str, Any] = {
    "bounds": None, "data": None, "parent": None, "location": [0.0] * 3, "rotation": [0.0] * 3, "scale": [1.0] * 3,
    "dimensions": [0.0] * 3, "collections": [], "materials": [], "modifiers": [], "constraints": [], "animation": None,
    "settings": "", "has_instances": False, "hidden_in_render": False, "finite": True, "in_viewport": None,
    "library": None, "properties": {},
}  # fmt: skip
"""The description of an object that cannot be described at all."""


class Describer:
    """The facts about the whole scene that the description of one object needs, and the faults of descriptions.

    `look` adds the evaluation of a render; until then the viewport's is used.
    """

    def __init__(self) -> None:
        self.faults: list[dict[str, str]] = []
        self.viewport = self.depsgraph = bpy.context.evaluated_depsgraph_get()
        self.evaluated = evaluated_objects(self.viewport)
        self.seen: dict[int, Glance] = self.part("the viewport", {}, lambda: glances(self.viewport))
        self.rendered = rendered_addresses()
        self.collections = collections_by_object()
        self.fingerprints: dict[int, str] = {}
        self.in_render: set[int] = set()

    def look(self, depsgraph: Any) -> None:
        """Take in the evaluation of a render, which exists only while Blender renders."""
        self.depsgraph = depsgraph
        self.in_render = evaluated_objects(depsgraph)

    def instances(self) -> None:
        """Measure instances, and things that are not made of faces."""
        none: tuple[dict[str, Any], set[str], set[str], bool] = ({}, set(), set(), False)
        found = self.part("the instances", none, lambda: world_boxes(self.depsgraph))
        self.boxes, self.instancers, self.not_finite, self.instances_left_out = found

    def depsgraph_of(self, obj: Any) -> Any:
        """The evaluation that has the object."""
        return self.depsgraph if obj.as_pointer() in self.in_render else self.viewport

    def part(self, of: str, otherwise: Any, make: Callable[[], Any]) -> Any:
        """The result of `make`; `otherwise`, and a fault, if it fails."""
        try:
            return make()
        except MemoryError:
            raise
        except Exception as error:
            if len(self.faults) < FAULT_LIMIT:
                self.faults.append({"of": of, "fault": f"{type(error).__name__}: {error}"[:TEXT_LIMIT]})
            return otherwise

    def settings_of(self, obj: Any) -> str:
        """The fingerprint of an object and its data; that of data is made once for all its users."""
        if obj.data is None:
            return fingerprint(obj)
        address = obj.data.as_pointer()
        if address not in self.fingerprints:
            self.fingerprints[address] = fingerprint(obj.data)
        return hashlib.sha256((fingerprint(obj) + self.fingerprints[address]).encode()).hexdigest()[:16]


def describe() -> dict[str, Any]:
    """The open file's current scene, its objects and the data blocks of the file."""
    tell_apart()
    scene = bpy.context.scene
    teller = Describer()
    # Described before the render, for which they are set otherwise for a moment.
    told: dict[str, Any] = {"scene": describe_scene(scene, teller), "counts": counts()}

    def tell(depsgraph: Any) -> dict[str, Any]:
        teller.look(depsgraph)
        return describe_objects(scene, teller)

    objects = teller.part("the scene as renders have it", None, lambda: as_rendered(tell))
    if objects is None:
        teller.look(teller.viewport)
        objects = describe_objects(scene, teller)
    return {
        **told,
        **objects,
        "materials": {
            name: teller.part(f'material "{name}"', {}, partial(describe_material, material))
            for name, material in titled(bpy.data.materials).items()
        },
        "collections": {
            name: sorted(map(title, collection.objects))[:OBJECT_LIMIT]
            for name, collection in titled(bpy.data.collections).items()
        },
        "code": teller.part("its code", [], code_of_scene),
        "faults": teller.faults,
    }


def counts() -> dict[str, int]:
    """The numbers of data blocks by kind."""
    return {name: len(getattr(bpy.data, name)) for name in COUNTED if hasattr(bpy.data, name)}


def describe_objects(scene: Any, teller: Describer) -> dict[str, Any]:
    """The objects of a scene by their titles, and the facts that were left out because there are too many."""
    teller.instances()
    objects = titled(scene.objects)
    return {
        "objects": {
            name: teller.part(
                f'object "{name}"', {**EMPTY_DESCRIPTION, "type": obj.type}, partial(describe_object, obj, teller)
            )
            for name, obj in list(objects.items())[:OBJECT_LIMIT]
        },
        "objects_left_out": max(0, len(objects) - OBJECT_LIMIT),
        "instances_left_out": teller.instances_left_out,
    }


def describe_scene(scene: Any, teller: Describer) -> dict[str, Any]:
    world, owners = scene.world, (scene, scene.render, scene.view_settings, scene.unit_settings)
    return {
        "name": scene.name,
        "engine": scene.render.engine,
        "camera": title_or_none(scene.camera),
        "active_object": title_or_none(bpy.context.view_layer.objects.active),
        "mode": mode_of(bpy.context.view_layer.objects.active),
        "selected": sorted(title(obj) for obj in scene.objects if obj.select_get()),
        "frame_current": scene.frame_current,
        "frame_start": scene.frame_start,
        "frame_end": scene.frame_end,
        "settings": teller.part("the scene's settings", "", lambda: fingerprint(*owners)),
        "world": teller.part("the world", None, lambda: describe_world(world)) if world else None,
        "background": scene.background_set.name if scene.background_set else None,
        "overrides": overrides(bpy.context.view_layer),
    }


def mode_of(active: Any) -> str:
    """The mode that the file is in, such as OBJECT or EDIT."""
    return str(active.mode) if active else "OBJECT"


def own_properties(obj: Any) -> dict[str, str]:
    """The custom properties of an object, each value as Python writes it."""
    return {name: value[:PROPERTY_LIMIT] for name, value in custom_properties(obj)[:MOST_PROPERTIES]}


def overrides(layer: Any) -> list[str]:
    """The things that a view layer shows in place of those of the scene, such as `material_override`."""
    return [name for name in ("material_override", "world_override") if getattr(layer, name, None) is not None]


def describe_world(world: Any) -> dict[str, Any]:
    return {"name": world.name, "color": numbers(world.color), "nodes": node_facts(world)}


def rendered_addresses() -> set[int]:
    """The addresses of the objects in collections that render in the active view layer."""
    found: set[int] = set()
    waiting = [bpy.context.view_layer.layer_collection]
    while waiting:
        layer = waiting.pop()
        if layer.collection.hide_render:
            continue
        if not layer.exclude:
            found |= {obj.as_pointer() for obj in layer.collection.objects}
        waiting.extend(layer.children)
    return found


def collections_by_object() -> dict[int, list[str]]:
    """The titles of each object's collections, by its address; Blender looks through all of them for each object."""
    found: dict[int, list[str]] = {}
    for collection in [*bpy.data.collections, *(scene.collection for scene in bpy.data.scenes)]:
        for obj in collection.objects:
            found.setdefault(obj.as_pointer(), []).append(title(collection))
    return found


def describe_object(obj: Any, teller: Describer) -> dict[str, Any]:
    name = title(obj)

    def part(of: str, otherwise: Any, make: Callable[[], Any]) -> Any:
        return teller.part(f'{of} of object "{name}"', otherwise, make)

    depsgraph = teller.depsgraph_of(obj)
    evaluated = obj.evaluated_get(depsgraph)
    matrix = part("the place", Matrix.Identity(4), lambda: place_of(obj, evaluated, teller))
    geometry, own_box = part("the geometry", ({}, None), lambda: describe_geometry(obj, depsgraph, matrix))
    has_instances = name in teller.instancers
    box = (None if has_instances else own_box) or teller.boxes.get(name)
    kind = part("the kind", {}, lambda: describe_kind(obj))
    hidden = obj.hide_render or obj.as_pointer() not in teller.rendered
    facts = {
        "bounds": as_bounds(box),
        "type": obj.type,
        "data": title_or_none(obj.data),
        "library": obj.library.name if obj.library else None,
        "parent": title_or_none(obj.parent),
        "location": numbers(matrix.translation),
        "rotation": numbers(matrix.to_euler()),
        "scale": numbers(matrix.to_scale()),
        "dimensions": numbers(evaluated.dimensions),
        "collections": sorted(teller.collections.get(obj.as_pointer(), [])),
        "materials": [title_or_none(slot.material) for slot in obj.material_slots],
        "modifiers": part("the modifiers", [], lambda: list(map(describe_modifier, obj.modifiers))),
        "constraints": part("the constraints", [], lambda: [describe_settings(item) for item in obj.constraints]),
        "animation": part("the animation", None, lambda: describe_animation(obj)),
        "settings": part("the settings", "", lambda: teller.settings_of(obj)),
        "properties": part("the custom properties", {}, lambda: own_properties(obj)),
        "has_instances": has_instances,
        **geometry,
        **kind,
        "hidden_in_render": hidden,
        "in_viewport": None if hidden else part("the viewport", None, lambda: in_viewport(obj, teller)),
    }
    if obj.parent:
        facts["local"] = part("the local place", {}, lambda: describe_local(obj))
    if has_instances and teller.instances_left_out:
        facts["instances_left_out"] = True
    seen = teller.seen.get(obj.as_pointer())
    if seen and obj.type == "MESH" and is_finer(obj) and geometry.get("vertices") not in (None, seen[0]):
        facts |= {"vertices_in_viewport": seen[0], "faces_in_viewport": seen[1]}
    sound = geometry.get("finite", True) and name not in teller.not_finite and is_finite(obj, matrix, facts)
    return {**facts, "finite": sound and part("the points", True, lambda: finite_points(evaluated))}


def describe_local(obj: Any) -> dict[str, list[float | None]]:
    """The place of a child as its own properties show it, below its parent."""
    rotation = numbers(obj.matrix_basis.to_euler())
    return {"location": numbers(obj.location), "rotation": rotation, "scale": numbers(obj.scale)}


def place_of(obj: Any, evaluated: Any, teller: Describer) -> Any:
    """The world matrix of an object in a render, or in the viewport if renders do not have it."""
    if obj.as_pointer() in teller.in_render:
        return evaluated.matrix_world.copy()
    return world_matrix(obj, teller.evaluated)


def is_finite(obj: Any, matrix: Any, facts: dict[str, Any]) -> bool:
    """True if its place, turn, scale and sizes are numbers, its own as well as those in the world."""
    kind: dict[str, Any] = facts.get("light") or facts.get("camera") or {}
    box: dict[str, Any] = facts["bounds"] or {}
    told = [*kind.values(), *facts["dimensions"], *box.get("min", ()), *box.get("max", ())]
    turns = (obj.rotation_euler, obj.rotation_quaternion, obj.rotation_axis_angle)
    moves = (obj.delta_location, obj.delta_rotation_euler, obj.delta_rotation_quaternion, obj.delta_scale)
    return (
        None not in told
        and are_finite(*matrix, *obj.matrix_basis, *obj.matrix_parent_inverse, *turns, *moves)
        and are_finite([number for number in told if isinstance(number, float)])
    )


def in_viewport(obj: Any, teller: Describer) -> str | None:
    """The look of a rendered object in a viewport if it differs from the render."""
    address = obj.as_pointer()
    if obj.type not in RENDERABLE or address not in teller.in_render:
        return None
    return other_in_viewport(obj, glance(obj, teller.depsgraph), teller.seen.get(address))


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


def describe_modifier(modifier: Any) -> dict[str, Any]:
    """The settings of a modifier, and what its group of nodes is given."""
    inputs = {"inputs": modifier_inputs(modifier)} if modifier.type == "NODES" else {}
    return {**describe_settings(modifier), **inputs}


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
    facts: dict[str, Any] = {
        "diffuse_color": numbers(material.diffuse_color),
        "nodes": node_facts(material),
        "settings": fingerprint(material),
    }
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
