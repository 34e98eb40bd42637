"""needs_scene: a modifier of a name on the active object."""

import bpy

bpy.context.object.modifiers["Boolean"].object = bpy.data.objects["Cutter"]
bpy.ops.object.modifier_apply(modifier="Boolean")
