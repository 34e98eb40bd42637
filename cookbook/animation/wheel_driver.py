"""Turn a wheel by as much as it rolls, with a driver.

Asked as: add a driver from python; drive rotation by location; connect one property to another; driver with a
transform channel variable
"""

from math import atan2, pi, radians, tau
from typing import Any

import bpy
import bmesh
from mathutils import Matrix

NAME = "Rolling Wheel"
RADIUS, WIDTH = 1.0, 0.4


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


def build(mesh: bpy.types.Mesh) -> None:
    """Fill the mesh with a wheel of eight spokes that rolls along X, in place of whatever it holds."""
    bm = bmesh.new()
    bmesh.ops.create_cone(bm, cap_ends=True, cap_tris=True, segments=32, radius1=RADIUS, radius2=RADIUS, depth=WIDTH)
    for face in bm.faces:
        middle = face.calc_center_median()
        sector = int((atan2(middle.y, middle.x) + pi) / tau * 16 + 0.01)
        face.material_index = sector % 2 if abs(middle.z) > 0.4 * WIDTH else 0
    bmesh.ops.rotate(bm, cent=(0.0, 0.0, 0.0), matrix=Matrix.Rotation(radians(90.0), 3, "X"), verts=list(bm.verts))
    bm.to_mesh(mesh)
    bm.free()


def drive(wheel: bpy.types.Object, axle: bpy.types.Object) -> None:
    """Rotation in radians is the way of the axle divided by the radius; the wheel's own way would depend on itself."""
    wheel.driver_remove("rotation_euler", 1)
    added: Any = wheel.driver_add("rotation_euler", 1)
    driver: bpy.types.Driver = added.driver
    rolled = driver.variables.new()
    rolled.name = "rolled"
    rolled.type = "TRANSFORMS"
    target = rolled.targets[0]
    target.id = axle
    target.transform_type = "LOC_X"
    target.transform_space = "WORLD_SPACE"
    driver.type = "SCRIPTED"
    driver.expression = f"rolled / {RADIUS}"  # plain arithmetic runs even where scripts are switched off


def main() -> None:
    mesh = bpy.data.meshes.get(NAME) or bpy.data.meshes.new(NAME)
    mesh.materials.clear()  # puts every face back to the first material, so the faces come after it
    mesh.materials.append(coloured("Tyre", (0.02, 0.02, 0.02, 1.0)))
    mesh.materials.append(coloured("Yellow Rim", (0.8, 0.5, 0.02, 1.0)))
    build(mesh)
    axle = placed("Wheel Axle", None)
    axle.location = (0.6, 0.0, RADIUS)  # move or animate this
    wheel = placed(NAME, mesh)
    wheel.parent = axle
    drive(wheel, axle)


main()
