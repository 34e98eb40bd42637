import bpy

bpy.ops.object.select_by_layer(match="EXACT", extend=False, layers=1)
assert bpy.context.selected_objects
