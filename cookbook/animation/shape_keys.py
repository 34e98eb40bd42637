"""Give a mesh shape keys and drive one by a custom property.

Asked as: add shape keys from python; morph a mesh between two shapes; blend shapes with a slider; driver on a shape key
value
"""

from typing import Any

import bpy
import bmesh

NAME, SLIDER = "Squashy Ball", "squash"


def placed(name: str, data: bpy.types.ID | None) -> bpy.types.Object:
    """Return the object of this name, put into the scene the first time."""
    scene = bpy.context.scene
    obj = bpy.data.objects.get(name) or bpy.data.objects.new(name, data)
    if scene is not None and obj.name not in scene.objects:
        scene.collection.objects.link(obj)
    return obj


def coloured(name: str, colour: tuple[float, float, float, float]) -> bpy.types.Material:
    """Return the material of this name, in this colour."""
    material = bpy.data.materials.get(name) or bpy.data.materials.new(name)
    if material.node_tree is None:  # before Blender 5.0
        material.use_nodes = True
    tree: Any = material.node_tree
    tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = colour
    return material


def add_keys(obj: bpy.types.Object, mesh: bpy.types.Mesh) -> bpy.types.ShapeKey:
    """Return the key that flattens the ball, beside the one that holds its own shape."""
    if mesh.shape_keys is None:
        obj.shape_key_add(name="Basis", from_mix=False)
        flat = obj.shape_key_add(name="Squash", from_mix=False)
        points: Any = flat.data  # of a mesh; other things have others
        for vertex, point in zip(mesh.vertices, points, strict=True):
            wide = 1.0 + 0.6 * (1.0 - abs(vertex.co.z))
            point.co = (vertex.co.x * wide, vertex.co.y * wide, vertex.co.z * 0.4)
    assert mesh.shape_keys is not None
    return mesh.shape_keys.key_blocks["Squash"]


def drive(key: bpy.types.ShapeKey, obj: bpy.types.Object) -> None:
    """Let the property of the object set how far the key goes."""
    key.driver_remove("value")
    added: Any = key.driver_add("value")
    driver: bpy.types.Driver = added.driver
    variable = driver.variables.new()
    variable.name = SLIDER
    variable.targets[0].id = obj
    variable.targets[0].data_path = f'["{SLIDER}"]'
    driver.expression = SLIDER


def main() -> None:
    mesh = bpy.data.meshes.get(NAME)
    if mesh is None:
        mesh = bpy.data.meshes.new(NAME)
        bm = bmesh.new()
        bmesh.ops.create_uvsphere(bm, u_segments=48, v_segments=24, radius=1.0)
        bm.to_mesh(mesh)
        bm.free()
        mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    ball = placed(NAME, mesh)
    ball.active_material = coloured("Lime", (0.25, 0.6, 0.05, 1.0))
    ball[SLIDER] = 0.7
    owner: Any = ball  # the stubs say that the next call returns nothing
    owner.id_properties_ui(SLIDER).update(min=0.0, max=1.0, description="How flat the ball is")
    drive(add_keys(ball, mesh), ball)


main()
