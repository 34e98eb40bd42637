"""Measures the things in a picture: evaluated vertices, instances included, and the sources of instances."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import bpy
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Matrix, Vector

from harness.inside.scene.geometry import GENERATING, INSTANCE_LIMIT, MESHLIKE, coordinates
from harness.inside.scene.names import title, titled
from harness.inside.witness import framing
from harness.inside.witness.framing import Box, Reach, Vector3

NODES_LIMIT = 2_000


class ObjectOutline:
    """The box of an object with its instances, and its extent in each view."""

    def __init__(self, box: Box, reach: dict[str, Reach]) -> None:
        self.box = box
        self.reach = reach


def outlines(boxes: dict[str, Box], views: Iterable[str], depsgraph: Any) -> dict[str, ObjectOutline]:
    """The outlines of objects by title. The given box counts if the object has no vertices to measure."""
    views, own = list(views), dict[str, list[ObjectOutline]]()
    objects = titled(bpy.context.scene.objects)
    for name in boxes:
        measured = measure(objects.get(name), depsgraph, views)
        own[name] = [measured] if measured else []
    for name, corners in instanced_corners(depsgraph, set(boxes)).items():
        own[name].append(of_points(corners, views))
    return {
        name: together(parts) if parts else of_points(framing.corners(*boxes[name]), views)
        for name, parts in own.items()
    }


def of_points(points: list[list[float]], views: list[str]) -> ObjectOutline:
    """The outline of points."""
    box = framing.union((point, point) for point in points)
    return ObjectOutline(box, {view: framing.reach_of(points, view) for view in views})


def together(parts: list[ObjectOutline]) -> ObjectOutline:
    """The outline of several."""
    reach = {view: framing.furthest([part.reach[view] for part in parts]) for view in parts[0].reach}
    return ObjectOutline(framing.union(part.box for part in parts), reach)


def measure(obj: Any, depsgraph: Any, views: list[str]) -> ObjectOutline | None:
    """The outline of an object's own evaluated mesh; None if it has none, or one with a coordinate that is no number.

    Blender's own box is not used: that of a curve is too large on 5.0.
    """
    if obj is None or obj.type not in MESHLIKE:
        return None
    evaluated = obj.evaluated_get(depsgraph)
    try:
        mesh = evaluated.to_mesh()
    except RuntimeError:
        return None
    try:
        if mesh is None or not mesh.vertices:
            return None
        mesh.transform(evaluated.matrix_world)
        low, high = limits(mesh)
        if not all(map(math.isfinite, (*low, *high))):
            return None
        reach: dict[str, Reach] = {}
        undo = Matrix.Identity(4)
        for view in views:
            right, left, top, bottom = framing.directions(view)
            # The mesh is turned so that its axes are the directions: Blender is faster at that than a loop.
            first, second = (Matrix((*rows,)).to_4x4() for rows in ((right, left, top), (right, left, bottom)))
            mesh.transform(first @ undo)
            _, most = limits(mesh)
            mesh.transform(second @ first.inverted())
            _, more = limits(mesh)
            undo = second.inverted()
            reach[view] = (most[0], most[1], most[2], more[2])
        return ObjectOutline((low, high), reach)
    finally:
        evaluated.to_mesh_clear()


def limits(mesh: Any) -> Box:
    """The least and the greatest coordinates of the vertices."""
    values = coordinates(mesh)
    return [min(values[axis::3]) for axis in range(3)], [max(values[axis::3]) for axis in range(3)]


def instanced_corners(depsgraph: Any, names: set[str]) -> dict[str, list[list[float]]]:
    """The corners of the boxes of all instances, by the name of the object that makes them."""
    found: dict[str, list[list[float]]] = {}
    local: dict[tuple[int, int], list[Any]] = {}
    for index, instance in enumerate(depsgraph.object_instances):
        if index >= INSTANCE_LIMIT:
            break
        owner = title(instance.parent) if instance.is_instance else ""
        if owner not in names:
            continue
        shown = instance.object
        # Blender tells the faces of a curve as an instance in the same place; its vertices are measured already.
        if shown.type in GENERATING and instance.matrix_world == instance.parent.matrix_world:
            continue
        # An object made by geometry nodes is listed as an instance of the object in itself, with other data each time.
        key = (shown.as_pointer(), shown.data.as_pointer() if shown.data else 0)
        if key not in local:
            local[key] = local_corners(shown)
        matrix = instance.matrix_world.copy()
        found.setdefault(owner, []).extend(list(matrix @ corner) for corner in local[key])
    return {name: corners for name, corners in found.items() if corners}


def local_corners(evaluated: Any) -> list[Any]:
    """The corners of the box of an evaluated object, in its own space; none if there is nothing to see."""
    data = evaluated.data
    if isinstance(data, bpy.types.Mesh):
        return [Vector(corner) for corner in framing.corners(*limits(data))] if data.vertices else []
    if evaluated.type in MESHLIKE:
        mesh = evaluated.to_mesh()
        if mesh is None or not mesh.vertices:
            return []
        corners = framing.corners(*limits(mesh))
        evaluated.to_mesh_clear()
        return [Vector(corner) for corner in corners]
    if evaluated.type in {"EMPTY", "LIGHT", "CAMERA", "ARMATURE", "LATTICE", "SPEAKER", "LIGHT_PROBE"}:
        return []
    return [Vector(corner) for corner in evaluated.bound_box]


def instance_sources(depsgraph: Any) -> set[str]:
    """Titles of the objects that others show copies of: instances, and inputs of geometry nodes."""
    sources: set[str] = set()
    for index, instance in enumerate(depsgraph.object_instances):
        if index >= INSTANCE_LIMIT:
            break
        if instance.is_instance and instance.object.original != instance.parent.original:
            sources.add(title(instance.object))
    for obj in bpy.context.scene.objects:
        for modifier in obj.modifiers:
            if modifier.type == "NODES" and modifier.node_group:
                sources |= named_in([*inputs_of(modifier), *values_of(modifier.node_group)]) - {title(obj)}
    return sources


def inputs_of(modifier: Any) -> list[Any]:
    """The values of the inputs of a modifier with nodes: its own properties, or since 5.2 those of a group of them."""
    if hasattr(modifier, "properties"):
        inputs = modifier.properties.inputs
        named = [prop.identifier for prop in inputs.bl_rna.properties if prop.identifier != "rna_type"]
        return [getattr(getattr(inputs, name), "value", None) for name in named]
    return [modifier[key] for key in modifier.keys() if key.startswith(("Socket_", "Input_"))]  # noqa: SIM118


def values_of(tree: Any) -> list[Any]:
    """The values of the unlinked inputs of a node tree."""
    nodes = list(tree.nodes)[:NODES_LIMIT]
    return [
        socket.default_value
        for node in nodes
        for socket in node.inputs
        if socket.type in {"OBJECT", "COLLECTION"} and not socket.is_linked
    ]


def named_in(values: Iterable[Any]) -> set[str]:
    """The titles of the objects among values, and of those in collections."""
    found: set[str] = set()
    for value in values:
        if isinstance(value, bpy.types.Object):
            found.add(title(value))
        elif isinstance(value, bpy.types.Collection):
            found |= {title(obj) for obj in value.all_objects}
    return found


def ray_hits(obj: Any, depsgraph: Any, origin: Vector3, direction: Vector3) -> bool:
    """True if a ray from a place in the world hits a mesh object."""
    if obj.type != "MESH":
        return False
    evaluated = obj.evaluated_get(depsgraph)
    try:
        inverse = evaluated.matrix_world.inverted()
        start = inverse @ Vector(origin)
        hit, *_ = evaluated.ray_cast(start, (inverse.to_3x3() @ Vector(direction)).normalized())
    except (RuntimeError, ValueError):
        return False
    return bool(hit)


def frame_of(scene: Any, camera: Any, boxes: Iterable[Box]) -> tuple[float, float]:
    """The mean share of the boxes inside the picture of a camera, and the share of the picture that they fill."""
    boxes = list(boxes)
    # Asking Blender where a point is in the picture takes microseconds, and there may be thousands of objects.
    steps = 5 if len(boxes) <= 100 else 3 if len(boxes) <= 1000 else 2
    grids = [framing.grid(box, steps) for box in boxes]
    seen = [[place for point in points if (place := place_in_frame(scene, camera, point))] for points in grids]
    return framing.in_frame(seen, [len(points) for points in grids])


def place_in_frame(scene: Any, camera: Any, point: list[float]) -> tuple[float, float] | None:
    x, y, depth = world_to_camera_view(scene, camera, Vector(point))
    return (x, y) if 0 <= x <= 1 and 0 <= y <= 1 and depth > 0 else None
