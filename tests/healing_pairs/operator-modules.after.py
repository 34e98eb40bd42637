import bpy

bpy.ops.object.select_all(action="DESELECT")
assert not bpy.context.selected_objects
