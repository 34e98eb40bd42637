import bpy
ctx = bpy.context
ctx.scene.cursor_location = (1, 1, 1)
bpy.ops.view3d.snap_cursor_to_selected()
bpy.context.scene.tool_settings.proportional_edit = 'DISABLED'
bpy.ops.object.add(type='LAMP')
bpy.ops.object.select_by_type(type='MESH')
bpy.ops.object.select_pattern(pattern="Cube*")
bpy.ops.object.parent_set(type='OBJECT')
bpy.ops.object.duplicate_move(OBJECT_OT_duplicate={"linked": False, "mode": 'TRANSLATION'}, TRANSFORM_OT_translate={"value": (2, 0, 0), "constraint_axis": (True, False, False), "constraint_orientation": 'GLOBAL', "mirror": False, "proportional": 'DISABLED', "proportional_edit_falloff": 'SMOOTH', "proportional_size": 1})
