import bpy

bpy.ops.transform.rotate(value=0.5, axis=(0, 0, 1))
