import bpy

bpy.ops.transform.rotate(value=0.5, orient_axis='Z')
