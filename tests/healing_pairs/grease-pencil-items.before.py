import bpy

bpy.ops.object.select_by_type(type="GPENCIL")
