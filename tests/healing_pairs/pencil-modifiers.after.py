import bpy

bpy.ops.object.grease_pencil_add(type="STROKE")
bpy.context.object.modifiers.new("Wobble", "GREASE_PENCIL_NOISE")
