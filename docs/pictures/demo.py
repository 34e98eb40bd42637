"""Create the active object if missing, add a Subdivision Surface modifier (levels=2), and shade smooth."""

import bpy

if bpy.context.object is None:
    bpy.ops.mesh.primitive_cube_add()
obj = bpy.context.object
assert obj is not None, "there is no active object"
subdivision_surface = obj.modifiers.get("Subdivision Surface") or obj.modifiers.new("Subdivision Surface", "SUBSURF")
assert isinstance(subdivision_surface, bpy.types.SubsurfModifier)
subdivision_surface.levels = 2
mesh = obj.data
assert isinstance(mesh, bpy.types.Mesh)
mesh.shade_smooth()
