"""Model a low poly tree with a trunk and a crown.

Asked as: make a low poly tree; build a simple fir tree; stylized tree from cones
"""

from typing import Any

import bpy
import bmesh

TRUNK, CROWN = "Tree Trunk", "Tree Crown"
HEIGHT, RADIUS, LAYERS = 3.0, 0.9, 3
COLOURS = ((0.2, 0.1, 0.05, 1.0), (0.05, 0.25, 0.06, 1.0))


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


def add_cone(bm: bmesh.types.BMesh, bottom: float, top: float, wide: float, narrow: float) -> None:
    """Add an upright cone between two heights."""
    made = bmesh.ops.create_cone(bm, cap_ends=True, segments=9, radius1=wide, radius2=narrow, depth=top - bottom)
    corners = [each for each in made["verts"] if isinstance(each, bmesh.types.BMVert)]
    bmesh.ops.translate(bm, vec=(0.0, 0.0, (bottom + top) / 2), verts=corners)


def main() -> None:
    stem = HEIGHT * 0.25
    cones = {TRUNK: [(0.0, stem * 1.6, RADIUS * 0.16, RADIUS * 0.1)], CROWN: list[tuple[float, float, float, float]]()}
    layer = (HEIGHT - stem) / LAYERS
    for number in range(LAYERS):
        bottom = stem + number * layer
        top = min(HEIGHT, bottom + layer * 1.5)
        cones[CROWN].append((bottom, top, RADIUS * (1 - 0.8 * number / LAYERS), 0.0))
    for (name, parts), colour in zip(cones.items(), COLOURS, strict=True):
        mesh = bpy.data.meshes.get(name) or bpy.data.meshes.new(name)
        bm = bmesh.new()
        for part in parts:
            add_cone(bm, *part)
        bm.to_mesh(mesh)
        bm.free()
        placed(name, mesh).active_material = coloured(name, colour)
    placed(CROWN, None).parent = placed(TRUNK, None)


main()
