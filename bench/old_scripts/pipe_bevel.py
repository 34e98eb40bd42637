"""2.8x-2.9x: modifiers with old names, applied."""
import bpy

bpy.ops.mesh.primitive_cylinder_add(radius=0.5, depth=3)
pipe = bpy.context.object
bevel = pipe.modifiers.new("Bevel", 'BEVEL')
bevel.width = 0.05
mirror = pipe.modifiers.new("Mirror", 'MIRROR')
mirror.use_x = True
bpy.ops.object.modifier_apply(apply_as='DATA', modifier="Bevel")
bpy.ops.object.shade_smooth(use_auto_smooth=True)
