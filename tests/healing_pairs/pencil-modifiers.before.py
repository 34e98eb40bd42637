import bpy

bpy.ops.object.grease_pencil_add(type="STROKE")
bpy.context.object.grease_pencil_modifiers.new("Wobble", "GP_NOISE")
