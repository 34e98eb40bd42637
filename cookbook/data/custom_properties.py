"""Give objects custom properties with limits, units and descriptions.

Asked as: add a custom property to an object; id property with min and max; store metadata on an object; property with a
tooltip in the sidebar
"""

from typing import Any

import bpy
import bmesh

NAME = "Labelled Part"


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


def label(part: Any) -> None:
    """Write the properties; the stubs do not know what `id_properties_ui` returns, hence the Any."""
    part["part_number"] = "BP-0042"
    part["wear"] = 0.25
    part.id_properties_ui("wear").update(
        min=0.0, max=1.0, soft_max=0.8, default=0.0, precision=2, subtype="FACTOR", description="0 is new, 1 worn out"
    )
    part["teeth"] = 12
    part.id_properties_ui("teeth").update(min=3, max=200, step=1, description="How many teeth the gear has")
    part["tint"] = (0.8, 0.4, 0.1)
    part.id_properties_ui("tint").update(subtype="COLOR", min=0.0, max=1.0)
    part["tested"] = True


def report(part: bpy.types.Object) -> None:
    for key in sorted(part.keys()):
        print(f"{part.name}: {key} = {part[key]!r}")


def main() -> None:
    mesh = bpy.data.meshes.get(NAME) or bpy.data.meshes.new(NAME)
    part = placed(NAME, mesh)
    label(part)
    red, green, blue = part["tint"]
    bm = bmesh.new()
    bmesh.ops.create_cone(bm, cap_ends=True, segments=part["teeth"], radius1=1.0, radius2=0.8, depth=0.5)
    bm.to_mesh(mesh)
    bm.free()
    part.active_material = coloured("Part Tint", (red, green, blue, 1.0))
    report(part)


main()
