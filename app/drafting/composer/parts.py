"""The helper functions that snippets share. A snippet holds only those that it needs, in this order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Part:
    """A function of a snippet, and the other parts that it calls."""

    code: str
    needs: tuple[str, ...] = ()


PARTS: Final[dict[str, Part]] = {
    "current_scene": Part(
        '''\
def current_scene() -> bpy.types.Scene:
    """Return the scene that is open."""
    scene = bpy.context.scene
    if scene is None:
        raise RuntimeError("No scene is open.")
    return scene
'''
    ),
    "current_view_layer": Part(
        '''\
def current_view_layer() -> bpy.types.ViewLayer:
    """Return the view layer that is open; it knows which object is active."""
    view_layer = bpy.context.view_layer
    if view_layer is None:
        raise RuntimeError("No view layer is open.")
    return view_layer
'''
    ),
    "active_object": Part(
        '''\
def active_object() -> bpy.types.Object:
    """Return the active object."""
    obj = current_view_layer().objects.active
    if obj is None:
        raise LookupError("There is no active object. Click on one, or add one, and run this again.")
    return obj
''',
        needs=("current_view_layer",),
    ),
    "object_named": Part(
        '''\
def object_named(name: str) -> bpy.types.Object:
    """Return the object of the scene that has this name."""
    objects = current_scene().objects
    obj = objects.get(name)
    if obj is None:
        names = ", ".join(sorted(obj.name for obj in objects)) or "no objects"
        raise LookupError(f"The scene has no object named {name!r}. It has: {names}.")
    return obj
''',
        needs=("current_scene",),
    ),
    "mesh_of": Part(
        '''\
def mesh_of(obj: bpy.types.Object) -> bpy.types.Mesh:
    """Return the mesh of an object."""
    if not isinstance(obj.data, bpy.types.Mesh):
        raise TypeError(f"{obj.name!r} is an object of type {obj.type}; this needs a mesh.")
    return obj.data
'''
    ),
    "find_made": Part(
        '''\
def find_made(key: str) -> bpy.types.Object | None:
    """Return the object that an earlier run of this snippet made, if the scene still has it."""
    return next((obj for obj in current_scene().objects if obj.get(MARK) == key), None)
''',
        needs=("current_scene",),
    ),
    "require_free": Part(
        '''\
def require_free(name: str) -> None:
    """Make sure that a new object can have this name."""
    if bpy.data.objects.get(name) is not None:
        raise ValueError(f"There is an object named {name!r} already, and this snippet did not make it.")
'''
    ),
    "new_object": Part(
        '''\
def new_object(name: str, mesh: bpy.types.Mesh, key: str) -> bpy.types.Object:
    """Add an object to the scene, marked as made by this snippet."""
    obj = bpy.data.objects.new(name, mesh)
    obj[MARK] = key
    current_scene().collection.objects.link(obj)
    return obj
''',
        needs=("current_scene",),
    ),
    "principled": Part(
        '''\
def principled(material: bpy.types.Material) -> bpy.types.Node:
    """Return the node that decides how the surface looks."""
    nodes = material.node_tree.nodes if material.node_tree else ()
    shader = next((node for node in nodes if node.type == "BSDF_PRINCIPLED"), None)
    if shader is None:
        raise LookupError(f"The material {material.name!r} has no Principled BSDF.")
    return shader
'''
    ),
    "set_colour": Part(
        '''\
def set_colour(shader: bpy.types.Node, colour: tuple[float, float, float, float]) -> None:
    """Set the base colour of the shader."""
    socket = shader.inputs["Base Color"]
    if not isinstance(socket, bpy.types.NodeSocketColor):
        raise TypeError("The base colour of the Principled BSDF is not a colour.")
    socket.default_value = colour
'''
    ),
    "set_number": Part(
        '''\
def set_number(shader: bpy.types.Node, name: str, number: float) -> None:
    """Set an input of the shader that is a number."""
    socket = shader.inputs[name]
    if not isinstance(socket, (bpy.types.NodeSocketFloat, bpy.types.NodeSocketFloatFactor)):
        raise TypeError(f"The input {name!r} of the Principled BSDF is not a number.")
    socket.default_value = number
'''
    ),
    "use_material": Part(
        '''\
def use_material(obj: bpy.types.Object, material: bpy.types.Material) -> None:
    """Put the material into every slot of the object, so that all of it looks like this."""
    mesh = mesh_of(obj)
    if not obj.material_slots:
        mesh.materials.append(material)
    for slot in obj.material_slots:
        slot.material = material
''',
        needs=("mesh_of",),
    ),
    "shade": Part(
        '''\
def shade(obj: bpy.types.Object, *, smooth: bool) -> None:
    """Shade every face of the object smooth or flat."""
    mesh = mesh_of(obj)
    if mesh.is_editmode:
        raise RuntimeError(f"{obj.name!r} is in Edit Mode; leave it and run this again.")
    mesh.polygons.foreach_set("use_smooth", [smooth] * len(mesh.polygons))
    mesh.update()
''',
        needs=("mesh_of",),
    ),
}
