"""Create a torus called Ring, major radius 2, minor radius 0.6, with a shiny gold-coloured metallic
material, and shade it smooth.

Running it again adds nothing and changes nothing.
"""

from math import cos, sin, tau
from typing import Any, TypeVar

import bpy

MARK = "blendproof"  # the custom property by which a second run knows what the first one did


T = TypeVar("T")


def expect(value: object, kind: type[T]) -> T:
    """Return the value, which must be of this type."""
    if not isinstance(value, kind):
        raise TypeError(f"{kind.__name__} expected, not {value!r}")
    return value


def current_scene() -> bpy.types.Scene:
    """Return the scene that is open."""
    return expect(bpy.context.scene, bpy.types.Scene)


def current_view_layer() -> bpy.types.ViewLayer:
    """Return the view layer that is open; it knows which objects are active and selected."""
    return expect(bpy.context.view_layer, bpy.types.ViewLayer)


def find_made(key: str) -> bpy.types.Object | None:
    """Return the object that an earlier run of this snippet made, if the scene still has it."""
    return next((obj for obj in current_scene().objects if obj.get(MARK) == key), None)


def add_object(name: str, data: bpy.types.ID | None) -> bpy.types.Object:
    """Add an object to the scene and make it active."""
    obj = bpy.data.objects.new(name, data)
    current_scene().collection.objects.link(obj)
    view_layer = current_view_layer()
    view_layer.objects.active = obj
    view_layer.update()
    return obj


def new_object(name: str, data: bpy.types.ID | None, key: str) -> bpy.types.Object:
    """Add an object to the scene, marked as made by this snippet, and make it active."""
    if key.endswith(name) and name in bpy.data.objects:
        raise ValueError(f"There is an object named {name!r} already, and this snippet did not make it.")
    obj = add_object(name, data)
    obj[MARK] = key
    return obj


def mesh_of(obj: bpy.types.Object) -> bpy.types.Mesh:
    """Return the mesh of an object."""
    if not isinstance(obj.data, bpy.types.Mesh):
        raise TypeError(f"{obj.name!r} is an object of type {obj.type}; this needs a mesh.")
    return obj.data


def torus_mesh(
    name: str, major_radius: float, minor_radius: float, major_segments: int, minor_segments: int
) -> bpy.types.Mesh:
    """Return the mesh of a ring."""
    points: list[tuple[float, float, float]] = []
    faces: list[tuple[int, int, int, int]] = []
    for i in range(major_segments):
        around = tau * i / major_segments
        for j in range(minor_segments):
            tube = tau * j / minor_segments
            radius = major_radius + minor_radius * cos(tube)
            points.append((radius * cos(around), radius * sin(around), minor_radius * sin(tube)))
            next_i, next_j = (i + 1) % major_segments, (j + 1) % minor_segments
            corners = (i, j), (next_i, j), (next_i, next_j), (i, next_j)
            a, b, c, d = (ring * minor_segments + place for ring, place in corners)
            faces.append((a, b, c, d))
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    mesh.uv_layers.new(name="UVMap")
    mesh.update()
    return mesh


def shade(obj: bpy.types.Object, *, smooth: bool) -> None:
    """Shade every face of the object smooth or flat."""
    mesh = mesh_of(obj)
    mesh.polygons.foreach_set("use_smooth", [smooth] * len(mesh.polygons))
    mesh.update()


def new_material(name: str) -> bpy.types.Material:
    """Return the material of this name that this snippet made, or a new one with nodes."""
    for material in bpy.data.materials:
        if material.get(MARK) == name:
            return material
    material = bpy.data.materials.new(name)
    material[MARK] = name
    if bpy.app.version < (5, 0, 0):
        material.use_nodes = True
    return material


def use_material(obj: bpy.types.Object, material: bpy.types.Material) -> None:
    """Put the material into every slot of the object, so that all of it looks like this."""
    if obj.type in {"LIGHT", "CAMERA", "EMPTY"}:
        raise LookupError(f"{obj.name!r} shows no material.")
    if not obj.material_slots:
        obj.active_material = material
    for slot in obj.material_slots:
        slot.material = material


def shader_of(material: bpy.types.Material) -> bpy.types.Node:
    """Return the Principled BSDF of a material, which decides how the surface looks."""
    nodes = material.node_tree.nodes if material.node_tree else ()
    shader = next((node for node in nodes if node.type == "BSDF_PRINCIPLED"), None)
    if shader is None:
        raise LookupError(f"The material {material.name!r} has no Principled BSDF.")
    return shader


def set_input(node: bpy.types.Node, name: str, value: Any) -> None:
    """Set an input of a node."""
    socket: Any = node.inputs[name]
    socket.default_value = value


def main() -> None:
    """Carry out the request."""
    # Add a torus
    ring = find_made("27314037-1 Ring")
    if ring is None:
        ring = new_object("Ring", torus_mesh("Ring", 2.0, 0.6, 48, 12), "27314037-1 Ring")
    shiny_gold_coloured_metallic_m = new_material("Shiny Gold-Coloured Metallic")
    use_material(ring, shiny_gold_coloured_metallic_m)
    shader = shader_of(shiny_gold_coloured_metallic_m)
    set_input(shader, "Base Color", (1.0, 0.552, 0.107, 1.0))
    shiny_gold_coloured_metallic_m.diffuse_color = (1.0, 0.552, 0.107, 1.0)  # for Workbench
    set_input(shader, "Roughness", 0.1)
    set_input(shader, "Metallic", 1.0)
    shade(ring, smooth=True)


main()
