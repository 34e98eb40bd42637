import bpy

bpy.ops.select_all(action="DESELECT")
assert not bpy.context.selected_objects
