"""Create a torus called Ring, major radius 2, minor radius 0.6, with a shiny gold-coloured metallic
material, and shade it smooth.
"""

from typing import Any

import bpy

MADE_BY = "made by 27314037"  # by this a second run finds what the first one made
if bpy.context.mode != "OBJECT":
    bpy.ops.object.mode_set(mode="OBJECT")
ring = next((one for one in bpy.data.objects if one.get(MADE_BY) == "Ring"), None)
if ring is None:
    assert "Ring" not in bpy.data.objects, "there is an object Ring already"
    bpy.ops.mesh.primitive_torus_add(major_radius=2.0, minor_radius=0.6)
    ring = bpy.context.object
    assert ring is not None
    ring.name = "Ring"
    ring[MADE_BY] = "Ring"
shiny_gold_metallic = next((one for one in bpy.data.materials if one.get(MADE_BY) == "Shiny Gold Metallic"), None)
if shiny_gold_metallic is None:
    shiny_gold_metallic = bpy.data.materials.new("Shiny Gold Metallic")
    shiny_gold_metallic[MADE_BY] = "Shiny Gold Metallic"
tree: Any = shiny_gold_metallic.node_tree
inputs: Any = tree.nodes["Principled BSDF"].inputs
inputs["Roughness"].default_value = 0.1
inputs["Base Color"].default_value = (1.0, 0.552, 0.107, 1.0)
inputs["Metallic"].default_value = 1.0
shiny_gold_metallic.diffuse_color = (1.0, 0.552, 0.107, 1.0)  # for the viewport
ring.active_material = shiny_gold_metallic
mesh = ring.data
assert isinstance(mesh, bpy.types.Mesh)
mesh.shade_smooth()
