import bpy

bpy.ops.object.select_all(action='SELECT')
assert bpy.context.selected_objects
